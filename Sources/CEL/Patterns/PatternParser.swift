internal import Patterns

/// A parser of the syntax of RE2.
struct PatternParser {
  private static let countLimit = 1000
  private static let depthLimit = 64

  struct Flags {
    var ignoresCase = false
    var isMultiline = false
    var dotMatchesNewline = false
  }

  var cursor: PatternCursor
  private var depth = 0
  private(set) var flags = Flags()

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
    while let next = cursor.next, cursor.next != "|", cursor.next != ")" { nodes.append(try counted(try atom())) }
    return .sequence(nodes)
  }

  private mutating func atom() throws(PatternError) -> PatternNode {
    let start = cursor.place
    guard let scalar = cursor.take() else { throw error("The pattern ends too early") }
    switch scalar {
    case "(": return try group(from: start)
    case "[": return .one(try characterClass(from: start))
    case ".": return .one(flags.dotMatchesNewline ? .any : .anyExceptNewline)
    case "^": return .assert(flags.isMultiline ? .lineStart : .textStart)
    case "$": return .assert(flags.isMultiline ? .lineEnd : .textEnd)
    case "\\": return try escape(from: start)
    case "*", "+", "?": throw error("\(scalar) has nothing to repeat. Write \\\(scalar) for the character", at: start)
    default: return .one(CharacterClass(scalar, ignoresCase: flags.ignoresCase))
    }
  }

  // MARK: Groups

  private mutating func group(from start: Int) throws(PatternError) -> PatternNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw error("Groups are nested more than \(Self.depthLimit) deep", at: start)
    }
    let outerFlags = flags
    if cursor.take("?") {
      if cursor.take("P") || cursor.next == "<" {
        guard cursor.take("<"), cursor.next != "=", cursor.next != "!" else { throw unsupportedGroup(start) }
        while let next = cursor.next, cursor.next != ">",
          next.properties.isAlphabetic || cursor.next == "_" || ("0"..."9").contains(next)
        {
          cursor.place += 1
        }
        guard cursor.take(">") else { throw error("The name of a group is not closed with >", at: start) }
      } else if try readFlags(from: start) {
        // The flags without a colon hold until the end of the group around them.
        return .sequence([])
      }
    }
    let node = try choice()
    guard cursor.take(")") else { throw error("A group is not closed. Write ) at its end", at: start) }
    flags = outerFlags
    return node
  }

  /// Reads flags such as `i-s`. Returns true if they end with `)`, and false for `:`.
  private mutating func readFlags(from start: Int) throws(PatternError) -> Bool {
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
    throw error("A group is not closed. Write ) at its end", at: start)
  }

  private func unsupportedGroup(_ start: Int) -> PatternError {
    error("The group is not supported. Lookaround and backreferences are not part of RE2", at: start)
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
    } else if let (minimum, maximum) = try bounds() {
      repeated = .repeated(node, minimum: minimum, maximum: maximum)
    } else {
      return node
    }
    // A lazy count matches the same texts.
    _ = cursor.take("?")
    let hasBounds = try bounds() != nil
    if hasBounds || cursor.next == "*" || cursor.next == "+" || cursor.next == "?" {
      throw error("A count follows a count. Write a group around the first one", at: start)
    }
    return repeated
  }

  /// Reads `{2}`, `{2,}` or `{2,4}`. Any other `{` is an ordinary character.
  private mutating func bounds() throws(PatternError) -> (Int, Int?)? {
    let start = cursor.place
    guard cursor.take("{"), let minimum = cursor.number(limit: Self.countLimit) else {
      cursor.place = start
      return nil
    }
    var maximum: Int? = minimum
    if cursor.take(",") { maximum = cursor.next == "}" ? nil : cursor.number(limit: Self.countLimit) ?? -1 }
    guard maximum != -1, cursor.take("}") else {
      cursor.place = start
      return nil
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
