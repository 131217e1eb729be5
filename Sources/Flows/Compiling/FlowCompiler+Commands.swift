internal import CEL
internal import Navigation
internal import Values

// Commands that do not concern work outside of the session.
extension FlowCompiler {
  mutating func compile(_ commands: [CommandModel], _ context: ScriptContext) -> [CompiledCommand] {
    var context = context
    var compiled: [CompiledCommand] = []
    for (index, command) in commands.enumerated() {
      if index > 0 { checkNoFinish(before: command, commands[index - 1], context) }
      if let command = compile(command, &context) { compiled.append(command) }
    }
    return compiled
  }

  /// Requires that a coordinator still lives when a command runs.
  private mutating func checkNoFinish(
    before command: CommandModel, _ previous: CommandModel, _ context: ScriptContext
  ) {
    if previous.verb.name == "finish" {
      fault(command.verb.mark, "A command follows finish. Let finish be the last command.")
    } else if mayFinish(previous, of: context.coordinator) {
      fault(
        command.verb.mark,
        "A command follows finish, which may run inside of the \(previous.verb.name) before it. "
          + "Put the command in an else.")
    }
  }

  private mutating func compile(_ command: CommandModel, _ context: inout ScriptContext) -> CompiledCommand? {
    switch command.verb.name {
    case "push", "pushSingleTop", "bringToFront", "replaceTop": return show(command, context)
    case "setStack": return setStack(command, context)
    case "pop":
      let count = Int(command.argument?.integer ?? 1)
      return { $0.commands.append(.pop(count)) }
    case "popTo":
      guard let name = command.target, isScreen(name) else { return nil }
      return { $0.commands.append(.popTo(name.name)) }
    case "popToRoot": return { $0.commands.append(.popToRoot) }
    case "present": return present(command, context)
    case "dismiss": return { $0.commands.append(.dismiss) }
    case "dismissAll": return { $0.commands.append(.dismissAll) }
    case "start":
      guard let child = command.target.flatMap({ child($0, command.node["with"], context) }) else { return nil }
      return { $0.commands.append(.start(try child($0.scope), modal: false)) }
    case "finish": return finish(command, context)
    case "ask": return ask(command, context)
    case "setTabs": return setTabs(command, context)
    case "select", "reselect":
      guard let tab = command.target, isTab(tab) else { return nil }
      let reselects = command.verb.name == "reselect"
      return { $0.commands.append(.select(tab.name, reselect: reselects)) }
    case "follow": return follow(command, context)
    case "badge": return badge(command, context)
    case "refuse": return refuse(command, context)
    case "set": return set(command, &context)
    case "if": return condition(command, &context)
    case "do": return perform(step: command, &context)
    default: return work(command, context)
    }
  }

  /// Checks the commands of an event, also those in steps.
  mutating func checkEvent(_ commands: [CommandModel], _ coordinator: CoordinatorModel) {
    checkFailures(of: commands, coordinator)
    for command in coordinator.all(commands) where checkedInEvents.insert(command.verb.mark).inserted {
      switch command.verb.name {
      // The first screen of a coordinator stays while people go back.
      case "popTo" where coordinator.start.first?.target?.name == command.target?.name: break
      case "pop", "popTo", "dismiss":
        warn(
          command.verb.mark,
          "People may have gone back before the event, and \(command.verb.name) then fails. Use setStack, replaceTop or "
            + "popToRoot.")
      case "refuse":
        fault(
          command.verb.mark, "An event has no user to see a refusal, so it would never complete. Show a screen instead."
        )
      default: break
      }
    }
  }

  // MARK: Screens

  private mutating func isScreen(_ name: YAMLKey) -> Bool {
    if model.screen(name.name) != nil { return true }
    unknown("screen", name, among: model.screens.map(\.name.name))
    return false
  }

  /// Compiles a screen with its data.
  private mutating func screen(
    _ name: YAMLKey, _ values: YAMLNode?, _ context: ScriptContext
  ) -> (@Sendable (Scope) throws -> Draft)? {
    guard isScreen(name), let screen = screens[name.name] else { return nil }
    // A property that is to be loaded is null until then.
    let loaded = (model.screen(name.name)?.loads ?? []).map { load in
      (name: load.property.name, template: Template.constant(.null))
    }
    let data = FieldValues(
      self.values(
        values, for: screen.data, context.types, at: name.mark, of: "screen \(name.name)",
        isOptional: { [self] in isFilled($0, of: name.name, in: context.coordinator.name.name) }) + loaded)
    let name = name.name
    return { Draft(try data.value($0), named: name) }
  }

