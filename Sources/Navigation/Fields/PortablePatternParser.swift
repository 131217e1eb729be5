internal import Patterns

/// A parser of the syntax of a ``Pattern``.
struct PortablePatternParser: PatternParser {
  static let features: Set<PatternFeature> = []
  private static let syntax = "^$\\.*+?()[]{}|/"

  var cursor: PatternCursor
  var depth = 0

  init(_ source: String) { cursor = PatternCursor(source) }

  mutating func atom(_ scalar: Unicode.Scalar, from start: Int) throws(PatternFault) -> PatternNode {
    switch scalar {
    case "[":
      let accepted = try characterClass(from: start)
      guard !accepted.ranges.isEmpty else { throw PatternFault("a class is empty", at: start) }
      return .one(accepted)
    case "\\": return .one(CharacterClass(try escapedCharacter(orOneOf: "")))
    case _ where Self.syntax.unicodeScalars.contains(scalar) && scalar != "/": throw .standsAlone(scalar, at: start)
    default: return .one(CharacterClass(scalar))
    }
  }

  mutating func group(from start: Int) throws(PatternFault) -> PatternNode {
    if cursor.take("?"), !cursor.take(":") {
      throw PatternFault("(? is not part of the syntax, except (?:", at: start)
    }
    return try contents(from: start)
  }

  mutating func member(_ scalar: Unicode.Scalar, from start: Int) throws(PatternFault) -> ClassMember {
    if scalar == "\\" { return .one(try escapedCharacter(orOneOf: "-")) }
    // In a class, browsers require a \ before these.
    guard !"()[]{}/-|".unicodeScalars.contains(scalar) else {
      throw PatternFault("a class needs \\ before \(scalar)", at: start)
    }
    guard scalar != cursor.next || !"&!#$%*+,.:;<=>?@^`~".unicodeScalars.contains(scalar) else {
      throw PatternFault("a class has \(scalar) twice", at: start)
    }
    return .one(scalar)
  }

  private mutating func escapedCharacter(orOneOf others: String) throws(PatternFault) -> Unicode.Scalar {
    guard let scalar = cursor.take(), (Self.syntax + others).unicodeScalars.contains(scalar) else {
      throw PatternFault("\\ stands before a character that needs none", at: cursor.index - 1)
    }
    return scalar
  }
}
