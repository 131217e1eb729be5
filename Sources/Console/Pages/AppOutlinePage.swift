internal import HTTPAPI
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

/// The declarations of an app, with the graph of its screens and of the steps that sessions took between them.
struct AppOutlinePage {
  let app: AppDefinition
  let observed: ObservedSteps
  let apps: [AppDefinition]
  /// The files of a flow; nil for an app in Swift.
  let source: DefinitionSource?
  /// The definitions of the app that sessions use.
  let definitions: [ListedDefinition]
  /// The address at which a browser starts a session; nil if the service does not know its own.
  let start: String?

  var response: Response { .console("outline", values) }

  private var values: TemplateValue {
    [
      "title": .text(app.title.string), "frame": .frame(apps, app: app.name), "name": .text(app.name),
      "version": .text("\(app.version)"), "creation": inputs(app.input), "observed": .text("\(observed.sessions)"),
      "scanned": .text("\(observed.scanned)"),
      "start": startAddress,
      "graph": ScreenGraph(of: app, observed.counts).templateValue,
      "definitions": source == nil ? nil : ["rows": .list(definitions.map(row))],
      "source": source.map { ["files": .list($0.files.map(file))] },
      "coordinators": .list(app.coordinators.map(row)), "screens": .list(app.screens.indices.map(screen)),
      "prompts": app.prompts.isEmpty
        ? nil : ["rows": .list(app.prompts.map { ["name": .text($0.name), "actions": actions($0.actions)] })],
      "links": app.links.isEmpty
        ? nil
        : [
          "rows": .list(
            app.links.map { link in
              [
                "pattern": .text(link.pattern.text), "steps": .text(link.stepNames.joined(separator: " › ")),
                "input": inputs(link.input),
              ]
            })
        ],
    ]
  }

  private var startAddress: TemplateValue? {
    start.map { ["address": .text($0), "code": QRCode.svg($0, label: "QR code of the start address")] }
  }

  private func row(_ coordinator: RegisteredCoordinator) -> TemplateValue {
    let guarded =
      coordinator.guardedScreens.map { app.screens[$0].name }
      + coordinator.guardedCoordinators.map { app.coordinators[$0].definition.name }
    return [
      "name": .text(coordinator.definition.name),
      "starts": .text(list(coordinator.startedCoordinators.map { app.coordinators[$0].definition.name })),
      "shows": .text(list(coordinator.shownScreens.map { app.screens[$0].name })),
      "asks": .text(list(coordinator.askedPrompts.map { app.prompts[$0].name })),
      "handles": .text(list(coordinator.handledActions.map { app.actions[$0].name })), "guards": .text(list(guarded)),
    ]
  }

  private func row(_ definition: ListedDefinition) -> TemplateValue {
    [
      "digest": .text("\(definition.digest)"), "version": .text("\(definition.version)"),
      "since": .text(definition.keptSince.text), "sessions": .text("\(definition.sessions)"),
      "isCurrent": .flag(definition.digest == source?.digest),
    ]
  }

  private func file(_ file: (path: String, bytes: [UInt8])) -> TemplateValue {
    [
      "path": .text(file.path), "text": .text(String(decoding: file.bytes, as: UTF8.self)),
      "isMain": .flag(file.path == "flow.yaml"),
    ]
  }

  private func screen(_ index: Int) -> TemplateValue {
    let screen = app.screens[index]
    let owners = app.coordinators.filter { $0.shownScreens.contains(index) }.map(\.definition.name)
    return [
      "name": .text(screen.name), "label": .text(screen.fixedTitle?.string), "owners": .text(list(owners)),
      "leaving": .text(screen.leavePolicy == .free ? nil : "\(screen.leavePolicy)"), "actions": actions(screen.actions),
    ]
  }

  private func actions(_ actions: [ActionDefinition]) -> TemplateValue {
    .list(actions.map { ["name": .text($0.name), "input": inputs($0.input)] })
  }

  /// Returns the fields with their types, such as `to string, amount integer`.
  private func inputs(_ input: InputSchema) -> TemplateValue? {
    .text(
      input.fields.isEmpty
        ? nil
        : input.fields.map { "\($0.name) \($0.kind.type)" + ($0.isRequired ? "" : "?") }.joined(separator: ", "))
  }

  private func list(_ names: [String]) -> String { names.withoutRepeats.joined(separator: ", ") }
}

extension [String] {
  /// The names without repetitions. Several actions may have the same name.
  var withoutRepeats: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