  /// Returns whether a coordinator, or one on each way from the root to it, fills in a property of its screen.
  private func isFilled(_ property: String, of screen: String, in coordinator: String) -> Bool {
    reach.way(up: coordinator, to: model.rootCoordinator.name) { name in
      let fills = model.coordinator(name)?.fills ?? []
      return !fills.contains { $0.screen.name == screen && $0.values[property] != nil }
    } == nil
  }

  private func leavePolicy(_ command: CommandModel, of screen: String) -> LeavePolicy {
    switch command.node["leaving"]?.text {
    case "free": .free
    case "sealed": .sealed
    case "confirm": .confirm
    default: screens[screen]?.screen.leavePolicy ?? .free
    }
  }

  private mutating func show(_ command: CommandModel, _ context: ScriptContext) -> CompiledCommand? {
    guard let name = command.target, let screen = screen(name, command.node["with"], context) else { return nil }
    let policy = leavePolicy(command, of: name.name)
    switch command.verb.name {
    case "push": return { $0.commands.append(.push(EntryDraft(try screen($0.scope), policy))) }
    case "pushSingleTop": return { $0.commands.append(.pushSingleTop(EntryDraft(try screen($0.scope), policy))) }
    case "bringToFront": return { $0.commands.append(.bringToFront(EntryDraft(try screen($0.scope), policy))) }
    default: return { $0.commands.append(.replaceTop(EntryDraft(try screen($0.scope), policy))) }
    }
  }

  private mutating func setStack(_ command: CommandModel, _ context: ScriptContext) -> CompiledCommand? {
    var items: [(screen: @Sendable (Scope) throws -> Draft, leaving: LeavePolicy)] = []
    for element in command.argument?.elements ?? [] {
      let entry = element.entries?.first
      if let second = element.entries?.dropFirst().first {
        fault(second.key.mark, "An element of the stack is one screen. Make \(second.key.name) an element of its own.")
      }
      guard let name = element.key ?? entry?.key, let screen = screen(name, entry?.value, context) else { continue }
      items.append((screen, screens[name.name]?.screen.leavePolicy ?? .free))
    }
    if let list = command.argument, list.elements?.isEmpty ?? false {
      fault(list.mark, "The stack has no screens. Give it at least one.")
    }
    return { [items] run in
      let scope = run.scope
      run.commands.append(.setStack(try items.map { EntryDraft(try $0.screen(scope), $0.leaving) }))
    }
  }

  private mutating func present(_ command: CommandModel, _ context: ScriptContext) -> CompiledCommand? {
    if let name = command.target, model.coordinator(name.name) != nil {
      guard let child = child(name, command.node["with"], context) else { return nil }
      return { $0.commands.append(.start(try child($0.scope), modal: true)) }
    }
    guard let name = command.target ?? command.argument?["screen"]?.key else { return nil }
    if command.target != nil, model.screen(name.name) == nil {
      unknown(
        "coordinator or screen", name, among: (model.coordinators.map(\.name) + model.screens.map(\.name)).map(\.name))
      return nil
    }
    guard let screen = screen(name, command.node["with"], context) else { return nil }
    let policy = leavePolicy(command, of: name.name)
    return { $0.commands.append(.present(EntryDraft(try screen($0.scope), policy))) }
  }

  private mutating func ask(_ command: CommandModel, _ context: ScriptContext) -> CompiledCommand? {
    guard let name = command.target else { return nil }
    guard let prompt = prompts[name.name] else {
      unknown("prompt", name, among: model.prompts.map(\.name.name))
      return nil
    }
    let data = FieldValues(
      values(command.node["with"], for: prompt.data, context.types, at: name.mark, of: "prompt \(name.name)"))
    return { $0.commands.append(.ask(Draft(try data.value($0.scope), named: name.name))) }
  }

  // MARK: Coordinators

