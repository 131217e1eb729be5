/// A position in the source of a pattern, from which a parser reads on.
package struct PatternCursor {
  private let scalars: [Unicode.Scalar]
  /// In Unicode code points from 0.
  package var index = 0

  package init(_ source: String) { scalars = Array(source.unicodeScalars) }

  package var isAtEnd: Bool { index == scalars.count }

  package var next: Unicode.Scalar? { self[index] }

  package subscript(index: Int) -> Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  package mutating func take() -> Unicode.Scalar? {
    guard let next else { return nil }
    index += 1
    return next
  }

  package mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }

  /// Reads digits; nil if none stand here. A number above the limit becomes the limit plus 1.
  package mutating func number(limit: Int) -> Int? { digits(1...(.max), radix: 10, limit: limit + 1) }

  /// Reads hexadecimal digits; nil if there are too few. A value above the last code point becomes 110000 (hexadecimal).
  package mutating func hexadecimal(digitCount: ClosedRange<Int>) -> UInt32? {
    digits(digitCount, radix: 16, limit: 0x110000).map { UInt32($0) }
  }

  private mutating func digits(_ count: ClosedRange<Int>, radix: Int, limit: Int) -> Int? {
    let start = index
    var value = 0
    while index - start < count.upperBound, let next, next.isASCII, let digit = Character(next).hexDigitValue,
      digit < radix
    {
      value = min(value * radix + digit, limit)
      index += 1
    }
    return index - start >= count.lowerBound ? value : nil
  }

  /// Reads on to the end mark, which is not part of the text; nil if there is none.
  package mutating func text(through end: Unicode.Scalar) -> String? {
    var text = ""
    while let scalar = take() {
      if scalar == end { return text }
      text.unicodeScalars.append(scalar)
    }
    return nil
  }
}
