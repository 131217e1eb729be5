/// The macros (CEL specification, "Macros"; cel-go, "Two-variable comprehensions").
enum Macros {
  /// Returns the expansion of a call; nil if the call is not a macro.
  ///
  /// A call with another number of arguments than those of a macro is an ordinary call.
  static func expand(
    _ name: String, target: Expression?, arguments: [Expression], offset: Int
  ) throws(SyntaxError) -> Expression.Kind? {
    guard let target else { return name == "has" ? try has(arguments, offset: offset) : nil }
    guard let macro = Expression.Comprehension.Macro(rawValue: name == "existsOne" ? "exists_one" : name),
      let hasSecond = macro.hasSecondVariable(argumentCount: arguments.count)
    else { return nil }
    let variable = try variable(arguments[0])
    let second = hasSecond ? try self.variable(arguments[1]) : nil
    if variable == second {
      throw SyntaxError(message: "Both variables have the name \(variable). Rename one.", offset: arguments[1].offset)
    }
    var rest = arguments.dropFirst(hasSecond ? 2 : 1)
    let transform = macro.hasTransform ? rest.popLast() : nil
    return .comprehension(
      Expression.Comprehension(
        macro: macro, variable: variable, second: second, range: target, condition: rest.first, transform: transform))
  }

  private static func has(_ arguments: [Expression], offset: Int) throws(SyntaxError) -> Expression.Kind {
    guard arguments.count == 1, case .select(let operand, let field, _) = arguments[0].kind else {
      throw SyntaxError(message: "has needs one field of a value, as in has(order.note).", offset: offset)
    }
    return .has(operand, field: field)
  }

  private static func variable(_ argument: Expression) throws(SyntaxError) -> String {
    guard case .name(let name, isAbsolute: false) = argument.kind else {
      throw SyntaxError(
        message: "The first argument of a macro is the name of its variable, as in list.filter(x, x > 0).",
        offset: argument.offset)
    }
    return name
  }
}

extension Expression.Comprehension.Macro {
  fileprivate var hasTransform: Bool { [.map, .transformList, .transformMap].contains(self) }

  /// Returns whether a call with this number of arguments has two variables; nil if it is not a call of the macro.
  fileprivate func hasSecondVariable(argumentCount: Int) -> Bool? {
    switch (self, argumentCount) {
    case (.all, 2), (.exists, 2), (.existsOne, 2), (.filter, 2), (.map, 2...3): false
    case (.all, 3), (.exists, 3), (.existsOne, 3), (.transformList, 3...4), (.transformMap, 3...4): true
    default: nil
    }
  }

  /// The forms for the reference, with the variables x, or i and x.
  fileprivate var forms: [String] {
    let result =
      switch self {
      case .all, .exists, .existsOne: "bool"
      case .filter, .map, .transformList: "list(dyn)"
      case .transformMap: "map(dyn, dyn)"
      }
    return (2...4).compactMap { count -> String? in
      guard let hasSecond = hasSecondVariable(argumentCount: count) else { return nil }
      let variables = hasSecond ? ["i", "x"] : ["x"]
      let parts = (hasTransform ? ["bool", "dyn"] : ["bool"]).suffix(count - variables.count)
      return "list(dyn).\(rawValue)(\((variables + parts).joined(separator: ", "))): \(result)"
    }
  }
}

extension CEL {
  /// The macros with their forms, such as `list(dyn).all(x, bool): bool`, for a reference.
  package static var macros: [(name: String, forms: [String])] {
    let comprehensions = Expression.Comprehension.Macro.allCases.map { (name: $0.rawValue, forms: $0.forms) }
    return [(name: "has", forms: ["has(map(string, dyn).name): bool"])] + comprehensions
  }
}
