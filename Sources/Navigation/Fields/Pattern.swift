/// A regular expression for a whole text, in the syntax that ECMA-262, Python, RE2 and others read alike.
///
/// The syntax has characters, classes such as `[A-Z0-9]` and `[^a]`, groups, `|`, and the counts `?`, `*`, `+`, `{2}`,
/// `{2,}` and `{2,4}`. A `\` makes a character of the syntax an ordinary one. There are no anchors, because the whole
/// text has to match, and no `\d`, `\w` or `.`, which mean different characters in different languages.
///
/// A text is matched in time proportional to its length, whatever the pattern: the pattern is simulated as a finite
/// automaton (Thompson, "Regular Expression Search Algorithm", 1968). The `Regex` of the standard library backtracks,
/// and takes minutes for 24 characters and `([a-z]+)*@`.
public struct Pattern: Sendable, Equatable {
  public let source: String
  private let program: [Instruction]

  fileprivate enum Instruction: Sendable, Equatable {
    case one(CharacterClass)
    /// Goes on at the next instruction and at another one.
    case split(Int)
    case jump(Int)
  }

  /// The largest number of instructions, which limits counts such as `{1000}`.
  fileprivate static let sizeLimit = 4096

  /// - Throws: the first error in the source.
  public init(_ source: String) throws(PatternError) {
    self.source = source
    var parser = PatternParser(source)
    var compiler = PatternCompiler()
    try compiler.add(try parser.pattern())
    program = compiler.program
  }

  /// Returns whether the whole text matches.
  public func matches(_ text: String) -> Bool {
    var states = StateSet(count: program.count + 1)
    add(0, to: &states)
    for scalar in text.unicodeScalars {
      var next = StateSet(count: program.count + 1)
      for state in states.members {
        if case .one(let accepted) = state < program.count ? program[state] : .jump(0), accepted.contains(scalar.value)
        {
          add(state + 1, to: &next)
        }
      }
      if next.members.isEmpty { return false }
      states = next
    }
    return states.contains(program.count)
  }

  /// Adds a state, and those that are reached from it without a character.
  private func add(_ state: Int, to states: inout StateSet) {
    var waiting = [state]
    while let state = waiting.popLast() {
      guard states.insert(state), state < program.count else { continue }
      switch program[state] {
      case .one: break
      case .split(let other): waiting += [other, state + 1]
      case .jump(let other): waiting.append(other)
      }
    }
  }
}

/// The pattern of a field, with a text that matches it.
public struct ExamplePattern: Sendable, Equatable {
  public let source: String
  public let example: String
  private let pattern: Pattern?
  /// The mistake of the author; nil for a valid pattern that the example matches.
  let mistake: FieldMistake?

  init(_ source: String, example: String) {
    (self.source, self.example) = (source, example)
    do throws(PatternError) {
      let pattern = try Pattern(source)
      mistake = pattern.matches(example) ? nil : .exampleDoesNotMatch(example)
      self.pattern = pattern
    } catch {
      mistake = .invalidPattern(source, error)
      pattern = nil
    }
  }

  func matches(_ text: String) -> Bool { pattern?.matches(text) ?? false }
}

/// A set of states in the order of their insertion.
private struct StateSet {
  private var isMember: [Bool]
  private(set) var members: [Int] = []

  init(count: Int) { isMember = Array(repeating: false, count: count) }

  func contains(_ state: Int) -> Bool { isMember[state] }

  /// Returns false for a state that is a member already.
  mutating func insert(_ state: Int) -> Bool {
    guard !isMember[state] else { return false }
    isMember[state] = true
    members.append(state)
    return true
  }
}

/// An error in the source of a ``Pattern``.
public struct PatternError: Error, Sendable, Equatable {
  /// The place of the error, in Unicode code points from 0.
  public let place: Int
  /// The error as a clause, such as `a group is not closed`.
  public let reason: String
}

private struct CharacterClass: Sendable, Equatable {
  var ranges: [ClosedRange<UInt32>]
  var isNegated = false

  func contains(_ scalar: UInt32) -> Bool { ranges.contains { $0.contains(scalar) } != isNegated }
}

private indirect enum PatternNode {
  case one(CharacterClass)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// `maximum` is nil without a limit.
  case repeated(PatternNode, minimum: Int, maximum: Int?)
}

private struct PatternCompiler {
  private(set) var program: [Pattern.Instruction] = []
  /// The number of parts so far. An empty group has no instructions, and takes time.
  private var partCount = 0

  mutating func add(_ node: PatternNode) throws(PatternError) {
    partCount += 1
    guard program.count < Pattern.sizeLimit, partCount < 4 * Pattern.sizeLimit else {
      throw PatternError(place: 0, reason: "its counts are too large")
    }
    switch node {
    case .one(let accepted): program.append(.one(accepted))
    case .sequence(let nodes): for node in nodes { try add(node) }
    case .choice(let nodes):
      var ends: [Int] = []
      for node in nodes.dropLast() {
        let split = reserve()
        try add(node)
        ends.append(reserve())
        program[split] = .split(program.count)
      }
      if let last = nodes.last { try add(last) }
      for end in ends { program[end] = .jump(program.count) }
    case .repeated(let node, let minimum, let maximum):
      for _ in 0..<minimum { try add(node) }
      guard let maximum else {
        let split = reserve()
        try add(node)
        program.append(.jump(split))
        program[split] = .split(program.count)
        return
      }
      var splits: [Int] = []
      for _ in minimum..<maximum {
        splits.append(reserve())
        try add(node)
      }
      for split in splits { program[split] = .split(program.count) }
    }
  }

