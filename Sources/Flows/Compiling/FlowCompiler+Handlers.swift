internal import CEL
internal import Languages
internal import Navigation
internal import Suggestions
internal import Values

// The handlers of actions, and deep links.
extension FlowCompiler {
  /// An action that a screen or a prompt offers.
  struct Offer {
    let place: String
    let action: CompiledAction
  }

  /// The actions of all screens and prompts.
  private var offers: [Offer] {
    model.screens.flatMap { screen in
      (screens[screen.name.name]?.actions ?? []).map { Offer(place: screen.name.name, action: $0) }
    }
      + model.prompts.flatMap { prompt in
        (prompts[prompt.name.name]?.actions ?? []).map { Offer(place: prompt.name.name, action: $0) }
      }
  }

  /// Notes the actions that screens and prompts offer, after the compilation of these.
  mutating func noteOffers() {
    offersByName = Dictionary(grouping: offers) { $0.action.action.name }
    offersByAction = Dictionary(grouping: offers) { ObjectIdentifier($0.action.action) }
  }

  /// Returns whether a place belongs to a coordinator, or to one that it starts, directly or not.
  private mutating func isBelow(_ coordinator: String, _ place: String) -> Bool {
    if let known = coordinatorsAbove[place] { return known.contains(coordinator) }
    let above = reach.above(place)
    coordinatorsAbove[place] = above
    return above.contains(coordinator)
  }

  /// Whether an action may reach a coordinator: no coordinator between the one that shows it and this one handles it on
  /// every way up.
  private func reaches(_ coordinator: CoordinatorModel, _ offer: Offer) -> Bool {
    let name = offer.action.action.name
    let top = coordinator.name.name
    return reach.users(of: offer.place).contains { below in
      reach.way(up: below, to: top) { passed in
        let handlers = passed == top ? [] : model.coordinator(passed)?.handlers ?? []
        return !handlers.contains { [name, "\(offer.place).\(name)"].contains($0.action.name) }
      } != nil
    }
  }

  mutating func handlers(_ coordinator: CoordinatorModel, _ context: ScriptContext) -> [HandlerDefinition] {
    let qualified = Set(coordinator.handlers.map(\.action.name).filter { $0.contains(".") })
    var handlers: [HandlerDefinition] = []
    var handled: Set<ObjectIdentifier> = []
    // Those of one screen come first, so that the others do not take their actions.
    let ordered =
      coordinator.handlers.filter { $0.action.name.contains(".") }
      + coordinator.handlers.filter { !$0.action.name.contains(".") }
    for handler in ordered {
      let name = handler.action.name
      // The names of actions and places have no point.
      let named = offersByName[String(name.drop { $0 != "." }.dropFirst())] ?? offersByName[name] ?? []
      let fitting = named.filter { offer in
        let isNamed =
          name.contains(".")
          ? name == "\(offer.place).\(offer.action.action.name)" : !qualified.contains("\(offer.place).\(name)")
        return isNamed && isBelow(coordinator.name.name, offer.place)
      }
      // An action that a coordinator below always handles may have another input.
      let areAlike = fitting.dropFirst().allSatisfy { $0.action.fields.types == fitting[0].action.fields.types }
      let reaching = areAlike ? fitting : fitting.filter { reaches(coordinator, $0) }
      guard let first = reaching.first ?? fitting.first else {
        unofferedAction(handler.action, of: coordinator, qualified)
        continue
      }
      if name.contains("."),
        let other = offersByAction[ObjectIdentifier(first.action.action)]?.first(where: {
          $0.place != first.place && isBelow(coordinator.name.name, $0.place)
        })
      {
        // One fault is enough for the handlers of both.
        if handled.insert(ObjectIdentifier(first.action.action)).inserted {
          fault(
            handler.action.mark,
            "The action \(first.action.action.name) is the same on \(first.place) and \(other.place). Handle it as "
              + "\(first.action.action.name), or declare it on each of them.")
        }
        continue
      }
      if let other = reaching.first(where: { $0.action.fields.types != first.action.fields.types }) {
        fault(
          handler.action.mark,
          "The action \(name) has different inputs on \(first.place) and \(other.place). "
            + "Handle \(first.place).\(name) and \(other.place).\(name).")
        continue
      }
      let obstacle = obstacle(handler, types(of: coordinator).inSession, coordinator)
      var scriptContext = context
      scriptContext.types = context.types.with("input", first.action.inputType)
      scriptContext.types.uncheckedInputFields = first.action.fields
      scriptContext.fields = first.action.fields
      scriptContext.action = name
      let handle = compile(handler.commands, scriptContext).reaction(argument: "input")
      for offer in fitting
      where offer.action.fields.types == first.action.fields.types
        && handled.insert(ObjectIdentifier(offer.action.action)).inserted
      {
        handlers.append(HandlerDefinition(offer.action.action.key, obstacle: obstacle, handle: handle))
      }
    }
    return handlers
  }

