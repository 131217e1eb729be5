internal import Patterns

/// A parser of the syntax of ECMA-262.
struct PatternParser {
  private static let countLimit = 1000
  private static let depthLimit = 64
  /// The characters that `.` stands for: all but the line terminators (ECMA-262, section 12.3).
  private static let anyInLine = CharacterClass([0...0x09, 0x0B...0x0C, 0x0E...0x2027, 0x202A...0x10FFFF])

  var cursor: PatternCursor
  private var depth = 0

  init(_ source: String) { cursor = PatternCursor(source) }

  mutating func pattern() throws(PatternError) -> PatternNode {
    let node = try choice()
    guard cursor.isAtEnd else { throw error("A ) has no group. Write \\) for the character") }
    return node
  }

  private mutating func choice() throws(PatternError) -> PatternNode {
    var choices = [try sequence()]
    while cursor.take("|") { choices.append(try sequence()) }
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var nodes: [PatternNode] = []
    while let next = cursor.next, next != "|", next != ")" { nodes.append(try term()) }
    return .sequence(nodes)
  }

  private mutating func term() throws(PatternError) -> PatternNode {
    let start = cursor.place
    guard let scalar = cursor.take() else { throw error("The pattern ends too early") }
    switch scalar {
    case "^": return .assert(.textStart)
    case "$": return .assert(.textEnd)
    case "(": return try counted(try group(from: start))
    case "[": return try counted(.one(try characterClass(from: start)))
    case ".": return try counted(.one(Self.anyInLine))
    case "\\":
      if cursor.take("b") { return .assert(.wordBoundary) }
      if cursor.take("B") { return .assert(.noWordBoundary) }
      if let shorthand = try shorthand(from: start) { return try counted(.one(shorthand)) }
      return try counted(.one(single(try escapedCharacter(from: start))))
    case "*", "+", "?": throw error("\(scalar) has nothing to repeat. Write \\\(scalar) for the character", at: start)
    case "{", "}", "]": throw error("\(scalar) stands alone. Write \\\(scalar) for the character", at: start)
    default: return try counted(.one(single(scalar)))
    }
  }

  private func single(_ scalar: Unicode.Scalar) -> CharacterClass { CharacterClass([scalar.value...scalar.value]) }

  // MARK: Groups

  private mutating func group(from start: Int) throws(PatternError) -> PatternNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw error("Groups are nested more than \(Self.depthLimit) deep", at: start)
    }
    if cursor.take("?"), !cursor.take(":") { try name(from: start) }
    let node = try choice()
    guard cursor.take(")") else { throw error("A group is not closed. Write ) at its end", at: start) }
    return node
  }

  /// Reads the name of a group, such as `<year>`.
  private mutating func name(from start: Int) throws(PatternError) {
    guard cursor.take("<"), cursor.next != "=", cursor.next != "!" else {
      throw error(
        "The group is not supported. Write (, (?: or (?<name>, because lookaround takes no linear time", at: start)
    }
    let first = cursor.place
    while let next = cursor.next, next.properties.isAlphabetic || next == "_" || ("0"..."9").contains(next) {
      cursor.place += 1
    }
    guard cursor.place > first, cursor.take(">") else {
      throw error("The name of a group is not closed with >", at: start)
    }
  }

  // MARK: Counts

  private mutating func counted(_ node: PatternNode) throws(PatternError) -> PatternNode {
    let start = cursor.place
    let repeated: PatternNode
    if cursor.take("?") {
      repeated = .repeated(node, minimum: 0, maximum: 1)
    } else if cursor.take("*") {
      repeated = .repeated(node, minimum: 0, maximum: nil)
    } else if cursor.take("+") {
      repeated = .repeated(node, minimum: 1, maximum: nil)
    } else if cursor.take("{") {
      let (minimum, maximum) = try bounds(from: start)
      repeated = .repeated(node, minimum: minimum, maximum: maximum)
    } else {
      return node
    }
    // A lazy count matches the same texts.
    _ = cursor.take("?")
    if let next = cursor.next, "*+?{".unicodeScalars.contains(next) {
      throw error("A count follows a count. Write a group around the first one", at: start)
    }
    return repeated
  }

  /// Reads the rest of `{2}`, `{2,}` or `{2,4}`.
  private mutating func bounds(from start: Int) throws(PatternError) -> (Int, Int?) {
    let minimum = cursor.number(limit: Self.countLimit)
    var maximum = minimum
    if cursor.take(",") { maximum = cursor.next == "}" ? nil : cursor.number(limit: Self.countLimit) ?? -1 }
    guard let minimum, maximum != -1, cursor.take("}") else {
      throw error("A count is malformed. Write it as in {2}, {2,} or {2,4}, or \\{ for the character", at: start)
    }
    guard max(minimum, maximum ?? 0) <= Self.countLimit else {
      throw error("A count is greater than \(Self.countLimit)", at: start)
    }
    if let maximum, maximum < minimum { throw error("A count is empty. Swap its ends", at: start) }
    return (minimum, maximum)
  }

  func error(_ message: String, at place: Int? = nil) -> PatternError {
    PatternError(message: "\(message) (at character \((place ?? cursor.place) + 1) of the pattern).")
  }
}
