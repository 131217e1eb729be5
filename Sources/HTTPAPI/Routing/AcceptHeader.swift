/// The media ranges of an `Accept` header (RFC 9110, section 12.5.1).
enum AcceptHeader {
  /// The maximum number of media ranges. Browsers send ten or fewer, and each costs time.
  static let rangeLimit = 64

  /// Returns how much a client wants each type, from 0 to 1: the most specific range that matches a type decides.
  static func qualities(of types: [String], in text: String) throws(Problem) -> [Double] {
    let ranges = try ranges(of: text)
    let families = types.map { $0.prefix { $0 != "/" } + "/*" }
    var best = types.map { _ in (specificity: 0, quality: 0.0) }
    for range in ranges {
      let essence = MediaType.essence(range)
      for (place, type) in types.enumerated() {
        let specificity = essence == type ? 3 : essence == families[place] ? 2 : essence == "*/*" ? 1 : 0
        if specificity > best[place].specificity { best[place] = (specificity, quality(of: range)) }
      }
    }
    return best.map(\.quality)
  }

  /// The elements of the list that are not empty (RFC 9110, section 5.6.1.2).
  private static func ranges(of text: String) throws(Problem) -> [Substring.UTF8View] {
    var ranges: [Substring.UTF8View] = []
    var rest = text[...].utf8
    while !rest.isEmpty {
      let range = rest.prefix { $0 != UInt8(ascii: ",") }
      rest = rest[range.endIndex...].dropFirst()
      guard !range.allSatisfy(MediaType.isBlank) else { continue }
      guard ranges.count < rangeLimit else {
        throw .notAcceptable("Accept has more than \(rangeLimit) media ranges; send fewer.")
      }
      ranges.append(range)
    }
    return ranges
  }

  /// The `q` of the range; 1 where it has none that makes sense.
  private static func quality(of range: Substring.UTF8View) -> Double {
    for parameter in range.split(separator: UInt8(ascii: ";")).dropFirst() {
      let bytes = parameter.lazy.filter { !MediaType.isBlank($0) }
      guard bytes.starts(with: "q=".utf8) || bytes.starts(with: "Q=".utf8) else { continue }
      let number = Double(String(decoding: bytes.dropFirst(2), as: UTF8.self))
      return number.flatMap { (0...1).contains($0) ? $0 : nil } ?? 1
    }
    return 1
  }
}
