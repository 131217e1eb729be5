internal import CEL
internal import Navigation
internal import Suggestions
internal import Values

/// Makes blocks for the data of a screen: none for a block that is not shown.
typealias BlockTemplate = @Sendable (Scope) throws -> [Block]

// The content of screens.
extension FlowCompiler {
  mutating func blocks(
    _ node: YAMLNode?, _ types: ScopeTypes, of screen: ScreenModel, _ actions: [CompiledAction]
  ) -> [BlockTemplate] {
    var blocks: [BlockTemplate] = []
    for node in node?.elements ?? [] {
      let condition = node["if"].flatMap { expression($0, types, expecting: .bool) }
      guard let make = block(node, types.assuming(condition, at: node["if"], is: true), of: screen, actions) else {
        continue
      }
      guard let condition else {
        blocks.append(make)
        continue
      }
      blocks.append { try condition.isTrue($0) ? try make($0) : [] }
    }
    return blocks
  }

  private mutating func block(
    _ node: YAMLNode, _ types: ScopeTypes, of screen: ScreenModel, _ actions: [CompiledAction]
  ) -> BlockTemplate? {
    let known = Set(FlowFormat.blocks.map(\.name))
    let first = node.entries?.first.flatMap { known.contains($0.key.name) ? $0 : nil }
    guard let entry = first ?? node.entries?.first(where: { known.contains($0.key.name) }) else { return nil }
    let value = entry.value
    switch entry.key.name {
    case "text":
      guard let text = text(value, types) else { return nil }
      return { [.text(try text.text($0))] }
    case "heading":
      guard let text = text(value, types) else { return nil }
      return { [.heading(try text.text($0))] }
    case "facts": return facts(value, types)
    case "list": return list(value, node, types, of: screen, actions)
    case "table": return table(value, node, types)
    case "progress": return progress(value, node, types)
    case "section":
      guard let title = text(value, types) else { return nil }
      let content = blocks(node["content"], types, of: screen, actions)
      let isOpen = node["open"]?.boolean ?? false
      return { scope in
        [.section(try title.text(scope), isOpen: isOpen, try content.flatMap { try $0(scope) })]
      }
    case "image":
      guard let source = string(value, types), let alternative = text(node["alternative"], types) else { return nil }
      return { [.image(source: try source.value($0).text ?? "", alternative: try alternative.text($0))] }
    case "notice":
      let tone = node["tone"]?.text.flatMap { Block.Tone(rawValue: $0) } ?? .info
      guard let text = text(value, types) else { return nil }
      return { [.notice(try text.text($0), tone: tone)] }
    default:
      guard let text = text(value, types), let target = node["href"].flatMap({ string($0, types) }) else { return nil }
      if let literal = target.constant?.text, !LinkTarget.isSafe(literal) {
        fault(node["href"]?.mark ?? node.mark, "The target \(literal.shortened) is not a link. \(LinkTarget.advice)")
      }
      return { scope in
        let address = try target.value(scope).text ?? ""
        let label = try text.text(scope)
        // Data may have any text here, a script among them. People then read the label alone.
        return [LinkTarget.isSafe(address) ? .link(label, href: address) : .text(label)]
      }
    }
  }

  private mutating func facts(_ node: YAMLNode, _ types: ScopeTypes) -> BlockTemplate {
    var facts: [(label: TextTemplate, value: TextTemplate)] = []
    for entry in node.entries ?? [] {
      if let label = label(entry.key), let value = text(entry.value, types) { facts.append((label, value)) }
    }
    for fact in node.elements ?? [] {
      if let label = text(fact["label"], types), let value = text(fact["value"], types) {
        facts.append((label, value))
      }
    }
    return { [facts] scope in
      [.facts(try facts.map { .init(try $0.label.text(scope), try $0.value.text(scope)) })]
    }
  }

  /// The number of items up to which an error in one is an error of the screen. In a longer list it is one on the first
  /// page; the other items are made when a client reads their page.
  private static let eagerItems = 200

