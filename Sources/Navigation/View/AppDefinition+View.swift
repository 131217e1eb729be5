internal import Languages
package import Values

extension AppDefinition {
  /// Draws the visible part of a state with the code of the app. An error of that code is a ``Rejection/fault(_:)``.
  public func view(of state: SessionState) throws(Rejection) -> VisibleScreen {
    if !localizations.isEmpty { return try localized(for: state).view(of: state) }
    do throws(Interruption) {
      guard hasExpressions else { return try visibleScreen(of: state) }
      return try limitingCost { () throws(Interruption) in try visibleScreen(of: state) }
    } catch {
      throw error.asRejection
    }
  }

  /// Runs code of the app that draws, whose expressions share one budget.
  private func limitingCost<R>(_ body: () throws(Interruption) -> R) throws(Interruption) -> R {
    try CostBudget.$ofView.withValue(CostBudget()) { Result(catching: body) }.get()
  }

  /// Draws the hidden screens of a state, to which a user may return, with the code of the app. An error of that code is
  /// a ``Rejection/fault(_:)``.
  public func drawHiddenScreens(of state: SessionState) throws(Rejection) {
    if !localizations.isEmpty { return try localized(for: state).drawHiddenScreens(of: state) }
    let visible = state.visibleEntry?.id
    do throws(Interruption) {
      for entry in state.entries where entry.id != visible {
        try limitingCost { () throws(Interruption) in
          guard let screen = try draw(entry, in: state) else { return }
          _ = try title(of: screen, in: state)
          try checkItems(of: try content(of: screen, in: state), on: screen.definition)
          _ = try agreements(of: screen)
          _ = try offeredActions(of: screen, in: state)
        }
      }
    } catch {
      throw error.asRejection
    }
  }

