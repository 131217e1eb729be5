internal import YAML

/// A part of the flow, which decides which screen comes next.
struct CoordinatorModel {
  static let form = Form(
    "coordinator", "A part of the flow, which decides which screen comes next.", CoordinatorModel.init)

  let name: YAMLKey
  let input: YAMLNode?
  let state: YAMLNode?
  let result: YAMLNode?
  let start: [CommandModel]
  let steps: [ScriptModel]
  let handlers: [HandlerModel]
  let outcomes: [OutcomeModel]
  let timers: [TimerModel]
  let signals: [ScriptModel]
  /// The commands after the result of a child, by its name, and those after its end without one.
  let finished: [ScriptModel]
  let cancelled: [ScriptModel]
  /// Nil without the key, whose place it has.
  let carried: ScriptModel?
  let guards: [GuardModel]
  /// The values of the properties that the coordinator fills in, by the screens.
  let fills: [NamedValue<YAMLNode>]
  /// The commands of each step by its name.
  let stepCommands: [String: [CommandModel]]
  /// The names of the operations with an outcome, and of the timers and signals with a handler.
  let operationNames: Set<String>
  let timerNames: Set<String>
  let signalNames: Set<String>
  /// The work that walks over the commands may take; nil for any.
  var budget: WorkBudget?

  init(_ keys: inout Keys) {
    name = keys.name
    input = keys(
      "input", .inputs, "The values that a coordinator is started with. That of the root is the input of a session.")
    state = keys("state", .fields, "The values that the coordinator keeps. Each has a `default`.")
    result = keys("result", .fields, "The values that `finish` returns to the coordinator that started this one.")
    start = keys(
      "start", .commands, isRequired: true,
      "The commands at the start of the coordinator. They cannot `set` the state, which begins with its defaults.")
    steps = keys("steps", .models(of: "NAME", .script), "Lists of commands that `do` runs.")
    handlers = keys(
      "handles",
      .models(
        of: "ACTION",
        .either(
          .made(of: .commands) { HandlerModel(action: $0, commands: $1) }, .object(HandlerModel.form))),
      "The actions of its own screens and prompts, and those of its descendants that they do not handle.")
    outcomes = keys(
      "outcomes", .models(of: "SERVICE.OPERATION", .object(OutcomeModel.form, isKept: true)),
      "What follows the operations that the coordinator performs.")
    timers = keys(
      "timers",
      .models(
        of: "NAME",
        .either(.made(of: .commands) { TimerModel(name: $0, commands: $1) }, .object(TimerModel.form))),
      "The events that the coordinator schedules for itself.")
    signals = keys("signals", .models(of: "SIGNAL", .script), "The signals that the coordinator waits for.")
    finished = keys("finished", .models(of: "COORDINATOR", .script), "What follows the result of a child.")
    cancelled = keys(
      "cancelled", .models(of: "COORDINATOR", .script), "What follows the end of a child without a result.")
    carried = keys(
      "carried", .script,
      "What follows the move of a session from the version `from` of the flow, which `carry` names.")
    guards = keys(
      "guards", .list(.object(GuardModel.form)),
      "Conditions for coordinators and screens. Until one holds, `otherwise` runs in their place.")
    fills = keys(
      "fills", .map(of: "SCREEN", .values(of: "PROPERTY")),
      "The data that the coordinator knows, whenever the screen is shown.")
    stepCommands = Dictionary(steps.map { ($0.name.name, $0.commands) }) { first, _ in first }
    operationNames = Set(outcomes.map(\.operation.name))
    timerNames = Set(timers.map(\.name.name))
    signalNames = Set(signals.map(\.name.name))
  }

