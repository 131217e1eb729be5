internal import Patterns

/// A parser of the syntax of a ``Pattern``.
struct PortablePatternParser {
  private static let syntax = "^$\\.*+?()[]{}|/"
  private static let countLimit = 1000
  private static let depthLimit = 64

  private var cursor: PatternCursor
  private var depth = 0

  init(_ source: String) { cursor = PatternCursor(source) }

  mutating func pattern() throws(PatternError) -> PatternNode {
    let node = try choice()
    guard cursor.isAtEnd else { throw error("a ) has no group") }
    return node
  }

  private mutating func choice() throws(PatternError) -> PatternNode {
    var choices = [try sequence()]
    while cursor.take("|") { choices.append(try sequence()) }
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var nodes: [PatternNode] = []
    while let next = cursor.next, next != "|", next != ")" { nodes.append(try counted(try atom())) }
    return .sequence(nodes)
  }

  private mutating func atom() throws(PatternError) -> PatternNode {
    let start = cursor.place
    guard let scalar = cursor.take() else { throw error("it ends too early") }
    switch scalar {
    case "(":
      if cursor.take("?"), !cursor.take(":") { throw error("(? is not part of the syntax, except (?:", at: start) }
      depth += 1
      guard depth <= Self.depthLimit else { throw error("groups are nested too deeply", at: start) }
      let node = try choice()
      guard cursor.take(")") else { throw error("a group is not closed", at: start) }
      depth -= 1
      return node
    case "[": return .one(try characterClass(from: start))
    case "\\": return .one(CharacterClass([try escaped(orOneOf: "")]))
    case _ where Self.syntax.unicodeScalars.contains(scalar) && scalar != "/":
      throw error("\(scalar) stands alone; write \\\(scalar) for the character", at: start)
    default: return .one(CharacterClass([scalar.value...scalar.value]))
    }
  }

  private mutating func characterClass(from start: Int) throws(PatternError) -> CharacterClass {
    var result = CharacterClass()
    result.isNegated = cursor.take("^")
    while !cursor.take("]") {
      let lower = try member(from: start)
      guard cursor.take("-") else {
        result.ranges.append(lower)
        continue
      }
      // Browsers take no hyphen at the end of a class.
      guard cursor.next != "]" else { throw error("a class needs \\ before -", at: cursor.place - 1) }
      let upper = try member(from: start)
      guard lower.lowerBound <= upper.lowerBound else { throw error("a range of a class is empty") }
      result.ranges.append(lower.lowerBound...upper.lowerBound)
    }
    guard !result.ranges.isEmpty else { throw error("a class is empty", at: start) }
    return result
  }

  private mutating func member(from start: Int) throws(PatternError) -> ClosedRange<UInt32> {
    guard let scalar = cursor.take() else { throw error("a class is not closed", at: start) }
    if scalar == "\\" { return try escaped(orOneOf: "-") }
    // In a class, browsers require a \ before these.
    guard !"()[]{}/-|".unicodeScalars.contains(scalar) else {
      throw error("a class needs \\ before \(scalar)", at: cursor.place - 1)
    }
    guard scalar != cursor.next || !"&!#$%*+,.:;<=>?@^`~".unicodeScalars.contains(scalar) else {
      throw error("a class has \(scalar) twice", at: cursor.place - 1)
    }
    return scalar.value...scalar.value
  }

  private mutating func escaped(orOneOf others: String) throws(PatternError) -> ClosedRange<UInt32> {
    guard let scalar = cursor.take(), (Self.syntax + others).unicodeScalars.contains(scalar) else {
      throw error("\\ stands before a character that needs none", at: cursor.place - 1)
    }
    return scalar.value...scalar.value
  }

  private mutating func counted(_ node: PatternNode) throws(PatternError) -> PatternNode {
    if cursor.take("?") { return .repeated(node, minimum: 0, maximum: 1) }
    if cursor.take("*") { return .repeated(node, minimum: 0, maximum: nil) }
    if cursor.take("+") { return .repeated(node, minimum: 1, maximum: nil) }
    let start = cursor.place
    guard cursor.take("{") else { return node }
    let minimum = try count()
    let maximum: Int? = cursor.take(",") ? (cursor.next == "}" ? nil : try count()) : minimum
    guard cursor.take("}") else { throw error("a count is not closed", at: start) }
    if let maximum, maximum < minimum { throw error("a count is empty", at: start) }
    return .repeated(node, minimum: minimum, maximum: maximum)
  }

  private mutating func count() throws(PatternError) -> Int {
    let start = cursor.place
    guard let number = cursor.number(limit: Self.countLimit), number <= Self.countLimit else {
      throw error("a count is no number of at most \(Self.countLimit)", at: start)
    }
    return number
  }

  private func error(_ reason: String, at place: Int? = nil) -> PatternError {
    PatternError(place: place ?? cursor.place, reason: reason)
  }
}
