internal import Navigation
internal import YAML

/// A command of a coordinator with the location of its verb.
struct CommandModel: Sendable {
  let verb: YAMLKey
  let content: Content
  let effect: Effect
  /// Whether the command fails once people have gone back.
  let needsScreens: Bool
  /// The values in which expressions may stand, as they are written.
  let values: [YAMLNode]

  indirect enum Content: Sendable {
    case show(ShowModel)
    case setStack(Placed<[StackItemModel]>?)
    /// A command whose values need no check.
    case plain(Command)
    /// A command about a screen of the stack.
    case onScreen(YAMLKey?, @Sendable (String) -> Command)
    case present(PresentModel)
    case start(YAMLKey?, input: YAMLNode?)
    case finish(YAMLNode?)
    case ask(YAMLKey?, data: YAMLNode?)
    case setTabs(Placed<[TabModel]>?)
    case select(YAMLKey?, reselects: Bool)
    case follow(Placed<[LinkStepModel]>?)
    case badge(YAMLNode?, tab: YAMLKey?)
    case refuse(TextModel?, field: YAMLKey?)
    case set([YAMLNode.Entry])
    case perform(PerformModel)
    case schedule(ScheduleModel)
    case await(YAMLKey?, key: YAMLNode?)
    case cancel(YAMLKey?, key: YAMLNode?)
    case choice(ChoiceModel)
    case step(YAMLKey?)
    /// A verb that does not exist, which is a fault already.
    case unknown
  }

  /// The commands. The first key of each is its verb; a command without values may be the verb alone.
  static let forms = Forms<CommandModel>(screenForms + coordinatorForms + otherForms)

  private static let screenForms = [
    showForm("push", Command.push, "Puts a screen on the stack."),
    showForm(
      "pushSingleTop", Command.pushSingleTop,
      "Puts a screen on the stack, or updates the top one if it is that screen."),
    showForm("bringToFront", Command.bringToFront, "Moves a screen to the top, or puts it there."),
    showForm("replaceTop", Command.replaceTop, "Replaces the top screen."),
    form(
      "setStack", .fillsStack,
      "Replaces the whole stack of the coordinator: the screens that are not in the list are removed."
    ) {
      .setStack(
        key(
          "setStack", .placed(.list(.stackItem)), isRequired: true,
          "The screens, the bottom one first; `{review: {cents: =cents}}` has data."))
    },
    form("pop", .goesBack, needsScreens: true, "Removes screens from the top.") {
      .plain(.pop(Int(key("pop", .orNull(.integer(1...256)), "The number of screens; 1 by default.") ?? 1)))
    },
    form("popTo", .goesBack, needsScreens: true, "Removes the screens over a screen.") {
      .onScreen(key("popTo", .name("screen"), isRequired: true, "The screen."), Command.popTo)
    },
    plainForm("popToRoot", .goesBack, "Removes all screens but the first.", .popToRoot),
    form("present", .leadsAway, "Opens a screen or a coordinator as a modal.") { .present(PresentModel()) },
    plainForm("dismiss", .goesBack, needsScreens: true, "Closes the modal.", .dismiss),
    plainForm("dismissAll", .leavesModals, "Closes all modals.", .dismissAll),
  ]

