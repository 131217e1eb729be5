/// The registration of an app, which numbers the declarations and collects the wiring faults.
struct Registration {
  let app: App
  let writer: TextWriter
  var coordinators: [CoordinatorDefinition] = []
  var screens: [ScreenDefinition] = []
  var prompts: [PromptDefinition] = []
  var actions: [ActionDefinition] = []
  var links: [LinkDefinition] = []
  var effects: [EffectDefinition] = []
  var timedEvents: [TimedEventDefinition] = []
  var signals: [SignalDefinition] = []
  var coordinatorIndex: [String: Int] = [:]
  var screenIndex: [String: Int] = [:]
  var promptIndex: [String: Int] = [:]
  var effectIndex: [String: Int] = [:]
  var timedEventIndex: [String: Int] = [:]
  var signalIndex: [String: Int] = [:]
  var actionIndex: [ActionKey: Int] = [:]
  var faults: [WiringFaults.Fault] = []

  /// - Parameter writer: writes the texts of the declarations in a language.
  init(of app: App, _ writer: TextWriter = TextWriter()) { (self.app, self.writer) = (app, writer) }

  /// Visits the app from its root coordinator, and numbers every declaration.
  mutating func collect() {
    add(app.root)
    var next = 0
    while next < coordinators.count {
      let coordinator = coordinators[next]
      for screen in coordinator.screens { add(screen, of: coordinator) }
      for prompt in coordinator.prompts { add(prompt, of: coordinator) }
      for outcome in coordinator.effects { add(outcome.define(app.services), of: coordinator) }
      for detached in coordinator.detached { add(detached.define(app.services), of: coordinator) }
      for handler in coordinator.timedEvents { add(handler.definition, of: coordinator) }
      for handler in coordinator.signals { add(handler.definition, of: coordinator) }
      for child in coordinator.children { add(child.define(app.services)) }
      next += 1
    }
    links = app.links.map { $0(writer) }
  }

  private mutating func add(_ coordinator: CoordinatorDefinition) {
    let known = coordinatorIndex[coordinator.name].map { coordinators[$0].schema }
    guard isNew(coordinator.schema.type, known, at: coordinator.name, .repeatedCoordinator) else { return }
    coordinatorIndex[coordinator.name] = coordinators.count
    coordinators.append(coordinator)
  }

  private mutating func add(_ screen: Declaration<ScreenDefinition>, of coordinator: CoordinatorDefinition) {
    let known = screenIndex[screen.name].map { screens[$0].schema }
    guard isNew(screen.type, known, at: "\(coordinator.name) › \(screen.name)", .repeatedScreen) else { return }
    screenIndex[screen.name] = screens.count
    let definition = screen.define(screen.actions().map { define($0) }, writer)
    screens.append(definition)
    for load in definition.loads { add(load.define(app.services), of: coordinator) }
  }

  private mutating func add(_ prompt: Declaration<PromptDefinition>, of coordinator: CoordinatorDefinition) {
    let known = promptIndex[prompt.name].map { prompts[$0].schema }
    guard isNew(prompt.type, known, at: "\(coordinator.name) › \(prompt.name)", .repeatedPrompt) else { return }
    promptIndex[prompt.name] = prompts.count
    prompts.append(prompt.define(prompt.actions().map { define($0) }, writer))
  }

  private mutating func add(_ effect: EffectDefinition, of coordinator: CoordinatorDefinition) {
    let known = effectIndex[effect.name].map { effects[$0].schema }
    guard isNew(effect.schema.type, known, at: "\(coordinator.name) › \(effect.name)", .repeatedEffect) else { return }
    effectIndex[effect.name] = effects.count
    effects.append(effect)
  }

  private mutating func add(_ event: TimedEventDefinition, of coordinator: CoordinatorDefinition) {
    let known = timedEventIndex[event.name].map { timedEvents[$0].schema }
    guard isNew(event.schema.type, known, at: "\(coordinator.name) › \(event.name)", .repeatedTimedEvent) else {
      return
    }
    timedEventIndex[event.name] = timedEvents.count
    timedEvents.append(event)
  }

  private mutating func add(_ signal: SignalDefinition, of coordinator: CoordinatorDefinition) {
    let known = signalIndex[signal.name].map { signals[$0].schema }
    guard isNew(signal.schema.type, known, at: "\(coordinator.name) › \(signal.name)", .repeatedSignal) else { return }
    signalIndex[signal.name] = signals.count
    signals.append(signal.written(by: writer))
  }

  /// Returns whether a name is new. Reports a fault if another type of that kind has it.
  private mutating func isNew(
    _ type: ObjectIdentifier, _ known: SchemaDefinition?, at place: String, _ repeated: WiringFault
  ) -> Bool {
    if let known, known.type != type { fault(place, repeated) }
    return known == nil
  }

  /// Returns the definition of an action, the same for every screen that offers it.
  private mutating func define(_ action: ActionDeclaration) -> ActionDefinition {
    if let known = actionIndex[action.key] { return actions[known] }
    let definition = action.define(actions.count, writer)
    actionIndex[action.key] = actions.count
    actions.append(definition)
    return definition
  }

  mutating func fault(_ place: String, _ fault: WiringFault) {
    faults.append(.init(place: place.isEmpty ? "(no name)" : place, fault))
  }
}
