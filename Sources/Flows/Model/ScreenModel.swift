internal import Navigation
internal import YAML

/// A screen: its data, its content and its actions.
struct ScreenModel: ActionOwner {
  static let form = Form("screen", "A screen: its data, its content and its actions.", ScreenModel.init)

  let name = Keys.current.name
  let title = key(
    "title", .text, "The title, also an expression. By default it is made from the name: `sign-in` is “Sign in”.")
  let data = key("data", .fields, "The properties, from the command that shows the screen or from `fills`.")
  let loads = key(
    "load", .models(of: "PROPERTY", .object(LoadModel.form)),
    "Properties that operations load; null until then.")
  let content = key("content", .blocks, "The content for clients that draw any app.")
  let actions = key(
    "actions", .models(of: "NAME", .object(orNull: ActionModel.onScreen, isKept: true)),
    "The actions, in their order.")
  let leave = key(
    "leave", .either(.policy, .made(of: .object(LeaveQuestionModel.form)) { .question($1) }),
    "Whether people may leave the screen: freely, never, or after a question.")

  /// Whether people cannot leave the screen.
  var isSealed: Bool { if case .policy(.sealed) = leave { true } else { false } }
}

/// Whether people may leave a screen.
enum LeaveModel {
  case policy(LeavePolicy)
  case question(LeaveQuestionModel)
}

extension Format<LeaveModel> {
  fileprivate static var policy: Format { choice(["free": .policy(.free), "sealed": .policy(.sealed)]) }
}

struct LeaveQuestionModel {
  static let form = Form("leave question", "The question before people leave a screen.", LeaveQuestionModel.init)

  let question = key("confirm", .text, isRequired: true, "The question.")
  let message = key("message", .text, "The consequence of leaving; by default a text of the service.")
  let leave = key("leave", .text, "The label of the button to leave; by default a text of the service.")
  let stay = key("stay", .text, "The label of the button to stay; by default a text of the service.")
}

/// A property that an operation loads when the screen appears.
struct LoadModel {
  static let form = Form("load", "A property that an operation loads when the screen appears.", LoadModel.init)

  let property = Keys.current.name
  let operation = key("perform", .name("service.operation"), isRequired: true, "The operation.")
  let parameters = key("with", .values(of: "PARAMETER"), "Its parameters.")
  let condition = key("when", .expression("bool"), "Whether there is something to load yet.")
  let freshness = key("fresh", .duration, "The time for which the data serves; 60s by default.") ?? .seconds(60)
  let problem = key("problem", .text, "The sentence after a failure; by default a text of the service.")
  let isData = key("data", .boolean, "Whether clients see the property in `data`; true by default.") ?? true
}

/// An alert or a confirmation.
struct PromptModel: ActionOwner {
  static let form = Form(
    "prompt", "An alert or a confirmation. While it is open, only its actions are available.", PromptModel.init)

  let name = Keys.current.name
  let title = key("title", .text, "The title. By default it is made from the name.")
  let message = key("message", .text, "The message.")
  let data = key("data", .fields, "The values that `ask` gives to the prompt.")
  let actions = key(
    "actions", .models(of: "NAME", .object(orNull: ActionModel.onPrompt, isKept: true)), isRequired: true,
    "The buttons, in their order. A coordinator handles each: `close: []` only closes the prompt.")
  /// Whether the prompt has the required key `actions`.
  let declaresActions = Keys.current.mark(of: "actions") != nil
}

/// A screen or a prompt.
protocol ActionOwner {
  var name: YAMLKey { get }
  var actions: [ActionModel] { get }
}

extension Sequence where Element: ActionOwner {
  /// The names by which handlers name the actions: alone, and with the name of their screen or prompt.
  var offeredNames: Set<String> {
    Set(flatMap { owner in owner.actions.flatMap { [$0.name.name, "\(owner.name.name).\($0.name.name)"] } })
  }
}

struct ActionModel {
  static let onScreen = Form("action", "An action with its input.") {
    var action = ActionModel()
    action.agreement = key(
      "agreesTo", .expression("any"),
      "The values of the screen to which people agree with the action, such as a price.")
    return action
  }
  static let shared = Form("shared action", "An action with its input.") { ActionModel() }
  static let onPrompt = Form("action of a prompt", "An action with its input.") { ActionModel() }

  let name = Keys.current.name
  /// Whether the value is a mapping. An action that is null is the one in the top-level `actions`, or has its
  /// defaults.
  let isDeclared = Keys.current.isMapping
  let title = key("title", .text, "The label. By default it is made from the name.")
  let role: ActionRole? = key(
    "role",
    .choice(["primary": .primary, "secondary": .secondary, "destructive": .destructive, "cancel": .cancel]),
    "The emphasis; `secondary` by default.")
  let input = key("input", .inputs, "The fields of the form.")
  /// An action of a screen has this key.
  private(set) var agreement: YAMLNode?
}