  private static let coordinatorForms = [
    form("start", .leadsAway, "Starts a child coordinator on the stack.") {
      .start(
        key("start", .name("coordinator"), isRequired: true, "The coordinator."),
        input: withValues("NAME", "Its input."))
    },
    form("finish", .leadsAway, "Ends the coordinator with a result.") {
      .finish(key("finish", .orNull(.values(of: "NAME")), "The result."))
    },
    form("ask", .asks, "Opens a prompt.") {
      .ask(key("ask", .name("prompt"), isRequired: true, "The prompt."), data: withValues("NAME", "Its data."))
    },
    form("setTabs", .fillsStack, "Shows tabs.") {
      .setTabs(
        key(
          "setTabs", .placed(.list(.object(TabModel.form, isKept: true))), isRequired: true,
          "The tabs, in their order."))
    },
    form("select", .leadsAway, "Shows a tab, and removes what covers its tab bar.") {
      .select(key("select", .name("coordinator"), isRequired: true, "The root of the tab."), reselects: false)
    },
    form("reselect", .leadsAway, "Shows a tab, and pops it to its first screen.") {
      .select(key("reselect", .name("coordinator"), isRequired: true, "The root of the tab."), reselects: true)
    },
    form(
      "follow", .leadsAway,
      "Follows steps as a deep link does, but from here: a tab is one of the coordinator's own bar, or of one around it. "
        + "The coordinator of a tab so shows a screen of its own."
    ) {
      .follow(
        key("follow", .placed(.list(.object(LinkStepModel.form, isKept: true))), isRequired: true, "The steps."))
    },
    form("badge", .none, "Sets the count beside the title of a tab.") {
      .badge(
        key("badge", .node(.either([.expression("int"), .integer(0...999_999), .null])), "The count; null for none.")?
          .unlessNull,
        tab: key("tab", .name("coordinator"), "The root of the tab; by default the tab of the coordinator."))
    },
  ]

  private static let otherForms = [
    form(
      "refuse", .refuses,
      "Refuses the action: nothing changes, and people see the reason. In an outcome, the form that has requested the "
        + "operation is shown again, with the typed values."
    ) {
      .refuse(
        key("refuse", .text, isRequired: true, "The reason."),
        field: key("field", .name("field"), "The field of the input that the reason is about."))
    },
    form("set", .setsState, "Changes the state, or answers questions of the journey. All values read the state before.")
    {
      .set(key("set", .values(of: "STATE"), isRequired: true, "The new values.")?.entries ?? [])
    },
    form("perform", .none, "Requests an operation of a service. `outcomes` says what follows.") {
      .perform(PerformModel())
    },
    form("schedule", .none, "Schedules a timer.") { .schedule(ScheduleModel()) },
    form("await", .none, "Waits for a signal, until it is cancelled or the coordinator ends.") {
      .await(
        key("await", .name("signal"), isRequired: true, "The signal."),
        key: distinction(
          "The name under which a backend sends the signal. Without a key, `callback` gives the address to an operation."
        ))
    },
    form("cancel", .none, "Cancels a timer, a signal or an operation.") {
      .cancel(
        key("cancel", .name("timer, signal or service.operation"), isRequired: true, "Its name."),
        key: distinction(
          "The key under which the coordinator has requested, scheduled or awaited it; by default those without a key. "
            + "Of an operation that takes the `answers`, the default is the request with the answers as they are."))
    },
    plainForm(
      "revokeResumeAddresses", .none,
      "Revokes the addresses of `=resumeAddress()` that operations have passed on so far.", .revokeResumeAddresses),
    form("if", .runsCommands, "Chooses between lists of commands: the first condition that holds decides.") {
      .choice(.byConditions())
    },
    form("switch", .runsCommands, "Chooses between lists of commands by a value.") { .choice(.byValue()) },
    form("do", .runsCommands, "Runs a named list of commands.") {
      .step(key("do", .name("step"), isRequired: true, "The list in `steps`."))
    },
  ]

  private static func form(
    _ verb: String, _ effect: Effect, needsScreens: Bool = false, _ summary: String,
    _ content: @escaping @Sendable () -> Content
  ) -> Form<CommandModel> {
    Form(verb, summary) {
      let keys = Keys.current
      return CommandModel(
        verb: keys.key(verb) ?? YAMLKey(name: verb, mark: keys.mark), content: content(), effect: effect,
        needsScreens: needsScreens, values: [verb, "with"].compactMap { keys.node(of: $0) })
    }
  }

