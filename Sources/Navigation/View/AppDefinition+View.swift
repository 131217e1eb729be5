internal import Languages
internal import Values

extension AppDefinition {
  /// Draws the visible part of a state with the code of the app. An error of that code is a ``Rejection/fault(_:)``.
  public func view(of state: SessionState) throws(Rejection) -> VisibleScreen {
    if !localizations.isEmpty { return try localized(for: state).view(of: state) }
    do throws(Interruption) {
      guard hasExpressions else { return try visibleScreen(of: state) }
      return try CostBudget.$ofView.withValue(CostBudget()) {
        Result { () throws(Interruption) in try visibleScreen(of: state) }
      }.get()
    } catch .rejected(let rejection) {
      throw rejection
    } catch {
      throw .fault(.noVisibleScreen)
    }
  }

  /// Draws the hidden screens of a state, to which a user may return, with the code of the app. An error of that code is
  /// a ``Rejection/fault(_:)``.
  public func drawHiddenScreens(of state: SessionState) throws(Rejection) {
    if !localizations.isEmpty { return try localized(for: state).drawHiddenScreens(of: state) }
    let visible = state.visibleEntry?.id
    for entry in state.entries where entry.id != visible {
      guard case .screen(let index, let value) = entry.content, let owner = state.node(entry.owner) else { continue }
      let definition = screens[index]
      do throws(Interruption) {
        try CostBudget.$ofView.withValue(CostBudget()) {
          Result { () throws(Interruption) in
            let screen = try draw(definition, index, value, of: owner, in: state)
            _ = try title(definition, of: screen, owner)
            try checkItems(of: try content(definition, of: screen, owner), on: definition)
            _ = try agreements(definition, of: screen, owner)
            _ = try offered(definition.actions, of: screen, definition, to: owner, in: state)
          }
        }.get()
      } catch {
        throw error.asRejection
      }
    }
  }

  private func visibleScreen(of state: SessionState) throws(Interruption) -> VisibleScreen {
    guard let path = state.visiblePath, case .screen(let index, let value) = path.entry.content,
      let owner = state.node(path.entry.owner)
    else { throw .fault(.noVisibleScreen) }
    let definition = screens[index]
    let screen = try draw(definition, index, value, of: owner, in: state)
    let title = try title(definition, of: screen, owner)
    let content = try content(definition, of: screen, owner)
    try checkItems(of: content, on: definition)
    return VisibleScreen(
      screen: definition, title: title, owner: owner, data: screen.encoding.without(definition.hiddenFields),
      content: content,
      loads: definition.loads.isEmpty
        ? [] : try visibleLoads(of: screen, definition, owner, at: path.entry.id, in: state),
      actions: try offered(definition.actions, of: screen, definition, to: owner, in: state),
      agreements: try agreements(definition, of: screen, owner),
      stack: path.stack.entries, madeTitles: try madeTitles(of: path.stack, in: state, top: title),
      back: try back(from: path, in: state), canDismiss: state.dismissTarget(from: path) != nil,
      tabBars: visibleTabBars(on: path, of: state), modals: path.modals,
      prompt: try visiblePrompt(of: state))
  }

  private func visibleTabBars(on path: VisiblePath, of state: SessionState) -> [VisibleTabBar] {
    guard let innermost = path.tabBar else { return [] }
    var names: [String] = []
    return (path.isTabBarNested ? state.visibleTabBars : [innermost]).map { bar in
      defer { if path.isTabBarNested { names += bar.tabs.map(\.name) } }
      return VisibleTabBar(bar: writer.written(bar), canSelect: state.selectableTabs(of: bar, around: names))
    }
  }

