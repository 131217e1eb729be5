internal import YAML

/// A command of a coordinator with the place of its verb.
struct CommandModel: Sendable {
  let verb: YAMLKey
  let content: Content
  /// The values in which expressions may stand, as they are written.
  let values: [YAMLNode]

  indirect enum Content: Sendable {
    case show(ShowModel)
    case setStack(Placed<[StackItemModel]>?)
    case pop(Int)
    case popTo(YAMLKey?)
    case popToRoot
    case present(PresentModel)
    case dismiss
    case dismissAll
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
    case condition(ConditionModel)
    case step(YAMLKey?)
    /// A verb that does not exist, which is a fault already.
    case unknown
  }

  /// The commands. The first key of each is its verb; a command without values may be the verb alone.
  static let forms = Forms<CommandModel>(screenForms + coordinatorForms + actionForms + workForms + controlForms)

  private static let screenForms = [
    form("push", "Puts a screen on the stack.") { .show(ShowModel(&$0, .push)) },
    form("pushSingleTop", "Puts a screen on the stack, or updates the top one if it is that screen.") {
      .show(ShowModel(&$0, .pushSingleTop))
    },
    form("bringToFront", "Moves a screen to the top, or puts it there.") { .show(ShowModel(&$0, .bringToFront)) },
    form("replaceTop", "Replaces the top screen.") { .show(ShowModel(&$0, .replaceTop)) },
    form(
      "setStack", "Replaces the whole stack of the coordinator: the screens that are not in the list are removed."
    ) { keys in
      .setStack(
        keys(
          "setStack", .placed(.list(.stackItem)), isRequired: true,
          "The screens, the bottom one first; `{review: {cents: =cents}}` has data."))
    },
    form("pop", "Removes screens from the top.") { keys in
      .pop(Int(keys("pop", .orNull(.integer(1...256)), "The number of screens; 1 by default.") ?? 1))
    },
    form("popTo", "Removes the screens over a screen.") {
      .popTo($0("popTo", .name("screen"), isRequired: true, "The screen."))
    },
    plainForm("popToRoot", "Removes all screens but the first.", .popToRoot),
    form("present", "Opens a screen or a coordinator as a modal.") { .present(PresentModel(&$0)) },
    plainForm("dismiss", "Closes the modal.", .dismiss),
    plainForm("dismissAll", "Closes all modals.", .dismissAll),
  ]

  private static let coordinatorForms = [
    form("start", "Starts a child coordinator on the stack.") { keys in
      let name = keys("start", .name("coordinator"), isRequired: true, "The coordinator.")
      return .start(name, input: keys.with("NAME", "Its input."))
    },
    form("finish", "Ends the coordinator with a result.") { keys in
      .finish(keys("finish", .orNull(.values(of: "NAME")), "The result."))
    },
    form("ask", "Opens a prompt.") { keys in
      let name = keys("ask", .name("prompt"), isRequired: true, "The prompt.")
      return .ask(name, data: keys.with("NAME", "Its data."))
    },
    form("setTabs", "Shows tabs.") { keys in
      .setTabs(
        keys(
          "setTabs", .placed(.list(.object(TabModel.form, isKept: true))), isRequired: true,
          "The tabs, in their order."))
    },
    form("select", "Shows a tab, and removes what covers its tab bar.") { keys in
      .select(keys("select", .name("coordinator"), isRequired: true, "The root of the tab."), reselects: false)
    },
    form("reselect", "Shows a tab, and pops it to its first screen.") { keys in
      .select(keys("reselect", .name("coordinator"), isRequired: true, "The root of the tab."), reselects: true)
    },
    form(
      "follow",
      "Follows steps as a deep link does, but from here: a tab is one of the coordinator's own bar, or of one around it. "
        + "The coordinator of a tab so shows a screen of its own."
    ) { keys in
      .follow(
        keys("follow", .placed(.list(.object(LinkStepModel.form, isKept: true))), isRequired: true, "The steps."))
    },
    form("badge", "Sets the count beside the title of a tab.") { keys in
      let count = keys(
        "badge", .node(.either([.expression("int"), .integer(0...999_999), .null])), "The count; null for none.")
      let tab = keys(
        "tab", .name("coordinator"), "The root of the tab; by default the tab of the coordinator.")
      return .badge(count?.unlessNull, tab: tab)
    },
  ]

