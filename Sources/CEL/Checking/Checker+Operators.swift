internal import Suggestions

extension Checker {
  // MARK: Logic

  /// Checks a chain of `&&` or `||`. Each operand relies on the tests of the operands before it.
  mutating func logical(_ operands: [Expression], isAnd: Bool, at offset: Int) -> Checked {
    let before = nonNullPaths
    defer { nonNullPaths = before }
    var nodes: [Expression] = []
    for operand in operands {
      nodes.append(check(operand, as: .bool, "An operand of \(isAnd ? "&&" : "||")"))
      nonNullPaths.formUnion(pathsNotNull(if: operand, is: isAnd))
    }
    return make(.logical(nodes, isAnd: isAnd), .bool, at: offset)
  }

  mutating func conditional(
    _ condition: Expression, _ first: Expression, _ second: Expression, expecting expected: CEL.ValueType?,
    at offset: Int
  ) -> Checked {
    let test = check(condition, as: .bool, "The condition of ?")
    let before = nonNullPaths
    nonNullPaths = before.union(pathsNotNull(if: condition, is: true))
    let checkedFirst = check(first, expecting: expected)
    nonNullPaths = before.union(pathsNotNull(if: condition, is: false))
    let checkedSecond = check(second, expecting: expected)
    nonNullPaths = before
    let kind = Expression.Kind.conditional(test, checkedFirst.node, checkedSecond.node)
    let type =
      if first.isEmptyLiteral(of: checkedSecond.type) {
        checkedSecond.type
      } else if second.isEmptyLiteral(of: checkedFirst.type) {
        checkedFirst.type
      } else {
        checkedFirst.type.joined(with: checkedSecond.type)
      }
    guard let type else {
      report(
        "The branches of ? are \(checkedFirst.type.phrase) and \(checkedSecond.type.phrase). Give both the same type, or "
          + "write dyn(…) around one.", at: offset)
      return dyn(kind, at: offset)
    }
    return make(kind, type, at: offset)
  }

  // MARK: Operators

  mutating func operation(
    _ found: Expression.Operator, _ operands: [Expression], expecting expected: CEL.ValueType?, at offset: Int
  ) -> Checked {
    // The elements of a sum of lists are those of its operands.
    let expectedOperand = found == .add && expected?.listElement != nil ? expected : nil
    let checked = operands.map { check($0, expecting: expectedOperand) }
    let kind = Expression.Kind.operation(found, checked.map(\.node))
    let types = checked.map(\.type)
    switch found {
    case .equal, .notEqual:
      let isNull = types.contains(.null)
      // A null test that repeats one around it is not a fault.
      let isRepeated = isNull && zip(operands, types).contains { $1 != .null && isNarrowed($0) }
      if !isRepeated, !types[0].isComparable(with: types[1]) {
        let other = types[0] == .null ? types[1] : types[0]
        report(
          isNull
            ? "\(other.phrase.capitalizedFirst) is never null. Remove the test."
            : "\(types[0].phrase.capitalizedFirst) never equals \(types[1].phrase). Convert one of them.", at: offset)
      }
      return make(kind, .bool, at: offset)
    case .isIn: return membership(kind, operands, types, at: offset)
    default: break
    }
    for (operand, type) in zip(operands, types) where type.isNullable { reportNullable(operand) }
    let plain = types.map(\.withoutNull)
    switch found {
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      if !Self.isOrdered(plain[0], plain[1]) { reportOperands(found, plain, at: offset) }
      return make(kind, .bool, at: offset)
    case .add:
      if case (.list(let left), .list(let right)) = (plain[0], plain[1]) {
        if let element = left.joined(with: right) { return make(kind, .list(element), at: offset) }
        reportOperands(found, plain, at: offset)
        return make(kind, .list(.dyn), at: offset)
      }
      if plain.contains(.dyn), plain.contains(where: { if case .list = $0 { true } else { false } }) {
        return make(kind, .list(.dyn), at: offset)
      }
    default: break
    }
    let matching = found.overloads.filter { overload in
      zip(plain, overload.operands).allSatisfy { $0.isAssignable(to: $1) }
    }
    guard let first = matching.first else {
      reportOperands(found, plain, at: offset)
      return dyn(kind, at: offset)
    }
    return make(kind, matching.allSatisfy { $0.result == first.result } ? first.result : .dyn, at: offset)
  }

  private static func isOrdered(_ left: CEL.ValueType, _ right: CEL.ValueType) -> Bool {
    switch (left, right) {
    case (.list, _), (.map, _), (.object, _), (.null, _), (.type, _): false
    case (_, .list), (_, .map), (_, .object), (_, .null), (_, .type): false
    default: left.isComparable(with: right)
    }
  }

