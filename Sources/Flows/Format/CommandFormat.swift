extension FlowFormat {
  private static let leaving = FormatKey(
    "leaving", .choice(["free", "sealed", "confirm"]), "The condition to leave the screen, in place of its own.")
  private static let key = FormatKey(
    "key", .either([.expression("string"), .string]), "Distinguishes several of one name.")
  private static let requestKey = FormatKey(
    "key", .either([.expression("string"), .string]),
    "Names the request. Every attempt under one key sends the same `Idempotency-Key`, from any coordinator of the "
      + "session: give each order its own key, and keep it for a second try. By default each request has one of its own."
  )

  private static func with(_ keys: String, _ summary: String) -> FormatKey {
    FormatKey("with", .map(of: keys, .value), summary)
  }

  private static func showing(_ verb: String, _ summary: String) -> FormatObject {
    FormatObject(
      verb, summary,
      [
        FormatKey(verb, .name("screen"), isRequired: true, "The screen."), with("PROPERTY", "Its data."), leaving,
      ])
  }

  private static func plain(_ verb: String, _ summary: String) -> FormatObject {
    FormatObject(verb, summary, [FormatKey(verb, .null, summary)])
  }

  /// The commands. The first key of each is its verb; a command without values may be the verb alone.
  static let commands: [FormatObject] = [
    showing("push", "Puts a screen on the stack."),
    showing("pushSingleTop", "Puts a screen on the stack, or updates the top one if it is that screen."),
    showing("bringToFront", "Moves a screen to the top, or puts it there."),
    showing("replaceTop", "Replaces the top screen."),
    FormatObject(
      "setStack", "Replaces the whole stack of the coordinator: the screens that are not in the list are removed.",
      [
        FormatKey(
          "setStack", .list(.either([.name("screen"), .map(of: "SCREEN", .map(of: "PROPERTY", .value))])),
          isRequired: true, "The screens, the bottom one first; `{review: {cents: =cents}}` has data.")
      ]),
    FormatObject(
      "pop", "Removes screens from the top.",
      [FormatKey("pop", .either([.integer(1...256), .null]), "The number of screens; 1 by default.")]),
    FormatObject(
      "popTo", "Removes the screens over a screen.",
      [FormatKey("popTo", .name("screen"), isRequired: true, "The screen.")]),
    plain("popToRoot", "Removes all screens but the first."),
    FormatObject(
      "present", "Opens a screen or a coordinator as a modal.",
      [
        FormatKey(
          "present", .either([.name("coordinator or screen"), .object(presentedScreen)]), isRequired: true,
          "The name: of a coordinator if there is one, and otherwise of a screen."),
        with("NAME", "Its data or its input."), leaving,
      ]),
    plain("dismiss", "Closes the modal."),
    plain("dismissAll", "Closes all modals."),
    FormatObject(
      "start", "Starts a child coordinator on the stack.",
      [
        FormatKey("start", .name("coordinator"), isRequired: true, "The coordinator."), with("NAME", "Its input."),
      ]),
    FormatObject(
      "finish", "Ends the coordinator with a result.",
      [FormatKey("finish", .either([.map(of: "NAME", .value), .null]), "The result.")]),
    FormatObject(
      "ask", "Opens a prompt.",
      [FormatKey("ask", .name("prompt"), isRequired: true, "The prompt."), with("NAME", "Its data.")]),
    FormatObject(
      "setTabs", "Shows tabs.",
      [FormatKey("setTabs", .list(.object(tab)), isRequired: true, "The tabs, in their order.")]),
    FormatObject(
      "select", "Shows a tab, and removes what covers its tab bar.",
      [FormatKey("select", .name("coordinator"), isRequired: true, "The root of the tab.")]),
    FormatObject(
      "reselect", "Shows a tab, and pops it to its first screen.",
      [FormatKey("reselect", .name("coordinator"), isRequired: true, "The root of the tab.")]),
    FormatObject(
      "follow",
      "Follows steps as a deep link does, but from here: a tab is one of the coordinator's own bar, or of one around it. "
        + "The coordinator of a tab so shows a screen of its own.",
      [FormatKey("follow", .list(.object(linkStep)), isRequired: true, "The steps.")]),
    FormatObject(
      "badge", "Sets the count beside the title of a tab.",
      [
        FormatKey(
          "badge", .either([.expression("int"), .integer(0...999_999), .null]), "The count; null for none."),
        FormatKey("tab", .name("coordinator"), "The root of the tab; by default the tab of the coordinator."),
      ]),
    FormatObject(
      "refuse", "Refuses the action: nothing changes, and people see the reason.",
      [
        FormatKey("refuse", .text, isRequired: true, "The reason."),
        FormatKey("field", .name("field"), "The field of the input that the reason is about."),
      ]),
    FormatObject(
      "set", "Changes the state. All values read the state before.",
      [FormatKey("set", .map(of: "STATE", .value), isRequired: true, "The new values.")]),
    FormatObject(
      "perform", "Requests an operation of a service. `outcomes` says what follows.",
      [
        FormatKey("perform", .name("service.operation"), isRequired: true, "The operation."),
        with("PARAMETER", "Its parameters. `=callback(\"SIGNAL\")` is the address of a signal."), requestKey,
        FormatKey("detached", .boolean, "Whether the operation goes on after the coordinator, without an outcome."),
        FormatKey(
          "compensate", .object(compensation), "The operation that undoes this one if the coordinator ends before."),
      ]),
    FormatObject(
      "schedule", "Schedules a timer.",
      [
        FormatKey("schedule", .name("timer"), isRequired: true, "The timer."),
        FormatKey("after", .either([.duration, .expression("duration")]), isRequired: true, "The time until then."),
        with("NAME", "Its input."), key,
      ]),
    FormatObject(
      "await", "Waits for a signal, until it is cancelled or the coordinator ends.",
      [FormatKey("await", .name("signal"), isRequired: true, "The signal."), key]),
    FormatObject(
      "cancel", "Cancels a timer, a signal or an operation.",
      [FormatKey("cancel", .name("timer, signal or service.operation"), isRequired: true, "Its name."), key]),
    FormatObject(
      "if", "Chooses between two lists of commands.",
      [
        FormatKey("if", .expression("bool"), isRequired: true, "The condition."),
        FormatKey("then", .commands, isRequired: true, "The commands if it holds."),
        FormatKey("else", .commands, "The commands if it does not."),
      ]),
    FormatObject(
      "do", "Runs a named list of commands.", [FormatKey("do", .name("step"), isRequired: true, "The list in `steps`.")]
    ),
  ]

  static let presentedScreen = FormatObject(
    "presented screen", "A screen that has the name of a coordinator.",
    [FormatKey("screen", .name("screen"), isRequired: true, "The screen.")])

  static let compensation = FormatObject(
    "compensation", "The operation that undoes another one.",
    [
      FormatKey("perform", .name("service.operation"), isRequired: true, "The operation."),
      with("PARAMETER", "Its parameters."),
    ])

  static let tab = FormatObject(
    "tab", "A tab.",
    [
      FormatKey("start", .name("coordinator"), isRequired: true, "The root of the tab."),
      with("NAME", "Its input."),
      FormatKey("title", .text, "The title. By default it is made from the name."),
      FormatKey("icon", .string, "The name of an icon, which clients choose."),
    ])
}