  /// Appends an instruction whose target is not known yet, and returns its place.
  private mutating func reserve() -> Int {
    program.append(.jump(0))
    return program.count - 1
  }
}

private struct PatternParser {
  private static let syntax = "^$\\.*+?()[]{}|/"
  private static let countLimit = 1000
  private static let depthLimit = 64

  private let scalars: [Unicode.Scalar]
  private var place = 0
  private var depth = 0

  init(_ source: String) { scalars = Array(source.unicodeScalars) }

  mutating func pattern() throws(PatternError) -> PatternNode {
    let node = try choice()
    guard place == scalars.count else { throw error("a ) has no group") }
    return node
  }

  private mutating func choice() throws(PatternError) -> PatternNode {
    var choices = [try sequence()]
    while take("|") { choices.append(try sequence()) }
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var nodes: [PatternNode] = []
    while let next, next != "|", next != ")" { nodes.append(try counted(try atom())) }
    return .sequence(nodes)
  }

  private mutating func atom() throws(PatternError) -> PatternNode {
    let start = place
    guard let scalar = take() else { throw error("it ends too early") }
    switch scalar {
    case "(":
      if take("?"), !take(":") { throw error("(? is not part of the syntax, except (?:", at: start) }
      depth += 1
      guard depth <= Self.depthLimit else { throw error("groups are nested too deeply", at: start) }
      let node = try choice()
      guard take(")") else { throw error("a group is not closed", at: start) }
      depth -= 1
      return node
    case "[": return .one(try characterClass(from: start))
    case "\\": return .one(CharacterClass(ranges: [try escaped(orOneOf: "")]))
    case _ where Self.syntax.unicodeScalars.contains(scalar) && scalar != "/":
      throw error("\(scalar) stands alone; write \\\(scalar) for the character", at: start)
    default: return .one(CharacterClass(ranges: [scalar.value...scalar.value]))
    }
  }

  private mutating func characterClass(from start: Int) throws(PatternError) -> CharacterClass {
    var result = CharacterClass(ranges: [])
    result.isNegated = take("^")
    while !take("]") {
      let lower = try member(from: start)
      guard take("-") else {
        result.ranges.append(lower)
        continue
      }
      let upper = try member(from: start)
      guard lower.lowerBound <= upper.lowerBound else { throw error("a range of a class is empty") }
      result.ranges.append(lower.lowerBound...upper.lowerBound)
    }
    guard !result.ranges.isEmpty else { throw error("a class is empty", at: start) }
    return result
  }

  private mutating func member(from start: Int) throws(PatternError) -> ClosedRange<UInt32> {
    guard let scalar = take() else { throw error("a class is not closed", at: start) }
    if scalar == "\\" { return try escaped(orOneOf: "-") }
    // In a class, browsers require a \ before these.
    guard !"()[]{}/-|".unicodeScalars.contains(scalar) else {
      throw error("a class needs \\ before \(scalar)", at: place - 1)
    }
    guard scalar != next || !"&!#$%*+,.:;<=>?@^`~".unicodeScalars.contains(scalar) else {
      throw error("a class has \(scalar) twice", at: place - 1)
    }
    return scalar.value...scalar.value
  }

  private mutating func escaped(orOneOf others: String) throws(PatternError) -> ClosedRange<UInt32> {
    guard let scalar = take(), (Self.syntax + others).unicodeScalars.contains(scalar) else {
      throw error("\\ stands before a character that needs none", at: place - 1)
    }
    return scalar.value...scalar.value
  }

  private mutating func counted(_ node: PatternNode) throws(PatternError) -> PatternNode {
    if take("?") { return .repeated(node, minimum: 0, maximum: 1) }
    if take("*") { return .repeated(node, minimum: 0, maximum: nil) }
    if take("+") { return .repeated(node, minimum: 1, maximum: nil) }
    let start = place
    guard take("{") else { return node }
    let minimum = try count()
    let maximum: Int? = take(",") ? (next == "}" ? nil : try count()) : minimum
    guard take("}") else { throw error("a count is not closed", at: start) }
    if let maximum, maximum < minimum { throw error("a count is empty", at: start) }
    return .repeated(node, minimum: minimum, maximum: maximum)
  }

  private mutating func count() throws(PatternError) -> Int {
    let start = place
    var number = 0
    while let digit = next, ("0"..."9").contains(digit), number <= Self.countLimit {
      number = number * 10 + Int(digit.value - 0x30)
      place += 1
    }
    guard place > start, number <= Self.countLimit else {
      throw error("a count is no number of at most \(Self.countLimit)", at: start)
    }
    return number
  }

  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  private mutating func take() -> Unicode.Scalar? {
    guard let next else { return nil }
    place += 1
    return next
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }

  private func error(_ reason: String, at place: Int? = nil) -> PatternError {
    PatternError(place: place ?? self.place, reason: reason)
  }
}