  private mutating func unofferedAction(_ name: YAMLKey, of coordinator: CoordinatorModel, _ qualified: Set<String>) {
    let family = reach.family(of: coordinator.name.name).map { reach[$0] }
    let places = Set(family.flatMap { $0.screens.union($0.prompts) })
    let offers = offers.filter { places.contains($0.place) }
    guard model.budget.visit(offers.count) else { return }
    let known = offers.map { name.name.contains(".") ? "\($0.place).\($0.action.action.name)" : $0.action.action.name }
    if known.contains(name.name) {
      let others = qualified.filter { $0.hasSuffix(".\(name.name)") }.sorted().enumerated
      return fault(
        name.mark, "The handlers \(others) are for all screens and prompts with \(name.name). Remove this one.")
    }
    // A screen that is never shown is a fault itself.
    let (shown, asked) = (Set(reach.all.flatMap(\.screens)), Set(reach.all.flatMap(\.prompts)))
    let hidden =
      model.screens.filter { !shown.contains($0.name.name) }.map { ($0.name.name, $0.actions) }
      + model.prompts.filter { !asked.contains($0.name.name) }.map { ($0.name.name, $0.actions) }
    let isHidden = hidden.contains { place, actions in
      actions.contains { [$0.name.name, "\(place).\($0.name.name)"].contains(name.name) }
    }
    if isHidden || model.screens.isEmpty || !model.prompts.allSatisfy(\.declaresActions) { return }
    let advice =
      similar(name.name, among: known).map { "Did you mean \($0)?" }
      ?? "Add it to the actions of one, or remove the handler."
    fault(name.mark, "No screen and no prompt offers the action \(name.name). \(advice)")
  }

  private mutating func obstacle(
    _ handler: HandlerModel, _ types: ScopeTypes, _ coordinator: CoordinatorModel
  ) -> HandlerDefinition.Obstacle? {
    let hidden = handler.hidden.flatMap { expression($0, types, expecting: .bool) }
    let enabled = handler.enabled.flatMap { expression($0, types, expecting: .bool) }
    let reason = text(handler.reason, types) ?? .fixed(Text(.actionDisabled))
    if handler.reason != nil, handler.enabled == nil, let mark = handler.reason?.node.mark {
      fault(mark, "A reason needs the condition enabled. Add it, or remove the reason.")
    }
    guard hidden != nil || enabled != nil else { return nil }
    // A constant says on purpose that an action is still to come.
    if let enabled, !enabled.program.variables.isEmpty,
      let advice = adviceIfNeverTrue(enabled, coordinator, "the condition")
    {
      warn(enabled.mark, "The action can never be used. \(advice)")
    }
    return { state, environment in
      let scope = Scope(state.encoding, environment: environment)
      if try hidden?.isTrue(scope) ?? false { return .hidden }
      if try enabled?.isTrue(scope) ?? true { return nil }
      return .stated(try reason.text(scope))
    }
  }

  // MARK: Links

