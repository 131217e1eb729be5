/// The macros (CEL specification, "Macros"; cel-go, "Two-variable comprehensions").
enum Macros {
  /// Returns the expansion of a call; nil if the call is not a macro.
  ///
  /// A call with another number of arguments than those of a macro is an ordinary call.
  static func expand(
    _ name: String, target: Expression?, arguments: [Expression], offset: Int
  ) throws(SyntaxError) -> Expression.Kind? {
    guard let target else { return name == "has" ? try has(arguments, offset: offset) : nil }
    guard let (macro, form) = form(name, argumentCount: arguments.count) else { return nil }
    let variable = try variable(arguments[0])
    let second = form.hasSecond ? try self.variable(arguments[1]) : nil
    if variable == second {
      throw SyntaxError(message: "Both variables have the name \(variable). Rename one.", offset: arguments[1].offset)
    }
    var rest = arguments.dropFirst(form.hasSecond ? 2 : 1)
    let transform = form.hasTransform ? rest.popLast() : nil
    return .comprehension(
      Expression.Comprehension(macro: macro, variable: variable, second: second), range: target,
      condition: rest.first, transform: transform)
  }

  private static func form(
    _ name: String, argumentCount: Int
  ) -> (Expression.Comprehension.Macro, (hasSecond: Bool, hasTransform: Bool))? {
    switch (name, argumentCount) {
    case ("all", 2): (.all, (false, false))
    case ("all", 3): (.all, (true, false))
    case ("exists", 2): (.exists, (false, false))
    case ("exists", 3): (.exists, (true, false))
    case ("exists_one", 2), ("existsOne", 2): (.existsOne, (false, false))
    case ("exists_one", 3), ("existsOne", 3): (.existsOne, (true, false))
    case ("filter", 2): (.filter, (false, false))
    case ("map", 2), ("map", 3): (.map, (false, true))
    case ("transformList", 3), ("transformList", 4): (.transformList, (true, true))
    case ("transformMap", 3), ("transformMap", 4): (.transformMap, (true, true))
    default: nil
    }
  }

  private static func has(_ arguments: [Expression], offset: Int) throws(SyntaxError) -> Expression.Kind {
    guard arguments.count == 1, case .select(let operand, let field) = arguments[0].kind else {
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