  private mutating func list(
    _ elements: YAMLNode, _ node: YAMLNode, _ types: ScopeTypes, of screen: ScreenModel, _ actions: [CompiledAction]
  ) -> BlockTemplate? {
    guard let elements = expression(elements, types, expecting: .nullable(.list(.dyn))) else { return nil }
    let itemTypes = types.with("item", elements.program.type.element)
    guard let title = text(node["title"], itemTypes) else { return nil }
    let detail = optionalText(node["detail"], itemTypes)
    let image = node["image"].flatMap { optionalString($0, itemTypes) }
    let action = node["action"].flatMap { itemAction($0, node, itemTypes, of: screen, actions) }
    let pageSize = node["pageSize"]?.integer.map { Int($0) } ?? ItemList.pageSize
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
        let scope = scope.forElements(found.count)
        return [.list(try found.map { try make(scope.with("item", $0)) }, pageSize: pageSize)]
      }
      let page = scope.forElements(pageSize)
      let first = try found.prefix(pageSize).map { try make(page.with("item", $0)) }
      return [
        .list(Array(found.indices), pageSize: pageSize) { index in
          if index < first.count { return first[index] }
          // It is too late to refuse the screen.
          do { return try make(page.with("item", found[index])) } catch { return Block.Item("–") }
        }
      ]
    }
  }

  private mutating func itemAction(
    _ name: YAMLNode, _ node: YAMLNode, _ types: ScopeTypes, of screen: ScreenModel, _ actions: [CompiledAction]
  ) -> (action: ActionDefinition, input: @Sendable (Scope) throws -> ItemInput)? {
    guard let key = name.key else { return nil }
    guard let action = actions.first(where: { $0.action.name == key.name }) else {
      let names = actions.map(\.action.name)
      let advice =
        similar(key.name, among: names).map { "Did you mean \($0)?" } ?? "Add it to the actions of the screen."
      fault(key.mark, "The screen \(screen.name.name) does not offer the action \(key.name). \(advice)")
      return nil
    }
    let members = values(node["with"], for: action.fields, types, at: key.mark, of: "action \(key.name)")
    // The action itself checks its input: one item that it refuses must not take the screen away.
    let values = FieldValues(members.map { ($0.name, $0.template.unchecked) }, omittingNull: true)
    let input: @Sendable (Scope) throws -> ItemInput = { scope in
      ItemInput(try values.value(scope).members.map { ($0.key, ItemInput.Argument($0.value)) })
    }
    return (action.action, input)
  }

  private mutating func table(_ columns: YAMLNode, _ node: YAMLNode, _ types: ScopeTypes) -> BlockTemplate? {
    guard let rows = node["rows"].flatMap({ expression($0, types, expecting: .nullable(.list(.dyn))) }) else {
      return nil
    }
    let rowTypes = types.with("row", rows.program.type.element)
    var titles: [TextTemplate] = []
    for column in columns.elements ?? [] { if let title = text(column, types) { titles.append(title) } }
    var cells: [TextTemplate] = []
    for cell in node["cells"]?.elements ?? [] { cells.append(text(cell, rowTypes) ?? .fixed("")) }
    if cells.count != titles.count, let place = node.entry("cells") {
      fault(
        place.key.mark,
        "The table has \(titles.count) columns and \(cells.count) cells in a row. Give both the same number.")
    }
    let caption = text(node["caption"], types)
    return { [titles, cells] scope in
      let scope = scope.shared()
      let found = try rows.list(scope)
      let rowScope = scope.forElements(found.count)
      let made = try found.map { row in
        let scope = rowScope.with("row", row)
        return try cells.map { try $0.text(scope) }
      }
      return [.table(try titles.map { try $0.text(scope) }, title: try caption?.text(scope), rows: made)]
    }
  }

  private mutating func progress(_ step: YAMLNode, _ node: YAMLNode, _ types: ScopeTypes) -> BlockTemplate? {
    guard let count = node["of"] else { return nil }
    let steps = template(step, types, expecting: .int, "progress")
    let counts = template(count, types, expecting: .int, "of")
    let title = text(node["title"], types)
    return { scope in
      let (step, count) = (try steps.value(scope).int ?? 1, try counts.value(scope).int ?? 1)
      return [.progress(step: Int(step), of: Int(count), title: try title?.text(scope))]
    }
  }

  /// Compiles a text that may be null, which leaves it out.
  private mutating func optionalText(
    _ node: YAMLNode?, _ types: ScopeTypes
  ) -> (@Sendable (Scope) throws -> Text?)? {
    guard let node, node.expression != nil else {
      guard let text = text(node, types) else { return nil }
      return { try text.text($0) }
    }
    guard let expression = expression(node, types, expecting: .nullable(.string)) else { return nil }
    return { try expression.string($0).map { Text($0) } }
  }

  private mutating func optionalString(_ node: YAMLNode, _ types: ScopeTypes) -> Template? {
    node.text == nil ? nil : template(node, types, expecting: .nullable(.string), "The value")
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