  private func visibleScreen(of state: SessionState) throws(Interruption) -> VisibleScreen {
    guard let path = state.visiblePath, let screen = try draw(path.entry, in: state) else {
      throw .fault(.noVisibleScreen)
    }
    let definition = screen.definition
    let title = try title(of: screen, in: state)
    let content = try content(of: screen, in: state)
    try checkItems(of: content, on: definition)
    let refusal = state.refusal.flatMap { $0.form.entry == path.entry.id ? $0 : nil }
    return VisibleScreen(
      screen: definition, title: title, owner: screen.owner,
      data: definition.hidesData ? .emptyObject : screen.value.encoding.without(definition.hiddenFields),
      content: content,
      loads: definition.loads.isEmpty ? [] : try visibleLoads(of: screen, at: path.entry.id, in: state),
      actions: try offeredActions(of: screen, in: state, refused: refusal), agreements: try agreements(of: screen),
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
    for block in content {
      switch block {
      case .list(let list): if let action = list.first?.action { try check(action, on: definition) }
      case .answers(let answers):
        for action in answers.lazy.flatMap(\.actions) { try check(action.action, on: definition) }
      case .section(let section): try checkItems(of: section.content, on: definition)
      default: break
      }
    }
  }

  private func check(_ action: ItemAction, on definition: ScreenDefinition) throws(Interruption) {
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

  /// Returns whether the form of an action depends on the screen at an entry as a whole.
  func hasForm(_ action: ActionDefinition, at entry: Entry) -> Bool {
    guard let index = entry.screen, let form = screens[index].form else { return false }
    return form.action == action.key
  }

  /// Returns the limits of an action's fields that depend on the screen at an entry.
  func limits(
    of action: ActionDefinition, at entry: Entry, in state: SessionState
  ) throws(Interruption) -> [ScreenLimit] {
    guard let index = entry.screen, !screens[index].limits.isEmpty, let screen = try draw(entry, in: state) else {
      return []
    }
    return try limits(of: action, on: screen, in: state)
  }

  private func limits(
    of action: ActionDefinition, on screen: DrawnScreen, in state: SessionState
  ) throws(Interruption) -> [ScreenLimit] {
    let writer = textWriter(for: state.environment.locale)
    return try calling("choices of screen", screen) { value in
      try screen.definition.limits.filter { $0.action == action.key }.map { limit -> ScreenLimit in
        switch limit.kind {
        case .choices(let isListed, let make):
          return ScreenLimit(field: limit.field, .choices(writer.written(try make(value)), isListed: isListed))
        case .bounds(let make):
          let (minimum, maximum) = try make(value)
          return ScreenLimit(field: limit.field, .bounds(minimum: minimum, maximum: maximum))
        }
      }
    }
  }

  private func agreements(of screen: DrawnScreen) throws(Interruption) -> [Int: Value] {
    guard !screen.definition.agreements.isEmpty else { return [:] }
    return try calling("agreement of screen", screen) { value in
      var values: [Int: Value] = [:]
      for action in screen.definition.actions {
        guard let agreement = screen.definition.agreements.first(where: { $0.action == action.key }) else { continue }
        values[action.index] = try agreement.value(value)
      }
      return values
    }
  }

  /// Returns the values that a user agrees to with an action of the screen at an entry; nil if there are none.
  func agreement(to action: String, at entry: EntryID, in state: SessionState) throws(Interruption) -> Value? {
    guard let entry = state.entry(entry), let index = entry.screen, !screens[index].agreements.isEmpty,
      let action = screens[index].actions.first(where: { $0.name == action }), let screen = try draw(entry, in: state)
    else { return nil }
    return try agreements(of: screen)[action.index]
  }

  private func title(of screen: DrawnScreen, in state: SessionState) throws(Interruption) -> Text {
    switch screen.definition.title {
    case .fixed(let title): title
    case .made(let make):
      textWriter(for: state.environment.locale).written(try calling("title of screen", screen, make))
    }
  }

  @inline(__always)
  private func content(of screen: DrawnScreen, in state: SessionState) throws(Interruption) -> [Block] {
    var content = try calling("content of screen", screen, screen.definition.content)
    let count = content.partCount
    guard count <= Block.partLimit else {
      throw .fault(.contentTooLarge(screen: screen.definition.name, count: count, limit: Block.partLimit))
    }
    content.write(by: textWriter(for: state.environment.locale))
    return content
  }

  /// Draws the screen behind the innermost modal; nil if no modal is open.
  public func covered(in state: SessionState) throws(Rejection) -> CoveredScreen? {
    if !localizations.isEmpty { return try localized(for: state).covered(in: state) }
    guard let entry = state.coveredEntry, let index = entry.screen else { return nil }
    do throws(Interruption) {
      guard let screen = try draw(entry, in: state) else { return nil }
      return CoveredScreen(title: try title(of: screen, in: state), content: try content(of: screen, in: state))
    } catch {
      throw .fault(.cannotDraw(screen: screens[index].name))
    }
  }

  /// Returns the screen of an entry with the data that its coordinators fill in, ancestors first; nil for a tab bar.
  func draw(_ entry: Entry, in state: SessionState) throws(Interruption) -> DrawnScreen? {
    guard case .screen(let index, var value) = entry.content, let owner = state.node(entry.owner) else { return nil }
    if isBound[index] {
      try calling(owner.coordinator, "screen", screens[index].schema.crashName.text) {
        try bind(&value, index, by: owner, in: state)
      }
    }
    if screens[index].readsToday { value = AppValue(encoding: value.encoding.dated(by: state.environment)) }
    return DrawnScreen(definition: screens[index], value: value, owner: owner)
  }

  /// Runs code of a screen on its data.
  @inline(__always)
  func calling<R>(
    _ kind: StaticString, _ screen: DrawnScreen, _ body: (AppValue) throws -> R
  ) throws(Interruption) -> R {
    try calling(screen.owner.coordinator, kind, screen.definition.schema.crashName.text) { try body(screen.value) }
  }

  private func bind(_ screen: inout AppValue, _ index: Int, by node: Node, in state: SessionState) throws {
    if let parent = node.parent.flatMap({ state.node($0) }) { try bind(&screen, index, by: parent, in: state) }
    try coordinators[node.coordinator].bindings[index]?.fill(node.state, &screen, state.environment)
  }

  /// Returns the title of an entry. The title of a tab bar is that of its visible screen.
  public func title(of entry: Entry, in state: SessionState) throws(Rejection) -> Text {
    do { return try localized(for: state).drawnTitle(of: entry, in: state) } catch { throw error.asRejection }
  }

  private func drawnTitle(of entry: Entry, in state: SessionState) throws(Interruption) -> Text {
    guard let index = entry.screen else {
      guard case .tabs(let bar) = entry.content, bar.tabs.indices.contains(bar.selected),
        let entry = state.visiblePath(from: bar.tabs[bar.selected].stack)?.entry
      else { return "" }
      return try drawnTitle(of: entry, in: state)
    }
    if let title = screens[index].fixedTitle { return title }
    do throws(Interruption) {
      guard let screen = try draw(entry, in: state) else { return Text(screens[index].name) }
      return try title(of: screen, in: state)
    } catch {
      throw .fault(.cannotDraw(screen: screens[index].name))
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
      titles[entries[index].id] = index == entries.count - 1 ? top : try drawnTitle(of: entries[index], in: state)
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
    guard let target, let entry = state.position(of: target)?.entry else { return nil }
    return .init(title: try drawnTitle(of: entry, in: state))
  }

  /// - Parameter refusal: the refusal of a form of the screen; nil for none.
  private func offeredActions(
    of screen: DrawnScreen, in state: SessionState, refused refusal: FormRefusal? = nil
  ) throws(Interruption) -> [OfferedAction] {
    if state.isFinished { return [] }
    var offered: [OfferedAction] = []
    offered.reserveCapacity(screen.definition.actions.count)
    for action in screen.definition.actions where !action.takesAnswers {
      let obstacle = try state.obstacle(to: action.index, from: screen.owner.id, in: self)
      if obstacle == .hidden { continue }
      var (values, failures) = (Value?.none, [InvalidInput.Failure]())
      if let refusal, refusal.form.action == action.name {
        values = refusal.form.input
        failures = refusal.failures(of: action, textWriter(for: state.environment.locale))
      } else {
        values = try initialValues(of: action, on: screen)
      }
      if let form = screen.definition.form, form.action == action.key {
        let input = try calling("form of screen", screen) { try form.make($0, state.environment) }
        offered.append(
          OfferedAction(
            action, disabled: state.hasPrompt ? .promptIsOpen : obstacle,
            form: input.written(by: textWriter(for: state.environment.locale)), initialValues: values,
            failures: failures))
        continue
      }
      let limits = screen.definition.limits.isEmpty ? [] : try limits(of: action, on: screen, in: state)
      let offer = OfferedAction(
        action, disabled: state.hasPrompt ? .promptIsOpen : obstacle, limits, initialValues: values, failures: failures)
      // The items of a list stand for the action, and there are none.
      if offer.belongsToItems, limits.leaveNone(for: action.input) { continue }
      offered.append(offer)
    }
    return offered
  }

  /// Returns the values with which the fields of an action begin; nil if the screen has none.
  private func initialValues(of action: ActionDefinition, on screen: DrawnScreen) throws(Interruption) -> Value? {
    guard let prefill = screen.definition.prefills.first(where: { $0.action == action.key }) else { return nil }
    return try calling("prefill of screen", screen, prefill.value)
  }

  private func visiblePrompt(of state: SessionState) throws(Interruption) -> VisiblePrompt? {
    switch state.prompt {
    case nil: return nil
    case .leaving(let asked):
      guard let position = state.position(of: asked.entry), let screen = position.entry.screen else {
        throw .fault(.questionWithoutScreen)
      }
      let language = serviceLanguage(for: state.environment.locale)
      let question = screens[screen].leaveQuestion.withTexts { $0.written(in: language) }
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
      let value = definition.readsToday ? asked.value.dated(by: state.environment) : asked.value
      let texts = try calling(owner, "prompt", definition.schema.crashName.text) { try definition.texts(value) }
      var buttons: [VisiblePrompt.Button] = []
      for action in definition.actions {
        let obstacle = try state.obstacle(to: action.index, from: asked.owner, in: self)
        if obstacle != .hidden { buttons.append(.action(OfferedAction(action, disabled: obstacle))) }
      }
      let writer = textWriter(for: state.environment.locale)
      return VisiblePrompt(
        id: asked.id, name: definition.name, title: writer.written(texts.title), message: writer.written(texts.message),
        buttons: buttons)
    }
  }
}

/// A screen with the data that its coordinators fill in.
struct DrawnScreen {
  let definition: ScreenDefinition
  let value: AppValue
  /// The coordinator that owns the entry.
  let owner: Node
}

extension ScreenDefinition {
  /// The properties that are not part of the data for clients.
  fileprivate var hiddenFields: [String] {
    (loads.isEmpty ? [] : loads.filter { !$0.isData }.map(\.field)) + (readsToday ? [Value.today] : [])
  }
}

extension Value {
  /// The member of a screen or a prompt that code from files reads as the date.
  package static let today = "today"

  /// Returns an object with the date of the session.
  fileprivate func dated(by environment: SessionEnvironment) -> Value {
    .object(members.map { ($0.key, $0.value) } + [(Self.today, Value(environment.today.description))])
  }

  /// Returns an object without some of its members.
  fileprivate func without(_ names: [String]) -> Value {
    names.isEmpty ? self : .object(members.filter { !names.contains($0.key) }.map { ($0.key, $0.value) })
  }
}

extension SessionState {
  /// Returns, by the index of the tab in the bar, whether it can be selected. Selecting the visible tab pops it to its
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
