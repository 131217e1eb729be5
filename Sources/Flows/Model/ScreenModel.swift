internal import YAML

/// A screen: its data, its content and its actions.
struct ScreenModel: ActionPlace {
  static let form = Form("screen", "A screen: its data, its content and its actions.", ScreenModel.init)

  let name: YAMLKey
  let title: TextModel?
  let data: YAMLNode?
  let loads: [LoadModel]
  let content: [BlockModel]
  let actions: [ActionModel]
  let leave: LeaveModel?

  init(_ keys: inout Keys) {
    name = keys.name
    title = keys(
      "title", .text, "The title, also an expression. By default it is made from the name: `sign-in` is “Sign in”.")
    data = keys("data", .fields, "The properties, from the command that shows the screen or from `fills`.")
    loads = keys(
      "load", .models(of: "PROPERTY", .object(LoadModel.form)),
      "Properties that operations load. They are null until then.")
    content = keys("content", .blocks, "The content for clients that draw any app.")
    actions = keys(
      "actions", .models(of: "NAME", .object(orNull: ActionModel.onScreen, isKept: true)),
      "The actions, in their order.")
    leave = keys(
      "leave", .either(.policy, .made(of: .object(LeaveQuestionModel.form)) { .question($1) }),
      "Whether people may leave the screen: freely, never, or after a question.")
  }

  /// Whether people cannot leave the screen.
  var isSealed: Bool { if case .policy("sealed") = leave { true } else { false } }
}

/// Whether people may leave a screen.
enum LeaveModel {
  case policy(String)
  case question(LeaveQuestionModel)
}

extension Format where Value == LeaveModel {
  fileprivate static var policy: Format { made(of: .choice(["free", "sealed"])) { .policy($1) } }
}

struct LeaveQuestionModel {
  static let form = Form("leave question", "The question before people leave a screen.", LeaveQuestionModel.init)

  let question: TextModel?
  let message: TextModel?
  let leave: TextModel?
  let stay: TextModel?

  init(_ keys: inout Keys) {
    question = keys("confirm", .text, isRequired: true, "The question.")
    message = keys("message", .text, "What happens then; by default a text of the service.")
    leave = keys("leave", .text, "The label of the button to leave; by default a text of the service.")
    stay = keys("stay", .text, "The label of the button to stay; by default a text of the service.")
  }
}

/// A property that an operation loads when the screen appears.
struct LoadModel {
  static let form = Form(
    "load", "A property that an operation loads when the screen appears.", LoadModel.init)

  let property: YAMLKey
  let operation: YAMLKey?
  let parameters: YAMLNode?
  let condition: YAMLNode?
  let freshness: Duration
  let problem: TextModel?
  let isData: Bool

  init(_ keys: inout Keys) {
    property = keys.name
    operation = keys("perform", .name("service.operation"), isRequired: true, "The operation.")
    parameters = keys("with", .values(of: "PARAMETER"), "Its parameters.")
    condition = keys("when", .expression("bool"), "Whether there is something to load yet.")
    freshness = keys("fresh", .duration, "The time for which the data serves; 60s by default.") ?? .seconds(60)
    problem = keys("problem", .text, "The sentence after a failure; by default a text of the service.")
    isData = keys("data", .boolean, "Whether clients see the property in `data`; true by default.") ?? true
  }
}

/// An alert or a confirmation.
struct PromptModel: ActionPlace {
  static let form = Form(
    "prompt", "An alert or a confirmation. While it is open, only its actions are available.", PromptModel.init)

  let name: YAMLKey
  let title: TextModel?
  let message: TextModel?
  let data: YAMLNode?
  let actions: [ActionModel]
  /// Whether the prompt has the required key `actions`.
  let declaresActions: Bool

  init(_ keys: inout Keys) {
    name = keys.name
    title = keys("title", .text, "The title. By default it is made from the name.")
    message = keys("message", .text, "The message.")
    data = keys("data", .fields, "The values that `ask` gives to the prompt.")
    actions = keys(
      "actions", .models(of: "NAME", .object(orNull: ActionModel.onPrompt, isKept: true)), isRequired: true,
      "The buttons, in their order. A coordinator handles each: `close: []` only closes the prompt.")
    declaresActions = keys.mark(of: "actions") != nil
  }
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
  static let onScreen = Form("action", "An action with its input.") { ActionModel(&$0, isOnScreen: true) }
  static let shared = Form("shared action", "An action with its input.") { ActionModel(&$0) }
  static let onPrompt = Form("action of a prompt", "An action with its input.") { ActionModel(&$0) }

  let name: YAMLKey
  /// Whether the action is declared here. Another one is declared elsewhere, or has no input and no title of its own.
  let isDeclared: Bool
  let title: TextModel?
  let role: String?
  let input: YAMLNode?
  let agreement: YAMLNode?

  private init(_ keys: inout Keys, isOnScreen: Bool = false) {
    name = keys.name
    isDeclared = keys.isMapping
    title = keys("title", .text, "The label. By default it is made from the name.")
    role = keys(
      "role", .choice(["primary", "secondary", "destructive", "cancel"]), "The emphasis; `secondary` by default.")
    input = keys("input", .inputs, "The fields of the form.")
    agreement =
      isOnScreen
      ? keys(
        "agreesTo", .expression("any"),
        "The values of the screen to which people agree with the action, such as a price.") : nil
  }
}
