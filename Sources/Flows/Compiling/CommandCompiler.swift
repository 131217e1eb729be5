internal import CEL
internal import Navigation
internal import Values
internal import YAML

/// A compiler of commands.
final class CommandCompiler: PartCompiler {
  /// The titles of tabs by the names of their root coordinators; nil for several, or one that depends on values.
  private(set) var tabTitles: [String: Text?] = [:]
  /// The steps by coordinator and name.
  private var steps: [String: CompiledStep] = [:]
  /// The steps that are being compiled, each of which does the next one.
  private(set) var openSteps = 0
  /// The summaries of the steps, by coordinator and name.
  var stepSummaries: [String: StepSummary] = [:]
  /// The locations of the commands that were checked as those of events.
  var checkedInEvents: Set<SourceMark> = []
  /// The locations of the refusals that are faults: no form has requested their events.
  var faultyRefusals: Set<SourceMark> = []
  var checkedForFailures: Set<SourceMark> = []

  private enum CompiledStep {
    case inProgress
    case compiled([CompiledCommand])
  }

  func compile(_ commands: [CommandModel], _ context: ScriptContext) -> [CompiledCommand] {
    var context = context
    var compiled: [CompiledCommand] = []
    for (index, command) in commands.enumerated() {
      if index > 0 { checkNoFinish(before: command, commands[index - 1], context) }
      if let command = compile(command, &context) { compiled.append(command) }
    }
    return compiled
  }

  /// Requires that a coordinator still lives when a command runs.
  private func checkNoFinish(
    before command: CommandModel, _ previous: CommandModel, _ context: ScriptContext
  ) {
    if previous.finishes {
      fault(command.verb.mark, "A command follows finish. Let finish be the last command.")
    } else if mayFinish(previous, of: context.coordinator) {
      fault(
        command.verb.mark,
        "A command follows finish, which may run inside of the \(previous.verb.name) before it. "
          + "Put the command in an else.")
    }
  }

  private func compile(_ command: CommandModel, _ context: inout ScriptContext) -> CompiledCommand? {
    let mark = command.verb.mark
    switch command.content {
    case .show(let model): return show(model, context)
    case .setStack(let stack): return setStack(stack, context)
    case .plain(let command): return { $0.commands.append(command) }
    case .onScreen(let name, let make):
      guard let name, screen(name) != nil else { return nil }
      return { $0.commands.append(make(name.name)) }
    case .present(let model): return present(model, context)
    case .start(let name, let input):
      guard let child = name.flatMap({ child($0, input, context) }) else { return nil }
      return { $0.commands.append(.start(try child($0.scope), modal: false)) }
    case .finish(let result): return finish(result, at: mark, context)
    case .ask(let name, let data): return ask(name, data, context)
    case .setTabs(let tabs): return setTabs(tabs, context)
    case .select(let tab, let reselects):
      guard let tab, isTab(tab) else { return nil }
      return { $0.commands.append(.select(tab.name, reselect: reselects)) }
    case .follow(let steps): return follow(steps, context)
    case .badge(let count, let tab): return badge(count, tab, at: mark, context)
    case .refuse(let reason, let field): return refuse(reason, field, context)
    case .set(let values): return set(values, at: mark, &context)
    case .perform(let model): return perform(model, context)
    case .schedule(let model): return schedule(model, context)
    case .await(let name, let key): return awaitSignal(name, key: key, context)
    case .cancel(let name, let key): return cancel(name, key: key, context)
    case .choice(let model): return choose(model, command, &context)
    case .step(let name): return perform(step: name, &context)
    case .unknown: return nil
    }
  }

  /// Compiles the commands of a step once. Returns nil while the step itself is compiled: it runs itself.
  func commands(
    ofStep name: YAMLKey, _ commands: [CommandModel], _ coordinator: CoordinatorModel, isStart: Bool
  ) -> [CompiledCommand]? {
    let key = "\(coordinator.name.name)/\(name.name)"
    if isStart, let command = summary(ofStep: name.name, of: coordinator).firstSet {
      fault(
        command.verb.mark,
        "The commands of start cannot change the state, and the step \(name.name) does. Give the state a default.")
    }
    switch steps[key] {
    case .compiled(let commands): return commands
    case .inProgress: return nil
    case nil:
      steps[key] = .inProgress
      openSteps += 1
      let context = ScriptContext(coordinator: coordinator, types: declared.types(of: coordinator).inStep)
      let compiled = compile(commands, context)
      openSteps -= 1
      steps[key] = .compiled(compiled)
      return compiled
    }
  }