  /// All lists of commands but the steps, each with what starts it.
  var scripts: [[CommandModel]] {
    [start] + handlers.map(\.commands) + outcomes.flatMap { [$0.done, $0.failed] } + timers.map(\.commands)
      + signals.map(\.commands) + finished.map(\.commands) + cancelled.map(\.commands) + guards.map(\.otherwise)
      + [carried?.commands ?? []]
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
      guard visit(inside.count) else { break }
      found += inside
      next = inside.compactMap(\.step).filter { visited.insert($0).inserted }.flatMap { stepCommands[$0] ?? [] }
    }
    return found
  }

  /// All commands, including those in conditions and steps.
  var commands: [CommandModel] {
    let commands = (scripts + steps.map(\.commands)).flatMap { $0 }.flatMap(\.all)
    return visit(commands.count) ? commands : []
  }

  private func visit(_ count: Int) -> Bool { budget?.visit(count) ?? true }
}

/// Commands under a name.
struct ScriptModel {
  let name: YAMLKey
  let commands: [CommandModel]
}

extension Format where Value == ScriptModel {
  fileprivate static var script: Format { made(of: .commands) { ScriptModel(name: $0, commands: $1) } }
}

/// The handler of an action.
struct HandlerModel {
  static let form = Form("handler", "The handler of an action that is not always available.", HandlerModel.init)

  let action: YAMLKey
  let commands: [CommandModel]
  let enabled: YAMLNode?
  let reason: TextModel?
  let hidden: YAMLNode?

  init(_ keys: inout Keys) {
    action = keys.name
    commands = keys("do", .commands, isRequired: true, "The commands.")
    enabled = keys(
      "enabled", .expression("bool"), "Whether the action is available. People see it with the `reason`.")
    reason = keys("reason", .text, "The reason why the action is not available; by default a text of the service.")
    hidden = keys("hidden", .expression("bool"), "Whether people do not see the action.")
  }

  fileprivate init(action: YAMLKey, commands: [CommandModel]) {
    (self.action, self.commands, enabled, reason, hidden) = (action, commands, nil, nil, nil)
  }
}

struct OutcomeModel {
  static let form = Form(
    "outcome", "The two ends of an operation. One of them runs, exactly once.", OutcomeModel.init)

  let operation: YAMLKey
  let done: [CommandModel]
  let failed: [CommandModel]

  init(_ keys: inout Keys) {
    operation = keys.name
    done = keys("done", .commands, isRequired: true, "Runs with the response as `output`.")
    failed = keys("failed", .commands, isRequired: true, "Runs after the last attempt, with `failure`.")
  }
}

struct TimerModel {
  static let form = Form("timer", "A timer with an input.", TimerModel.init)

  let name: YAMLKey
  let input: YAMLNode?
  let commands: [CommandModel]

  init(_ keys: inout Keys) {
    name = keys.name
    input = keys("input", .fields, isRequired: true, "The values that `schedule` gives to the timer.")
    commands = keys("do", .commands, isRequired: true, "The commands.")
  }

  fileprivate init(name: YAMLKey, commands: [CommandModel]) {
    (self.name, input, self.commands) = (name, nil, commands)
  }
}

struct GuardModel {
  static let form = Form(
    "guard", "A condition for a coordinator or a screen, wherever this coordinator or one below it shows that.",
    GuardModel.init)

  /// The coordinator or the screen, at the place of its name. The name is empty if there is none.
  let protected: YAMLKey
  let isScreen: Bool
  let until: YAMLNode?
  let otherwise: [CommandModel]
  /// The place of the guard.
  let mark: SourceMark
  /// The place of the key `screen`; nil without the key.
  let screenMark: SourceMark?

  init(_ keys: inout Keys) {
    let coordinator = keys("protects", .name("coordinator"), "The coordinator. Give either this or `screen`.")
    let screen = keys("screen", .name("screen"), "The screen.")
    mark = keys.mark
    screenMark = keys.mark(of: "screen")
    isScreen = keys.mark(of: "protects") == nil
    // Without a name, the guard is a fault, but its commands show what they show.
    protected = (isScreen ? screen : coordinator) ?? YAMLKey(name: "", mark: mark)
    until = keys("until", .expression("bool"), isRequired: true, "The condition.")
    otherwise = keys(
      "otherwise", .commands, isRequired: true,
      "Runs while the condition does not hold. The intent waits, and is carried out once it holds.")
  }
}
