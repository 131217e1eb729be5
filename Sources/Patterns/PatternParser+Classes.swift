/// A member of a character class.
package enum ClassMember {
  case one(Unicode.Scalar)
  /// The characters of an escape such as `\d`.
  case several(CharacterClass)
}

/// The character classes and the escapes of a pattern.
extension PatternParser {
  package mutating func namedClass(from start: Int) throws(PatternFault) -> CharacterClass? { nil }

  /// Parses a character class after its `[`.
  package mutating func characterClass(from start: Int) throws(PatternFault) -> CharacterClass {
    var result = CharacterClass()
    result.isNegated = cursor.take("^")
    var isBracketOrdinary = Self.features.contains(.ordinaryBrackets)
    while isBracketOrdinary || !cursor.take("]") {
      isBracketOrdinary = false
      if let named = try namedClass(from: start) {
        result.formUnion(named)
        continue
      }
      let first = cursor.index
      switch try nextMember(from: start) {
      case .several(let members): result.formUnion(members)
      case .one(let lower) where isAtRange:
        cursor.index += 1
        guard case .one(let upper) = try nextMember(from: start) else { throw rangeFault(at: first) }
        guard lower <= upper else { throw PatternFault("a range of a class is empty", "swap its ends", at: first) }
        result.ranges.append(lower.value...upper.value)
      case .one(let scalar): result.ranges.append(scalar.value...scalar.value)
      }
    }
    return result
  }

  private mutating func nextMember(from start: Int) throws(PatternFault) -> ClassMember {
    let index = cursor.index
    guard let scalar = cursor.take() else {
      throw PatternFault("a class is not closed", "write ] at its end", at: start)
    }
    return try member(scalar, from: index)
  }

  /// Whether the hyphen of a range follows. A hyphen at the end of a class is an ordinary character.
  package var isAtRange: Bool { cursor.next == "-" && cursor[cursor.index + 1] != "]" }

  package func rangeFault(at index: Int) -> PatternFault {
    PatternFault("an end of a range is a class", "write \\- for the character", at: index)
  }

  // MARK: Escapes

  /// Reads the letter after a `\` if it stands for a class.
  ///
  /// - Parameter space: The class of `\s`.
  package mutating func shorthand(
    space: CharacterClass, from start: Int
  ) throws(PatternFault) -> CharacterClass? {
    let base: CharacterClass
    switch cursor.next {
    case "d", "D": base = .digit
    case "w", "W": base = .word
    case "s", "S": base = space
    case "p", "P": return try category(from: start)
    default: return nil
    }
    guard let letter = cursor.take(), letter.properties.isUppercase else { return base }
    return base.complement
  }

  /// Reads a category such as `p{Lu}`.
  private mutating func category(from start: Int) throws(PatternFault) -> CharacterClass {
    let hasShortForms = Self.features.contains(.shortCategories)
    var isNegated = cursor.take() == "P"
    var name: String?
    if cursor.take("{") {
      if hasShortForms, cursor.take("^") { isNegated.toggle() }
      name = cursor.text(through: "}")
    } else if hasShortForms {
      name = cursor.take().map { String($0) }
    }
    let members = CharacterClass.categories(named: name ?? "")
    guard !members.isEmpty else {
      throw PatternFault(
        "the category of \\p is unknown", "write a general category of Unicode, as in \\p{Lu}", at: start)
    }
    var result = CharacterClass()
    result.categories = [(members, isNegated)]
    return result
  }

  /// Reads the character after a `\`.
  package mutating func escaped(from start: Int) throws(PatternFault) -> Unicode.Scalar {
    guard let scalar = cursor.take() else {
      throw PatternFault("the pattern ends after \\", "write \\\\ for the character", at: start)
    }
    return scalar
  }

  /// Returns the control character of an escape such as `\n`.
  package static func control(_ letter: Unicode.Scalar) -> Unicode.Scalar? {
    switch letter {
    case "f": "\u{0C}"
    case "n": "\n"
    case "r": "\r"
    case "t": "\t"
    case "v": "\u{0B}"
    default: nil
    }
  }
}
