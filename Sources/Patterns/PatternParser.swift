/// A parser of a syntax of patterns, by recursive descent.
///
/// The extensions have the common part of the syntaxes: choices, sequences, counts, groups and character classes. A
/// conforming type adds the features and the escapes of its syntax.
package protocol PatternParser {
  static var features: Set<PatternFeature> { get }

  var cursor: PatternCursor { get set }
  /// The number of groups around the cursor.
  var depth: Int { get set }

  init(_ source: String)

  /// Parses a construct other than a group, after its first character.
  ///
  /// - Parameter start: The index of the first character. The same holds for the other functions.
  mutating func atom(_ scalar: Unicode.Scalar, from start: Int) throws(PatternFault) -> PatternNode

  /// Parses a group after its `(`. The prefixes such as `?:` differ; ``contents(from:)`` parses the rest.
  mutating func group(from start: Int) throws(PatternFault) -> PatternNode

  /// Parses a member of a character class after its first character.
  mutating func member(_ scalar: Unicode.Scalar, from start: Int) throws(PatternFault) -> ClassMember

  /// Parses a class with a name, such as `[:alpha:]`. Returns nil if the cursor is at none.
  mutating func namedClass(from start: Int) throws(PatternFault) -> CharacterClass?
}

/// A feature that not all syntaxes have.
package enum PatternFeature {
  /// `^*` repeats an assertion.
  case repeatedAssertions
  /// `a*?` matches the same texts as `a*`.
  case lazyCounts
  /// A `{` that begins no count is an ordinary character.
  case ordinaryBraces
  /// A `]` at the beginning of a class is an ordinary character.
  case ordinaryBrackets
  /// `\pL` is `\p{L}`, and `\p{^L}` is `\P{L}`.
  case shortCategories
}

private let countLimit = 1000
private let depthLimit = 64

extension PatternParser {
  /// Parses and compiles a source of at most ``Automaton/sizeLimit`` bytes.
  package static func automaton(of source: String) throws(PatternFault) -> Automaton {
    guard source.utf8.count <= Automaton.sizeLimit else {
      throw PatternFault("the pattern is longer than \(Automaton.sizeLimit) bytes", "shorten it")
    }
    var parser = Self(source)
    return try Automaton(try parser.pattern())
  }

  /// Parses the whole source.
  package mutating func pattern() throws(PatternFault) -> PatternNode {
    let node = try choice()
    guard cursor.isAtEnd else {
      throw PatternFault("a ) has no group", "write \\) for the character", at: cursor.index)
    }
    return node
  }

  private mutating func choice() throws(PatternFault) -> PatternNode {
    var choices = [try sequence()]
    while cursor.take("|") { choices.append(try sequence()) }
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(PatternFault) -> PatternNode {
    var nodes: [PatternNode] = []
    while let scalar = cursor.next, scalar != "|", scalar != ")" {
      let start = cursor.index
      cursor.index += 1
      nodes.append(try counted(try term(scalar, from: start)))
    }
    return .sequence(nodes)
  }

  private mutating func term(_ scalar: Unicode.Scalar, from start: Int) throws(PatternFault) -> PatternNode {
    switch scalar {
    case "(":
      depth += 1
      defer { depth -= 1 }
      guard depth <= depthLimit else {
        throw PatternFault("groups are nested more than \(depthLimit) deep", at: start)
      }
      return try group(from: start)
    case "*", "+", "?":
      throw PatternFault("\(scalar) has nothing to repeat", "write \\\(scalar) for the character", at: start)
    default: return try atom(scalar, from: start)
    }
  }

  // MARK: Groups

  /// Parses the choices of a group and its `)`.
  package mutating func contents(from start: Int) throws(PatternFault) -> PatternNode {
    let node = try choice()
    guard cursor.take(")") else { throw PatternFault("a group is not closed", "write ) at its end", at: start) }
    return node
  }

  /// Reads the name of a group, such as `<year>`. Returns false if the cursor is at none.
  package mutating func groupName(from start: Int) throws(PatternFault) -> Bool {
    let first = cursor.index + 1
    guard cursor.next == "<", cursor[first] != "=", cursor[first] != "!" else { return false }
    cursor.index = first
    while let next = cursor.next, next.properties.isAlphabetic || next == "_" || ("0"..."9").contains(next) {
      cursor.index += 1
    }
    guard cursor.index > first, cursor.take(">") else {
      throw PatternFault("the name of a group is not closed with >", at: start)
    }
    return true
  }

  // MARK: Counts

  private mutating func counted(_ node: PatternNode) throws(PatternFault) -> PatternNode {
    if case .assert = node, !Self.features.contains(.repeatedAssertions) { return node }
    let start = cursor.index
    guard let (minimum, maximum) = try count() else { return node }
    if Self.features.contains(.lazyCounts) { _ = cursor.take("?") }
    guard try count() == nil else {
      throw PatternFault("a count follows a count", "write a group around the first one", at: start)
    }
    return .repeated(node, minimum: minimum, maximum: maximum)
  }

  /// Reads a count such as `*` or `{2,4}`. Returns nil if the cursor is at none.
  private mutating func count() throws(PatternFault) -> (minimum: Int, maximum: Int?)? {
    let start = cursor.index
    if cursor.take("?") { return (0, 1) }
    if cursor.take("*") { return (0, nil) }
    if cursor.take("+") { return (1, nil) }
    guard cursor.take("{") else { return nil }
    let minimum = cursor.number(limit: countLimit)
    let hasComma = cursor.take(",")
    let isUnlimited = hasComma && cursor.next == "}"
    let maximum = hasComma ? cursor.number(limit: countLimit) : minimum
    guard let minimum, isUnlimited || maximum != nil, cursor.take("}") else {
      if Self.features.contains(.ordinaryBraces) {
        cursor.index = start
        return nil
      }
      throw PatternFault(
        "a count is malformed", "write it as in {2}, {2,} or {2,4}, or \\{ for the character", at: start)
    }
    guard max(minimum, maximum ?? 0) <= countLimit else {
      throw PatternFault("a count is greater than \(countLimit)", at: start)
    }
    if let maximum, maximum < minimum { throw PatternFault("a count is empty", "swap its ends", at: start) }
    return (minimum, maximum)
  }
}
