internal import CEL
internal import Navigation
internal import Values
internal import YAML

/// Makes blocks for the data of a screen: none for a block that is not shown.
typealias BlockTemplate = @Sendable (Scope) throws -> [Block]

// The content of screens.
extension ScreenCompiler {
  func blocks(
    _ models: [BlockModel], _ types: ScopeTypes, of screen: String, _ actions: [CompiledAction]
  ) -> [BlockTemplate] {
    models.compactMap { model in
      let condition = model.condition.flatMap { templates.expression($0, types, expecting: .bool) }
      let types = types.assuming(condition, at: model.condition, is: true)
      let make = block(model.content, types, of: screen, actions)
      guard let make, let condition else { return make }
      return { try condition.isTrue($0) ? try make($0) : [] }
    }
  }

  private func block(
    _ content: BlockModel.Content, _ types: ScopeTypes, of screen: String, _ actions: [CompiledAction]
  ) -> BlockTemplate? {
    switch content {
    case .ofText(let model, let make):
      guard let text = templates.text(model, types) else { return nil }
      return { [make(try text.text($0))] }
    case .facts(let models): return facts(models, types)
    case .list(let model): return list(model, types, of: screen, actions)
    case .table(let model): return table(model, types)
    case .progress(let model): return progress(model, types)
    case .section(let model):
      guard let title = templates.text(model.title, types) else { return nil }
      let content = blocks(model.content, types, of: screen, actions)
      return { [isOpen = model.isOpen] scope in
        [.section(try title.text(scope), isOpen: isOpen, try content.flatMap { try $0(scope) })]
      }
    case .image(let source, let alternative):
      guard let source = source.flatMap({ templates.string($0, types) }),
        let alternative = templates.text(alternative, types)
      else {
        return nil
      }
      return { [.image(source: try source.value($0).text ?? "", alternative: try alternative.text($0))] }
    case .link(let model, let node):
      guard let text = templates.text(model, types), let node, let target = templates.string(node, types) else {
        return nil
      }
      if let literal = target.constant?.text, !LinkTarget.isSafe(literal) {
        fault(node.mark, "The target \(literal.shortened) is not a link. \(LinkTarget.advice)")
      }
      return { scope in
        let address = try target.value(scope).text ?? ""
        let label = try text.text(scope)
        // Data may have any text here, a script among them. People then read the label alone.
        return [LinkTarget.isSafe(address) ? .link(label, href: address) : .text(label)]
      }
    }
  }

  private func facts(_ models: [FactModel], _ types: ScopeTypes) -> BlockTemplate {
    let facts = models.compactMap { fact -> (label: TextTemplate, value: TextTemplate)? in
      let label = fact.name.map { templates.label($0) } ?? templates.text(fact.label, types)
      guard let label, let value = templates.text(fact.value, types) else { return nil }
      return (label, value)
    }
    return { scope in
      [.facts(try facts.map { .init(try $0.label.text(scope), try $0.value.text(scope)) })]
    }
  }

  /// The number of items up to which an error in one is an error of the screen. In a longer list it is one on the first
  /// page; the other items are made when a client reads their page.
  private static let eagerItems = 200

  private func list(
    _ model: ListModel, _ types: ScopeTypes, of screen: String, _ actions: [CompiledAction]
  ) -> BlockTemplate? {
    guard let elements = list(model.elements, types) else { return nil }
    let itemTypes = types.with("item", elements.program.type.element, declaration(ofElementsOf: elements, types))
    guard let title = templates.text(model.title, itemTypes) else { return nil }
    let detail = optionalText(model.detail, itemTypes)
    let image = model.image.flatMap { templates.string($0, itemTypes, expecting: .nullable(.string)) }
    let action = model.action.flatMap { itemAction($0, model.input, itemTypes, of: screen, actions) }
    let pageSize = model.pageSize.map { Int($0) } ?? ItemList.pageSize
    let make: @Sendable (Scope) throws -> Block.Item = { scope in
      let (title, detail) = (try title.text(scope), try detail?(scope))
      let picture = try image?.value(scope).text
      guard let action else { return Block.Item(title, detail: detail, image: picture) }
      return Block.Item(title, detail: detail, image: picture, action: action.action, try action.input(scope))
    }
    return { scope in
      let scope = scope.shared()
      let found = try elements.list(scope)
      guard found.count > Self.eagerItems else {
        return [.list(try scope.forElements(found.count).map(found, as: "item", make), pageSize: pageSize)]
      }
      let page = scope.forElements(pageSize)
      let first = try page.map(found.prefix(pageSize), as: "item", make)
      return [
        .list(Array(found.indices), pageSize: pageSize) { index in
          if index < first.count { return first[index] }
          // The session shows the screen already: no item can refuse it.
          do { return try make(page.with("item", found[index])) } catch { return Block.Item("–") }
        }
      ]
    }
  }

