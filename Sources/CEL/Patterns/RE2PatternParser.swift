internal import Patterns

/// A parser of the syntax of RE2 (https://github.com/google/re2/wiki/Syntax), without captures.
struct RE2PatternParser: PatternParser {
  static let features: Set<PatternFeature> = [
    .repeatedAssertions, .lazyCounts, .ordinaryBraces, .ordinaryBrackets, .shortCategories,
  ]

  private struct Flags {
    var ignoresCase = false
    var isMultiline = false
    var dotMatchesNewline = false
  }

  var cursor: PatternCursor
  var depth = 0
  private var flags = Flags()

  init(_ source: String) { cursor = PatternCursor(source) }

  mutating func atom(_ scalar: Unicode.Scalar, from start: Int) throws(PatternFault) -> PatternNode {
    switch scalar {
    case "[":
      var accepted = try characterClass(from: start)
      accepted.ignoresCase = flags.ignoresCase
      return .one(accepted)
    case ".": return .one(flags.dotMatchesNewline ? .any : .anyExceptNewline)
    case "^": return .assert(flags.isMultiline ? .lineStart : .textStart)
    case "$": return .assert(flags.isMultiline ? .lineEnd : .textEnd)
    case "\\": return try escape(from: start)
    default: return character(scalar)
    }
  }

  private func character(_ scalar: Unicode.Scalar) -> PatternNode {
    .one(CharacterClass(scalar, ignoresCase: flags.ignoresCase))
  }

  // MARK: Groups

  mutating func group(from start: Int) throws(PatternFault) -> PatternNode {
    let outerFlags = flags
    if cursor.take("?") {
      if cursor.take("P") || cursor.next == "<" {
        guard try groupName(from: start) else { throw unsupportedGroup(start) }
      } else if try readFlags(from: start) {
        // The flags without a colon hold until the end of the group around them.
        return .sequence([])
      }
    }
    let node = try contents(from: start)
    flags = outerFlags
    return node
  }

  /// Reads flags such as `i-s`. Returns true if they end with `)`, and false for `:`.
  private mutating func readFlags(from start: Int) throws(PatternFault) -> Bool {
    var isOn = true
    while let scalar = cursor.take() {
      switch scalar {
      case "i": flags.ignoresCase = isOn
      case "m": flags.isMultiline = isOn
      case "s": flags.dotMatchesNewline = isOn
      // The choice between greedy and lazy changes no test for a match.
      case "U": break
      case "-" where isOn: isOn = false
      case ")": return true
      case ":": return false
      default: throw unsupportedGroup(start)
      }
    }
    throw PatternFault("a group is not closed", "write ) at its end", at: start)
  }

  private func unsupportedGroup(_ start: Int) -> PatternFault {
    PatternFault("the group is not supported", "lookaround and backreferences are not part of RE2", at: start)
  }

  // MARK: Escapes

  private mutating func escape(from start: Int) throws(PatternFault) -> PatternNode {
    if cursor.take("A") { return .assert(.textStart) }
    if cursor.take("z") { return .assert(.textEnd) }
    if cursor.take("b") { return .assert(.wordBoundary) }
    if cursor.take("B") { return .assert(.noWordBoundary) }
    if cursor.take("Q") { return quoted() }
    if let shorthand = try shorthand(space: .space, from: start) { return .one(shorthand) }
    return character(try escapedCharacter(from: start))
  }

  /// Reads the text between `\Q` and `\E`.
  private mutating func quoted() -> PatternNode {
    var nodes: [PatternNode] = []
    while let scalar = cursor.take() {
      if scalar == "\\", cursor.take("E") { break }
      nodes.append(character(scalar))
    }
    return .sequence(nodes)
  }

  private mutating func escapedCharacter(from start: Int) throws(PatternFault) -> Unicode.Scalar {
    let scalar = try escaped(from: start)
    if let control = Self.control(scalar) { return control }
    switch scalar {
    case "a": return "\u{07}"
    case "x": return try hexadecimal(from: start)
    case "0"..."9": throw PatternFault("backreferences and octal escapes are not supported", at: start)
    case _ where scalar.isASCII && !scalar.properties.isAlphabetic: return scalar
    default: throw PatternFault("the escape \\\(scalar.debugName) is unknown", at: start)
    }
  }

  private mutating func hexadecimal(from start: Int) throws(PatternFault) -> Unicode.Scalar {
    let isBraced = cursor.take("{")
    guard let value = cursor.hexadecimal(digitCount: isBraced ? 1...6 : 2...2), !isBraced || cursor.take("}"),
      let scalar = Unicode.Scalar(value)
    else {
      throw PatternFault(
        "the escape \\x needs two hexadecimal digits, or a code point as in \\x{1F431}", at: start)
    }
    return scalar
  }

  // MARK: Classes

  mutating func member(_ scalar: Unicode.Scalar, from start: Int) throws(PatternFault) -> ClassMember {
    guard scalar == "\\" else { return .one(scalar) }
    if let shorthand = try shorthand(space: .space, from: start) { return .several(shorthand) }
    return .one(try escapedCharacter(from: start))
  }

  mutating func namedClass(from start: Int) throws(PatternFault) -> CharacterClass? {
    guard cursor.next == "[", cursor[cursor.index + 1] == ":" else { return nil }
    cursor.index += 2
    let isNegated = cursor.take("^")
    guard let name = cursor.text(through: ":"), cursor.take("]"), let named = CharacterClass.named[name] else {
      throw PatternFault("the class is unknown", "write a name as in [[:alpha:]]", at: start)
    }
    return isNegated ? named.complement : named
  }
}

extension Automaton {
  /// Returns whether a part of the text matches.
  ///
  /// - Parameter meter: Pays for the states that the match visits.
  func matches(_ text: String, meter: inout CostMeter) throws(Failure) -> Bool {
    try matches(text) { (stateCount) throws(Failure) in try meter.charge(1 + stateCount / 8) }
  }
}
