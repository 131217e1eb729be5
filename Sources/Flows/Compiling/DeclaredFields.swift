internal import CEL
internal import Navigation
internal import Values
internal import YAML

/// The fields of coordinators, screens, prompts and timers, which others refer to.
final class DeclaredFields: PartCompiler {
  private(set) var inputs: [String: FieldSet] = [:]
  private(set) var states: [String: FieldSet] = [:]
  private(set) var results: [String: FieldSet] = [:]
  /// The questions of journeys by the names of their coordinators.
  private(set) var answers: [String: FieldSet] = [:]
  /// The questions of items by the locations of their lists.
  private(set) var items: [SourceMark: FieldSet] = [:]
  private(set) var screenData: [String: FieldSet] = [:]
  private(set) var promptData: [String: FieldSet] = [:]
  private(set) var timerInputs: [String: FieldSet] = [:]
  private(set) var timers: [String: SchemaDefinition] = [:]
  /// The timers with several inputs.
  private(set) var faultyTimers: Set<String> = []
  /// The variables of each coordinator by its name, which many expressions share.
  private var coordinatorTypes: [String: ScopeTypes] = [:]

  /// The variables of a coordinator: its input and its state.
  func types(of coordinator: CoordinatorModel) -> ScopeTypes { types(ofCoordinator: coordinator.name.name) }

  /// Reads the fields of all declarations, which others refer to.
  func declare() {
    for coordinator in model.coordinators {
      let name = coordinator.name.name
      let input = schemas.fields(coordinator.input, isForm: true, reserving: ScopeTypes.reserved)
      let state = schemas.fields(coordinator.state, reserving: ScopeTypes.reserved, needsDefaults: true)
      (inputs[name], states[name]) = (input, state)
      results[name] = schemas.fields(coordinator.result)
      coordinatorTypes[name] = ScopeTypes(of: input, state)
      if let journey = coordinator.journey { declare(journey, of: name) }
      for field in state where input[field.name.name] != nil {
        fault(field.name.mark, "The input of the coordinator has the name \(field.name.name) too. Rename one of them.")
      }
      for timer in coordinator.timers { declare(timer) }
    }
    for screen in model.screens {
      screenData[screen.name.name] = schemas.fields(screen.data, reserving: [Value.today])
    }
    for prompt in model.prompts {
      promptData[prompt.name.name] = schemas.fields(prompt.data, reserving: [Value.today])
    }
  }

  /// Declares the answers of a journey, each of which is null until there is a valid one.
  private func declare(_ journey: JourneyModel, of coordinator: String) {
    var types = types(ofCoordinator: coordinator)
    let known = Set(types.variables.keys)
    let fields = schemas.fields(journey.questions, isForm: true, reserving: ScopeTypes.reserved)
    answers[coordinator] = fields
    var members = fields.map { (name: $0.name, type: $0.type) }
    for list in journey.lists {
      let item = schemas.fields(list.questions, isForm: true)
      items[list.mark] = item
      members.append((list.name, .list(Self.itemType(item, isComplete: true))))
    }
    for (name, type) in members {
      if known.contains(name.name) || name.name == "journey" || name.name == "answers" {
        fault(name.mark, "The coordinator has a value \(name.name) already. Rename the question.")
      }
      let schema = fields[name.name]?.node ?? journey.lists[name.name]?.schema
      types = types.with(name.name, type.orNull, schema.map { .schema($0) })
    }
    let fieldTypes = members.map { ($0.name.name, CEL.ObjectType.Field($0.type.orNull)) }
    types = types.with("answers", .object(CEL.ObjectType("answers", Dictionary(fieldTypes) { first, _ in first })))
    types.objects["answers"] = members.map(\.name.name)
    coordinatorTypes[coordinator] = types
  }

  private func types(ofCoordinator name: String) -> ScopeTypes { coordinatorTypes[name] ?? ScopeTypes() }

  /// Returns the type of an item.
  ///
  /// - Parameter isComplete: whether the item is one of a valid list, in which each question that is always asked has an
  ///   answer. Any other item has its number and the number of items beside its answers, which may be null.
  static func itemType(_ fields: FieldSet, isComplete: Bool) -> CEL.ValueType {
    var types = fields.map { field -> (String, CEL.ObjectType.Field) in
      let mayBeNull = !isComplete || field.node["when"] != nil || field.defaultValue?.isNull ?? false
      return (field.name.name, .init(mayBeNull ? field.type.orNull : field.type))
    }
    if !isComplete { types += [("number", .init(.int)), ("count", .init(.int))] }
    return .object(CEL.ObjectType("item", Dictionary(types) { first, _ in first }))
  }

  private func declare(_ timer: TimerModel) {
    let input = schemas.fields(timer.input)
    let name = timer.name.name
    if let known = timerInputs[name], known.declaration != input.declaration {
      faultyTimers.insert(name)
      return fault(
        timer.name.mark, "Another coordinator has a timer \(name) with a different input. Rename one of them.")
    }
    timerInputs[name] = input
    timers[name] = input.schema(named: name)
  }

  /// Returns the states that a command sets to another value than the one that they begin with.
  private func changedStates(of coordinator: CoordinatorModel, _ states: FieldSet) -> Set<String> {
    let changing = coordinator.commands.flatMap(\.setStates).filter { entry in
      guard let field = states[entry.key.name], entry.value.expression == nil else { return true }
      return entry.value.value.converted(to: field.type) != field.defaultValue
    }
    return Set(changing.map(\.key.name))
  }

  /// Returns advice if no command changes what the condition reads, and it does not hold from the start.
  func adviceIfNeverTrue(
    _ condition: CompiledExpression, _ coordinator: CoordinatorModel, _ owner: String
  ) -> String? {
    let name = coordinator.name.name
    let read = condition.program.variables
    let states = states[name] ?? FieldSet()
    // A set of an unknown state is a fault already.
    guard reach[name].states.allSatisfy({ states[$0] != nil }) else { return nil }
    // Inputs, the locale and the principal differ from session to session.
    guard read.allSatisfy({ states[$0] != nil }) else { return nil }
    guard read.isDisjoint(with: changedStates(of: coordinator, states)) else { return nil }
    guard (try? condition.isTrue(Scope(.object(states.defaults)))) != true else { return nil }
    return
      read.isEmpty
      ? "Let its condition become true."
      : reach[name].states.isDisjoint(with: read)
        ? "No command sets \(read.sorted().listed). Set it, or remove \(owner)."
        : "No command sets \(read.sorted().listed) to another value than the first one. Set it, or remove \(owner)."
  }
}
