internal import Languages
internal import Messages
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

/// A session as a Siren entity (github.com/kevinswiber/siren), for generic hypermedia clients. Every available intent is
/// an action, including back, dismiss and tabs.
struct SirenEntity {
  let snapshot: Snapshot
  /// The pages of the lists in the content.
  let pages: ListPages?

  private var visible: VisibleScreen { snapshot.visible }

  var value: Value {
    [
      "class": ["session", Value(snapshot.app.name), Value(visible.screen.name)],
      "title": Value(visible.title.string),
      "properties": [
        "app": Value(snapshot.app.name), "screen": Value(visible.screen.name),
        "revision": Value(Int64(clamping: snapshot.session.revision)),
        "status": snapshot.state.result == nil ? "active" : "finished",
        "access": snapshot.isReadOnly ? "read" : "act", "data": visible.data,
        "pending": .array(snapshot.pendingEffects.map { Value($0.name) }),
        "loading": .array(visible.loads.filter { $0.problem == nil }.map { Value($0.field) }),
        "prompt": visible.prompt.map { Value($0.message.string) } ?? .null,
        "errors": .array(
          visible.actions.flatMap(\.failures).map { Value($0.sentence(in: snapshot.language)) }),
      ],
      "entities": .array(
        visible.content.lists.map { list($1, at: $0) } + visible.content.answers.map { entity($0) }),
      "actions": .array(actions),
      "links": [link("self", ""), link("tree", "/tree"), link("history", "/history"), link("events", "/events")],
    ]
  }

  private var actions: [Value] {
    var actions = visible.actions.compactMap { offered($0) }
    for button in visible.prompt?.buttons ?? [] {
      switch button {
      case .action(let action): offered(action).map { actions.append($0) }
      case .answer(let answer, let title): actions.append(action(answer.rawValue, title, "/actions/\(answer.rawValue)"))
      }
    }
    for load in visible.loads where load.canReload {
      actions.append(action("reload-\(load.field)", load.problem ?? "", "/reload/\(load.field)"))
    }
    for event in snapshot.isReadOnly ? [] : snapshot.stuckEvents {
      actions.append(
        action("retry-\(event.rawValue)", Text(snapshot.language(.eventStuck)), at: snapshot.pathToRetry(event)))
    }
    if snapshot.warningAt != nil {
      actions.append(action("extend", Text(snapshot.language(.pageStay)), at: snapshot.pathToExtend))
    }
    if let back = visible.back { actions.append(action("back", back.title, "/back")) }
    if visible.canDismiss { actions.append(action("dismiss", Text(snapshot.language(.pageClose)), "/dismiss")) }
    if snapshot.canChangeLanguage {
      actions.append(action("locale", Text(snapshot.language(.pageLanguage)), "/locale", [languageField]))
    }
    for tab in visible.tabBars.flatMap(\.selectable) {
      actions.append(action("tab-\(tab.name)", tab.title, "/tabs/\(tab.name)"))
    }
    return actions
  }

  private var languageField: Value {
    [
      "name": "locale", "title": Value(snapshot.language(.pageLanguage)), "type": "radio",
      "value": .array(
        snapshot.languageChoices.map { .option($0.name, Value($0.tag), isSelected: $0.tag == snapshot.app.language) }),
    ]
  }

  /// Returns a list of the content as an entity, with an entity for each item of the page.
  private func list(_ list: ItemList, at position: Int) -> Value {
    let page = list.page(from: pages.start(of: position))
    let links = [("next", page.next), ("prev", page.previous)].compactMap { relation, item in
      item.map { link(relation, "?rows=\(pages.text(showing: $0, of: position))") }
    }
    return [
      "class": ["list"], "rel": ["collection"], "properties": ["total": Value(list.count)],
      "entities": .array(page.items.map { entity($0) }), "links": .array(links),
    ]
  }

  private func entity(_ answer: Block.Answer) -> Value {
    let actions = answer.actions.compactMap { link in
      visible.offer(of: link.action).flatMap { offered($0, link.action.input.value, title: link.title) }
    }
    return [
      "class": ["answer"], "rel": ["item"], "title": Value(answer.label.string),
      "properties": ["value": Value(answer.value.string)], "actions": .array(actions),
    ]
  }

  private func entity(_ item: Block.Item) -> Value {
    let action = item.action.flatMap { action in
      visible.offer(of: action).flatMap { offered($0, action.input.value) }
    }
    return [
      "class": ["item"], "rel": ["item"], "title": Value(item.title.string),
      "properties": [
        "detail": item.detail.map { Value($0.string) } ?? .null, "image": item.image.map { Value($0) } ?? .null,
      ],
      "actions": .array(action.map { [$0] } ?? []),
    ]
  }

  /// - Parameters:
  ///   - input: the values of the fields; nil for empty fields.
  ///   - title: nil for that of the action.
  private func offered(_ offered: OfferedAction, _ input: Value? = nil, title: Text? = nil) -> Value? {
    let definition = offered.definition
    guard offered.disabled == nil else { return nil }
    return action(
      definition.name, title ?? definition.title, "/actions/\(definition.name)",
      input.map { input in definition.input.fields.map { $0.siren(input[$0.name] ?? .null) } }
        ?? offered.input.fields.map { $0.siren(in: snapshot.language) })
  }

  private func action(_ name: String, _ title: Text, _ path: String, _ fields: [Value] = []) -> Value {
    action(name, title, at: address + snapshot.target(of: path), fields)
  }

  private func action(_ name: String, _ title: Text, at address: String, _ fields: [Value] = []) -> Value {
    [
      "name": Value(name), "title": Value(title.string), "method": "POST", "href": Value(address),
      "type": "application/json", "fields": .array(fields),
    ]
  }

  private func link(_ relation: String, _ path: String) -> Value {
    ["rel": [Value(relation)], "href": Value(address + path)]
  }

  private var address: String { snapshot.id.path }
}

extension Value {
  /// Returns a choice of a radio button or a checkbox.
  fileprivate static func option(_ title: String, _ value: Value, isSelected: Bool) -> Value {
    .object([("title", Value(title)), ("value", value)] + (isSelected ? [("selected", true)] : []))
  }
}

extension FieldSchema {
  /// The field with its value, for an action whose input is filled in.
  fileprivate func siren(_ value: Value) -> Value {
    ["name": Value(name), "title": Value(title.string), "type": "hidden", "value": value]
  }

  /// The field with its input type in HTML.
  ///
  /// - Parameter language: the language of the service's own texts.
  fileprivate func siren(in language: ServiceLanguage) -> Value {
    var members: [(String, Value)] = [("name", Value(name)), ("title", Value(title.string))]
    switch kind.control {
    case .select(let choices), .radio(let choices), .checkboxes(let choices):
      let chosen = initial.map { kind.texts(of: $0) } ?? []
      let values = choices.map { choice in
        Value.option(
          choice.title.written(in: language).string, choice.value,
          isSelected: chosen.contains(choice.value.fieldText))
      }
      let type: Value = if case .checkboxes = kind.control { "checkbox" } else { "radio" }
      members += [("type", type), ("value", .array(values))]
      return .object(members)
    case .checkbox: members.append(("type", "checkbox"))
    case .textArea: members.append(("type", "text"))
    case .dateTime: members.append(("type", "datetime"))
    case .input(let type, _): members.append(("type", Value(type)))
    }
    if let initial { members.append(("value", initial)) }
    return .object(members)
  }
}