  /// Compiles a child coordinator with its input and its first state.
  private mutating func child(
    _ name: YAMLKey, _ values: YAMLNode?, _ context: ScriptContext
  ) -> (@Sendable (Scope) throws -> Draft)? {
    guard let input = coordinatorInputs[name.name] else {
      unknown("coordinator", name, among: model.coordinators.map(\.name.name))
      return nil
    }
    let given = self.values(values, for: input, context.types, at: name.mark, of: "coordinator \(name.name)")
    let state = (coordinatorStates[name.name] ?? FieldSet()).fields.map { field in
      (name: field.name.name, template: Template.constant(field.defaultValue ?? .null))
    }
    let all = FieldValues(given + state)
    let name = name.name
    return { Draft(try all.value($0), named: name) }
  }

  private mutating func finish(_ command: CommandModel, _ context: ScriptContext) -> CompiledCommand? {
    let name = context.coordinator.name.name
    let result = FieldValues(
      values(
        command.argument, for: coordinatorResults[name] ?? FieldSet(), context.types, at: command.verb.mark,
        of: "result of \(name)"))
    return { $0.commands.append(.finish(Draft(try result.value($0.scope), named: name))) }
  }

  private mutating func setTabs(_ command: CommandModel, _ context: ScriptContext) -> CompiledCommand? {
    var tabs: [(root: @Sendable (Scope) throws -> Draft, title: TextTemplate, icon: String?)] = []
    var known: Set<String> = []
    for tab in command.argument?.elements ?? [] {
      guard let name = tab["start"]?.key else { continue }
      if !known.insert(name.name).inserted {
        fault(name.mark, "The tab \(name.name) occurs twice. Give each tab another root coordinator.")
      }
      guard let root = child(name, tab["with"], context) else { continue }
      let template = title(tab["title"], of: name, context.types)
      note(template, ofTab: name.name)
      tabs.append((root, template, fixedString(tab["icon"])))
    }
    if let list = command.argument, list.elements?.isEmpty ?? false {
      fault(list.mark, "The tab bar has no tabs. Give it at least one.")
    }
    return { [tabs] run in
      let scope = run.scope
      run.commands.append(
        .setTabs(
          try tabs.map { TabDraft(try $0.root(scope), title: try $0.title.text(scope), icon: $0.icon) }))
    }
  }

  /// Notes the title of a tab, unless it depends on values, or another command gives the tab another title.
  private mutating func note(_ title: TextTemplate, ofTab name: String) {
    var text: Text?
    if case .fixed(let fixed) = title { text = fixed }
    let known = tabTitles[name] ?? text
    tabTitles.updateValue(known == text ? text : nil, forKey: name)
  }

  private mutating func isTab(_ name: YAMLKey) -> Bool {
    if reach.tabs.contains(name.name) { return true }
    unknown("tab", name, among: reach.tabs.sorted())
    return false
  }

  private mutating func follow(_ command: CommandModel, _ context: ScriptContext) -> CompiledCommand? {
    let steps = (command.argument?.elements ?? []).compactMap { step($0, context.types) }
    if let list = command.argument, list.elements?.isEmpty ?? false {
      fault(list.mark, "There are no steps to follow. Give at least one.")
    }
    return { run in
      let scope = run.scope
      run.commands.append(.follow(try steps.map { try $0.make(scope) }))
    }
  }

  private mutating func badge(_ command: CommandModel, _ context: ScriptContext) -> CompiledCommand? {
    let tab = command.node["tab"]?.key
    if reach.tabs.isEmpty {
      fault(command.verb.mark, "The flow has no tabs, and no place for a badge. Remove the command.")
      return nil
    }
    if let tab, !isTab(tab) { return nil }
    guard let argument = command.argument else { return { $0.commands.append(.badge(nil, tab: tab?.name)) } }
    let count = template(argument, context.types, expecting: .nullable(.int), "badge")
    return { run in
      let number = try count.value(run.scope).int
      run.commands.append(.badge(number.map { Int($0) }, tab: tab?.name))
    }
  }

  private mutating func refuse(_ command: CommandModel, _ context: ScriptContext) -> CompiledCommand? {
    guard let reason = text(command.argument, context.types) else { return nil }
    let field = command.node["field"]?.key
    if let field {
      guard let fields = context.fields else {
        fault(field.mark, "Only the handler of an action can refuse a field. Remove the field.")
        return nil
      }
      if fields[field.name] == nil {
        unknown("field", field, of: "action \(context.action ?? "")", among: fields.names)
      }
    }
    return { $0.commands.append(.refuse(try reason.text($0.scope), field: field?.name)) }
  }
}
