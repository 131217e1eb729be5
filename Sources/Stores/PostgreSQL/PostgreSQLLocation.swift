/// What may be shown of the location of a database.
///
/// Where a password has characters that have a meaning in a URI, libpq takes parts of it for host, port or database, and its messages
/// name those. So only what can be read in one way is shown.
enum PostgreSQLLocation {
  static let advice =
    "In the store's location percent-encode what has a meaning in a URI: %2F for /, %40 for @, %3A for :, %3F for ?, %23 for #, "
    + "%25 for % and %20 for a space."

  /// The location without its password and its parameters.
  static func shown(_ location: String) -> String {
    guard let parts = parts(of: location) else { return "\(scheme(of: location))(not shown)" }
    return "\(parts.scheme)\(parts.user.map { "\($0)@" } ?? "")\(parts.rest)"
  }

  /// What libpq says while it connects, without any part of a password.
  static func sentence(_ message: String, about location: String) -> String {
    guard parts(of: location) == nil else { return message }
    // What the server says is worth reading to its end, but for the names in it.
    guard let start = message.firstRange(of: "FATAL:")?.lowerBound, !location.contains("\""), !location.contains("%22")
    else {
      return parsing(message)
    }
    return message[start...].replacing(/"[^"]*"/, with: "(not shown)") + " " + advice
  }

  /// What libpq says of a location that it does not understand, up to where it repeats a part of it.
  static func parsing(_ message: String) -> String {
    let start = message.prefix { $0 != "\"" }
    return start.count == message.count ? message : "\(start)(not shown). \(advice)"
  }

  private static func scheme(of location: String) -> String { location.prefix { $0 != ":" } + "://" }

  private typealias Parts = (scheme: String, user: Substring?, rest: Substring)

  /// Nil where a part of a password might be taken for something else.
  private static func parts(of location: String) -> Parts? {
    let scheme = scheme(of: location)
    guard location.hasPrefix(scheme), isPrintable(location), isEncoded(location) else { return nil }
    let halves = location.dropFirst(scheme.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let pieces = halves[0].split(separator: "@", omittingEmptySubsequences: false)
    let rest = pieces[pieces.count - 1]
    guard pieces.count <= 2, isAddress(rest), halves.count == 1 || areParameters(halves[1]) else { return nil }
    guard pieces.count == 2 else { return (scheme, nil, rest) }
    let user = pieces[0].prefix { $0 != ":" }
    // A colon that is encoded is a part of the user's name, and so would be a password behind it.
    guard !pieces[0].contains("/"), !user.lowercased().contains("%3a") else { return nil }
    return (scheme, user, rest)
  }

  private static func isPrintable(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
  }

  /// Whether there is no percent sign but before two hexadecimal digits.
  private static func isEncoded(_ text: String) -> Bool {
    text.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
      part.utf8.count >= 2 && part.prefix(2).allSatisfy(\.isHexDigit)
    }
  }

  /// Hosts with their ports, and a database.
  private static func isAddress(_ text: Substring) -> Bool {
    text.wholeMatch(
      of: /(\[[0-9A-Fa-f:.]*\]|[\w.~%-]*)(:[0-9]*)?(,(\[[0-9A-Fa-f:.]*\]|[\w.~%-]*)(:[0-9]*)?)*(\/[^\/]*)?/) != nil
  }

  private static func areParameters(_ text: Substring) -> Bool {
    text.split(separator: "&", omittingEmptySubsequences: false).allSatisfy { parameter in
      parameter.count { $0 == "=" } == 1 && !parameter.contains("@")
    }
  }
}