  private static func showForm(
    _ verb: String, _ command: @escaping @Sendable (EntryDraft) -> Command, _ summary: String
  ) -> Form<CommandModel> {
    form(verb, .fillsStack, summary) {
      .show(
        ShowModel(
          command: command, screen: key(verb, .name("screen"), isRequired: true, "The screen."),
          data: withValues("PROPERTY", "Its data."), leaving: leavePolicy()))
    }
  }

  private static func plainForm(
    _ verb: String, _ effect: Effect, needsScreens: Bool = false, _ summary: String, _ command: Command
  ) -> Form<CommandModel> {
    form(verb, effect, needsScreens: needsScreens, summary) {
      _ = key(verb, .node(.null), summary)
      return .plain(command)
    }
  }
}

extension CommandModel {
  init(unknown verb: YAMLKey) {
    self.init(verb: verb, content: .unknown, effect: .leadsAway, needsScreens: false, values: [])
  }
}

extension YAMLNode {
  fileprivate var unlessNull: YAMLNode? { isNull ? nil : self }
}

// Keys that several commands have.

private func withValues(_ keys: String, _ summary: String) -> YAMLNode? { key("with", .values(of: keys), summary) }

private func leavePolicy() -> LeavePolicy? {
  let policy: LeavePolicy? = key(
    "leaving", .choice(["free": .free, "sealed": .sealed, "confirm": .confirm]),
    "The condition to leave the screen, in place of its own.")
  // An unknown policy is a fault already, and a free screen causes no other one.
  return policy ?? (Keys.current.mark(of: "leaving") == nil ? nil : .free)
}

private func distinction(_ summary: String = "Distinguishes several of one name.") -> YAMLNode? {
  key("key", .node(.either([.expression("string"), .string])), summary)
}

/// A screen that a command puts on the stack.
struct ShowModel {
  /// The command to the engine.
  let command: @Sendable (EntryDraft) -> Command
  let screen: YAMLKey?
  let data: YAMLNode?
  let leaving: LeavePolicy?
}

/// An element of a stack, with one screen unless the element has a fault.
typealias StackItemModel = [NamedValue<YAMLNode>]

extension Format<StackItemModel> {
  fileprivate static var stackItem: Format {
    .either(
      .made(of: .node(.name("screen"))) { (_, node: YAMLNode) in
        node.key.map { [NamedValue(name: $0, value: nil)] } ?? []
      }, .map(of: "SCREEN", .values(of: "PROPERTY")))
  }
}

struct PresentModel {
  private let presented = key(
    "present",
    .either(
      .made(of: .name("coordinator or screen")) { PresentedModel(name: $1, isScreen: false) },
      .object(PresentedModel.form)), isRequired: true,
    "The name: of a coordinator if there is one, and otherwise of a screen.")
  let values = withValues("NAME", "Its data or its input.")
  let leaving = leavePolicy()

  var name: YAMLKey? { presented?.name }
  /// Whether the name is that of a screen, even if a coordinator has it too.
  var isScreen: Bool { presented?.isScreen ?? false }
}

struct PresentedModel {
  static let form = Form("presented screen", "A screen that has the name of a coordinator.") {
    PresentedModel(name: key("screen", .name("screen"), isRequired: true, "The screen."), isScreen: true)
  }

  let name: YAMLKey?
  let isScreen: Bool
}

struct TabModel {
  static let form = Form("tab", "A tab.", TabModel.init)

  let root = key("start", .name("coordinator"), isRequired: true, "The root of the tab.")
  let input = withValues("NAME", "Its input.")
  let title = key("title", .text, "The title. By default it is made from the name.")
  let icon = key("icon", .string, "The name of an icon, which clients choose.")
}

