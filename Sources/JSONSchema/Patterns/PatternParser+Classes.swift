internal import Patterns

/// The escapes and the character classes of a pattern.
extension PatternParser {
  /// The characters that `\s` stands for (ECMA-262, section 22.2.2.9).
  private static let space = CharacterClass([
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
    0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])

  /// Reads the letter after a `\` if it names a class.
  mutating func shorthand(from start: Int) throws(PatternError) -> CharacterClass? {
    let base: CharacterClass
    let letter = cursor.next
    switch letter {
    case "d", "D": base = .digit
    case "w", "W": base = .word
    case "s", "S": base = Self.space
    case "p", "P":
      cursor.place += 1
      return try category(isNegated: letter == "P", from: start)
    default: return nil
    }
    cursor.place += 1
    guard letter == "D" || letter == "W" || letter == "S" else { return base }
    var complement = CharacterClass()
    complement.formUnion(complementOf: base)
    return complement
  }

  private mutating func category(isNegated: Bool, from start: Int) throws(PatternError) -> CharacterClass {
    var name = ""
    var isClosed = false
    if cursor.take("{") {
      while !isClosed, let scalar = cursor.take() {
        if scalar == "}" { isClosed = true } else { name.unicodeScalars.append(scalar) }
      }
    }
    guard isClosed, CharacterClass.categoryNames.contains(name) else {
      throw error("The category of \\p is unknown. Write a general category of Unicode, as in \\p{Lu}", at: start)
    }
    var result = CharacterClass()
    result.categories = [(name, isNegated)]
    return result
  }

  mutating func characterClass(from start: Int) throws(PatternError) -> CharacterClass {
    var result = CharacterClass()
    result.isNegated = cursor.take("^")
    while !cursor.take("]") {
      let first = cursor.place
      let lower = try member(of: &result, from: start)
      guard cursor.next == "-", cursor[cursor.place + 1] != "]" else {
        if let lower { result.ranges.append(lower.value...lower.value) }
        continue
      }
      cursor.place += 1
      guard let lower, let upper = try member(of: &result, from: start) else {
        throw error("An end of a range is a class. Write \\- for the character", at: first)
      }
      guard lower <= upper else { throw error("A range of a class is empty. Swap its ends", at: first) }
      result.ranges.append(lower.value...upper.value)
    }
    return result
  }

  /// Reads a character of a class. Returns nil after a class such as `\d`, which becomes a part of the result.
  private mutating func member(
    of result: inout CharacterClass, from start: Int
  ) throws(PatternError) -> Unicode.Scalar? {
    let place = cursor.place
    guard let scalar = cursor.take() else { throw error("A class is not closed. Write ] at its end", at: start) }
    guard scalar == "\\" else { return scalar }
    if let shorthand = try shorthand(from: place) {
      result.ranges += shorthand.ranges
      result.categories += shorthand.categories
      return nil
    }
    return cursor.take("b") ? "\u{08}" : try escapedCharacter(from: place)
  }

  /// Reads a character after a `\`.
  mutating func escapedCharacter(from start: Int) throws(PatternError) -> Unicode.Scalar {
    guard let scalar = cursor.take() else {
      throw error("The pattern ends after \\. Write \\\\ for the character", at: start)
    }
    switch scalar {
    case "f": return "\u{0C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{0B}"
    case "0" where !(cursor.next.map { ("0"..."9").contains($0) } ?? false): return "\0"
    case "0"..."9", "k": throw error("Backreferences and octal escapes are not supported", at: start)
    case "c": return try control(from: start)
    case "x": return try self.scalar(try digits(count: 2, from: start), from: start)
    case "u": return try unicode(from: start)
    // Without the u flag, ECMA-262 lets a \ stand before any of these.
    case "!"..."/", ":"..."@", "["..."`", "{"..."~": return scalar
    default: throw error("The escape \\\(scalar) is unknown. Remove the \\", at: start)
    }
  }

  private mutating func control(from start: Int) throws(PatternError) -> Unicode.Scalar {
    guard let letter = cursor.take(), letter.isASCII, letter.properties.isAlphabetic else {
      throw error("The escape \\c needs a letter, as in \\cJ", at: start)
    }
    return try scalar(letter.value % 32, from: start)
  }

  /// Reads the rest of `\u{1F431}`, `\u00E9`, or a pair of surrogates.
  private mutating func unicode(from start: Int) throws(PatternError) -> Unicode.Scalar {
    guard !cursor.take("{") else {
      let value = try digits(count: nil, from: start)
      guard cursor.take("}") else { throw error("The escape \\u is not closed with }", at: start) }
      return try scalar(value, from: start)
    }
    let high = try digits(count: 4, from: start)
    guard (0xD800..<0xDC00).contains(high), cursor.next == "\\", cursor[cursor.place + 1] == "u" else {
      return try scalar(high, from: start)
    }
    cursor.place += 2
    let low = try digits(count: 4, from: start)
    guard (0xDC00..<0xE000).contains(low) else { return try scalar(high, from: start) }
    return try scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), from: start)
  }

  /// Reads hexadecimal digits; any number of them if the count is nil.
  private mutating func digits(count: Int?, from start: Int) throws(PatternError) -> UInt32 {
    var (value, digitCount): (UInt32, Int) = (0, 0)
    while digitCount < count ?? .max, let next = cursor.next, next.isASCII,
      let digit = UInt8(next.value).hexadecimalDigit
    {
      // A value above the last code point stays above it.
      value = min(value * 16 + UInt32(digit), 0x110000)
      digitCount += 1
      cursor.place += 1
    }
    guard digitCount == count ?? max(1, digitCount) else {
      throw error("The escape needs hexadecimal digits, as in \\x41, \\u00E9 or \\u{1F431}", at: start)
    }
    return value
  }

  private func scalar(_ value: UInt32, from start: Int) throws(PatternError) -> Unicode.Scalar {
    guard let scalar = Unicode.Scalar(value) else {
      throw error("The escape is no character. Write a code point outside of D800 to DFFF", at: start)
    }
    return scalar
  }
}
