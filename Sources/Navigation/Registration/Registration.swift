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
      for effect in coordinator.outcomes.map(\.effect) + coordinator.detached { add(effect, of: coordinator) }
      for handler in coordinator.timedEvents { add(handler.definition, of: coordinator) }
      for handler in coordinator.signals { add(handler.definition, of: coordinator) }
      for child in coordinator.children {
        if let definition = child.define?(app.services) ?? app.coordinators[child.name] { add(definition) }
      }
      next += 1
    }
    links = app.links.map { $0.written(by: writer) }
  }

  private mutating func add(_ coordinator: CoordinatorDefinition) {
    let known = coordinatorIndex[coordinator.name].map { coordinators[$0].schema }
    guard isNew(coordinator.schema, known, at: coordinator.name, .repeatedCoordinator) else { return }
    coordinatorIndex[coordinator.name] = coordinators.count
    coordinators.append(coordinator)
  }

  private mutating func add(_ screen: ScreenDefinition, of coordinator: CoordinatorDefinition) {
    let known = screenIndex[screen.name].map { screens[$0].schema }
    guard isNew(screen.schema, known, at: "\(coordinator.name) › \(screen.name)", .repeatedScreen) else { return }
    screenIndex[screen.name] = screens.count
    screens.append(screen.registered(with: registered(screen.actions), writer))
    for load in screen.loads { add(load.effect, of: coordinator) }
  }

  private mutating func add(_ prompt: PromptDefinition, of coordinator: CoordinatorDefinition) {
    let known = promptIndex[prompt.name].map { prompts[$0].schema }
    guard isNew(prompt.schema, known, at: "\(coordinator.name) › \(prompt.name)", .repeatedPrompt) else { return }
    promptIndex[prompt.name] = prompts.count
    prompts.append(prompt.registered(with: registered(prompt.actions)))
  }

  private mutating func add(_ reference: EffectReference, of coordinator: CoordinatorDefinition) {
    let effect = reference.define(app.services)
    let known = effectIndex[effect.name].map { effects[$0].schema }
    guard isNew(effect.schema, known, at: "\(coordinator.name) › \(effect.name)", .repeatedEffect) else { return }
    effectIndex[effect.name] = effects.count
    effects.append(effect)
  }

  private mutating func add(_ event: TimedEventDefinition, of coordinator: CoordinatorDefinition) {
    let known = timedEventIndex[event.name].map { timedEvents[$0].schema }
    guard isNew(event.schema, known, at: "\(coordinator.name) › \(event.name)", .repeatedTimedEvent) else { return }
    timedEventIndex[event.name] = timedEvents.count
    timedEvents.append(event)
  }

  private mutating func add(_ signal: SignalDefinition, of coordinator: CoordinatorDefinition) {
    let known = signalIndex[signal.name].map { signals[$0].schema }
    guard isNew(signal.schema, known, at: "\(coordinator.name) › \(signal.name)", .repeatedSignal) else { return }
    signalIndex[signal.name] = signals.count
    signals.append(signal.written(by: writer))
  }

  /// Returns whether a name is new. Reports a fault if another declaration of that kind has it.
  private mutating func isNew(
    _ schema: SchemaDefinition, _ known: SchemaDefinition?, at place: String, _ repeated: WiringFault
  ) -> Bool {
    if let known, known.declaration != schema.declaration { fault(place, repeated) }
    return known == nil
  }

  /// Returns the actions with their places in the app. An action is one object for all screens that offer it.
  private mutating func registered(_ actions: [ActionDefinition]) -> [ActionDefinition] {
    actions.map { action in
      if let known = actionIndex[action.key] { return self.actions[known] }
      let registered = action.registered(at: self.actions.count, writer)
      actionIndex[action.key] = self.actions.count
      self.actions.append(registered)
      return registered
    }
  }

  mutating func fault(_ place: String, _ fault: WiringFault) {
    faults.append(.init(place: place.isEmpty ? "(no name)" : place, fault))
  }
}
