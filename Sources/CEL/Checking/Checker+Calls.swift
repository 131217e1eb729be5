internal import Patterns
internal import Suggestions

extension Checker {
  // MARK: Functions

  mutating func call(_ name: String, _ target: Expression?, _ arguments: [Expression], at offset: Int) -> Checked {
    if let target, let qualified = qualifiedName(of: target) {
      let full = "\(qualified).\(name)"
      if Function.named[full] != nil { return call(full, nil, arguments, at: offset) }
    }
    let operands = (target.map { [$0] } ?? []) + arguments
    var checked = operands.map { check($0) }
    guard let function = Function.named[name] else {
      let qualified = Function.all.first { $0.name.hasSuffix(".\(name)") }
      let suggestion =
        qualified.map { " Did you mean \($0.name)?" } ?? Suggestion.text(for: name, among: Function.all.map(\.name))
      report("There is no function \(name).\(suggestion)", at: offset, kind: .unknownFunction(name))
      return dyn(.call(name: name, target: nil, arguments: []), at: offset)
    }
    // Integers beside a double are numbers too, as in math.greatest(0, price).
    if function.isVariadic, checked.contains(where: { $0.type.withoutNull == .double }) {
      checked = checked.map { $0.type.withoutNull.isNumeric ? $0.asDouble : $0 }
    }
    let (nodes, types) = (checked.map(\.node), checked.map(\.type))
    let forms = function.forms.filter { $0.isMember == (target != nil) }
    let result = resolve(function, forms, operands, types, isMember: target != nil, at: offset)
    guard forms.contains(where: { $0.parameters(for: operands.count) != nil }) else {
      return dyn(.call(name: name, target: nil, arguments: []), at: offset)
    }
    if ["indexOf", "lastIndexOf"].contains(name), operands.count == 2, let element = types[0].listElement {
      checkMember(types[1], element, of: types[0], at: operands[1].offset)
    }
    if name == "matches", case .literal(.string(let source)) = arguments.last?.kind {
      do throws(PatternFault) {
        return make(.matches(nodes[0], try RE2PatternParser.automaton(of: source)), .bool, at: offset)
      } catch {
        report(error.message, at: arguments[arguments.count - 1].offset)
      }
    }
    return make(.function(function.specialized(for: result), nodes), result, at: offset)
  }

  /// Returns the type of the result of the forms that fit the arguments.
  private mutating func resolve(
    _ function: Function, _ forms: [Signature], _ operands: [Expression], _ types: [CEL.ValueType], isMember: Bool,
    at offset: Int
  ) -> CEL.ValueType {
    let plain = types.map(\.withoutNull)
    let matching = forms.filter { $0.accepts(plain) }
    guard let first = matching.first else {
      reportCall(function.name, forms, plain, isMember: isMember, at: offset)
      return .dyn
    }
    for index in types.indices where types[index].isNullable {
      let parameters = matching.compactMap { $0.parameters(for: types.count)?[index] }
      if !parameters.contains(where: { types[index].isAssignable(to: $0) }) {
        reportNullable(operands[index])
      }
    }
    return matching.allSatisfy { $0.result == first.result } ? first.result : .dyn
  }

  private mutating func reportCall(
    _ name: String, _ forms: [Signature], _ types: [CEL.ValueType], isMember: Bool, at offset: Int
  ) {
    if forms.isEmpty {
      let advice =
        isMember ? "takes a value in brackets, as in \(name)(value)" : "follows a value, as in value.\(name)(…)"
      return report("The function \(name) \(advice).", at: offset)
    }
    let receivers = isMember ? forms.filter { types[0].isAssignable(to: $0.parameters[0]) } : forms
    if receivers.isEmpty {
      let known = Self.list(forms.map(\.parameters[0].phrase))
      return report(
        "\(types[0].phrase.capitalizedFirst) has no function \(name). The function works on \(known).", at: offset)
    }
    let first = isMember ? 1 : 0
    let found = types.dropFirst(first).map(\.phrase).joined(separator: " and ")
    let known = receivers.map { form in
      let parameters = form.parameters.dropFirst(first)
      let words = parameters.map { (form.isVariadic ? $0.plural : nil) ?? $0.phrase }
      return words.isEmpty ? "nothing" : words.joined(separator: " and ")
    }
    report(
      "The function \(name) does not take \(found.isEmpty ? "nothing" : found). It takes \(Self.list(known)).",
      at: offset)
  }

  /// The words, each once, with commas and `or`.
  private static func list(_ words: [String]) -> String {
    var seen: Set<String> = []
    let words = words.filter { seen.insert($0).inserted }
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) or \(last)"
  }

  // MARK: Comprehensions

  mutating func comprehension(
    _ comprehension: Expression.Comprehension, expecting expected: CEL.ValueType?, at offset: Int
  ) -> Checked {
    let range = check(comprehension.range)
    if range.type.isNullable { reportNullable(comprehension.range) }
    var (key, element, isList) = (CEL.ValueType.dyn, CEL.ValueType.dyn, true)
    switch range.type.withoutNull {
    case .list(let type): (key, element, isList) = (.int, type, true)
    case .map(let keyType, let value): (key, element, isList) = (keyType, value, false)
    case .object: (key, element, isList) = (.string, .dyn, false)
    case .dyn: break
    default:
      report(
        "\(comprehension.macro.rawValue) needs a list or a mapping, not \(range.type.phrase).", at: range.node.offset)
    }
    let single = isList ? element : key
    let paths = nonNullPaths
    // A path of the same slot may stem from an earlier comprehension.
    nonNullPaths = paths.filter { ($0.slot ?? -1) < locals.count }
    let outerLocals = locals
    if let second = comprehension.second {
      locals += [Local(name: comprehension.variable, type: key), Local(name: second, type: element)]
    } else {
      locals.append(Local(name: comprehension.variable, type: single))
    }
    let condition = comprehension.condition.map {
      check($0, as: .bool, "The condition of \(comprehension.macro.rawValue)")
    }
    if let test = comprehension.condition { nonNullPaths.formUnion(pathsNotNull(if: test, is: true)) }
    let expectedElement = comprehension.macro == .transformMap ? expected?.mapValue : expected?.listElement
    let result = comprehension.transform.map { check($0, expecting: expectedElement) }
    locals = outerLocals
    nonNullPaths = paths
    let loop = Expression.Comprehension(
      macro: comprehension.macro, variable: comprehension.variable, second: comprehension.second, range: range.node,
      condition: condition, transform: result?.node)
    let type: CEL.ValueType =
      switch comprehension.macro {
      case .all, .exists, .existsOne: .bool
      case .filter: .list(single)
      case .map, .transformList: .list(result?.type ?? .dyn)
      case .transformMap: .map(key, result?.type ?? .dyn)
      }
    return make(.comprehension(loop), type, at: offset)
  }
}