  /// Requires that the screen offers the actions of its items, and that their input has the fields of the action. The
  /// first item of a list stands for all.
  private func checkItems(of content: [Block], on definition: ScreenDefinition) throws(Interruption) {
    for (_, list) in content.lists {
      guard let action = list.first?.action else { continue }
      guard let offered = definition.actions.first(where: { action.performs($0) }) else {
        throw .fault(.itemWithUnofferedAction(action.type?.name ?? "", screen: definition.name))
      }
      // The names alone: a value may come from a backend, and one that the action does not take is refused at the tap.
      let names = action.input.members.map(\.name)
      let isComplete = offered.input.fields.allSatisfy { !$0.isRequired || names.contains($0.name) }
      guard isComplete, names.allSatisfy({ name in offered.input.fields.contains { $0.name == name } }) else {
        throw .fault(.itemWithInvalidInput(offered.name, screen: definition.name))
      }
    }
  }

  /// Returns the choices of an action's fields that depend on the screen at an entry.
  func choices(
    of action: ActionDefinition, at entry: Entry, in state: SessionState
  ) throws(Interruption) -> [OfferedChoices] {
    guard case .screen(let index, let value) = entry.content, !screens[index].choices.isEmpty,
      let owner = state.node(entry.owner)
    else { return [] }
    let screen = try draw(screens[index], index, value, of: owner, in: state)
    return try choices(of: action, screens[index], screen, owner)
  }

  private func choices(
    of action: ActionDefinition, _ definition: ScreenDefinition, _ screen: AppValue, _ owner: Node
  ) throws(Interruption) -> [OfferedChoices] {
    try calling(owner.coordinator, "choices of screen", definition.crashName.text) {
      try definition.choices.filter { $0.action == action.key }
        .map { OfferedChoices(field: $0.field, choices: writer.written(try $0.make(screen)), isListed: $0.isListed) }
    }
  }

  private func agreements(
    _ definition: ScreenDefinition, of screen: AppValue, _ owner: Node
  ) throws(Interruption) -> [Int: Value] {
    guard !definition.agreements.isEmpty else { return [:] }
    return try calling(owner.coordinator, "agreement of screen", definition.crashName.text) {
      var values: [Int: Value] = [:]
      for action in definition.actions {
        guard let agreement = definition.agreements.first(where: { $0.action == action.key }) else { continue }
        values[action.index] = try agreement.value(screen)
      }
      return values
    }
  }

  /// Returns the values that a user agrees to with an action of the screen at an entry; nil if there are none.
  func agreement(to action: String, at entry: EntryID, in state: SessionState) throws(Interruption) -> Value? {
    guard let entry = state.place(of: entry)?.entry, case .screen(let index, let value) = entry.content,
      !screens[index].agreements.isEmpty, let owner = state.node(entry.owner),
      let action = screens[index].actions.first(where: { $0.name == action })
    else { return nil }
    let screen = try draw(screens[index], index, value, of: owner, in: state)
    return try agreements(screens[index], of: screen, owner)[action.index]
  }

  private func title(
    _ definition: ScreenDefinition, of screen: AppValue, _ owner: Node
  ) throws(Interruption) -> Text {
    switch definition.title {
    case .fixed(let title): return title
    case .made(let make):
      let title = try calling(owner.coordinator, "title of screen", definition.crashName.text) { try make(screen) }
      return writer.written(title)
    }
  }

  @inline(__always)
  private func content(
    _ definition: ScreenDefinition, of screen: AppValue, _ owner: Node
  ) throws(Interruption) -> [Block] {
    let content = try calling(owner.coordinator, "content of screen", definition.crashName.text) {
      try definition.content(screen)
    }
    let count = content.partCount
    guard count <= Block.partLimit else {
      throw .fault(.contentTooLarge(screen: definition.name, count: count, limit: Block.partLimit))
    }
    return writer.isIdentity ? content : content.map { $0.written(by: writer) }
  }