  /// Returns the compiled draft of a declaration with its values.
  func draft(_ name: String, _ values: [NamedTemplate]) -> @Sendable (Scope) throws -> Draft {
    let values = Template.object(values)
    return { Draft(try values.value($0), named: name) }
  }

  // MARK: Screens

  private func screen(_ name: YAMLKey) -> CompiledScreen? {
    known(screenCompiler.screens[name.name], "screen", name, among: model.screens.names)
  }

  /// Compiles a screen with its data.
  private func screen(
    _ name: YAMLKey, _ values: YAMLNode?, _ context: ScriptContext
  ) -> (@Sendable (Scope) throws -> Draft)? {
    guard let screen = screen(name) else { return nil }
    // A property that is to be loaded is null until then.
    let loaded = (model.screens[name.name]?.loads ?? []).map { load in
      (name: load.property.name, template: Template.constant(.null))
    }
    let data = templates.values(
      values, for: screen.data, context.types, at: name.mark, of: "screen \(name.name)",
      isOptional: { [self] in isFilled($0, of: name.name, in: context.coordinator.name.name) })
    return draft(name.name, data + loaded)
  }

  /// Returns whether a coordinator, or one on each way from the root to it, fills in a property of its screen.
  private func isFilled(_ property: String, of screen: String, in coordinator: String) -> Bool {
    reach.way(up: coordinator, to: model.rootCoordinator.name) { name in
      let fills = model.coordinators[name]?.bindings ?? []
      return !fills.contains { $0.name.name == screen && $0.value?[property] != nil }
    } == nil
  }

  private func leavePolicy(of screen: String) -> LeavePolicy {
    screenCompiler.screens[screen]?.definition.leavePolicy ?? .free
  }

  private func show(_ model: ShowModel, _ context: ScriptContext) -> CompiledCommand? {
    guard let name = model.screen, let screen = screen(name, model.data, context) else { return nil }
    let policy = model.leaving ?? leavePolicy(of: name.name)
    return { $0.commands.append(model.command(EntryDraft(try screen($0.scope), policy))) }
  }

  private func setStack(
    _ stack: Placed<[StackItemModel]>?, _ context: ScriptContext
  ) -> CompiledCommand? {
    var items: [(screen: @Sendable (Scope) throws -> Draft, leaving: LeavePolicy)] = []
    for item in stack?.value ?? [] {
      if let second = item.dropFirst().first {
        let advice = "Make \(second.name.name) an element of its own."
        fault(second.name.mark, "An element of the stack is one screen. \(advice)")
      }
      guard let first = item.first, let screen = screen(first.name, first.value, context) else { continue }
      items.append((screen, leavePolicy(of: first.name.name)))
    }
    requireElements(stack, "The stack has no screens. Give it at least one.")
    return command { [items] scope in .setStack(try items.map { EntryDraft(try $0.screen(scope), $0.leaving) }) }
  }

  private func requireElements<Element>(_ list: Placed<[Element]>?, _ message: String) {
    if let list, list.value.isEmpty { fault(list.mark, message) }
  }

  private func present(_ model: PresentModel, _ context: ScriptContext) -> CompiledCommand? {
    guard let name = model.name else { return nil }
    if !model.isScreen, self.model.coordinators[name.name] != nil {
      guard let child = child(name, model.values, context) else { return nil }
      return { $0.commands.append(.start(try child($0.scope), modal: true)) }
    }
    if !model.isScreen, self.model.screens[name.name] == nil {
      let names = self.model.coordinators.names + self.model.screens.names
      unknown("coordinator or screen", name, among: names)
      return nil
    }
    guard let screen = screen(name, model.values, context) else { return nil }
    let policy = model.leaving ?? leavePolicy(of: name.name)
    return { $0.commands.append(.present(EntryDraft(try screen($0.scope), policy))) }
  }

