extension Expression.Operator {
  /// The types of the operands and of the result. Lists, equality, order and membership follow rules of their own.
  var overloads: [(operands: [CEL.ValueType], result: CEL.ValueType)] {
    switch self {
    case .add:
      Self.numeric([.int, .uint, .double, .string, .bytes, .duration])
        + [([.timestamp, .duration], .timestamp), ([.duration, .timestamp], .timestamp)]
    case .subtract:
      Self.numeric([.int, .uint, .double, .duration])
        + [([.timestamp, .timestamp], .duration), ([.timestamp, .duration], .timestamp)]
    case .multiply, .divide: Self.numeric([.int, .uint, .double])
    case .modulo: Self.numeric([.int, .uint])
    case .not: [([.bool], .bool)]
    case .negate: [([.int], .int), ([.double], .double)]
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn: []
    }
  }

  private static func numeric(_ types: [CEL.ValueType]) -> [(operands: [CEL.ValueType], result: CEL.ValueType)] {
    types.map { ([$0, $0], $0) }
  }
}
