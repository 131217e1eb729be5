/// The registration of an app, which numbers the declarations and collects the wiring faults.
struct Registration {
  let app: App
  let writer: TextWriter
  var coordinators = DeclarationTable<CoordinatorDefinition>()
  var screens = DeclarationTable<ScreenDefinition>()
  var prompts = DeclarationTable<PromptDefinition>()
  var actions: [ActionDefinition] = []
  var links: [LinkDefinition] = []
  var effects = DeclarationTable<EffectDefinition>()
  var timedEvents = DeclarationTable<SchemaDefinition>()
  var signals = DeclarationTable<SignalDefinition>()
  var actionIndex: [ActionKey: Int] = [:]
  var faults: [WiringFaults.Fault] = []

  /// - Parameter writer: writes the texts of the declarations in a language.
  init(of app: App, _ writer: TextWriter = .identity) {
    (self.app, self.writer) = (app, writer)
    collect()
  }

  /// Visits the app from its root coordinator, and numbers every declaration.
  private mutating func collect() {
    coordinators.append(app.root)
    var next = 0
    while next < coordinators.count {
      let coordinator = coordinators[next]
      next += 1
      for screen in coordinator.screens where isNew(screen, in: screens, of: coordinator, .repeatedScreen) {
        screens.append(screen.registered(with: registered(screen.actions), writer))
        for load in screen.loads { add(load.effect, of: coordinator) }
      }
      for prompt in coordinator.prompts where isNew(prompt, in: prompts, of: coordinator, .repeatedPrompt) {
        prompts.append(prompt.registered(with: registered(prompt.actions)))
      }
      for effect in coordinator.outcomes.map(\.effect) + coordinator.detached { add(effect, of: coordinator) }
      for event in coordinator.timedEvents.map(\.definition)
      where isNew(event, in: timedEvents, of: coordinator, .repeatedTimedEvent) {
        timedEvents.append(event)
      }
      for signal in coordinator.signals.map(\.definition)
      where isNew(signal, in: signals, of: coordinator, .repeatedSignal) {
        signals.append(signal.written(by: writer))
      }
      for child in coordinator.children {
        guard let definition = child.define?(app.services) ?? app.coordinators[child.name],
          isNew(definition, in: coordinators, .repeatedCoordinator)
        else { continue }
        coordinators.append(definition)
      }
    }
    links = app.links.map { $0.written(by: writer) }
  }

  private mutating func add(_ reference: EffectReference, of coordinator: CoordinatorDefinition) {
    let effect = reference.define(app.services)
    if isNew(effect, in: effects, of: coordinator, .repeatedEffect) { effects.append(effect) }
  }

  /// Returns whether the name of a declaration is new. Reports a fault if another declaration of that kind has it.
  private mutating func isNew<Item: Declaration>(
    _ item: Item, in table: DeclarationTable<Item>, of coordinator: CoordinatorDefinition? = nil,
    _ repeated: WiringFault
  ) -> Bool {
    guard let known = table[item.schema.name] else { return true }
    if known.schema.declaration != item.schema.declaration {
      fault([coordinator?.name, item.schema.name].compactMap(\.self).joined(separator: " › "), repeated)
    }
    return false
  }

  /// Returns the actions with their indices in the app. An action is one object for all screens that offer it.
  private mutating func registered(_ actions: [ActionDefinition]) -> [ActionDefinition] {
    actions.map { action in
      if let known = actionIndex[action.key] { return self.actions[known] }
      let registered = action.registered(at: self.actions.count, writer)
      actionIndex[action.key] = self.actions.count
      self.actions.append(registered)
      return registered
    }
  }

  /// Reports a fault of each declaration with one of the names.
  mutating func fault(_ location: String, _ names: [String], _ fault: WiringFault) {
    for name in names { self.fault("\(location) › \(name)", fault) }
  }

  mutating func fault(_ location: String, _ fault: WiringFault) {
    faults.append(.init(location: location.isEmpty ? "(no name)" : location, fault))
  }
}

/// A declaration that stored sessions refer to by its name.
protocol Declaration {
  var schema: SchemaDefinition { get }
}

/// The declarations of one kind in the order of their registration.
struct DeclarationTable<Item: Declaration>: RandomAccessCollection {
  private(set) var items: [Item] = []
  private(set) var indexByName: [String: Int] = [:]

  var startIndex: Int { 0 }
  var endIndex: Int { items.count }
  subscript(index: Int) -> Item { items[index] }
  subscript(name: String) -> Item? { indexByName[name].map { items[$0] } }

  mutating func append(_ item: Item) {
    indexByName[item.schema.name] = items.count
    items.append(item)
  }
}
