internal import CEL
internal import Values

/// The declarations of a flow, as its file has them. Their names are not resolved.
///
/// Values of a wrong kind are left out: the ``FormatCheck`` reports them.
struct FlowModel {
  let root: YAMLNode
  let name: YAMLKey
  let rootCoordinator: YAMLKey
  let coordinators: [CoordinatorModel]
  let screens: [ScreenModel]
  let prompts: [PromptModel]
  let sharedActions: [ActionModel]
  let operations: [OperationModel]
  let types: [YAMLNode.Entry]
  let signals: [SignalModel]
  let links: [LinkModel]
  let places: Places
  let budget: WorkBudget

  /// The places of the declarations by their names.
  struct Places {
    let coordinators: [String: Int]
    let screens: [String: Int]
    let prompts: [String: Int]
    let operations: [String: Int]
    let signals: [String: Int]
  }

  /// The names of the fields with personal data.
  var sensitiveFields: Set<String> {
    let actions = screens.flatMap(\.actions) + prompts.flatMap(\.actions) + sharedActions
    let inputs =
      actions.map { $0.node?["input"] } + coordinators.map { $0.node["input"] } + signals.map { $0.node["input"] }
    return Set(
      inputs.flatMap { $0?.entries ?? [] }.filter { $0.value["sensitive"]?.boolean == true }.map(\.key.name))
  }

  func isCoordinator(_ name: String) -> Bool { places.coordinators[name] != nil }
  func coordinator(_ name: String) -> CoordinatorModel? { places.coordinators[name].map { coordinators[$0] } }
  func screen(_ name: String) -> ScreenModel? { places.screens[name].map { screens[$0] } }
  func prompt(_ name: String) -> PromptModel? { places.prompts[name].map { prompts[$0] } }
  func operation(_ name: String) -> OperationModel? { places.operations[name].map { operations[$0] } }
  func signal(_ name: String) -> SignalModel? { places.signals[name].map { signals[$0] } }

  /// Returns the declarations of names in the order of the file.
  func coordinators(_ names: Set<String>) -> [CoordinatorModel] { names.places(in: places.coordinators, coordinators) }
  func screens(_ names: Set<String>) -> [ScreenModel] { names.places(in: places.screens, screens) }
  func prompts(_ names: Set<String>) -> [PromptModel] { names.places(in: places.prompts, prompts) }
  func operations(_ names: Set<String>) -> [OperationModel] { names.places(in: places.operations, operations) }
}

extension Set<String> {
  /// Without a visit to each declaration of the flow, of which one coordinator uses few.
  fileprivate func places<Model>(in places: [String: Int], _ models: [Model]) -> [Model] {
    compactMap { places[$0] }.sorted().map { models[$0] }
  }
}

struct CoordinatorModel {
  let name: YAMLKey
  let node: YAMLNode
  let start: [CommandModel]
  let steps: [(name: YAMLKey, commands: [CommandModel])]
  /// The commands of each step by its name.
  let stepCommands: [String: [CommandModel]]
  /// The names of the operations with an outcome, and of the timers and signals with a handler.
  let operationNames: Set<String>
  let timerNames: Set<String>
  let signalNames: Set<String>
  let handlers: [HandlerModel]
  let outcomes: [(operation: YAMLKey, done: [CommandModel], failed: [CommandModel])]
  let timers: [TimerModel]
  let signals: [(name: YAMLKey, commands: [CommandModel])]
  let finished: [(child: YAMLKey, commands: [CommandModel])]
  let cancelled: [(child: YAMLKey, commands: [CommandModel])]
  let carried: [CommandModel]
  let guards: [GuardModel]
  let budget: WorkBudget
  let fills: [(screen: YAMLKey, values: YAMLNode)]

