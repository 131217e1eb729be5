internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

extension Response {
  /// The view as a Siren entity (github.com/kevinswiber/siren), for generic hypermedia clients.
  static func siren(of snapshot: Snapshot, status: Int) -> Response {
    Response(
      status: status, headers: [("Content-Type", Representation.siren.mediaType)],
      body: SirenEntity(snapshot: snapshot).value.json)
  }
}

/// A session in Siren. Every available intent is an action, including back, dismiss and tabs.
struct SirenEntity {
  let snapshot: Snapshot

  private var visible: VisibleScreen { snapshot.visible }

  var value: Value {
    .object([
      ("class", ["session", Value(snapshot.app.name), Value(visible.screen.name)]),
      ("title", Value(visible.title.string)),
      (
        "properties",
        .object([
          ("app", Value(snapshot.app.name)), ("screen", Value(visible.screen.name)),
          ("revision", Value(Int64(clamping: snapshot.session.revision))),
          ("status", snapshot.state.result == nil ? "active" : "finished"),
          ("access", snapshot.isReadOnly ? "read" : "act"), ("data", visible.data),
          ("pending", .array(snapshot.pendingEffects.map { Value($0.name) })),
          ("loading", .array(visible.loads.filter { $0.problem == nil }.map { Value($0.field) })),
          ("prompt", visible.prompt.map { Value($0.message.string) } ?? .null),
        ])
      ),
      ("actions", .array(actions)),
      (
        "links",
        .array([link("self", ""), link("tree", "/tree"), link("history", "/history"), link("events", "/events")])
      ),
    ])
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
    if let back = visible.back { actions.append(action("back", back.title, "/back")) }
    if visible.canDismiss { actions.append(action("dismiss", "Close", "/dismiss")) }
    for (tab, canSelect) in zip(visible.tabBar?.tabs ?? [], visible.canSelect) where canSelect {
      actions.append(action("tab-\(tab.name)", tab.title, "/tabs/\(tab.name)"))
    }
    return actions
  }

  private func offered(_ offered: OfferedAction) -> Value? {
    let definition = offered.definition
    guard offered.disabled == nil else { return nil }
    return action(
      definition.name, definition.title, "/actions/\(definition.name)", definition.input.fields.map(\.siren))
  }

  private func action(_ name: String, _ title: Text, _ path: String, _ fields: [Value] = []) -> Value {
    .object([
      ("name", Value(name)), ("title", Value(title.string)), ("method", "POST"),
      ("href", Value(address + snapshot.target(of: path))), ("type", "application/json"),
      ("fields", .array(fields)),
    ])
  }

  private func link(_ relation: String, _ path: String) -> Value {
    .object([("rel", [Value(relation)]), ("href", Value(address + path))])
  }

  private var address: String { snapshot.id.path }
}

extension FieldSchema {
  /// The field with its input type in HTML.
  fileprivate var siren: Value {
    let members: [(String, Value)] = [("name", Value(name)), ("title", Value(title.string))]
    switch kind.control {
    case .select(let choices):
      let values = choices.map { Value.object([("title", Value($0.title.string)), ("value", Value($0.value))]) }
      return .object(members + [("type", "radio"), ("value", .array(values))])
    case .checkbox: return .object(members + [("type", "checkbox")])
    case .textArea: return .object(members + [("type", "text")])
    case .input(let type, _): return .object(members + [("type", Value(type))])
    }
  }
}
