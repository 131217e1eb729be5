internal import Patterns
internal import Values

/// A validation of one value, which ends after a limited number of steps.
struct Validator {
  enum PathComponent {
    case key(Value)
    case index(Int)
  }

  /// The limit of a validation that needs more.
  enum Limit: Error {
    case steps, depth
  }

  /// The result of a part of a validation.
  private struct Outcome {
    var faults: [JSONSchema.Fault] = []
    var isValid = true
    /// Whether the faults are collected. If not, the first one ends the part.
    let collects: Bool
  }

  private let nodes: [SchemaNode]
  private let stepLimit: Int
  private var stepCount = 0
  private var depth = 0
  private var path: [PathComponent] = []
  private var outcome = Outcome(collects: true)

  init(nodes: [SchemaNode], stepLimit: Int) { (self.nodes, self.stepLimit) = (nodes, stepLimit) }

  mutating func faults(of value: Value) -> [JSONSchema.Fault] {
    do throws(Limit) {
      try validate(value, by: 0)
    } catch {
      if outcome.faults.count == JSONSchema.faultLimit { outcome.faults.removeLast() }
      let message =
        switch error {
        case .steps: "takes more than \(stepLimit) steps to validate. Shorten the value, or simplify the schema"
        case .depth: "needs more than \(JSONSchema.depthLimit) schemas inside each other. Simplify the schema"
        }
      outcome.faults.append(JSONSchema.Fault(pointer: pointer, keyword: "", message: message))
    }
    return outcome.faults
  }

  mutating func validate(_ value: Value, by index: Int) throws(Limit) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= JSONSchema.depthLimit else { throw .depth }
    try charge()
    if let types = nodes[index].types {
      try charge()
      // The other keywords would say the same about a value of another type.
      guard types.contains(where: { $0.accepts(value) }) else { return fail(.type, "must be \(types.noun)") }
    }
    for rule in nodes[index].rules {
      try charge()
      if rule.kind == nil || rule.kind == value.kind { try rule.apply(&self, value) }
      guard !isDone else { return }
    }
    guard let reference = nodes[index].reference else { return }
    try charge()
    try validate(value, by: reference)
  }

  mutating func matches(_ text: String, _ pattern: Automaton) throws(Limit) -> Bool {
    try pattern.matches(text) { (stateCount) throws(Limit) in try charge(1 + stateCount / 4) }
  }

  // MARK: Limits

  mutating func charge(_ count: Int = 1) throws(Limit) {
    stepCount += count
    guard stepCount <= stepLimit else { throw .steps }
  }

  /// Pays for an algorithm that reads the bytes of a value.
  mutating func charge(forBytesOf value: Value) throws(Limit) { try charge(value.bytes.count / 16) }

  // MARK: Faults

  /// Whether the messages of faults are read.
  var collectsFaults: Bool { outcome.collects }

  /// Whether further faults change nothing.
  var isDone: Bool {
    outcome.collects ? outcome.faults.count >= JSONSchema.faultLimit : !outcome.isValid
  }

  mutating func fail(_ keyword: Keyword, _ message: @autoclosure () -> String) { fail(keyword.rawValue, message()) }

  mutating func fail(_ keyword: String, _ message: @autoclosure () -> String) {
    outcome.isValid = false
    guard outcome.collects, outcome.faults.count < JSONSchema.faultLimit else { return }
    let fault = JSONSchema.Fault(pointer: pointer, keyword: keyword, message: message())
    // Names can be long, and anyOf may drop the fault. The next charge throws if the limit is exceeded here.
    stepCount += (fault.pointer.utf8.count + fault.message.utf8.count) / 16
    outcome.faults.append(fault)
  }

  mutating func report(_ faults: [JSONSchema.Fault]) {
    outcome.isValid = outcome.isValid && faults.isEmpty
    if outcome.collects { outcome.faults += faults.prefix(JSONSchema.faultLimit - outcome.faults.count) }
  }

  /// Returns whether the value matches a schema, without reporting its faults.
  mutating func matches(_ value: Value, schema: Int) throws(Limit) -> Bool {
    try outcome(of: value, schema: schema, collects: false) == nil
  }

  /// Returns the faults of a value; nil if it is valid. Where faults are not collected, the list is empty.
  mutating func faults(of value: Value, schema: Int) throws(Limit) -> [JSONSchema.Fault]? {
    try outcome(of: value, schema: schema, collects: outcome.collects)
  }

  private mutating func outcome(
    of value: Value, schema: Int, collects: Bool
  ) throws(Limit) -> [JSONSchema.Fault]? {
    let outer = outcome
    outcome = Outcome(collects: collects)
    // Also after an error, because the faults around the part are kept.
    defer { outcome = outer }
    try validate(value, by: schema)
    return outcome.isValid ? nil : outcome.faults
  }

  // MARK: Parts

  mutating func validate(_ value: Value, at part: PathComponent, by schema: Int) throws(Limit) {
    path.append(part)
    try validate(value, by: schema)
    path.removeLast()
  }

  mutating func fail(_ keyword: Keyword, at part: PathComponent, _ message: @autoclosure () -> String) {
    path.append(part)
    fail(keyword, message())
    path.removeLast()
  }

  /// The pointer to the current part of the value. After a limit was reached, it leads to the part that did.
  var pointer: String {
    path.reduce(into: "") { pointer, part in
      switch part {
      case .key(let key): JSONPointer.append(key.text ?? "", to: &pointer)
      case .index(let index): pointer += "/\(index)"
      }
    }
  }
}
