internal import CEL
internal import Languages
internal import Navigation
internal import Values
internal import YAML

/// A compiler of the handlers of actions.
final class HandlerCompiler: PartCompiler {
  /// The actions of all screens and prompts.
  private lazy var offers =
    model.screens.flatMap { offers($0.name, screenCompiler.screens[$0.name.name]?.actions, isOnScreen: true) }
    + model.prompts.flatMap { offers($0.name, screenCompiler.prompts[$0.name.name]?.actions, isOnScreen: false) }
    + model.coordinators.compactMap(\.journey).flatMap(\.offers).flatMap { page, actions in
      actions.compactMap { screenCompiler.sharedActions[$0.name] }
        .map { ActionOffer(owner: page, action: $0, isOnScreen: true) }
    }
  private lazy var offersByName = Dictionary(grouping: offers) { $0.action.action.name }
  private lazy var offersByAction = Dictionary(grouping: offers) { ObjectIdentifier($0.action.action) }
  /// The names of the fields of the inputs, by the coordinator and the action of the handler.
  private(set) var fields: [String: [String]] = [:]
  /// The coordinators that show a screen or ask a prompt, and all above them, by its name.
  private var coordinatorsAbove: [String: Set<String>] = [:]

  /// An action that a screen or a prompt offers.
  private struct ActionOffer {
    let owner: String
    let action: CompiledAction
    /// Whether the owner is a screen.
    let isOnScreen: Bool
  }

  private func offers(_ name: YAMLKey, _ actions: [CompiledAction]?, isOnScreen: Bool) -> [ActionOffer] {
    (actions ?? []).map { ActionOffer(owner: name.name, action: $0, isOnScreen: isOnScreen) }
  }

  /// Returns the type of the properties that the screens of actions have in common; nil if a prompt offers one of them.
  private func screenType(of offers: [ActionOffer]) -> CEL.ValueType? {
    guard let first = offers.first, offers.allSatisfy(\.isOnScreen) else { return nil }
    var types = screenCompiler.dataTypes(of: first.owner)
    for offer in offers.dropFirst() {
      let others = screenCompiler.dataTypes(of: offer.owner)
      types = types.filter { others[$0.key] == $0.value }
    }
    let owners = offers.map(\.owner)
    let name = owners.count == 1 ? first.owner : "the shared data of \(owners.enumerated)"
    return .object(CEL.ObjectType(name, types.mapValues { CEL.ObjectType.Field($0) }))
  }

  /// Returns whether a screen or prompt belongs to a coordinator, or to one that it starts, directly or not.
  private func isBelow(_ coordinator: String, _ owner: String) -> Bool {
    if let known = coordinatorsAbove[owner] { return known.contains(coordinator) }
    let above = reach.above(owner)
    coordinatorsAbove[owner] = above
    return above.contains(coordinator)
  }

  /// Returns whether an action may reach a coordinator: on a way up from a coordinator that shows the action, none in
  /// between handles it.
  private func reaches(_ coordinator: CoordinatorModel, _ offer: ActionOffer) -> Bool {
    let name = offer.action.action.name
    let top = coordinator.name.name
    return reach.users(of: offer.owner).contains { below in
      reach.way(up: below, to: top) { passed in
        let handlers = passed == top ? nil : model.coordinators[passed]?.handlers
        return handlers?[name] == nil && handlers?["\(offer.owner).\(name)"] == nil
      } != nil
    }
  }

