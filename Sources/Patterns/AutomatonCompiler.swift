/// Translates the tree of a pattern into instructions.
struct AutomatonCompiler {
  private(set) var program: [Automaton.Instruction] = []
  /// The number of parts so far. An empty group has no instructions, and takes time.
  private var partCount = 0

  mutating func add(_ node: PatternNode) throws(PatternFault) {
    partCount += 1
    guard program.count < Automaton.sizeLimit, partCount < 4 * Automaton.sizeLimit else {
      throw PatternFault("the pattern is too large", "write smaller counts in {}")
    }
    switch node {
    case .one(let accepted): program.append(.one(accepted))
    case .assert(let assertion): program.append(.assert(assertion))
    case .sequence(let nodes): for node in nodes { try add(node) }
    case .choice(let nodes): try addChoice(nodes)
    case .repeated(let node, let minimum, let maximum):
      for _ in 0..<minimum { try add(node) }
      if let maximum {
        try addOptional(node, count: maximum - minimum)
      } else {
        let split = reserve()
        try add(node)
        program.append(.jump(split))
        program[split] = .split(program.count)
      }
    }
  }

  private mutating func addChoice(_ nodes: [PatternNode]) throws(PatternFault) {
    var ends: [Int] = []
    for node in nodes.dropLast() {
      let split = reserve()
      try add(node)
      ends.append(reserve())
      program[split] = .split(program.count)
    }
    if let last = nodes.last { try add(last) }
    for end in ends { program[end] = .jump(program.count) }
  }

  private mutating func addOptional(_ node: PatternNode, count: Int) throws(PatternFault) {
    var splits: [Int] = []
    for _ in 0..<count {
      splits.append(reserve())
      try add(node)
    }
    for split in splits { program[split] = .split(program.count) }
  }

  /// Appends an instruction whose target is not known yet, and returns its index.
  private mutating func reserve() -> Int {
    program.append(.jump(0))
    return program.count - 1
  }
}
