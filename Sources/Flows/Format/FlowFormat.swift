/// The format of flow files: every object with its keys.
enum FlowFormat {
  /// The version of the format.
  static let version: Int64 = 1

  static let flow = FormatObject(
    "flow", "An app: the file `flow.yaml`.",
    [
      FormatKey("usher", .integer(1...version), isRequired: true, "The version of the format: 1."),
      FormatKey("app", .name("app"), isRequired: true, "The name of the app, unique in the service."),
      FormatKey("title", .text, "The title of the app. By default it is made from the name."),
      FormatKey("summary", .text, "One line about the app, for the list of apps."),
      FormatKey("image", .string, "A square picture: a URL, or a path that begins with `/`."),
      FormatKey(
        "version", .integer(1...1_000_000_000),
        "The version of the app, 1 by default. Raise it with a change that sessions of older versions may meet."),
      FormatKey("carry", .list(.integer(1...1_000_000_000)), "The older versions whose sessions move to this version."),
      FormatKey(
        "language", .string, "The language of texts that the language of the session lacks; `en` by default."),
      FormatKey("root", .name("coordinator"), isRequired: true, "The coordinator with which a session begins."),
      FormatKey("coordinators", .map(of: "NAME", .object(coordinator)), isRequired: true, "The coordinators."),
      FormatKey("screens", .map(of: "NAME", .either([.object(screen), .null])), "The screens."),
      FormatKey("prompts", .map(of: "NAME", .object(prompt)), "The prompts."),
      FormatKey(
        "actions", .map(of: "NAME", .either([.object(sharedAction), .null])), "Actions that several screens offer."),
      FormatKey(
        "services", .map(of: "SERVICE", .map(of: "OPERATION", .object(operation))),
        "The operations of HTTP services. The operator of the host sets the address of each service."),
      FormatKey("types", .map(of: "NAME", .schema), "Schemas to which `$ref: \"#/types/NAME\"` refers."),
      FormatKey("signals", .map(of: "NAME", .either([.object(signal), .null])), "The signals that sessions wait for."),
      FormatKey(
        "links", .map(of: "PATH", .either([.list(.object(linkStep)), .object(link)])),
        "Deep links: a path with placeholders such as `/orders/{id}`, and the steps to its target."),
    ])

  static let coordinator = FormatObject(
    "coordinator", "A part of the flow, which decides which screen comes next.",
    [
      FormatKey(
        "input", .inputs, "The values that a coordinator is started with. That of the root is the input of a session."),
      FormatKey("state", .fields, "The values that the coordinator keeps. Each has a `default`."),
      FormatKey("result", .fields, "The values that `finish` returns to the coordinator that started this one."),
      FormatKey(
        "start", .commands, isRequired: true,
        "The commands at the start of the coordinator. They cannot `set` the state, which begins with its defaults."),
      FormatKey("steps", .map(of: "NAME", .commands), "Lists of commands that `do` runs."),
      FormatKey(
        "handles", .map(of: "ACTION", .either([.commands, .object(handler)])),
        "The actions of its own screens and prompts, and those of its descendants that they do not handle."),
      FormatKey(
        "outcomes", .map(of: "SERVICE.OPERATION", .object(outcome)),
        "What follows the operations that the coordinator performs."),
      FormatKey(
        "timers", .map(of: "NAME", .either([.commands, .object(timer)])),
        "The events that the coordinator schedules for itself."),
      FormatKey("signals", .map(of: "SIGNAL", .commands), "The signals that the coordinator waits for."),
      FormatKey("finished", .map(of: "COORDINATOR", .commands), "What follows the result of a child."),
      FormatKey("cancelled", .map(of: "COORDINATOR", .commands), "What follows the end of a child without a result."),
      FormatKey(
        "carried", .commands,
        "What follows the move of a session from the version `from` of the flow, which `carry` names."),
      FormatKey(
        "guards", .list(.object(guarding)),
        "Conditions for coordinators and screens. Until one holds, `otherwise` runs in their place."),
      FormatKey(
        "fills", .map(of: "SCREEN", .map(of: "PROPERTY", .value)),
        "The data that the coordinator knows, whenever the screen is shown."),
    ])

  static let handler = FormatObject(
    "handler", "The handler of an action that is not always available.",
    [
      FormatKey("do", .commands, isRequired: true, "The commands."),
      FormatKey("enabled", .expression("bool"), "Whether the action is available. People see it with the `reason`."),
      FormatKey("reason", .text, "The reason why the action is not available; by default a text of the service."),
      FormatKey("hidden", .expression("bool"), "Whether people do not see the action."),
    ])

  static let outcome = FormatObject(
    "outcome", "The two ends of an operation. One of them runs, exactly once.",
    [
      FormatKey("done", .commands, isRequired: true, "Runs with the response as `output`."),
      FormatKey("failed", .commands, isRequired: true, "Runs after the last attempt, with `failure`."),
    ])

  static let timer = FormatObject(
    "timer", "A timer with an input.",
    [
      FormatKey("input", .fields, isRequired: true, "The values that `schedule` gives to the timer."),
      FormatKey("do", .commands, isRequired: true, "The commands."),
    ])

