/// The operators (CEL specification, "Numeric Operators" and "List of Standard Definitions").
extension Evaluator {
  mutating func apply(
    _ found: Expression.Operator, _ left: CEL.Value, _ right: CEL.Value
  ) throws(Failure) -> CEL.Value {
    switch found {
    case .equal: return .bool(try meter.areEqual(left, right))
    case .notEqual: return .bool(try !meter.areEqual(left, right))
    case .less: return .bool(try order(left, right, found.rawValue) == .less)
    case .greater: return .bool(try order(left, right, found.rawValue) == .greater)
    case .lessOrEqual:
      let order = try order(left, right, found.rawValue)
      return .bool(order == .less || order == .equal)
    case .greaterOrEqual:
      let order = try order(left, right, found.rawValue)
      return .bool(order == .greater || order == .equal)
    case .isIn: return .bool(try contains(right, left))
    default: break
    }
    switch (left, right) {
    case (.int(let left), .int(let right)): return .int(try Self.apply(found, left, right, .int))
    case (.uint(let left), .uint(let right)): return .uint(try Self.apply(found, left, right, .uint))
    case (.double(let left), .double(let right)):
      switch found {
      case .add: return .double(left + right)
      case .subtract: return .double(left - right)
      case .multiply: return .double(left * right)
      case .divide: return .double(left / right)
      default: throw .noSuchOverload(found.rawValue, [.double, .double])
      }
    default:
      if found == .add, let sum = try sum(left, right) { return sum }
      if let result = try Self.time(found, left, right) { return result }
      throw .noSuchOverload(found.rawValue, [left.typeName, right.typeName])
    }
  }

  /// Applies a unary operator.
  static func apply(_ found: Expression.Operator, _ operand: CEL.Value) throws(Failure) -> CEL.Value {
    switch (found, operand) {
    case (.not, .bool(let value)): return .bool(!value)
    case (.negate, .double(let value)): return .double(-value)
    case (.negate, .int(let value)):
      guard value != .min else { throw .overflow("int") }
      return .int(-value)
    default: throw .noSuchOverload(found == .not ? "!" : "-", [operand.typeName])
    }
  }

  private static func apply<Number: FixedWidthInteger>(
    _ found: Expression.Operator, _ left: Number, _ right: Number, _ type: CEL.TypeName
  ) throws(Failure) -> Number {
    let (result, overflow): (Number, Bool)
    switch found {
    case .add: (result, overflow) = left.addingReportingOverflow(right)
    case .subtract: (result, overflow) = left.subtractingReportingOverflow(right)
    case .multiply: (result, overflow) = left.multipliedReportingOverflow(by: right)
    case .divide, .modulo:
      guard right != 0 else { throw .divisionByZero }
      (result, overflow) =
        found == .divide ? left.dividedReportingOverflow(by: right) : left.remainderReportingOverflow(dividingBy: right)
    default: throw .noSuchOverload(found.rawValue, [type, type])
    }
    guard !overflow else { throw .overflow(type.shortName) }
    return result
  }

  /// - Parameter name: The operator or the function that needs the order.
  mutating func order(
    _ left: CEL.Value, _ right: CEL.Value, _ name: @autoclosure () -> String
  ) throws(Failure) -> Order {
    switch (left, right) {
    case (.string(let left), .string(let right)): try meter.charge(bytes: min(left.utf8.count, right.utf8.count))
    case (.bytes(let left), .bytes(let right)): try meter.charge(bytes: min(left.count, right.count))
    default: break
    }
    guard let order = left.order(relativeTo: right) else {
      throw .noSuchOverload(name(), [left.typeName, right.typeName])
    }
    return order
  }

  private mutating func contains(_ container: CEL.Value, _ value: CEL.Value) throws(Failure) -> Bool {
    switch container {
    case .list(let elements):
      for element in elements where try meter.areEqual(element, value) { return true }
      return false
    case .map(let map):
      guard let key = CEL.Map.Key(looking: value) else { return false }
      try meter.charge(key)
      return map[key] != nil
    default: throw .noSuchOverload("in", [value.typeName, container.typeName])
    }
  }

  private mutating func sum(_ left: CEL.Value, _ right: CEL.Value) throws(Failure) -> CEL.Value? {
    switch (left, right) {
    case (.string(let left), .string(let right)):
      try meter.charge(bytes: left.utf8.count + right.utf8.count)
      return .string(left + right)
    case (.bytes(let left), .bytes(let right)):
      try meter.charge(bytes: left.count + right.count)
      return .bytes(left + right)
    case (.list(let left), .list(let right)):
      try meter.charge(left.count + right.count)
      return .list(left + right)
    default: return nil
    }
  }

  /// The sums and differences of timestamps and durations; nil for any other operands.
  private static func time(
    _ found: Expression.Operator, _ left: CEL.Value, _ right: CEL.Value
  ) throws(Failure) -> CEL.Value? {
    switch (found, left, right) {
    case (.add, .timestamp(let time), .duration(let duration)), (.add, .duration(let duration), .timestamp(let time)):
      guard let sum = time.adding(duration) else { throw .overflow("timestamp") }
      return .timestamp(sum)
    case (.subtract, .timestamp(let time), .duration(let duration)):
      guard duration.nanoseconds != .min,
        let difference = time.adding(CEL.Duration(nanoseconds: -duration.nanoseconds))
      else { throw .overflow("timestamp") }
      return .timestamp(difference)
    case (.subtract, .timestamp(let left), .timestamp(let right)):
      guard let difference = left.duration(since: right) else { throw .overflow("duration") }
      return .duration(difference)
    case (.add, .duration(let left), .duration(let right)):
      return .duration(CEL.Duration(nanoseconds: try apply(.add, left.nanoseconds, right.nanoseconds, .duration)))
    case (.subtract, .duration(let left), .duration(let right)):
      return .duration(CEL.Duration(nanoseconds: try apply(.subtract, left.nanoseconds, right.nanoseconds, .duration)))
    default: return nil
    }
  }
}
