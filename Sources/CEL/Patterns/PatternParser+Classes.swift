internal import Patterns

/// The escapes and the character classes of a pattern.
extension PatternParser {
  mutating func escape(from start: Int) throws(PatternError) -> PatternNode {
    switch cursor.next {
    case "A": return assertion(.textStart)
    case "z": return assertion(.textEnd)
    case "b": return assertion(.wordBoundary)
    case "B": return assertion(.noWordBoundary)
    case "Q":
      cursor.place += 1
      return quoted()
    default: break
    }
    if let shorthand = try shorthand(from: start) { return .one(shorthand) }
    return .one(CharacterClass(try escapedCharacter(from: start), ignoresCase: flags.ignoresCase))
  }

  private mutating func assertion(_ assertion: Automaton.Assertion) -> PatternNode {
    cursor.place += 1
    return .assert(assertion)
  }

  /// The text between `\Q` and `\E`.
  private mutating func quoted() -> PatternNode {
    var nodes: [PatternNode] = []
    while let scalar = cursor.take() {
      if scalar == "\\", cursor.take("E") { break }
      nodes.append(.one(CharacterClass(scalar, ignoresCase: flags.ignoresCase)))
    }
    return .sequence(nodes)
  }

  /// Reads the letter after a `\` if it names a class.
  private mutating func shorthand(from start: Int) throws(PatternError) -> CharacterClass? {
    guard let letter = cursor.next else { return nil }
    let base: CharacterClass
    switch letter {
    case "d", "D": base = .digit
    case "w", "W": base = .word
    case "s", "S": base = .space
    case "p", "P":
      cursor.place += 1
      return try category(isNegated: letter == "P", from: start)
    default: return nil
    }
    cursor.place += 1
    guard letter.properties.isUppercase else { return base }
    var complement = CharacterClass()
    complement.formUnion(complementOf: base)
    return complement
  }

  private mutating func category(isNegated: Bool, from start: Int) throws(PatternError) -> CharacterClass {
    var name = ""
    var isNegated = isNegated
    if cursor.take("{") {
      if cursor.take("^") { isNegated.toggle() }
      while let scalar = cursor.take(), scalar != "}" { name.unicodeScalars.append(scalar) }
    } else if let scalar = cursor.take() {
      name.unicodeScalars.append(scalar)
    }
    guard CharacterClass.categoryNames.contains(name) else {
      throw error("The category of \\p is unknown. Write a general category of Unicode, as in \\p{Lu}", at: start)
    }
    var result = CharacterClass()
    result.categories = [(name, isNegated)]
    return result
  }

  mutating func characterClass(from start: Int) throws(PatternError) -> CharacterClass {
    var result = CharacterClass()
    result.ignoresCase = flags.ignoresCase
    result.isNegated = cursor.take("^")
    var isFirst = true
    while isFirst || !cursor.take("]") {
      isFirst = false
      if try addNamedClass(to: &result, from: start) { continue }
      let lower = try member(from: start)
      guard cursor.next == "-", let end = cursor[cursor.place + 1], end != "]" else {
        result.ranges.append(lower.value...lower.value)
        continue
      }
      cursor.place += 1
      let upper = try member(from: start)
      guard lower <= upper else { throw error("A range of a class is empty. Swap its ends") }
      result.ranges.append(lower.value...upper.value)
    }
    return result
  }

  /// Adds a class such as `\d` or `[:alpha:]`. Returns false if none stands here.
  private mutating func addNamedClass(to result: inout CharacterClass, from start: Int) throws(PatternError) -> Bool {
    if cursor.next == "\\" {
      cursor.place += 1
      if let shorthand = try shorthand(from: start) {
        result.ranges += shorthand.ranges
        result.categories += shorthand.categories
        return true
      }
      cursor.place -= 1
      return false
    }
    guard cursor.next == "[", cursor[cursor.place + 1] == ":" else { return false }
    cursor.place += 2
    let isNegated = cursor.take("^")
    var name = ""
    while let next = cursor.next, cursor.next != ":" {
      name.unicodeScalars.append(next)
      cursor.place += 1
    }
    guard cursor.take(":"), cursor.take("]"), let named = CharacterClass.named[name] else {
      throw error("The class is unknown. Write a name as in [[:alpha:]]", at: start)
    }
    if isNegated { result.formUnion(complementOf: named) } else { result.ranges += named.ranges }
    return true
  }

  private mutating func member(from start: Int) throws(PatternError) -> Unicode.Scalar {
    let place = cursor.place
    guard let scalar = cursor.take() else { throw error("A class is not closed. Write ] at its end", at: start) }
    return scalar == "\\" ? try escapedCharacter(from: place) : scalar
  }

  /// Reads a character after a `\`.
  private mutating func escapedCharacter(from start: Int) throws(PatternError) -> Unicode.Scalar {
    guard let scalar = cursor.take() else {
      throw error("The pattern ends after \\. Write \\\\ for the character", at: start)
    }
    switch scalar {
    case "a": return "\u{07}"
    case "f": return "\u{0C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{0B}"
    case "x": return try hexadecimal(from: start)
    case "0"..."9": throw error("Backreferences and octal escapes are not supported", at: start)
    case _ where scalar.isASCII && !scalar.properties.isAlphabetic: return scalar
    default: throw error("The escape \\\(scalar.debugName) is unknown", at: start)
    }
  }

  private mutating func hexadecimal(from start: Int) throws(PatternError) -> Unicode.Scalar {
    let isBraced = cursor.take("{")
    var (value, count): (UInt32, Int) = (0, 0)
    while count < (isBraced ? 6 : 2), let scalar = cursor.next, scalar.isASCII,
      let digit = UInt8(scalar.value).hexadecimalValue
    {
      value = value * 16 + digit
      count += 1
      cursor.place += 1
    }
    guard count == 2 || isBraced && count > 0, !isBraced || cursor.take("}"), let scalar = Unicode.Scalar(value) else {
      throw error("The escape \\x needs two hexadecimal digits, or a code point as in \\x{1F431}", at: start)
    }
    return scalar
  }
}