  static let guarding = FormatObject(
    "guard",
    "A condition for a coordinator or a screen, wherever this coordinator or one below it shows that.",
    [
      FormatKey("protects", .name("coordinator"), "The coordinator. Give either this or `screen`."),
      FormatKey("screen", .name("screen"), "The screen."),
      FormatKey("until", .expression("bool"), isRequired: true, "The condition."),
      FormatKey(
        "otherwise", .commands, isRequired: true,
        "Runs while the condition does not hold. The intent waits, and is carried out once it holds."),
    ])

  static let screen = FormatObject(
    "screen", "A screen: its data, its content and its actions.",
    [
      FormatKey(
        "title", .text, "The title, also an expression. By default it is made from the name: `sign-in` is “Sign in”."),
      FormatKey("data", .fields, "The properties, from the command that shows the screen or from `fills`."),
      FormatKey(
        "load", .map(of: "PROPERTY", .object(load)), "Properties that operations load. They are null until then."),
      FormatKey("content", .blocks, "The content for clients that draw any app."),
      FormatKey("actions", .map(of: "NAME", .either([.object(action), .null])), "The actions, in their order."),
      FormatKey(
        "leave", .either([.choice(["free", "sealed"]), .object(leaveQuestion)]),
        "Whether people may leave the screen: freely, never, or after a question."),
    ])

  static let leaveQuestion = FormatObject(
    "leave question", "The question before people leave a screen.",
    [
      FormatKey("confirm", .text, isRequired: true, "The question."),
      FormatKey("message", .text, "What happens then; by default a text of the service."),
      FormatKey("leave", .text, "The label of the button to leave; by default a text of the service."),
      FormatKey("stay", .text, "The label of the button to stay; by default a text of the service."),
    ])

  static let load = FormatObject(
    "load", "A property that an operation loads when the screen appears.",
    [
      FormatKey("perform", .name("service.operation"), isRequired: true, "The operation."),
      FormatKey("with", .map(of: "PARAMETER", .value), "Its parameters."),
      FormatKey("when", .expression("bool"), "Whether there is something to load yet."),
      FormatKey("fresh", .duration, "The time for which the data serves; 60s by default."),
      FormatKey("problem", .text, "The sentence after a failure; by default a text of the service."),
      FormatKey("data", .boolean, "Whether clients see the property in `data`; true by default."),
    ])

  static let sharedAction = FormatObject(
    "shared action", "An action with its input.",
    [
      FormatKey("title", .text, "The label. By default it is made from the name."),
      FormatKey(
        "role", .choice(["primary", "secondary", "destructive", "cancel"]), "The emphasis; `secondary` by default."),
      FormatKey("input", .inputs, "The fields of the form."),
    ])

  static let action = FormatObject(
    "action", "An action with its input.",
    sharedAction.keys + [
      FormatKey(
        "agreesTo", .expression("any"),
        "The values of the screen to which people agree with the action, such as a price.")
    ])

  static let promptAction = FormatObject(
    "action of a prompt", "An action with its input.", sharedAction.keys)

  static let prompt = FormatObject(
    "prompt", "An alert or a confirmation. While it is open, only its actions are available.",
    [
      FormatKey("title", .text, "The title. By default it is made from the name."),
      FormatKey("message", .text, "The message."),
      FormatKey("data", .fields, "The values that `ask` gives to the prompt."),
      FormatKey(
        "actions", .map(of: "NAME", .either([.object(promptAction), .null])), isRequired: true,
        "The buttons, in their order. A coordinator handles each: `close: []` only closes the prompt."),
    ])

  static let operation = FormatObject(
    "operation", "An operation of an HTTP service.",
    ["get", "post", "put", "patch", "delete"].map { method in
      FormatKey(
        method, .string, "The path of a \(method.uppercased()) request. `{name}` is a parameter. Give one method.")
    } + [
      FormatKey(
        "parameters", .fields,
        "The parameters. Those that are not in the path are the query of GET and DELETE, and the body of the others."),
      FormatKey("response", .schema, "The body of the response. Without it, the body is ignored."),
      FormatKey("timeout", .duration, "The time of one attempt; 10s by default."),
      FormatKey("retry", .object(retry), "The attempts after a failure that may pass."),
      FormatKey("shared", .duration, "The time for which a response serves all sessions."),
      FormatKey(
        "safe", .boolean,
        "Whether a repetition changes nothing at the backend, so that people may try it again without a key."),
    ])

  static let retry = FormatObject(
    "retry", "Attempts, and the pauses between them.",
    [
      FormatKey("times", .integer(1...1000), "The number of attempts; 5 by default."),
      FormatKey(
        "backoff", .duration, "The first pause, which doubles each time, and the longest: `200ms..30s` by default."),
    ])

  static let signal = FormatObject(
    "signal", "A message from outside, such as the confirmation of a payment.",
    [
      FormatKey("input", .inputs, "The fields of the message."),
      FormatKey("sender", .name("sender"), "The sender whose signature is required."),
    ])

  static let link = FormatObject(
    "link", "A deep link with declared fields.",
    [
      FormatKey("input", .inputs, "The fields. Those that are not in the path come from the query."),
      FormatKey("steps", .list(.object(linkStep)), isRequired: true, "The steps."),
    ])

  static let linkStep = FormatObject(
    "step of a link", "A step of a deep link, as a user would take it.",
    [
      FormatKey("tab", .name("coordinator"), "Selects the tab of this coordinator."),
      FormatKey("action", .name("action"), "Performs an action."),
      FormatKey("with", .map(of: "FIELD", .value), "The input of the action."),
    ])
}
