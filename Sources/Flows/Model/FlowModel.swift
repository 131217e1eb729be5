internal import Navigation
internal import YAML

/// The file `flow.yaml`: the declarations of a flow by their names, as they are written.
final class FlowModel {
  static let form = Form("flow", "An app: the file `flow.yaml`.") { FlowModel() }
  /// The version of the format.
  static let formatVersion: Int64 = 1

  private let format = key(
    "usher", .integer(1...FlowModel.formatVersion), isRequired: true, "The version of the format: 1.")
  private let app = key("app", .name("app"), isRequired: true, "The name of the app, unique in the service.")
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
    "language", .string,
    "The language of texts that the language of the session lacks; `en` by default. Without `texts/`, the language of all "
      + "literals, and of the words of the service beside them.")?.key
  let timeZone = key(
    "timeZone", .string, "The time zone of sessions whose client names none, such as `Europe/Berlin`; UTC by default.")?
    .key
  let life = key("life", .object(LifeModel.form), "The lifetime of sessions. Without it, the operator chooses.")
  private let root = key(
    "root", .name("coordinator"), isRequired: true, "The coordinator with which a session begins.")
  let coordinators = Declarations(
    key("coordinators", .models(of: "NAME", .object(CoordinatorModel.form)), isRequired: true, "The coordinators."),
    by: \.name.name)
  let screens = Declarations(
    key("screens", .models(of: "NAME", .object(orNull: ScreenModel.form)), "The screens."), by: \.name.name)
  let prompts = Declarations(
    key("prompts", .models(of: "NAME", .object(PromptModel.form)), "The prompts."), by: \.name.name)
  let sharedActions = key(
    "actions", .models(of: "NAME", .object(orNull: ActionModel.shared, isKept: true)),
    "Actions that several screens offer.")
  let operations = Declarations(
    key(
      "services", .map(of: "SERVICE", .models(of: "OPERATION", .object(OperationModel.form))),
      "The operations of HTTP services. The operator of the host sets the address of each service."
    ).flatMap { service in (service.value ?? []).map { $0.of(service.name) } }, by: \.name)
  let types = key("types", .map(of: "NAME", .schema), "Schemas to which `$ref: \"#/types/NAME\"` refers.")
    .compactMap { type in
      type.value.flatMap { $0.entries == nil ? nil : YAMLNode.Entry(key: type.name, value: $0) }
    }
  let signals = Declarations(
    key("signals", .models(of: "NAME", .object(orNull: SignalModel.form)), "The signals that sessions wait for."),
    by: \.name.name)
  let links = key(
    "links",
    .models(
      of: "PATH",
      .object(LinkModel.form, or: .list(.object(LinkStepModel.form, isKept: true)), \.steps)),
    "Deep links: a path with placeholders such as `/orders/{id}`, and the steps to its target.")
  /// The location of the file.
  let mark = Keys.current.mark
  let budget = Keys.current.budget

  /// Whether the flow has the names without which it cannot be compiled. Missing names are empty.
  var hasNames: Bool { app != nil && root != nil }
  var name: YAMLKey { app ?? YAMLKey(name: "", mark: mark) }
  var rootCoordinator: YAMLKey { root ?? YAMLKey(name: "", mark: mark) }

  /// The names of the fields with personal data.
  var sensitiveFields: Set<String> {
    let actions = screens.flatMap(\.actions) + prompts.flatMap(\.actions) + sharedActions
    let journeys = coordinators.compactMap(\.journey)
    let inputs =
      actions.map(\.input) + coordinators.map(\.input) + signals.map(\.input) + journeys.map(\.questions)
      + journeys.flatMap(\.lists).map(\.questions)
    return Set(
      inputs.flatMap { $0?.entries ?? [] }.filter { $0.value["sensitive"]?.boolean == true }.map(\.key.name))
  }

  func isCoordinator(_ name: String) -> Bool { coordinators[name] != nil }
}

/// The lifetime of sessions.
struct LifeModel {
  static let form = Form(
    "life", "The lifetime of sessions. The operator of the host may limit it with `--max-session-life`.", LifeModel.init
  )

  private let idle = key(
    "idle", .placed(.duration),
    "The time without a change by a client after which a session expires; without it, no change extends a session.")
  private let most = key(
    "most", .placed(.duration),
    "The time from the creation after which a session expires in any case; by default the maximum of the operator.")
  private let warning = key(
    "warning", .placed(.duration),
    "The time before the end from which clients warn, `20s` to `1d`; a tenth of `idle` by default.")
  private let mark = Keys.current.name.mark

  var declared: DeclaredLife { DeclaredLife(idle: idle?.value, most: most?.value, warning: warning?.value) }

  /// The fault of the times; nil for valid ones.
  var fault: FlowFault? {
    declared.fault.map { fault in
      let place =
        switch fault.member {
        case .idle: idle?.mark
        case .most: most?.mark
        case .warning: warning?.mark
        case nil: nil as SourceMark?
        }
      return FlowFault(place ?? mark, fault.sentence)
    }
  }
}
