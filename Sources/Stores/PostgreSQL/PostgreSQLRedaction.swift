/// Removes passwords from locations of databases and from libpq's messages about them.
///
/// If a password contains characters with a meaning in a URI, libpq takes parts of it for the host, the port or the
/// database, and its messages quote them. Only locations that can be read in one way are therefore shown.
enum PostgreSQLRedaction {
  private static let advice =
    "Percent-encode the characters in the store's location that have a meaning in a URI: "
    + "%2F for /, %40 for @, %3A for :, %3F for ?, %23 for #, %25 for % and %20 for a space."

  /// Returns the location without its password and its parameters.
  static func redacted(location: String) -> String {
    guard let parts = parts(of: location) else { return "\(scheme(of: location))(not shown)" }
    return "\(parts.scheme)\(parts.user.map { "\($0)@" } ?? "")\(parts.rest)"
  }

  /// Returns libpq's message about a failed connection without any part of the location's password.
  static func redacted(connectionMessage message: String, location: String) -> String {
    guard parts(of: location) == nil else { return message }
    // Show the server's own message to its end, except for the names that it quotes.
    guard let start = message.firstRange(of: "FATAL:")?.lowerBound, !location.contains("\""), !location.contains("%22")
    else {
      return redacted(parserMessage: message)
    }
    return message[start...].replacing(/"[^"]*"/, with: "(not shown)") + " " + advice
  }

  /// Returns libpq's message about an invalid location up to its first quotation from the location.
  static func redacted(parserMessage message: String) -> String {
    let start = message.prefix { $0 != "\"" }
    return start.count == message.count ? message : "\(start)(not shown). \(advice)"
  }

  private static func scheme(of location: String) -> String { location.prefix { $0 != ":" } + "://" }

  private typealias Parts = (scheme: String, user: Substring?, rest: Substring)

  /// Returns nil if a part of a password could be taken for another part of the location.
  private static func parts(of location: String) -> Parts? {
    let scheme = scheme(of: location)
    guard location.hasPrefix(scheme), isPrintable(location), isPercentEncoded(location) else { return nil }
    let halves = location.dropFirst(scheme.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let pieces = halves[0].split(separator: "@", omittingEmptySubsequences: false)
    let rest = pieces[pieces.count - 1]
    guard pieces.count <= 2, isAddress(rest), halves.count == 1 || areParameters(halves[1]) else { return nil }
    guard pieces.count == 2 else { return (scheme, nil, rest) }
    let user = pieces[0].prefix { $0 != ":" }
    // An encoded colon belongs to the user's name, and so would a password behind it.
    guard !pieces[0].contains("/"), !user.lowercased().contains("%3a") else { return nil }
    return (scheme, user, rest)
  }

  private static func isPrintable(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
  }

  /// Whether two hexadecimal digits follow each percent sign.
  private static func isPercentEncoded(_ text: String) -> Bool {
    text.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
      part.utf8.count >= 2 && part.prefix(2).allSatisfy(\.isHexDigit)
    }
  }

  /// Whether the text consists of hosts with optional ports, and an optional database.
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