  private static let actionForms = [
    form("refuse", "Refuses the action: nothing changes, and people see the reason.") { keys in
      let reason = keys("refuse", .text, isRequired: true, "The reason.")
      let field = keys("field", .name("field"), "The field of the input that the reason is about.")
      return .refuse(reason, field: field)
    },
    form("set", "Changes the state. All values read the state before.") { keys in
      .set(keys("set", .values(of: "STATE"), isRequired: true, "The new values.")?.entries ?? [])
    },
  ]

  private static let workForms = [
    form("perform", "Requests an operation of a service. `outcomes` says what follows.") {
      .perform(PerformModel(&$0))
    },
    form("schedule", "Schedules a timer.") { .schedule(ScheduleModel(&$0)) },
    form("await", "Waits for a signal, until it is cancelled or the coordinator ends.") { keys in
      let name = keys("await", .name("signal"), isRequired: true, "The signal.")
      return .await(name, key: keys.key())
    },
    form("cancel", "Cancels a timer, a signal or an operation.") { keys in
      let name = keys("cancel", .name("timer, signal or service.operation"), isRequired: true, "Its name.")
      return .cancel(name, key: keys.key())
    },
  ]

  private static let controlForms = [
    form("if", "Chooses between two lists of commands.") { .condition(ConditionModel(&$0)) },
    form("do", "Runs a named list of commands.") {
      .step($0("do", .name("step"), isRequired: true, "The list in `steps`."))
    },
  ]

  private static func form(
    _ verb: String, _ summary: String, _ content: @escaping @Sendable (inout Keys) -> Content
  ) -> Form<CommandModel> {
    Form(verb, summary) { keys in
      CommandModel(
        verb: YAMLKey(name: verb, mark: keys.mark(of: verb) ?? keys.mark), content: content(&keys),
        values: [verb, "with"].compactMap { [keys] in keys.node(of: $0) })
    }
  }

  private static func plainForm(_ verb: String, _ summary: String, _ content: Content) -> Form<CommandModel> {
    form(verb, summary) { keys in
      _ = keys(verb, .node(.null), summary)
      return content
    }
  }

  private init(verb: YAMLKey, content: Content, values: [YAMLNode]) {
    (self.verb, self.content, self.values) = (verb, content, values)
  }

  init(unknown verb: YAMLKey) { self.init(verb: verb, content: .unknown, values: []) }
}

extension YAMLNode {
  fileprivate var unlessNull: YAMLNode? { isNull ? nil : self }
}

extension Keys {
  fileprivate mutating func with(_ keys: String, _ summary: String) -> YAMLNode? {
    self("with", .values(of: keys), summary)
  }

  fileprivate mutating func leaving() -> String? {
    self(
      "leaving", .choice(["free", "sealed", "confirm"]), "The condition to leave the screen, in place of its own.")
  }

  fileprivate mutating func key(_ summary: String = "Distinguishes several of one name.") -> YAMLNode? {
    self("key", .node(.either([.expression("string"), .string])), summary)
  }
}

/// A screen that a command puts on the stack.
struct ShowModel {
  enum Placement: String { case push, pushSingleTop, bringToFront, replaceTop }

  let placement: Placement
  let screen: YAMLKey?
  let data: YAMLNode?
  let leaving: String?

  init(_ keys: inout Keys, _ placement: Placement) {
    self.placement = placement
    screen = keys(placement.rawValue, .name("screen"), isRequired: true, "The screen.")
    data = keys.with("PROPERTY", "Its data.")
    leaving = keys.leaving()
  }
}

/// An element of a stack. One without a fault has one screen.
struct StackItemModel {
  let screens: [NamedValue<YAMLNode>]
}

extension Format where Value == StackItemModel {
  fileprivate static var stackItem: Format {
    .either(
      .made(of: .node(.name("screen"))) { (_, node: YAMLNode) in
        StackItemModel(screens: node.key.map { [NamedValue(name: $0, value: nil)] } ?? [])
      },
      .made(of: .map(of: "SCREEN", .values(of: "PROPERTY"))) { (_, screens: [NamedValue<YAMLNode>]) in
        StackItemModel(screens: screens)
      })
  }
}