  private func ask(_ name: YAMLKey?, _ values: YAMLNode?, _ context: ScriptContext) -> CompiledCommand? {
    guard let name else { return nil }
    let prompts = screenCompiler.prompts
    guard let prompt = known(prompts[name.name], "prompt", name, among: model.prompts.names) else { return nil }
    let data = templates.values(values, for: prompt.data, context.types, at: name.mark, of: "prompt \(name.name)")
    let draft = draft(name.name, data)
    return command { .ask(try draft($0)) }
  }

  // MARK: Coordinators

  /// Compiles a child coordinator with its input and its first state.
  private func child(
    _ name: YAMLKey, _ values: YAMLNode?, _ context: ScriptContext
  ) -> (@Sendable (Scope) throws -> Draft)? {
    let inputs = declared.inputs
    guard let input = known(inputs[name.name], "coordinator", name, among: model.coordinators.names) else { return nil }
    let given = templates.values(values, for: input, context.types, at: name.mark, of: "coordinator \(name.name)")
    let state = (declared.states[name.name] ?? FieldSet()).defaults.map { ($0, Template.constant($1)) }
    return draft(name.name, given + state)
  }

  private func finish(
    _ values: YAMLNode?, at mark: SourceMark, _ context: ScriptContext
  ) -> CompiledCommand? {
    let name = context.coordinator.name.name
    let fields = declared.results[name] ?? FieldSet()
    let result = draft(
      name, templates.values(values, for: fields, context.types, at: mark, of: "result of \(name)"))
    return command { .finish(try result($0)) }
  }

  private func setTabs(_ models: Placed<[TabModel]>?, _ context: ScriptContext) -> CompiledCommand? {
    var tabs: [(root: @Sendable (Scope) throws -> Draft, title: TextTemplate, icon: String?)] = []
    var known: Set<String> = []
    for tab in models?.value ?? [] {
      guard let name = tab.root else { continue }
      if !known.insert(name.name).inserted {
        fault(name.mark, "The tab \(name.name) occurs twice. Give each tab another root coordinator.")
      }
      guard let root = child(name, tab.input, context) else { continue }
      let template = templates.title(tab.title, of: name, context.types)
      note(template, ofTab: name.name)
      tabs.append((root, template, templates.fixedString(tab.icon)))
    }
    requireElements(models, "The tab bar has no tabs. Give it at least one.")
    return command { [tabs] scope in
      .setTabs(try tabs.map { TabDraft(try $0.root(scope), title: try $0.title.text(scope), icon: $0.icon) })
    }
  }

  /// Notes the title of a tab, unless it depends on values, or another command gives the tab another title.
  private func note(_ title: TextTemplate, ofTab name: String) {
    let text = title.fixed
    let known = tabTitles[name] ?? text
    tabTitles.updateValue(known == text ? text : nil, forKey: name)
  }

  private func follow(
    _ models: Placed<[LinkStepModel]>?, _ context: ScriptContext
  ) -> CompiledCommand? {
    let steps = (models?.value ?? []).compactMap { links.step($0, context.types) }
    requireElements(models, "There are no steps to follow. Give at least one.")
    return command { scope in .follow(try steps.map { try $0.make(scope) }) }
  }

  private func badge(
    _ value: YAMLNode?, _ tab: YAMLKey?, at mark: SourceMark, _ context: ScriptContext
  ) -> CompiledCommand? {
    if reach.tabs.isEmpty {
      fault(mark, "The flow has no tabs, and no place for a badge. Remove the command.")
      return nil
    }
    if let tab, !isTab(tab) { return nil }
    guard let value else { return { $0.commands.append(.badge(nil, tab: tab?.name)) } }
    let count = templates.template(value, context.types, expecting: .nullable(.int), "badge")
    return command { .badge(try count.value($0).int.map { Int($0) }, tab: tab?.name) }
  }

  private func refuse(
    _ reason: TextModel?, _ field: YAMLKey?, _ context: ScriptContext
  ) -> CompiledCommand? {
    guard let reason = templates.text(reason, context.types) else { return nil }
    if let field {
      guard let form = context.form else {
        fault(field.mark, "Only the handler of an action, or an outcome, can refuse a field. Remove the field.")
        return nil
      }
      if let fields = form.fields, !fields.contains(field.name) {
        unknown("field", field, of: form.name, among: fields)
      }
    }
    return { $0.commands.append(.refuse(try reason.text($0.scope), field: field?.name)) }
  }
}