  private func itemAction(
    _ key: YAMLKey, _ input: YAMLNode?, _ types: ScopeTypes, of screen: String, _ actions: [CompiledAction]
  ) -> (action: ActionDefinition, input: @Sendable (Scope) throws -> ItemInput)? {
    guard let action = actions.first(where: { $0.action.name == key.name }) else {
      let names = actions.map(\.action.name)
      let advice = advice(for: key.name, among: names, or: "Add it to the actions of the screen.")
      fault(key.mark, "The screen \(screen) does not offer the action \(key.name). \(advice)")
      return nil
    }
    let members = templates.values(input, for: action.fields, types, at: key.mark, of: "action \(key.name)")
    // The action itself checks its input: one item that it refuses must not take the screen away.
    let values = Template.object(members.map { ($0.name, $0.template.unchecked) }, omitsNull: true)
    return (
      action.action,
      { ItemInput(try values.value($0).members.map { ($0.key, ItemInput.Argument($0.value)) }) }
    )
  }

  /// Compiles the expression of the elements of a list or of a table.
  private func list(_ elements: YAMLNode?, _ types: ScopeTypes) -> CompiledExpression? {
    elements.flatMap { templates.expression($0, types, expecting: .nullable(.list(.dyn))) }
  }

  /// Returns the declaration of the elements of a list, all of which come from a declared list; nil for any other.
  private func declaration(ofElementsOf list: CompiledExpression, _ types: ScopeTypes) -> ScopeTypes.Declaration? {
    let schema = list.program.pathOfElements.flatMap { schemas.schema(at: $0, types) }
    return schema.flatMap { schemas.elements(of: $0) }.map { .schema($0) }
  }

  private func table(_ model: TableModel, _ types: ScopeTypes) -> BlockTemplate? {
    guard let rows = list(model.rows, types) else { return nil }
    let rowTypes = types.with("row", rows.program.type.element, declaration(ofElementsOf: rows, types))
    let titles = model.titles.compactMap { templates.text($0, types) }
    let cells = model.cells.map { templates.text($0, rowTypes) ?? .fixed("") }
    if cells.count != titles.count, let mark = model.cellsMark {
      fault(
        mark, "The table has \(titles.count) columns and \(cells.count) cells in a row. Give both the same number.")
    }
    let caption = templates.text(model.caption, types)
    return { scope in
      let scope = scope.shared()
      let found = try rows.list(scope)
      let made = try scope.forElements(found.count).map(found, as: "row") { row in try cells.map { try $0.text(row) } }
      return [.table(try titles.map { try $0.text(scope) }, title: try caption?.text(scope), rows: made)]
    }
  }

  private func progress(_ model: ProgressModel, _ types: ScopeTypes) -> BlockTemplate? {
    guard let step = model.step, let count = model.count else { return nil }
    let steps = templates.template(step, types, expecting: .int, "progress")
    let counts = templates.template(count, types, expecting: .int, "of")
    let title = templates.text(model.title, types)
    return { scope in
      let (step, count) = (try steps.value(scope).int ?? 1, try counts.value(scope).int ?? 1)
      return [.progress(step: Int(step), of: Int(count), title: try title?.text(scope))]
    }
  }

  /// Compiles a text that may be null, which leaves it out.
  private func optionalText(
    _ model: TextModel?, _ types: ScopeTypes
  ) -> (@Sendable (Scope) throws -> Text?)? {
    guard let model, model.node.expression != nil else {
      guard let text = templates.text(model, types) else { return nil }
      guard case .choice? = model?.content else { return { try text.text($0) } }
      return { scope in
        let title = try text.text(scope)
        return title.string.isEmpty ? nil : title
      }
    }
    guard let expression = templates.expression(model.node, types, expecting: .nullable(.string)) else { return nil }
    return { try expression.string($0).map { Text($0) } }
  }
}

/// The targets of links: those that a client can open without running code.
private enum LinkTarget {
  static let advice = "Write an address that begins with https:, http:, mailto:, tel: or a slash."

  static func isSafe(_ address: String) -> Bool {
    let start = address.prefix(8).lowercased()
    return ["https://", "http://", "mailto:", "tel:", "/"].contains { start.hasPrefix($0) }
  }
}

extension ItemInput.Argument {
  fileprivate init(_ value: Value) {
    switch value.kind {
    case .integer: self = .integer(Int(value.int ?? 0))
    case .double: self = .number(value.double ?? 0)
    case .boolean: self = .flag(value.bool ?? false)
    case .array: self = .list(value.elements.map(\.fieldText))
    default: self = .text(value.fieldText)
    }
  }
}

extension CEL.ValueType {
  /// The type of the elements of a list; `dyn` for any other type.
  fileprivate var element: CEL.ValueType { if case .list(let element) = withoutNull { element } else { .dyn } }
}
