internal import Values

/// The path of a request to an ``HTTPService``: a literal whose interpolated values cannot change its structure.
///
///     try await shop.get("/orders/\(order)/items/\(item)")
///
/// Each value is percent-encoded within its segment: `/`, `?`, `#` and `%` in it stay characters of the value. A
/// request fails before it is sent if a value is empty or a part of a segment is `.` or `..`, because servers disagree
/// about such a path. A value with a slash is a whole segment: next to a literal or another value, it is refused.
public struct ServicePath: Sendable, ExpressibleByStringInterpolation {
  /// The encoded path, which begins with a slash.
  let text: String
  /// The reason why no request may have this path, as a sentence without any value; nil for a valid path.
  let fault: String?

  public init(stringLiteral literal: String) {
    var interpolation = StringInterpolation(literalCapacity: literal.utf8.count, interpolationCount: 0)
    interpolation.appendLiteral(literal)
    self.init(stringInterpolation: interpolation)
  }

  public init(stringInterpolation interpolation: StringInterpolation) {
    text = interpolation.text
    fault = interpolation.fault ?? Self.fault(of: text) ?? Self.fault(of: text, slashed: interpolation.slashed)
  }

  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var fault: String?
    /// The encoded values that have a slash or a backslash.
    fileprivate var slashed: Set<String> = []

    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Appends a value, percent-encoded.
    public mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
      let value = value.description
      // Some servers decode %2F before they resolve "..", so that a part of a value is like a segment.
      let parts = value.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
      if value.isEmpty { fault = "A value in the path is empty." }
      if parts.contains("..") { fault = "A value in the path has a part \"..\"." }
      let encoded = percentEncoded(value)
      if parts.count > 1 { slashed.insert(encoded) }
      text += encoded
    }
  }

  /// Returns the reason why values with a slash cannot be in their segments, or nil.
  private static func fault(of path: String, slashed: Set<String>) -> String? {
    let isComposed = path.split(separator: "/").contains { segment in
      slashed.contains { segment.contains($0) } && !slashed.contains(String(segment))
    }
    return isComposed ? "A value with a slash is only a part of its segment in the path." : nil
  }

  /// Returns the reason why a text is not an encoded path without dot segments (RFC 3986, section 3.3), or nil.
  static func fault(of path: String) -> String? {
    guard path.hasPrefix("/") else { return "The path does not begin with a slash." }
    var rest = Array(path.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.count >= 2, rest.prefix(2).allSatisfy({ Hexadecimal.value(of: $0) != nil }) else {
          return "The path has a percent sign without two hexadecimal digits."
        }
      } else if !byte.isASCIILetter, !byte.isASCIIDigit, !"/-._~!$&'()*+,;=:@".utf8.contains(byte) {
        return "The path has a character that needs percent-encoding. A query is a parameter of its own."
      }
    }
    // "%2e" stands for a dot in a dot segment too (WHATWG, "URL", section 4.1).
    // Some servers decode %2F and %5C before they resolve "..": a literal and values may compose such a part together.
    let decoded = path.lowercased().replacing("%2e", with: ".").replacing("%2f", with: "/").replacing("%5c", with: "/")
    let segments = decoded.split(separator: "/")
    return segments.contains { [".", ".."].contains($0) } ? "The path has a segment \".\" or \"..\"." : nil
  }
}

/// The query of a request to an ``HTTPService``. Names and values are percent-encoded, and nil leaves an item out.
///
///     try await shop.get("/products", query: ["page": page, "tag": tag])
public struct ServiceQuery: Sendable, ExpressibleByDictionaryLiteral {
  private var items: [(name: String, value: String)] = []

  /// Creates a query with the items in their order. A name may occur more than once.
  public init(dictionaryLiteral items: (String, (any LosslessStringConvertible)?)...) {
    for (name, value) in items { if let value { append(name, value) } }
  }

  public mutating func append(_ name: String, _ value: some LosslessStringConvertible) {
    items.append((name, value.description))
  }

  /// The query with its question mark; empty without items.
  var text: String {
    let pairs = items.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }
    return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
  }
}
