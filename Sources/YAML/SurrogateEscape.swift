/// The escapes of a surrogate pair in double quotes, such as `\ud83d\ude00`, or of half of one.
///
/// JSON writes a character beyond U+FFFF as such a pair. libyaml refuses it.
struct SurrogateEscape {
  let range: Range<Int>
  /// The character, or nil for half of a pair.
  let codePoint: Unicode.Scalar?

  /// Returns the surrogates in a text in double quotes.
  static func all(in range: Range<Int>, of codePoints: [Unicode.Scalar]) -> [SurrogateEscape] {
    var escapes: [SurrogateEscape] = []
    var index = range.lowerBound
    while index < range.upperBound {
      guard codePoints[index] == "\\" else {
        index += 1
        continue
      }
      guard let high = surrogate(at: index, of: codePoints) else {
        index += 2
        continue
      }
      let low = surrogate(at: index + 6, of: codePoints).flatMap { UTF16.isTrailSurrogate($0) ? $0 : nil }
      if UTF16.isLeadSurrogate(high), let low {
        let codePoint = Unicode.Scalar(0x10000 + UInt32(high & 0x3FF) << 10 + UInt32(low & 0x3FF))
        escapes.append(SurrogateEscape(range: index..<(index + 12), codePoint: codePoint))
        index += 12
      } else {
        escapes.append(SurrogateEscape(range: index..<(index + 6), codePoint: nil))
        index += 6
      }
    }
    return escapes
  }

  /// Returns the code points with other escapes of the same length instead of those of surrogates.
  ///
  /// libyaml finds the same tokens in them, with the same ranges.
  static func masked(_ codePoints: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var masked = codePoints
    for index in codePoints.indices where surrogate(at: index, of: codePoints) != nil { masked[index + 2] = "0" }
    return masked
  }

  private static func surrogate(at index: Int, of codePoints: [Unicode.Scalar]) -> UInt16? {
    guard index + 6 <= codePoints.count, codePoints[index] == "\\", codePoints[index + 1] == "u" else { return nil }
    var value: UInt16 = 0
    for codePoint in codePoints[(index + 2)..<(index + 6)] {
      guard let digit = Character(codePoint).hexDigitValue, codePoint.isASCII else { return nil }
      value = value << 4 + UInt16(digit)
    }
    return (0xD800...0xDFFF).contains(value) ? value : nil
  }
}
