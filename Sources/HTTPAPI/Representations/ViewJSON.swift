internal import Languages
internal import Messages
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

/// The view of a session as JSON, written straight into the bytes of the response.
extension JSONWriter {
  /// - Parameters:
  ///   - pages: the pages of the lists in the content.
  ///   - blocks: the types of block that the client knows; nil if it did not say.
  mutating func view(of snapshot: Snapshot, _ pages: ListPages? = nil, _ blocks: KnownBlocks? = nil) {
    let address = SessionAddress(of: snapshot)
    beginObject()
    session(snapshot)
    shown(by: snapshot, pages, blocks, at: address)
    if let language = snapshot.app.language { member(language, of: snapshot, at: address) }
    links(of: address, canBeHandedOver: snapshot.canBeHandedOver)
    endObject()
  }

  /// Writes the part of the view that follows from the coordinators.
  mutating func shown(
    by snapshot: Snapshot, _ pages: ListPages? = nil, _ blocks: KnownBlocks? = nil, at address: SessionAddress
  ) {
    let visible = snapshot.visible
    let labels = snapshot.app.labels
    screen(visible, of: snapshot.app, labels, pages, blocks, at: address)
    beginArray("actions")
    let actions = visible.actions.span
    for index in actions.indices { offered(actions[index], labels, at: address) }
    endArray()
    navigation(of: snapshot, labels, at: address)
    key(literal: "prompt")
    if let prompt = visible.prompt { write(prompt, labels, at: address) } else { null() }
  }

  private mutating func session(_ snapshot: Snapshot) {
    beginObject("session")
    key(literal: "id")
    string(plain: snapshot.id.characters.span.extracting(0..<snapshot.id.count))
    member("app", snapshot.app.name)
    member("revision", Int(clamping: snapshot.session.revision))
    key(literal: "status")
    if snapshot.navigation.state.result != nil { literal("\"finished\"") } else { literal("\"active\"") }
    key(literal: "access")
    if snapshot.isReadOnly { literal("\"read\"") } else { literal("\"act\"") }
    member("createdAt", snapshot.session.createdAt)
    member("expiresAt", snapshot.session.expiresAt)
    object("extend", snapshot.warningAt) { json, warningAt in
      json.member("title", snapshot.language(.pageStay))
      json.member("method", "POST")
      json.member("href", snapshot.pathToExtend)
      json.member("from", warningAt)
    }
    if let locale = snapshot.session.locale { member("locale", locale) }
    if let timeZone = snapshot.session.timeZone { member("timeZone", timeZone) }
    member("result", snapshot.navigation.state.result)
    pending(snapshot)
    problems(snapshot)
    endObject()
  }

  private mutating func pending(_ snapshot: Snapshot) {
    guard snapshot.hasWork else { return literal("\"pending\":[]") }
    objects("pending", snapshot.pendingEffects) { json, effect in
      json.member("id", Int(effect.id.rawValue))
      json.member("name", effect.name)
      json.member("since", effect.since)
    }
  }

  /// Writes the events that are stuck, if there are any.
  private mutating func problems(_ snapshot: Snapshot) {
    let stuck = snapshot.stuckEvents
    if stuck.isEmpty { return }
    objects("problems", stuck) { json, id in
      json.member("id", Int(id.rawValue))
      json.member("title", snapshot.language(.eventStuck))
      json.object("retry", snapshot.isReadOnly ? nil : snapshot.pathToRetry(id)) { json, path in
        json.member("method", "POST")
        json.member("href", path)
      }
    }
  }

  private mutating func screen(
    _ visible: VisibleScreen, of app: AppDefinition, _ labels: AppLabels, _ pages: ListPages?,
    _ blocks: KnownBlocks?, at address: SessionAddress
  ) {
    beginObject("screen")
    member("id", Int(visible.entry.id.rawValue))
    if let screen = visible.entry.screen, let label = labels.screens[screen] {
      fragment(label)
    } else {
      member("name", visible.screen.name)
      member("title", visible.title.string)
    }
    beginObject("coordinator")
    member("id", Int(visible.owner.id.rawValue))
    member("name", app.name(of: visible.owner))
    endObject()
    member("data", visible.data)
    key(literal: "content")
    write(
      blocks.map { visible.content.shown(knowing: $0, in: address.language) } ?? visible.content, from: 0, of: visible,
      pages, at: address)
    write(visible.loads, at: address)
    endObject()
  }