struct PerformModel {
  let operation = key("perform", .name("service.operation"), isRequired: true, "The operation.")
  let parameters = withValues(
    "PARAMETER",
    "Its parameters. `=callback(\"SIGNAL\")` is the address of a signal, and `=resumeAddress()` one that continues the "
      + "session on any device.")
  let requestKey = distinction(
    "Names the request. Every attempt under one key sends the same `Idempotency-Key`, from any coordinator of the "
      + "session: give each order its own key, and keep it for a second try. By default each request has one of its own."
  )
  let answersMark = Keys.current.mark(of: "answers")
  let hasAnswers =
    key(
      "answers", .boolean,
      "Whether the answers of the journey are parameters beside those of `with`. The key then stays the same until an "
        + "answer changes.") ?? false
  let isDetached =
    key("detached", .boolean, "Whether the operation goes on after the coordinator, without an outcome.") ?? false
  let compensation = key(
    "compensate", .object(CompensationModel.form),
    "The operation that undoes this one if the coordinator ends before.")
  /// The location of the key `compensate`; nil without the key.
  let compensationMark = Keys.current.mark(of: "compensate")
}

struct CompensationModel {
  static let form = Form("compensation", "The operation that undoes another one.", CompensationModel.init)

  let operation = key("perform", .name("service.operation"), isRequired: true, "The operation.")
  let parameters = withValues("PARAMETER", "Its parameters.")
}

struct ScheduleModel {
  let timer = key("schedule", .name("timer"), isRequired: true, "The timer.")
  /// A duration, or an expression with one.
  let delay = key(
    "after", .node(.either([.duration, .expression("duration")])), "The time until then.")
  /// A duration.
  let beforeEnd = key(
    "beforeEnd", .node(.duration),
    "In place of `after`: the time before the end of the session, which moves as clients extend the session. Schedule the "
      + "timer again in its own commands, so that it fires before each end.")
  let input = withValues("NAME", "Its input.")
  let eventKey = distinction()

  /// The duration; nil for an expression.
  var fixedDelay: Duration? { delay?.text.flatMap { FlowDuration.duration($0) } }
}

/// A choice between lists of commands.
struct ChoiceModel {
  /// The value that decides; nil for branches with conditions.
  let value: YAMLNode?
  /// The branches, of which the first that applies runs.
  let branches: [BranchModel]
  /// The commands if no branch applies.
  let otherwise: [CommandModel]
  /// The location of `cases`, if there are none.
  let emptyCases: SourceMark?

  static func byConditions() -> ChoiceModel {
    let first = BranchModel()
    let others: [BranchModel] = key(
      "elif", .list(.object(BranchModel.form)),
      "Further conditions, each of which is tested if none before it holds.")
    return ChoiceModel(
      value: nil, branches: [first] + others, otherwise: key("else", .commands, "The commands if no condition holds."),
      emptyCases: nil)
  }

  static func byValue() -> ChoiceModel {
    let value = key("switch", .expression("string, int or bool"), isRequired: true, "The value.")
    let cases: Placed<[NamedValue<[CommandModel]>]>? = key(
      "cases", .placed(.map(of: "VALUE", .commands)), isRequired: true,
      "The commands for each value. A number, `true` and `false` stand in quotes.")
    let otherwise = key("else", .commands, "The commands for null, and for a value without a case.")
    return ChoiceModel(
      value: value, branches: (cases?.value ?? []).map { BranchModel($0) }, otherwise: otherwise,
      emptyCases: cases.flatMap { $0.value.isEmpty ? $0.mark : nil })
  }
}

/// A list of commands of a choice.
struct BranchModel {
  static let form = Form("branch", "A further condition of the command `if`.") { BranchModel() }

  enum Test {
    case condition(YAMLNode?)
    case value(YAMLKey)
  }

  let test: Test
  let commands: [CommandModel]

  /// Reads a condition with its commands.
  init() {
    let condition = key("if", .expression("bool"), isRequired: true, "The condition.")?.unlessNull
    test = .condition(condition)
    commands = key("then", .commands, isRequired: true, "The commands if it holds.")
  }

  init(_ named: NamedValue<[CommandModel]>) { (test, commands) = (Test.value(named.name), named.value ?? []) }
}
