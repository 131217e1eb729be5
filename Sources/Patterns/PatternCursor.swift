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
  package mutating func number(limit: Int) -> Int? {
    let start = index
    var number = 0
    while let digit = next, ("0"..."9").contains(digit) {
      number = min(number * 10 + Int(digit.value - 0x30), limit + 1)
      index += 1
    }
    return index > start ? number : nil
  }
  /// Reads hexadecimal digits; nil if there are too few. A value above the last code point becomes 110000 (hexadecimal).
  package mutating func hexadecimal(digitCount: ClosedRange<Int>) -> UInt32? {
    let start = index
    var value: UInt32 = 0
    while index - start < digitCount.upperBound, let next, next.isASCII, let digit = Character(next).hexDigitValue {
      value = min(value * 16 + UInt32(digit), 0x110000)
      index += 1
    }
    return index - start >= digitCount.lowerBound ? value : nil
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
