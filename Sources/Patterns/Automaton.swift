/// A pattern as a finite automaton, which matches a text in time proportional to the length of the text and the size of
/// the pattern (Thompson, "Regular Expression Search Algorithm", 1968). Nothing backtracks.
///
/// The `Regex` of the standard library backtracks, and takes minutes for 24 characters and `([a-z]+)*@`.
package struct Automaton: Sendable {
  enum Instruction: Sendable {
    case one(CharacterClass)
    case assert(Assertion)
    /// Goes on at the next instruction and at another one.
    case split(Int)
    case jump(Int)
  }

  package enum Assertion: Sendable {
    case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary
  }

  /// The maximum number of instructions, which limits counts such as `{1000}`.
  package static let sizeLimit = 4096

  private let program: [Instruction]
  private let ignoresCase: Bool

  package init(_ node: PatternNode) throws(PatternFault) {
    var compiler = AutomatonCompiler()
    try compiler.add(node)
    program = compiler.program
    ignoresCase = program.contains { if case .one(let accepted) = $0 { accepted.ignoresCase } else { false } }
  }

  package var instructionCount: Int { program.count }

  /// Returns whether a part of the text matches.
  ///
  /// - Parameter charge: pays for the states at a character, before the match goes on. A state with a large character
  ///   class counts as several.
  package func matches<Failure: Error>(
    _ text: String, charge: (_ stateCount: Int) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    var (current, following) = (StateSet(count: program.count + 1), StateSet(count: program.count + 1))
    var previous: Unicode.Scalar?
    var iterator = text.unicodeScalars.makeIterator()
    var next = iterator.next()
    while true {
      let context = Context(previous: previous, next: next)
      // The search is not anchored, so a match can start at each character.
      add(0, to: &current, context)
      // Also at the end, because an empty text can have a pattern with thousands of states.
      try charge(current.cost)
      if current.contains(program.count) { return true }
      guard let scalar = next else { return false }
      previous = scalar
      next = iterator.next()
      let after = Context(previous: scalar, next: next)
      let otherCases = ignoresCase ? CharacterClass.otherCases(of: scalar) : []
      following.removeAll()
      for state in current.members {
        if case .one(let accepted) = program[state], accepted.contains(scalar, otherCases: otherCases) {
          add(state + 1, to: &following, after)
        }
      }
      swap(&current, &following)
    }
  }

  /// Returns whether a part of the text matches; nil if the match needs more steps than are left. A step is a state at a
  /// character.
  package func matches(_ text: String, stepsLeft: inout Int) -> Bool? {
    struct Limit: Error {}
    do throws(Limit) {
      return try matches(text) { (stateCount) throws(Limit) in
        stepsLeft -= 1 + stateCount
        if stepsLeft < 0 { throw Limit() }
      }
    } catch {
      return nil
    }
  }

  /// The characters around a position in the text.
  private struct Context {
    let previous: Unicode.Scalar?
    let next: Unicode.Scalar?

    func holds(_ assertion: Assertion) -> Bool {
      switch assertion {
      case .textStart: previous == nil
      case .textEnd: next == nil
      case .lineStart: previous == nil || previous == "\n"
      case .lineEnd: next == nil || next == "\n"
      case .wordBoundary: Self.isWord(previous) != Self.isWord(next)
      case .noWordBoundary: Self.isWord(previous) == Self.isWord(next)
      }
    }

    private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
      scalar.map { CharacterClass.word.contains($0) } ?? false
    }
  }

  /// Adds a state, and those that are reached from it without a character.
  private func add(_ state: Int, to states: inout StateSet, _ context: Context) {
    states.waiting.append(state)
    while let state = states.waiting.popLast() {
      guard states.insert(state), state < program.count else { continue }
      switch program[state] {
      case .one(let accepted): states.cost += accepted.cost
      case .assert(let assertion): if context.holds(assertion) { states.waiting.append(state + 1) }
      case .split(let other):
        states.waiting.append(other)
        states.waiting.append(state + 1)
      case .jump(let other): states.waiting.append(other)
      }
    }
  }
}

/// A set of states in the order of their insertion.
private struct StateSet {
  private var isMember: [Bool]
  private(set) var members: [Int] = []
  /// The number of members, of which a large character class counts several times.
  var cost = 0
  /// The states to insert. A part of the set, because an allocation for each character is slow.
  var waiting: [Int] = []

  init(count: Int) { isMember = Array(repeating: false, count: count) }

  func contains(_ state: Int) -> Bool { isMember[state] }

  /// Returns false for a state that is a member already.
  mutating func insert(_ state: Int) -> Bool {
    guard !isMember[state] else { return false }
    isMember[state] = true
    members.append(state)
    cost += 1
    return true
  }

  mutating func removeAll() {
    for member in members { isMember[member] = false }
    members.removeAll(keepingCapacity: true)
    cost = 0
  }
}
