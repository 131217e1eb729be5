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

  /// The forms for the reference. Operators with rules of their own have the type `dyn`.
  fileprivate var forms: [String] {
    let typed = overloads.map { form in
      form.operands.count == 1
        ? "\(rawValue.prefix(1))\(form.operands[0]): \(form.result)"
        : "\(form.operands[0]) \(rawValue) \(form.operands[1]): \(form.result)"
    }
    return switch self {
    case .add: typed + ["list(dyn) + list(dyn): list(dyn)"]
    case .isIn: ["dyn in list(dyn): bool", "dyn in map(dyn, dyn): bool"]
    default: typed.isEmpty ? ["dyn \(rawValue) dyn: bool"] : typed
    }
  }

  private static func numeric(_ types: [CEL.ValueType]) -> [(operands: [CEL.ValueType], result: CEL.ValueType)] {
    types.map { ([$0, $0], $0) }
  }
}

extension CEL {
  /// The operators with their forms, such as `int + int: int`, for a reference.
  package static var operators: [(name: String, forms: [String])] {
    var operators = Expression.Operator.allCases.map { (name: $0.rawValue, forms: $0.forms) }
    operators += [
      (name: "&&", forms: ["bool && bool: bool"]), (name: "||", forms: ["bool || bool: bool"]),
      (name: "? :", forms: ["bool ? dyn : dyn"]),
      (name: "[]", forms: ["list(dyn)[int]: dyn", "map(dyn, dyn)[dyn]: dyn"]),
      (name: ".", forms: ["map(string, dyn).name: dyn"]),
    ]
    return operators
  }
}
