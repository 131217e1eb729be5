internal import YAML

/// The file `flow.yaml`, as it is written. Its names are not resolved.
struct FlowDeclaration {
  static let form = Form("flow", "An app: the file `flow.yaml`.", FlowDeclaration.init)
  /// The version of the format.
  static let formatVersion: Int64 = 1

  private let format = key(
    "usher", .integer(1...Self.formatVersion), isRequired: true, "The version of the format: 1.")
  let app = key("app", .name("app"), isRequired: true, "The name of the app, unique in the service.")
  let title = key("title", .text, "The title of the app. By default it is made from the name.")
  let summary = key("summary", .text, "One line about the app, for the list of apps.")
  let image = key("image", .string, "A square picture: a URL, or a path that begins with `/`.")
  let version =
    key(
      "version", .integer(1...1_000_000_000),
      "The version of the app, 1 by default. Raise it with a change that sessions of older versions may meet.") ?? 1
  let carriedVersions = key(
    "carry", .list(.placed(.integer(1...1_000_000_000))), "The older versions whose sessions move to this version.")
  let carries = Keys.current.mark(of: "carry") != nil
  let language = key(
    "language", .string, "The language of texts that the language of the session lacks; `en` by default.")?.key
  let rootCoordinator = key(
    "root", .name("coordinator"), isRequired: true, "The coordinator with which a session begins.")
  let coordinators = key(
    "coordinators", .models(of: "NAME", .object(CoordinatorModel.form)), isRequired: true, "The coordinators.")
  let screens = key("screens", .models(of: "NAME", .object(orNull: ScreenModel.form)), "The screens.")
  let prompts = key("prompts", .models(of: "NAME", .object(PromptModel.form)), "The prompts.")
  let sharedActions = key(
    "actions", .models(of: "NAME", .object(orNull: ActionModel.shared, isKept: true)),
    "Actions that several screens offer.")
  let operations = key(
    "services", .map(of: "SERVICE", .models(of: "OPERATION", .object(OperationModel.form))),
    "The operations of HTTP services. The operator of the host sets the address of each service."
  ).flatMap { service in (service.value ?? []).map { $0.of(service.name) } }
  let types = key("types", .map(of: "NAME", .schema), "Schemas to which `$ref: \"#/types/NAME\"` refers.")
    .compactMap { type in
      type.value.flatMap { $0.entries == nil ? nil : YAMLNode.Entry(key: type.name, value: $0) }
    }
  let signals = key(
    "signals", .models(of: "NAME", .object(orNull: SignalModel.form)), "The signals that sessions wait for.")
  let links = key(
    "links",
    .models(
      of: "PATH",
      .object(LinkModel.form, or: .list(.object(LinkStepModel.form, isKept: true)), \.steps)),
    "Deep links: a path with placeholders such as `/orders/{id}`, and the steps to its target.")
}
