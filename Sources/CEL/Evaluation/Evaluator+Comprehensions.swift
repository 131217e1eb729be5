extension Evaluator {
  mutating func comprehension(
    _ loop: Expression.Comprehension, at offset: Int
  ) throws(CEL.EvaluationError) -> CEL.Value {
    let range = try evaluate(loop.range)
    let outerCount = locals.count
    // An error leaves the variables on the stack, and an operator around the macro may absorb the error.
    defer { locals.removeLast(locals.count - outerCount) }
    let keys: [CEL.Map.Key]?
    let elements: [CEL.Value]
    switch range {
    case .list(let list): (keys, elements) = (nil, list)
    case .map(let map): (keys, elements) = (map.keys, map.values)
    default:
      throw CEL.EvaluationError(
        reason: .noSuchOverload(loop.macro.rawValue, [range.typeName]), offset: loop.range.offset)
    }
    var iteration = Iteration(macro: loop.macro)
    for index in elements.indices {
      let key = keys?[index] ?? .int(Int64(index))
      do throws(Failure) {
        try meter.charge(1)
        // The result hashes the key.
        if loop.macro == .transformMap { try meter.charge(key) }
      } catch {
        throw CEL.EvaluationError(reason: error, offset: offset)
      }
      locals.removeLast(locals.count - outerCount)
      if loop.second != nil {
        locals.append(key.value)
        locals.append(elements[index])
      } else {
        locals.append(keys == nil ? elements[index] : key.value)
      }
      if try iterate(&iteration, loop, key: key, variable: locals[outerCount]) { break }
    }
    return try iteration.result()
  }

  /// Evaluates the expressions of a macro for one element. Returns true if the result is decided.
  private mutating func iterate(
    _ iteration: inout Iteration, _ loop: Expression.Comprehension, key: CEL.Map.Key, variable: CEL.Value
  ) throws(CEL.EvaluationError) -> Bool {
    var isTrue = true
    if let condition = loop.condition {
      do throws(CEL.EvaluationError) {
        isTrue = try self.isTrue(condition, iteration.macro.rawValue)
      } catch {
        // `all` and `exists` are chains of && and ||, so an element that decides them absorbs errors.
        guard iteration.macro == .all || iteration.macro == .exists, error.isAbsorbable else { throw error }
        iteration.firstError = iteration.firstError ?? error
        return false
      }
    }
    switch iteration.macro {
    case .all, .exists:
      iteration.isDecided = isTrue == (iteration.macro == .exists)
      return iteration.isDecided
    case .existsOne: iteration.matchCount += isTrue ? 1 : 0
    case .filter: if isTrue { iteration.list.append(variable) }
    case .map, .transformList:
      if isTrue, let transform = loop.transform { iteration.list.append(try evaluate(transform)) }
    case .transformMap:
      if isTrue, let transform = loop.transform { iteration.map[key] = try evaluate(transform) }
    }
    return false
  }

  /// The state of a macro between two elements.
  private struct Iteration {
    let macro: Expression.Comprehension.Macro
    var isDecided = false
    var firstError: CEL.EvaluationError?
    var matchCount = 0
    var list: [CEL.Value] = []
    var map = CEL.Map()

    func result() throws(CEL.EvaluationError) -> CEL.Value {
      switch macro {
      case .all, .exists:
        if !isDecided, let firstError { throw firstError }
        return .bool(isDecided == (macro == .exists))
      case .existsOne: return .bool(matchCount == 1)
      case .filter, .map, .transformList: return .list(list)
      case .transformMap: return .map(map)
      }
    }
  }
}