  private mutating func membership(
    _ kind: Expression.Kind, _ operands: [Expression], _ types: [CEL.ValueType], at offset: Int
  ) -> Checked {
    if types[1].isNullable { reportNullable(operands[1]) }
    let element: CEL.ValueType? =
      switch types[1].withoutNull {
      case .list(let element): element
      case .map(let key, _): key
      case .object: .string
      case .dyn: .dyn
      default: nil
      }
    if let element {
      checkMember(types[0], element, of: types[1], at: offset)
    } else {
      report("in needs a list or a mapping on its right, not \(types[1].phrase).", at: operands[1].offset)
    }
    return make(kind, .bool, at: offset)
  }

  /// Reports a value that equals no element of a list, or no key of a mapping.
  mutating func checkMember(
    _ type: CEL.ValueType, _ element: CEL.ValueType, of container: CEL.ValueType, at offset: Int
  ) {
    guard !type.isComparable(with: element) else { return }
    report(
      "\(type.phrase.capitalizedFirst) is never in \(container.phrase). Convert it to \(element.phrase).", at: offset)
  }

  private mutating func reportOperands(_ found: Expression.Operator, _ types: [CEL.ValueType], at offset: Int) {
    let name = found == .negate ? "-" : found.rawValue
    let list = types.map(\.phrase).joined(separator: " and ")
    var advice = ""
    if types.count == 2, types.allSatisfy(\.isNumeric) {
      advice =
        found == .modulo
        ? " It takes two whole numbers." : " Convert one of them, as in double(count) \(name) price."
    } else if case .list = types[0], found == .add {
      advice = " The lists need elements of the same type."
    } else if types.contains(.string), found == .add {
      advice = " Convert the other one with string(…)."
    }
    report("\(name) does not take \(list).\(advice)", at: offset)
  }

  // MARK: Lists and maps

  mutating func list(_ elements: [Expression], expecting expected: CEL.ValueType?, at offset: Int) -> Checked {
    let checked = elements.map { check($0, expecting: expected?.listElement) }
    let values = checked.compactMap { if case .literal(let value) = $0.node.kind { value } else { nil } }
    let value: CEL.Value? = values.count == checked.count ? .list(values) : nil
    return make(.list(checked.map(\.node), value: value), .list(.joined(checked.map(\.type))), at: offset)
  }

  mutating func map(
    _ entries: [(key: Expression, value: Expression)], expecting expected: CEL.ValueType?, at offset: Int
  ) -> Checked {
    if case .object(let object)? = expected?.withoutNull { return self.object(entries, object, at: offset) }
    var (nodes, keys, values): ([(key: Expression, value: Expression)], [CEL.ValueType], [CEL.ValueType]) = ([], [], [])
    for entry in entries {
      let (key, value) = (check(entry.key), check(entry.value, expecting: expected?.mapValue))
      switch key.type {
      case .bool, .int, .uint, .string, .dyn: break
      default:
        report(
          "A key of a mapping is a text, a whole number, true or false, not \(key.type.phrase).",
          at: entry.key.offset)
      }
      nodes.append((key.node, value.node))
      keys.append(key.type)
      values.append(value.type)
    }
    return make(.map(nodes), .map(.joined(keys), .joined(values)), at: offset)
  }

  /// Checks a map literal where an object is expected.
  private mutating func object(
    _ entries: [(key: Expression, value: Expression)], _ object: CEL.ObjectType, at offset: Int
  ) -> Checked {
    var (nodes, found): ([(key: Expression, value: Expression)], Set<String>) = ([], [])
    for entry in entries {
      let key = check(entry.key)
      var field: CEL.ObjectType.Field?
      if case .literal(.string(let name)) = entry.key.kind {
        found.insert(name)
        field = object.fields[name]
        if field == nil {
          let suggestion = Suggestion.text(for: name, among: Array(object.fields.keys))
          report("\(object.name) has no field \(name).\(suggestion)", at: entry.key.offset)
        }
      } else {
        report("The key of a field of \(object.name) must be a literal text, as in 'name'.", at: entry.key.offset)
      }
      let value = check(entry.value, expecting: field?.type)
      if let field {
        require(
          field.selectedType, of: entry.value, value.type,
          "The field is \(value.type.phrase), where \(field.type.phrase) is expected."
            + value.type.conversion(to: field.type))
      }
      nodes.append((key.node, value.node))
    }
    let missing = object.fields.filter { $0.value.isRequired && !found.contains($0.key) }.keys.sorted()
    if !missing.isEmpty {
      report("The object \(object.name) needs the fields \(missing.joined(separator: ", ")) too.", at: offset)
    }
    return make(.map(nodes), .object(object), at: offset)
  }
}

extension Expression {
  /// Returns whether the expression is an empty list or mapping, which is a value of this type too.
  fileprivate func isEmptyLiteral(of type: CEL.ValueType) -> Bool {
    switch (kind, type) {
    case (.list(let elements, _), .list): elements.isEmpty
    case (.map(let entries), .map): entries.isEmpty
    default: false
    }
  }
}
