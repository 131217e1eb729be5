/// The registration of an app, which numbers the declarations and collects the wiring faults.
struct Registration {
  let app: App
  var coordinators: [CoordinatorDefinition] = []
  var screens: [ScreenDefinition] = []
  var prompts: [PromptDefinition] = []
  var actions: [ActionDefinition] = []
  var links: [LinkDefinition] = []
  var coordinatorIndex: [String: Int] = [:]
  var screenIndex: [String: Int] = [:]
  var promptIndex: [String: Int] = [:]
  /// By the indices of the screens and prompts.
  private var screenTypes: [ObjectIdentifier] = []
  private var promptTypes: [ObjectIdentifier] = []
  var actionIndex: [ActionKey: Int] = [:]
  var faults: [WiringFaults.Fault] = []

  init(of app: App) { self.app = app }

  /// Visits the app from its root coordinator, and numbers every declaration.
  mutating func collect() {
    add(app.root)
    var next = 0
    while next < coordinators.count {
      let coordinator = coordinators[next]
      for screen in coordinator.screens { add(screen, of: coordinator) }
      for prompt in coordinator.prompts { add(prompt, of: coordinator) }
      for child in coordinator.children { add(child.define(app.services)) }
      next += 1
    }
    links = app.links.map { LinkDefinition($0) }
  }

  private mutating func add(_ coordinator: CoordinatorDefinition) {
    if let known = coordinatorIndex[coordinator.name] {
      if coordinators[known].type != coordinator.type { fault(coordinator.name, .repeatedCoordinator) }
      return
    }
    coordinatorIndex[coordinator.name] = coordinators.count
    coordinators.append(coordinator)
  }

  private mutating func add(_ screen: ScreenDeclaration, of coordinator: CoordinatorDefinition) {
    if let known = screenIndex[screen.name] {
      if screenTypes[known] != screen.type {
        fault("\(coordinator.name) › \(screen.name)", .repeatedScreen)
      }
      return
    }
    screenIndex[screen.name] = screens.count
    screenTypes.append(screen.type)
    screens.append(screen.define(screen.actions().map { define($0) }))
  }

  private mutating func add(_ prompt: PromptDeclaration, of coordinator: CoordinatorDefinition) {
    if let known = promptIndex[prompt.name] {
      if promptTypes[known] != prompt.type {
        fault("\(coordinator.name) › \(prompt.name)", .repeatedPrompt)
      }
      return
    }
    promptIndex[prompt.name] = prompts.count
    promptTypes.append(prompt.type)
    prompts.append(prompt.define(prompt.actions().map { define($0) }))
  }

  /// Returns the definition of an action, the same for every screen that offers it.
  private mutating func define(_ action: any Action.Type) -> ActionDefinition {
    if let known = actionIndex[ActionKey(action)] { return actions[known] }
    let definition = ActionDefinition(action, index: actions.count)
    actionIndex[definition.key] = actions.count
    actions.append(definition)
    return definition
  }

  mutating func fault(_ place: String, _ fault: WiringFault) {
    faults.append(.init(place: place.isEmpty ? "(no name)" : place, fault))
  }
}