struct PresentModel {
  let name: YAMLKey?
  /// Whether the name is that of a screen, even if a coordinator has it too.
  let isScreen: Bool
  let values: YAMLNode?
  let leaving: String?

  init(_ keys: inout Keys) {
    let presented = keys(
      "present",
      .either(
        .made(of: .name("coordinator or screen")) { PresentedModel(name: $1, isScreen: false) },
        .object(PresentedModel.form)), isRequired: true,
      "The name: of a coordinator if there is one, and otherwise of a screen.")
    name = presented?.name
    isScreen = presented?.isScreen ?? false
    values = keys.with("NAME", "Its data or its input.")
    leaving = keys.leaving()
  }
}

struct PresentedModel {
  static let form = Form("presented screen", "A screen that has the name of a coordinator.") { keys in
    PresentedModel(name: keys("screen", .name("screen"), isRequired: true, "The screen."), isScreen: true)
  }

  let name: YAMLKey?
  let isScreen: Bool
}

struct TabModel {
  static let form = Form("tab", "A tab.", TabModel.init)

  let root: YAMLKey?
  let input: YAMLNode?
  let title: TextModel?
  let icon: YAMLNode?

  init(_ keys: inout Keys) {
    root = keys("start", .name("coordinator"), isRequired: true, "The root of the tab.")
    input = keys.with("NAME", "Its input.")
    title = keys("title", .text, "The title. By default it is made from the name.")
    icon = keys("icon", .string, "The name of an icon, which clients choose.")
  }
}

struct PerformModel {
  let operation: YAMLKey?
  let parameters: YAMLNode?
  let key: YAMLNode?
  let isDetached: Bool
  let compensation: CompensationModel?
  /// The place of the key `compensate`; nil without the key.
  let compensationMark: SourceMark?

  init(_ keys: inout Keys) {
    operation = keys("perform", .name("service.operation"), isRequired: true, "The operation.")
    parameters = keys.with("PARAMETER", "Its parameters. `=callback(\"SIGNAL\")` is the address of a signal.")
    key = keys.key(
      "Names the request. Every attempt under one key sends the same `Idempotency-Key`, from any coordinator of the "
        + "session: give each order its own key, and keep it for a second try. By default each request has one of its own."
    )
    isDetached =
      keys("detached", .boolean, "Whether the operation goes on after the coordinator, without an outcome.") ?? false
    compensation = keys(
      "compensate", .object(CompensationModel.form),
      "The operation that undoes this one if the coordinator ends before.")
    compensationMark = keys.mark(of: "compensate")
  }
}

struct CompensationModel {
  static let form = Form("compensation", "The operation that undoes another one.", CompensationModel.init)

  let operation: YAMLKey?
  let parameters: YAMLNode?

  init(_ keys: inout Keys) {
    operation = keys("perform", .name("service.operation"), isRequired: true, "The operation.")
    parameters = keys.with("PARAMETER", "Its parameters.")
  }
}

struct ScheduleModel {
  let timer: YAMLKey?
  /// A duration, or an expression with one.
  let delay: YAMLNode?
  let input: YAMLNode?
  let key: YAMLNode?

  init(_ keys: inout Keys) {
    timer = keys("schedule", .name("timer"), isRequired: true, "The timer.")
    delay = keys(
      "after", .node(.either([.duration, .expression("duration")])), isRequired: true, "The time until then.")
    input = keys.with("NAME", "Its input.")
    key = keys.key()
  }

  /// The duration; nil for an expression.
  var fixedDelay: Duration? { delay?.text.flatMap { FlowDuration.duration($0) } }
}

struct ConditionModel {
  let condition: YAMLNode?
  let then: [CommandModel]
  let otherwise: [CommandModel]

  init(_ keys: inout Keys) {
    condition = keys("if", .expression("bool"), isRequired: true, "The condition.")?.unlessNull
    then = keys("then", .commands, isRequired: true, "The commands if it holds.")
    otherwise = keys("else", .commands, "The commands if it does not.")
  }
}
