/// One evaluation of a program.
struct Evaluator {
  /// In an array, because an expression has few variables, and a dictionary hashes their names.
  let bindings: [(name: String, value: CEL.Value)]
  let timeZoneData: (@Sendable (String) -> [UInt8]?)?
  var meter: CostMeter
  /// The variables of the comprehensions around the current expression.
  var locals: [CEL.Value] = []

  init(
    bindings: [(name: String, value: CEL.Value)], timeZoneData: (@Sendable (String) -> [UInt8]?)?, costLimit: Int
  ) {
    self.bindings = bindings
    self.timeZoneData = timeZoneData
    meter = CostMeter(limit: max(0, costLimit))
  }

  /// Evaluates the root of a program, and charges for the size of the result.
  mutating func result(of root: Expression) throws(CEL.EvaluationError) -> CEL.Value {
    let value = try evaluate(root)
    do throws(Failure) {
      try meter.charge(partsOf: value)
      return value
    } catch {
      throw CEL.EvaluationError(reason: error, offset: root.offset)
    }
  }

  /// The cases that recurse are functions of their own, so that the frame of this one stays small.
  mutating func evaluate(_ node: Expression) throws(CEL.EvaluationError) -> CEL.Value {
    guard meter.remaining > 0 else {
      throw CEL.EvaluationError(reason: .costLimitExceeded(limit: meter.limit), offset: node.offset)
    }
    switch node.kind {
    case .logical(let operands, let isAnd): return try logical(operands, isAnd: isAnd)
    case .conditional(let condition, let first, let second):
      return try evaluate(try isTrue(condition, "?:") ? first : second)
    case .comprehension(let loop): return try comprehension(loop, at: node.offset)
    case .list(let elements, let value?):
      // As much as the evaluation of each element.
      return try finish(node, cost: elements.count) { (_) throws(Failure) in value }
    case .list(let elements, nil):
      let values = try evaluate(elements)
      return .list(values)
    case .operation(let found, let operands) where operands.count == 2:
      let left = try evaluate(operands[0])
      let right = try evaluate(operands[1])
      return try finish(node) { (evaluator) throws(Failure) in try evaluator.apply(found, left, right) }
    case .operation(let found, let operands):
      let operand = try evaluate(operands[0])
      return try finish(node) { (_) throws(Failure) in try Self.apply(found, operand) }
    case .function(let function, let arguments):
      let values = try evaluate(arguments)
      return try finish(node) { (evaluator) throws(Failure) in try function.call(values, &evaluator) }
    case .asDouble(let operand): return try evaluate(operand).asDouble
    case .map(let entries): return try map(entries, at: node.offset)
    case .select(let operand, let field, let isOptional):
      let value = try evaluate(operand)
      return try finish(node) { (evaluator) throws(Failure) in
        try evaluator.select(value, field, isOptional: isOptional)
      }
    case .has(let operand, let field, let excludesNull):
      let value = try evaluate(operand)
      return try finish(node) { (evaluator) throws(Failure) in
        try evaluator.has(value, field, excludesNull: excludesNull)
      }
    case .index(let operand, let index):
      let (value, key) = (try evaluate(operand), try evaluate(index))
      return try finish(node) { (evaluator) throws(Failure) in try evaluator.element(of: value, at: key) }
    case .matches(let operand, let pattern):
      let value = try evaluate(operand)
      return try finish(node) { (evaluator) throws(Failure) in try evaluator.matches(value, pattern) }
    case .literal, .name, .variable, .local, .call:
      return try finish(node) { (evaluator) throws(Failure) in try evaluator.leaf(node.kind) }
    }
  }

  /// Charges for a step, performs it, and gives its error the offset of the node.
  @inline(__always)
  private mutating func finish(
    _ node: Expression, cost: Int = 1, _ step: (inout Evaluator) throws(Failure) -> CEL.Value
  ) throws(CEL.EvaluationError) -> CEL.Value {
    do throws(Failure) {
      try meter.charge(cost)
      return try step(&self)
    } catch {
      throw CEL.EvaluationError(reason: error, offset: node.offset)
    }
  }

  private mutating func evaluate(_ nodes: [Expression]) throws(CEL.EvaluationError) -> [CEL.Value] {
    var values: [CEL.Value] = []
    values.reserveCapacity(nodes.count)
    for node in nodes { values.append(try evaluate(node)) }
    return values
  }

