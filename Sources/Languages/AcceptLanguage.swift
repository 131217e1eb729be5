/// The languages that a client prefers, as a request states them (RFC 9110, section 12.5.4).
package struct AcceptLanguage: Sendable {
  /// The maximum number of ranges to read. Browsers send ten or fewer, and each one costs time.
  private static let rangeLimit = 64

  /// The ranges with a quality above 0, the preferred ones first.
  private let ranges: [Substring]
  /// The ranges that the client does not accept.
  private let refused: [Substring]

  /// Reads the header. A malformed range, or one with a malformed quality, is ignored.
  package init(_ header: String) {
    let elements = header.split(separator: ",", maxSplits: Self.rangeLimit).prefix(Self.rangeLimit)
    let ranges = elements.compactMap { Self.range($0) }
    // A stable sort keeps the order of the client among equals.
    let sorted = ranges.enumerated().sorted { a, b in
      a.element.quality == b.element.quality ? a.offset < b.offset : a.element.quality > b.element.quality
    }
    self.ranges = sorted.filter { $0.element.quality > 0 }.map(\.element.tag)
    refused = ranges.filter { $0.quality == 0 }.map(\.tag)
  }

  /// Returns the index of the best tag (RFC 4647, section 3.4, Lookup); nil if none matches. The range `*` matches the
  /// first tag that the client does not refuse.
  ///
  /// - Parameter tags: the default of the service first.
  package func best(among tags: [String]) -> Int? {
    let accepted = tags.map { isAccepted($0) }
    for range in ranges {
      if range == "*" { return accepted.firstIndex(of: true) }
      if let index = LanguageTag.lookUp(String(range), in: tags), accepted[index] { return index }
    }
    return nil
  }

  /// Whether the longest range of the client that covers the tag is not refused.
  private func isAccepted(_ tag: String) -> Bool {
    func longest(_ ranges: [Substring]) -> Int {
      ranges.map { $0 == "*" ? 0 : LanguageTag.lookUp(tag, in: [String($0)]) == nil ? -1 : $0.utf8.count }.max() ?? -1
    }
    return longest(refused) <= longest(ranges) || longest(refused) < 0
  }

  /// Returns the range and its quality in thousandths; nil if one of them is malformed.
  private static func range(_ element: Substring) -> (tag: Substring, quality: Int)? {
    let parts = element.split(separator: ";", omittingEmptySubsequences: false).map { trimmed($0) }
    guard let tag = parts.first, tag == "*" || LanguageTag.isWellFormed(String(tag)), parts.count <= 2 else {
      return nil
    }
    guard parts.count == 2 else { return (tag, 1000) }
    guard parts[1].hasPrefix("q=") || parts[1].hasPrefix("Q="), let quality = quality(parts[1].dropFirst(2)) else {
      return nil
    }
    return (tag, quality)
  }

  /// Reads a weight of at most three decimal places (RFC 9110, section 12.4.2).
  private static func quality(_ text: Substring) -> Int? {
    let digits = text.utf8.dropFirst(2)
    guard let first = text.utf8.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"),
      text.utf8.count == 1 || text.utf8.dropFirst().first == UInt8(ascii: "."), digits.count <= 3,
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let fraction = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } * [1000, 100, 10, 1][digits.count]
    let quality = Int(first - 0x30) * 1000 + fraction
    return quality <= 1000 ? quality : nil
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0 == " " || $0 == "\t" }
    return start.lastIndex { $0 != " " && $0 != "\t" }.map { start[...$0] } ?? ""
  }
}