  /// All lists of commands but the steps, each with what starts it.
  var scripts: [[CommandModel]] {
    [start] + handlers.map(\.commands) + outcomes.flatMap { [$0.done, $0.failed] } + timers.map(\.commands)
      + signals.map(\.commands) + finished.map(\.commands) + cancelled.map(\.commands) + guards.map(\.otherwise)
      + [carried]
  }

  /// Returns the commands, those inside of them, and those of the steps that they run.
  ///
  /// - Parameter inConditions: whether to include the commands inside of conditions.
  func all(_ commands: [CommandModel], inConditions: Bool = true) -> [CommandModel] {
    var visited: Set<String> = []
    var found: [CommandModel] = []
    var next = commands
    while !next.isEmpty {
      let inside = inConditions ? next.flatMap(\.all) : next
      guard budget.visit(inside.count) else { break }
      found += inside
      next = inside.filter { $0.verb.name == "do" }.compactMap(\.target?.name)
        .filter { visited.insert($0).inserted }.flatMap { stepCommands[$0] ?? [] }
    }
    return found
  }

  /// All commands, including those in conditions and steps.
  var commands: [CommandModel] {
    let commands = (scripts + steps.map(\.commands)).flatMap { $0 }.flatMap(\.all)
    return budget.visit(commands.count) ? commands : []
  }
}

struct HandlerModel {
  let action: YAMLKey
  let commands: [CommandModel]
  let enabled: YAMLNode?
  let reason: YAMLNode?
  let hidden: YAMLNode?
}

struct TimerModel {
  let name: YAMLKey
  let input: YAMLNode?
  let commands: [CommandModel]
}

struct GuardModel {
  /// The coordinator or the screen, at the place of its name.
  let protected: YAMLKey
  let isScreen: Bool
  let until: YAMLNode?
  let otherwise: [CommandModel]
}

struct ScreenModel: ActionPlace {
  let name: YAMLKey
  let node: YAMLNode
  let actions: [ActionModel]
  let loads: [LoadModel]
}

struct LoadModel {
  let property: YAMLKey
  let operation: YAMLKey?
  let node: YAMLNode
}

struct PromptModel: ActionPlace {
  let name: YAMLKey
  let node: YAMLNode
  let actions: [ActionModel]
}

/// A screen or a prompt.
protocol ActionPlace {
  var name: YAMLKey { get }
  var actions: [ActionModel] { get }
}

extension Sequence where Element: ActionPlace {
  /// The names by which handlers name the actions: alone, and with the name of the place.
  var offeredNames: Set<String> {
    Set(flatMap { place in place.actions.flatMap { [$0.name.name, "\(place.name.name).\($0.name.name)"] } })
  }
}

struct ActionModel {
  let name: YAMLKey
  /// Nil for an action that is declared elsewhere, or has no input and no title of its own.
  let node: YAMLNode?
}

struct OperationModel {
  let service: YAMLKey
  let operation: YAMLKey
  let node: YAMLNode

  /// The name in commands: `shop.quote`.
  var name: String { "\(service.name).\(operation.name)" }
  /// The name of the effect: `shop-quote`.
  var effectName: String { "\(service.name)-\(operation.name)" }
}

struct SignalModel {
  let name: YAMLKey
  let node: YAMLNode
}

struct LinkModel {
  let pattern: YAMLKey
  let input: YAMLNode?
  let steps: [YAMLNode]
}

/// A command: its verb, and the mapping that it stands in.
struct CommandModel {
  let verb: YAMLKey
  /// The value of the verb; nil for a command that is its verb alone.
  let argument: YAMLNode?
  let node: YAMLNode
  let then: [CommandModel]
  let otherwise: [CommandModel]

  /// The command itself, and those inside of it.
  var all: [CommandModel] { [self] + (then + otherwise).flatMap(\.all) }

  /// The name that the verb takes, at its place; nil without one.
  var target: YAMLKey? { argument.flatMap { argument in argument.text.map { YAMLKey(name: $0, mark: argument.mark) } } }
}