  /// Writes the properties of the screen that are pending, and those that could not be loaded.
  private mutating func write(_ loads: [VisibleLoad], at address: SessionAddress) {
    guard !loads.isEmpty else { return literal("\"loading\":[],\"problems\":[]") }
    beginArray("loading")
    for load in loads where load.problem == nil { string(load.field) }
    endArray()
    objects("problems", loads.filter { $0.problem != nil }) { json, load in
      json.member("field", load.field)
      json.member("title", load.problem?.string)
      json.object("retry", load.canReload ? load.field : nil) { address.writeLink(to: &$0, "/reload/", $1) }
    }
  }

  /// Writes the language of the view and those of the app, and the link with which a client chooses one.
  private mutating func member(_ language: String, of snapshot: Snapshot, at address: SessionAddress) {
    beginObject("language")
    member("current", language)
    objects("languages", snapshot.languageChoices) { json, choice in
      json.member("tag", choice.tag)
      json.member("name", choice.name)
    }
    if snapshot.canChangeLanguage {
      address.writeLink(to: &self, "/locale")
    } else {
      literal("\"method\":null,\"href\":null")
    }
    endObject()
  }

  private mutating func links(of address: SessionAddress, canBeHandedOver: Bool) {
    beginObject("links")
    address.write("self", to: &self)
    address.write("tree", to: &self, "/tree")
    address.write("history", to: &self, "/history")
    address.write("events", to: &self, "/events")
    if canBeHandedOver { address.write("handOver", to: &self, "/hand-over") } else { literal("\"handOver\":null") }
    endObject()
  }

  mutating func member(_ name: StaticString, _ moment: Timestamp) {
    key(literal: name)
    string(plain: moment.characters.span)
  }

  // The actions and the prompt of the view.

  mutating func offered(_ action: OfferedAction, _ labels: AppLabels, at address: SessionAddress) {
    let index = action.definition.index
    beginObject()
    fragment(labels.actions[index].label)
    if let reason = action.disabled {
      literal("\"enabled\":false")
      member("reason", reason.sentence(in: address.language))
    } else {
      literal("\"enabled\":true,\"reason\":null")
    }
    address.writeLink(to: &self, "/actions/", action.definition.name)
    key(literal: "input")
    if let input = action.dependentInput { value(input.jsonSchema) } else { fragment(labels.actions[index].schema) }
    if !action.failures.isEmpty {
      key(literal: "errors")
      value(.array(action.failures.map { $0.value(in: address.language) }))
    }
    endObject()
  }

  mutating func write(_ prompt: VisiblePrompt, _ labels: AppLabels, at address: SessionAddress) {
    beginObject()
    member("id", Int(prompt.id.rawValue))
    member("name", prompt.name)
    member("title", prompt.title.string)
    member("message", prompt.message.string)
    beginArray("actions")
    for button in prompt.buttons {
      switch button {
      case .action(let action): offered(action, labels, at: address)
      case .answer(let answer, let title): write(answer, title, at: address)
      }
    }
    endArray()
    endObject()
  }

  private mutating func write(_ answer: ServiceAnswer, _ title: Text, at address: SessionAddress) {
    beginObject()
    member("name", answer.rawValue)
    member("title", title.string)
    member("role", answer.role.rawValue)
    literal("\"enabled\":true,\"reason\":null")
    address.writeLink(to: &self, "/actions/", answer.rawValue)
    key(literal: "input")
    fragment(Self.noInput)
    endObject()
  }

  private static let noInput = InputSchema(fields: []).jsonSchema.json
}