  /// Draws the screen behind the innermost modal; nil if no modal is open.
  public func covered(in state: SessionState) throws(Rejection) -> CoveredScreen? {
    if !localizations.isEmpty { return try localized(for: state).covered(in: state) }
    guard let entry = state.coveredEntry, case .screen(let index, let value) = entry.content,
      let owner = state.node(entry.owner)
    else { return nil }
    let definition = screens[index]
    do throws(Interruption) {
      let screen = try draw(definition, index, value, of: owner, in: state)
      return CoveredScreen(
        title: try title(definition, of: screen, owner),
        content: try content(definition, of: screen, owner))
    } catch {
      throw .fault(.cannotDraw(screen: definition.name))
    }
  }

  /// Returns the screen with the data that its coordinators fill in, ancestors first.
  func draw(
    _ definition: ScreenDefinition, _ index: Int, _ value: AppValue, of owner: Node, in state: SessionState
  ) throws(Interruption) -> AppValue {
    guard isFilled[index] else { return value }
    return try calling(owner.coordinator, "screen", definition.crashName.text) {
      var screen = value
      try fill(&screen, index, by: owner, in: state)
      return screen
    }
  }

  private func fill(_ screen: inout AppValue, _ index: Int, by node: Node, in state: SessionState) throws {
    if let parent = node.parent.flatMap({ state.node($0) }) { try fill(&screen, index, by: parent, in: state) }
    try coordinators[node.coordinator].fills[index]?.fill(node.state, &screen, state.environment)
  }

  /// Returns the title of an entry. The title of a tab bar is that of its visible screen.
  public func title(of entry: Entry, in state: SessionState) throws(Rejection) -> Text {
    if !localizations.isEmpty { return try localized(for: state).title(of: entry, in: state) }
    guard case .screen(let index, let value) = entry.content else {
      guard case .tabs(let bar) = entry.content, bar.tabs.indices.contains(bar.selected),
        let entry = state.visiblePath(from: bar.tabs[bar.selected].stack)?.entry
      else { return "" }
      return try title(of: entry, in: state)
    }
    let definition = screens[index]
    if let title = definition.fixedTitle { return title }
    do throws(Interruption) {
      guard let owner = state.node(entry.owner) else { return Text(definition.name) }
      return try title(definition, of: try draw(definition, index, value, of: owner, in: state), owner)
    } catch {
      throw .fault(.cannotDraw(screen: definition.name))
    }
  }

  /// Returns the titles that are made from the values of a screen.
  ///
  /// - Parameter top: the title of the uppermost entry, which is known.
  private func madeTitles(
    of stack: Stack, in state: SessionState, top: Text
  ) throws(Interruption) -> [EntryID: Text] {
    var titles: [EntryID: Text] = [:]
    let entries = stack.entries.span
    for index in entries.indices {
      if let screen = entries[index].screen, !hasMadeTitle[screen] { continue }
      do throws(Rejection) {
        titles[entries[index].id] = index == entries.count - 1 ? top : try title(of: entries[index], in: state)
      } catch {
        throw .rejected(error)
      }
    }
    return titles
  }

  private func back(from path: VisiblePath, in state: SessionState) throws(Interruption) -> VisibleScreen.Back? {
    let target: EntryID?
    switch state.backTarget(from: path) {
    case nil: return nil
    case .closePrompt: target = path.entry.id
    case .pop(_, let entry): target = entry
    case .dismiss(_, let entry): target = entry
    }
    guard let target, let entry = state.place(of: target)?.entry else { return nil }
    do throws(Rejection) {
      return .init(title: try title(of: entry, in: state))
    } catch {
      throw .rejected(error)
    }
  }

  private func offered(
    _ actions: [ActionDefinition], of screen: AppValue, _ definition: ScreenDefinition, to owner: Node,
    in state: SessionState
  ) throws(Interruption) -> [OfferedAction] {
    if state.isFinished { return [] }
    var offered: [OfferedAction] = []
    offered.reserveCapacity(actions.count)
    for action in actions {
      let obstacle = try state.obstacle(to: action.index, from: owner.id, in: self)
      if obstacle == .hidden { continue }
      let choices = definition.choices.isEmpty ? [] : try choices(of: action, definition, screen, owner)
      let offer = OfferedAction(
        action, disabled: state.hasPrompt ? .promptIsOpen : obstacle, choices,
        initialValues: try initialValues(of: action, definition, screen, owner))
      // The items of a list stand for the action, and there are none.
      if offer.belongsToItems, choices.leaveNone(for: action.input) { continue }
      offered.append(offer)
    }
    return offered
  }