  func compile(_ coordinator: CoordinatorModel, _ context: ScriptContext) -> [HandlerDefinition] {
    let qualified = Set(coordinator.handlers.names.filter { $0.contains(".") })
    var handlers: [HandlerDefinition] = []
    var handled: Set<ObjectIdentifier> = []
    // The handlers for one screen come first, so that the others do not take their actions.
    let ordered =
      coordinator.handlers.filter { $0.action.name.contains(".") }
      + coordinator.handlers.filter { !$0.action.name.contains(".") }
    for handler in ordered {
      let name = handler.action.name
      // The names of actions, screens and prompts have no dot.
      let named = offersByName[String(name.drop { $0 != "." }.dropFirst())] ?? offersByName[name] ?? []
      let fitting = named.filter { offer in
        let isNamed =
          name.contains(".")
          ? name == "\(offer.owner).\(offer.action.action.name)" : !qualified.contains("\(offer.owner).\(name)")
        return isNamed && isBelow(coordinator.name.name, offer.owner)
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
          $0.owner != first.owner && isBelow(coordinator.name.name, $0.owner)
        })
      {
        // One fault is enough for the handlers of both.
        if handled.insert(ObjectIdentifier(first.action.action)).inserted {
          fault(
            handler.action.mark,
            "The action \(first.action.action.name) is the same on \(first.owner) and \(other.owner). Handle it as "
              + "\(first.action.action.name), or declare it on each of them.")
        }
        continue
      }
      if let other = reaching.first(where: { $0.action.fields.types != first.action.fields.types }) {
        fault(
          handler.action.mark,
          "The action \(name) has different inputs on \(first.owner) and \(other.owner). "
            + "Handle \(first.owner).\(name) and \(other.owner).\(name).")
        continue
      }
      let obstacle = obstacle(handler, declared.types(of: coordinator).inSession, coordinator)
      var scriptContext = context
      scriptContext.types = context.types.with("input", first.action.inputType)
      scriptContext.types.uncheckedInputFields = first.action.fields
      scriptContext.form = RefusableForm(name: "action \(name)", fields: first.action.fields.names)
      fields["\(coordinator.name.name)/\(name)"] = first.action.fields.names
      // Actions of one type may list different values.
      if fitting.allSatisfy({ $0.action.action === first.action.action }) {
        scriptContext.types.declarations["input"] = .fields { first.action.fields[$0]?.node }
      }
      let acting = { [self] () -> [ActionOffer] in
        let exact = areAlike ? fitting.filter { reaches(coordinator, $0) } : reaching
        return exact.isEmpty ? fitting : exact
      }
      let screen = NotedVariable("screen") { [self] in screenType(of: acting()) }
      scriptContext.types.noted = screen
      scriptContext.types.declarations["screen"] = .fields { [self] field in
        let owners = acting().map(\.owner)
        return owners.count == 1 ? declared.screenData[owners[0]]?[field]?.node : nil
      }
      let handle = scripts.compile(handler.commands, scriptContext).reaction(argument: "input")
      for offer in fitting
      where offer.action.fields.types == first.action.fields.types
        && handled.insert(ObjectIdentifier(offer.action.action)).inserted
      {
        handlers.append(
          HandlerDefinition(
            offer.action.action.key, obstacle: obstacle, readsScreen: screen.isRead, handle: handle))
      }
    }
    return handlers
  }

  private func unofferedAction(_ name: YAMLKey, of coordinator: CoordinatorModel, _ qualified: Set<String>) {
    let family = reach.family(of: coordinator.name.name).map { reach[$0] }
    let owners = Set(family.flatMap { $0.screens.union($0.prompts) })
    let offers = offers.filter { owners.contains($0.owner) }
    guard model.budget.visit(offers.count) else { return }
    let known = offers.map { name.name.contains(".") ? "\($0.owner).\($0.action.action.name)" : $0.action.action.name }
    if known.contains(name.name) {
      let others = qualified.filter { $0.hasSuffix(".\(name.name)") }.sorted().enumerated
      return fault(
        name.mark, "The handlers \(others) are for all screens and prompts with \(name.name). Remove this one.")
    }
    // A screen that is never shown is a fault itself.
    let (shown, asked) = (Set(reach.all.flatMap(\.screens)), Set(reach.all.flatMap(\.prompts)))
    let hidden = model.screens.filter { !shown.contains($0.name.name) }.offeredNames
      .union(model.prompts.filter { !asked.contains($0.name.name) }.offeredNames)
    if hidden.contains(name.name) || model.screens.isEmpty || !model.prompts.allSatisfy(\.declaresActions) { return }
    let advice = advice(for: name.name, among: known, or: "Add it to the actions of one, or remove the handler.")
    fault(name.mark, "No screen and no prompt offers the action \(name.name). \(advice)")
  }

  private func obstacle(
    _ handler: HandlerModel, _ types: ScopeTypes, _ coordinator: CoordinatorModel
  ) -> HandlerDefinition.Obstacle? {
    let hidden = handler.hidden.flatMap { templates.expression($0, types, expecting: .bool) }
    let enabled = handler.enabled.flatMap { templates.expression($0, types, expecting: .bool) }
    let reason = templates.text(handler.reason, types) ?? .fixed(Text(.actionDisabled))
    if handler.reason != nil, handler.enabled == nil, let mark = handler.reason?.node.mark {
      fault(mark, "A reason needs the condition enabled. Add it, or remove the reason.")
    }
    guard hidden != nil || enabled != nil else { return nil }
    // A constant says on purpose that an action is still to come.
    if let enabled, !enabled.program.variables.isEmpty,
      let advice = declared.adviceIfNeverTrue(enabled, coordinator, "the condition")
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
}
