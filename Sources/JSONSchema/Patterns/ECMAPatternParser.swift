internal import Patterns

/// A parser of the syntax of ECMA-262 with the `u` flag, without captures, lookaround and backreferences.
struct ECMAPatternParser: PatternParser {
  static let features: Set<PatternFeature> = [.lazyCounts]

  /// The characters that `.` stands for: all but the line terminators (ECMA-262, section 12.3).
  private static let anyInLine = CharacterClass([0...0x09, 0x0B...0x0C, 0x0E...0x2027, 0x202A...0x10FFFF])
  /// The characters that `\s` stands for (ECMA-262, section 22.2.2.9).
  private static let space = CharacterClass([
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
    0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])

  var cursor: PatternCursor
  var depth = 0

  init(_ source: String) { cursor = PatternCursor(source) }

  mutating func atom(_ scalar: Unicode.Scalar, from start: Int) throws(PatternFault) -> PatternNode {
    switch scalar {
    case "^": return .assert(.textStart)
    case "$": return .assert(.textEnd)
    case "[": return .one(try characterClass(from: start))
    case ".": return .one(Self.anyInLine)
    case "\\":
      if cursor.take("b") { return .assert(.wordBoundary) }
      if cursor.take("B") { return .assert(.noWordBoundary) }
      if let shorthand = try shorthand(space: Self.space, from: start) { return .one(shorthand) }
      return .one(CharacterClass(try escapedCharacter(from: start)))
    case "{", "}", "]": throw .standsAlone(scalar, at: start)
    default: return .one(CharacterClass(scalar))
    }
  }

  mutating func group(from start: Int) throws(PatternFault) -> PatternNode {
    if cursor.take("?"), !cursor.take(":"), try !groupName(from: start) {
      throw PatternFault(
        "the group is not supported", "write (, (?: or (?<name>, because lookaround takes no linear time", at: start)
    }
    return try contents(from: start)
  }

  mutating func member(_ scalar: Unicode.Scalar, from start: Int) throws(PatternFault) -> ClassMember {
    guard scalar == "\\" else { return .one(scalar) }
    if let shorthand = try shorthand(space: Self.space, from: start) {
      if isAtRange { throw rangeFault(at: start) }
      return .several(shorthand)
    }
    return .one(cursor.take("b") ? "\u{08}" : try escapedCharacter(from: start))
  }

  // MARK: Escapes

  private mutating func escapedCharacter(from start: Int) throws(PatternFault) -> Unicode.Scalar {
    let scalar = try escaped(from: start)
    if let control = Self.control(scalar) { return control }
    switch scalar {
    case "0" where !(cursor.next.map { ("0"..."9").contains($0) } ?? false): return "\0"
    case "0"..."9", "k": throw PatternFault("backreferences and octal escapes are not supported", at: start)
    case "c": return try controlLetter(from: start)
    case "x": return try self.scalar(try digits(2...2, from: start), from: start)
    case "u": return try unicode(from: start)
    // Accepted although the `u` flag forbids some of these escapes: schemas for parsers without the flag have them.
    case "!"..."/", ":"..."@", "["..."`", "{"..."~": return scalar
    default: throw PatternFault("the escape \\\(scalar) is unknown", "remove the \\", at: start)
    }
  }

  private mutating func controlLetter(from start: Int) throws(PatternFault) -> Unicode.Scalar {
    guard let letter = cursor.take(), letter.isASCII, letter.properties.isAlphabetic else {
      throw PatternFault("the escape \\c needs a letter, as in \\cJ", at: start)
    }
    return try scalar(letter.value % 32, from: start)
  }

  /// Reads the rest of `\u{1F431}`, `\u00E9`, or a pair of surrogates.
  private mutating func unicode(from start: Int) throws(PatternFault) -> Unicode.Scalar {
    guard !cursor.take("{") else {
      let value = try digits(1...(.max), from: start)
      guard cursor.take("}") else { throw PatternFault("the escape \\u is not closed with }", at: start) }
      return try scalar(value, from: start)
    }
    let high = try digits(4...4, from: start)
    guard (0xD800..<0xDC00).contains(high), cursor.next == "\\", cursor[cursor.index + 1] == "u" else {
      return try scalar(high, from: start)
    }
    cursor.index += 2
    let low = try digits(4...4, from: start)
    guard (0xDC00..<0xE000).contains(low) else { return try scalar(high, from: start) }
    return try scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), from: start)
  }

  private mutating func digits(_ count: ClosedRange<Int>, from start: Int) throws(PatternFault) -> UInt32 {
    guard let value = cursor.hexadecimal(digitCount: count) else {
      throw PatternFault(
        "the escape needs hexadecimal digits, as in \\x41, \\u00E9 or \\u{1F431}", at: start)
    }
    return value
  }

  private func scalar(_ value: UInt32, from start: Int) throws(PatternFault) -> Unicode.Scalar {
    guard let scalar = Unicode.Scalar(value) else {
      throw PatternFault("the escape is not a character", "write a code point outside of D800 to DFFF", at: start)
    }
    return scalar
  }
}