  mutating func compile(_ link: LinkModel) -> LinkDefinition? {
    let pattern = link.pattern.name
    if !pattern.hasPrefix("/") {
      fault(link.pattern.mark, "The pattern does not begin with /. Write /\(pattern).")
    } else if let advice = foreignPlaceholder(in: pattern) {
      fault(link.pattern.mark, advice)
    } else if pattern.contains("?") {
      fault(link.pattern.mark, "A pattern has no query. Declare its fields under input.")
    }
    if link.steps.isEmpty { fault(link.pattern.mark, "The link has no steps. Add at least one.") }
    let declared = fields(link.input, isForm: true)
    let placeholders = OperationPath(pattern).parameters
    for segment in pattern.split(separator: "/") where segment.contains("{") || segment.contains("}") {
      guard placeholders.contains(where: { segment == "{\($0)}" }) else {
        fault(link.pattern.mark, "A placeholder stands alone between slashes. Write it as in /orders/{id}.")
        break
      }
    }
    for name in Set(placeholders).sorted() {
      if placeholders.filter({ $0 == name }).count > 1 {
        fault(link.pattern.mark, "The placeholder \(name.shortened) occurs twice. Rename one of them.")
      } else if link.input != nil, declared[name] == nil {
        let advice =
          similar(name, among: declared.names).map { "Did you mean \($0)?" } ?? "Declare it under input."
        fault(link.pattern.mark, "The placeholder \(name.shortened) is not a field of the link. \(advice)")
      } else if !name.isFieldName {
        fault(
          link.pattern.mark,
          "The name \(name.shortened) is not valid. Begin it with a lower-case letter, and use letters and digits only."
        )
      }
    }
    let input = link.input == nil ? textInput(placeholders) : inputSchema(link.input, of: nil)
    let types = ScopeTypes(
      link.input == nil ? Dictionary(placeholders.map { ($0, .string) }) { first, _ in first } : declared.types)
    var steps: [(sample: Step, make: @Sendable (Scope) throws -> Step)] = []
    for step in link.steps { if let step = self.step(step, types, declared) { steps.append(step) } }
    return LinkDefinition(pattern, input: input, sampleSteps: steps.map(\.sample)) { [steps] values in
      let scope = Scope(values)
      do { return try steps.map { try $0.make(scope) } } catch is FlowError { throw UnusableLink() }
    }
  }

  private func textInput(_ names: [String]) -> InputSchema {
    InputSchema(
      fields: names.map { name in
        FieldSchema(
          name, title: Text(name.asTitle), kind: FieldKinds.text(length: nil, isSecret: false, isMultiline: false))
      })
  }

  /// Compiles a step of a link, or one that a command follows.
  ///
  /// - Parameter declared: the fields of the link; none for a command.
  mutating func step(
    _ model: LinkStepModel, _ types: ScopeTypes, _ declared: FieldSet = FieldSet()
  ) -> (sample: Step, make: @Sendable (Scope) throws -> Step)? {
    if let key = model.superfluousKey {
      fault(key.mark, "A step with a tab has no \(key.name). Make it a step of its own.")
    }
    if let tab = model.tab {
      guard reach.tabs.contains(tab.name) else {
        unknown("tab", tab, among: reach.tabs.sorted())
        return nil
      }
      let step = Step.tab(named: tab.name)
      return (step, { _ in step })
    }
    guard let name = model.action else {
      fault(model.mark, "The step has neither a tab nor an action. Add one of them.")
      return nil
    }
    let given = Set((model.input?.entries ?? []).map(\.key.name))
    // Several actions may have the name. The link means the one with these fields.
    let named = screenActions[name.name] ?? []
    guard let action = named.first(where: { given.isSubset(of: $0.fields.names) }) ?? named.first else {
      unknown("action", name, among: screenActions.keys.sorted())
      return nil
    }
    checkLimits(of: model.input, for: action, declared)
    let members = values(model.input, for: action.fields, types, at: name.mark, of: "action \(name.name)")
    // The action itself checks its input, and refuses the link.
    let values = FieldValues(members.map { ($0.name, $0.template.unchecked) }, omittingNull: true)
    return (.action(action.action, input: .emptyObject), { .action(action.action, input: try values.value($0)) })
  }

  /// Warns about values of a link that the action of a step may refuse, because the link has no limits of its own.
  private mutating func checkLimits(of node: YAMLNode?, for action: CompiledAction, _ declared: FieldSet) {
    for entry in node?.entries ?? [] {
      guard let field = action.fields[entry.key.name], field.hasLimits, let source = entry.value.expression else {
        continue
      }
      let name = source.filter { $0 != " " }
      guard Substring(name).isVariableName, declared[name]?.hasLimits != true else { continue }
      warn(
        entry.value.mark,
        "The action \(action.action.name) may refuse \(name), and so the link. Declare \(name) under input of the link "
          + "with the limits of the field \(entry.key.name).")
    }
  }
}