  /// Returns the values with which the fields of an action begin; nil if the screen has none.
  private func initialValues(
    of action: ActionDefinition, _ definition: ScreenDefinition, _ screen: AppValue, _ owner: Node
  ) throws(Interruption) -> Value? {
    guard let prefill = definition.prefills.first(where: { $0.action == action.key }) else { return nil }
    return try calling(owner.coordinator, "prefill of screen", definition.crashName.text) { try prefill.value(screen) }
  }

  private func visiblePrompt(of state: SessionState) throws(Interruption) -> VisiblePrompt? {
    switch state.prompt {
    case nil: return nil
    case .leaving(let asked):
      guard let place = state.place(of: asked.entry), let screen = place.entry.screen else {
        throw .fault(.questionWithoutScreen)
      }
      let question = screens[screen].leaveQuestion.written(in: serviceLanguage(for: state.environment.locale))
      return VisiblePrompt(
        id: asked.id, name: "leave", title: question.title, message: question.message,
        buttons: [.answer(.leave, title: question.leave), .answer(.stay, title: question.stay)])
    case .notice(let notice):
      let language = serviceLanguage(for: state.environment.locale)
      return VisiblePrompt(
        id: notice.id, name: "notice", title: Text(language(.noticeTitle)),
        message: Text(notice.reason.isEmpty ? language(.noticeMessage) : notice.reason),
        buttons: [.answer(.close, title: Text(language(.pageClose)))])
    case .asked(let asked):
      let definition = prompts[asked.prompt]
      let owner = state.node(asked.owner)?.coordinator
      let texts = try calling(owner, "prompt", definition.crashName.text) { try definition.texts(asked.value) }
      var buttons: [VisiblePrompt.Button] = []
      for action in definition.actions {
        let obstacle = try state.obstacle(to: action.index, from: asked.owner, in: self)
        if obstacle != .hidden { buttons.append(.action(OfferedAction(action, disabled: obstacle))) }
      }
      return VisiblePrompt(
        id: asked.id, name: definition.name, title: writer.written(texts.title), message: writer.written(texts.message),
        buttons: buttons)
    }
  }
}

extension ScreenDefinition {
  /// The properties that are not part of the data for clients.
  fileprivate var hiddenFields: [String] { loads.isEmpty ? [] : loads.filter { !$0.isData }.map(\.field) }
}

extension Value {
  /// Returns an object without some of its members.
  fileprivate func without(_ names: [String]) -> Value {
    names.isEmpty ? self : .object(members.filter { !names.contains($0.key) }.map { ($0.key, $0.value) })
  }
}

extension SessionState {
  /// Returns, by the place of the tab in the bar, whether it can be selected. Selecting the visible tab pops it to its
  /// root.
  ///
  /// - Parameter names: the names of the tabs in the bars inside of this one.
  fileprivate func selectableTabs(of bar: TabBar, around names: [String]) -> [Bool] {
    let isOpen = !hasPrompt && !isFinished
    return bar.tabs.indices.map { index in
      guard isOpen, !names.contains(bar.tabs[index].name) else { return false }
      guard index == bar.selected else { return true }
      let popped = stack(bar.tabs[index].stack)?.entries.dropFirst() ?? []
      return popped.allSatisfy { entry in
        let tabs = entry.tabBar?.tabs ?? []
        return entry.leavePolicy != .sealed && !tabs.contains { hasSealedEntry(inAndOver: $0.stack) }
      }
    }
  }
}
