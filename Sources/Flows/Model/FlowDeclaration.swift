internal import YAML

/// The file `flow.yaml`, as it is written. Its names are not resolved.
struct FlowDeclaration {
  static let form = Form("flow", "An app: the file `flow.yaml`.", FlowDeclaration.init)
  /// The version of the format.
  static let formatVersion: Int64 = 1

  let app: YAMLKey?
  let title: TextModel?
  let summary: TextModel?
  let image: YAMLNode?
  let version: Int64
  /// The older versions whose sessions move to this one.
  let carriedVersions: [Placed<Int64>]
  let carries: Bool
  let language: YAMLKey?
  let rootCoordinator: YAMLKey?
  let coordinators: [CoordinatorModel]
  let screens: [ScreenModel]
  let prompts: [PromptModel]
  let sharedActions: [ActionModel]
  let operations: [OperationModel]
  let types: [YAMLNode.Entry]
  let signals: [SignalModel]
  let links: [LinkModel]

  init(_ keys: inout Keys) {
    _ = keys("usher", .integer(1...Self.formatVersion), isRequired: true, "The version of the format: 1.")
    app = keys("app", .name("app"), isRequired: true, "The name of the app, unique in the service.")
    title = keys("title", .text, "The title of the app. By default it is made from the name.")
    summary = keys("summary", .text, "One line about the app, for the list of apps.")
    image = keys("image", .string, "A square picture: a URL, or a path that begins with `/`.")
    version =
      keys(
        "version", .integer(1...1_000_000_000),
        "The version of the app, 1 by default. Raise it with a change that sessions of older versions may meet.") ?? 1
    carriedVersions = keys(
      "carry", .list(.placed(.integer(1...1_000_000_000))), "The older versions whose sessions move to this version.")
    carries = keys.mark(of: "carry") != nil
    language =
      keys(
        "language", .string, "The language of texts that the language of the session lacks; `en` by default.")?.key
    rootCoordinator = keys(
      "root", .name("coordinator"), isRequired: true, "The coordinator with which a session begins.")
    coordinators = keys(
      "coordinators", .models(of: "NAME", .object(CoordinatorModel.form)), isRequired: true, "The coordinators.")
    screens = keys("screens", .models(of: "NAME", .object(orNull: ScreenModel.form)), "The screens.")
    prompts = keys("prompts", .models(of: "NAME", .object(PromptModel.form)), "The prompts.")
    sharedActions = keys(
      "actions", .models(of: "NAME", .object(orNull: ActionModel.shared, isKept: true)),
      "Actions that several screens offer.")
    let services = keys(
      "services", .map(of: "SERVICE", .models(of: "OPERATION", .object(OperationModel.form))),
      "The operations of HTTP services. The operator of the host sets the address of each service.")
    operations = services.flatMap { service in
      (service.value ?? []).map { OperationModel($0, of: service.name) }
    }
    let types = keys("types", .map(of: "NAME", .schema), "Schemas to which `$ref: \"#/types/NAME\"` refers.")
    self.types = types.compactMap { type in
      type.value.flatMap { $0.entries == nil ? nil : YAMLNode.Entry(key: type.name, value: $0) }
    }
    signals = keys(
      "signals", .models(of: "NAME", .object(orNull: SignalModel.form)), "The signals that sessions wait for.")
    links = keys(
      "links",
      .models(
        of: "PATH",
        .either(
          .made(of: .list(.object(LinkStepModel.form, isKept: true))) { LinkModel(pattern: $0, steps: $1) },
          .object(LinkModel.form))),
      "Deep links: a path with placeholders such as `/orders/{id}`, and the steps to its target.")
  }
}

extension FlowDeclaration {
  /// Reads the root of a file; nil for a root that is not a mapping.
  init?(_ root: YAMLNode, _ reader: FormatReader) {
    let source = FormatSource(node: root, name: YAMLKey(name: "flow", mark: root.mark), owner: "the flow", reader)
    guard let declaration = reader.read(source, .object(Self.form)) else { return nil }
    self = declaration
  }
}
