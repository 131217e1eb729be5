internal import YAML

/// A part of the flow, which decides which screen comes next.
struct CoordinatorModel {
  static let form = Form("coordinator", "A part of the flow, which decides which screen comes next.") {
    CoordinatorModel()
  }

  let name = Keys.current.name
  let input = key(
    "input", .inputs, "The values with which a coordinator starts. The input of the root is that of the session.")
  let state = key("state", .fields, "The values that the coordinator keeps. Each has a `default`.")
  let result = key("result", .fields, "The values that `finish` returns to the coordinator that started this one.")
  let journey = key("journey", .object(JourneyModel.form), "The questions of the coordinator, and their pages.")
  let start = key(
    "start", .commands,
    "The commands at the start of the coordinator. Here `set` can only answer questions of the journey: the state "
      + "begins with its defaults. A journey shows its first page before the commands.")
  let declaresStart = Keys.current.mark(of: "start") != nil
  let steps = namedScripts("steps", of: "NAME", "Lists of commands that `do` runs.")
  let handlers = Declarations(
    key(
      "handles", .models(of: "ACTION", .object(HandlerModel.form, or: .commands, \.commands)),
      "The actions of its own screens and prompts, and those of its descendants that they do not handle."),
    by: \.action.name)
  let outcomes = Declarations(
    key(
      "outcomes", .models(of: "SERVICE.OPERATION", .object(OutcomeModel.form, isKept: true)),
      "The commands after the operations that the coordinator performs."), by: \.operation.name)
  let timers = Declarations(
    key(
      "timers", .models(of: "NAME", .object(TimerModel.form, or: .commands, \.commands)),
      "The events that the coordinator schedules for itself."), by: \.name.name)
  let signals = namedScripts("signals", of: "SIGNAL", "The signals that the coordinator waits for.")
  let finished = namedScripts("finished", of: "COORDINATOR", "The commands after the result of a child.")
  let cancelled = namedScripts(
    "cancelled", of: "COORDINATOR", "The commands after the end of a child without a result.")
  let carried = key(
    "carried", .script,
    "The commands after the move of a session from the version `from` of the flow, which `carry` names.")
  let guards = key(
    "guards", .list(.object(GuardModel.form)),
    "Conditions for coordinators and screens. Until one holds, `otherwise` runs in their place.")
  /// The values of the properties that the coordinator fills in, by the screens.
  let bindings = key(
    "fills", .map(of: "SCREEN", .values(of: "PROPERTY")),
    "The data that the coordinator knows, whenever the screen is shown.")
  private let budget = Keys.current.budget

  /// All lists of commands except the steps.
  private var scripts: [[CommandModel]] {
    [start] + handlers.map(\.commands) + outcomes.flatMap { [$0.done, $0.failed] } + timers.map(\.commands)
      + signals.map(\.commands) + finished.map(\.commands) + cancelled.map(\.commands) + guards.map(\.otherwise)
      + [carried?.commands ?? [], journey?.done ?? []]
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
      next = inside.compactMap(\.step).filter { visited.insert($0).inserted }.flatMap { steps[$0]?.commands ?? [] }
    }
    return found
  }

  /// All commands, including those in conditions and steps.
  var commands: [CommandModel] {
    let commands = (scripts + steps.map(\.commands)).flatMap { $0 }.flatMap(\.all)
    return budget.visit(commands.count) ? commands : []
  }
}

/// Commands under a name.
struct ScriptModel {
  let name: YAMLKey
  let commands: [CommandModel]
}

/// Declares a key with lists of commands by their names.
private func namedScripts(_ name: String, of keys: String, _ summary: String) -> Declarations<ScriptModel> {
  Declarations(key(name, .models(of: keys, .script), summary), by: \.name.name)
}

extension Format where Value == ScriptModel {
  fileprivate static var script: Format { made(of: .commands) { ScriptModel(name: $0, commands: $1) } }
}

/// The handler of an action.
struct HandlerModel {
  static let form = Form("handler", "The handler of an action that is not always available.") { HandlerModel() }

  let action = Keys.current.name
  fileprivate(set) var commands = key("do", .commands, isRequired: true, "The commands.")
  let enabled = key(
    "enabled", .expression("bool"), "Whether the action is available. People see it with the `reason`.")
  let reason = key("reason", .text, "The reason why the action is not available; by default a text of the service.")
  let hidden = key("hidden", .expression("bool"), "Whether people do not see the action.")
}

struct OutcomeModel {
  static let form = Form(
    "outcome", "The two ends of an operation. One of them runs, exactly once.", OutcomeModel.init)

  let operation = Keys.current.name
  let done = key(
    "done", .commands, isRequired: true, "Runs with the response as `output`, and the parameters as `call`.")
  let failed = key("failed", .commands, isRequired: true, "Runs after the last attempt, with `failure` and `call`.")
}

struct TimerModel {
  static let form = Form("timer", "A timer with an input.") { TimerModel() }

  let name = Keys.current.name
  let input = key("input", .fields, isRequired: true, "The values that `schedule` gives to the timer.")
  fileprivate(set) var commands = key("do", .commands, isRequired: true, "The commands.")
}

struct GuardModel {
  static let form = Form(
    "guard", "A condition for a coordinator or a screen, wherever this coordinator or one below it shows that.",
    GuardModel.init)

  private let coordinator = key(
    "protects", .name("coordinator"), "The coordinator. Give either this or `screen`.")
  private let screen = key("screen", .name("screen"), "The screen, which is none of the pages of a journey.")
  let until = key("until", .expression("bool"), isRequired: true, "The condition.")
  let otherwise = key(
    "otherwise", .commands, isRequired: true,
    "Runs while the condition does not hold. The intent waits, and is carried out once it holds.")
  let isScreen = Keys.current.mark(of: "protects") == nil
  /// The location of the guard.
  let mark = Keys.current.mark
  /// The location of the key `screen`; nil without the key.
  let screenMark = Keys.current.mark(of: "screen")

  /// The coordinator or the screen, at the location of its name. The name is empty if there is none: without a name, the
  /// guard is a fault, but its commands show what they show.
  var protected: YAMLKey { (isScreen ? screen : coordinator) ?? YAMLKey(name: "", mark: mark) }
}
