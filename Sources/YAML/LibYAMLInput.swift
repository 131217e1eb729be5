/// A text for libyaml, with single escapes for surrogate pairs.
struct LibYAMLInput {
  let bytes: [UInt8]
  /// The index after each escape of a pair, which is two code points shorter than the pair.
  private let shortened: [Int]

  init(_ codePoints: [Unicode.Scalar], shortening escapes: [SurrogateEscape] = []) {
    var text = String.UnicodeScalarView()
    var shortened: [Int] = []
    var copied = 0
    for escape in escapes {
      text.append(contentsOf: codePoints[copied..<escape.range.lowerBound])
      copied = escape.range.upperBound
      guard let codePoint = escape.codePoint else {
        text.append(contentsOf: "\\uFFFD".unicodeScalars)
        continue
      }
      let digits = String(codePoint.value, radix: 16)
      text.append(contentsOf: ("\\U" + String(repeating: "0", count: 8 - digits.count) + digits).unicodeScalars)
      shortened.append(copied - 2 * (shortened.count + 1))
    }
    text.append(contentsOf: codePoints[copied...])
    bytes = Array(String(text).utf8)
    self.shortened = shortened
  }

  /// Returns the index in the source of an index in this text.
  func sourceIndex(_ index: Int) -> Int { index + 2 * shortened.partitionPoint { $0 > index } }
}