  private func leaf(_ kind: Expression.Kind) throws(Failure) -> CEL.Value {
    switch kind {
    case .literal(let value): return value
    case .local(let slot): return locals[slot]
    case .variable(let name):
      for binding in bindings where binding.name == name { return binding.value }
      throw .unknownVariable(name)
    case .name(let name, _): throw .unknownVariable(name)
    case .call(let name, _, _): throw .unknownFunction(name)
    default: throw .invalidArgument("The expression is not a leaf.")
    }
  }

  // MARK: Logic

  /// Evaluates a chain of `&&` or `||`. An operand that decides the result absorbs the errors of the others (CEL
  /// specification, "Logical Operators").
  private mutating func logical(_ operands: [Expression], isAnd: Bool) throws(CEL.EvaluationError) -> CEL.Value {
    var firstError: CEL.EvaluationError?
    for operand in operands {
      do throws(CEL.EvaluationError) {
        if try isTrue(operand, isAnd ? "&&" : "||") != isAnd { return .bool(!isAnd) }
      } catch {
        guard error.isAbsorbable else { throw error }
        firstError = firstError ?? error
      }
    }
    if let firstError { throw firstError }
    return .bool(isAnd)
  }

  mutating func isTrue(_ node: Expression, _ name: String) throws(CEL.EvaluationError) -> Bool {
    let value = try evaluate(node)
    guard case .bool(let result) = value else {
      throw CEL.EvaluationError(reason: .noSuchOverload(name, [value.typeName]), offset: node.offset)
    }
    return result
  }

  // MARK: Maps and lists

  private mutating func map(_ entries: [(key: Expression, value: Expression)], at offset: Int) throws(CEL
    .EvaluationError) -> CEL.Value
  {
    var map = CEL.Map()
    for entry in entries {
      let value = try evaluate(entry.key)
      do throws(Failure) {
        try meter.charge(1)
        guard let key = CEL.Map.Key(value) else { throw .unsupportedKeyType(value.typeName) }
        try meter.charge(key)
        guard map[key] == nil else { throw .duplicateKey(value.shortDescription) }
        map[key] = .null
      } catch {
        throw CEL.EvaluationError(reason: error, offset: entry.key.offset)
      }
      let element = try evaluate(entry.value)
      if let key = map.keys.last { map[key] = element }
    }
    return .map(map)
  }

  private mutating func select(_ value: CEL.Value, _ field: String, isOptional: Bool) throws(Failure) -> CEL.Value {
    try meter.charge(bytes: field.utf8.count)
    guard case .map(let map) = value else { throw .noSuchOverload("The selection of .\(field)", [value.typeName]) }
    if let element = map[field] { return element }
    guard isOptional else { throw .noSuchField(field) }
    return .null
  }

  private mutating func has(_ value: CEL.Value, _ field: String, excludesNull: Bool) throws(Failure) -> CEL.Value {
    try meter.charge(bytes: field.utf8.count)
    guard case .map(let map) = value else { throw .noSuchOverload("has(….\(field))", [value.typeName]) }
    guard let element = map[field] else { return .bool(false) }
    return .bool(!excludesNull || !element.isNull)
  }

  private mutating func element(of value: CEL.Value, at key: CEL.Value) throws(Failure) -> CEL.Value {
    if case .string(let text) = key { try meter.charge(bytes: text.utf8.count) }
    switch value {
    case .list(let elements):
      let index: Int? =
        switch key {
        case .int(let number): Int(exactly: number)
        case .uint(let number): Int(exactly: number)
        case .double(let number): Int(exactly: number)
        default: throw .noSuchOverload("[]", [.list, key.typeName])
        }
      guard let index, elements.indices.contains(index) else { throw .indexOutOfRange(key.shortDescription) }
      return elements[index]
    case .map(let map):
      guard let element = CEL.Map.Key(looking: key).flatMap({ map[$0] }) else {
        throw .noSuchKey(key.shortDescription)
      }
      return element
    default: throw .noSuchOverload("[]", [value.typeName, key.typeName])
    }
  }
}

extension CEL.Value {
  /// A number, a bool or a short text for an error; the type of any other value.
  var shortDescription: String {
    switch self {
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .double(let value): DoubleText.shortest(value)
    case .string(let text) where text.utf8.count <= 64: "'\(text)'"
    case .string(let text): "'\(String(String.UnicodeScalarView(text.unicodeScalars.prefix(32))))…'"
    default: "of type \(typeName.shortName)"
    }
  }
}
