internal import Navigation
internal import Values
internal import YAML

/// A compiler of the declarations of a flow to those of an app, which reports every fault and goes on after each.
///
/// Each part is compiled by a compiler with its own state.
final class FlowCompiler {
  let model: FlowModel
  let texts: FlowTexts
  let reach: FlowReach
  /// The names of the fields that histories and the console hide.
  let sensitiveFields: Set<String>
  /// The first names with characters that expressions read as operators, each of which is a fault already.
  let invalidNames: Set<String>
  var faults: [FlowFault] = []
  /// The number of names that were compared with wrong ones.
  var comparisonCount = 0
  /// The kinds of declarations of which the flow has none, but needs one.
  var missingKinds: Set<String> = []

  private(set) lazy var declared = DeclaredFields(self)
  private(set) lazy var templates = TemplateCompiler(self)
  private(set) lazy var schemas = SchemaCompiler(self)
  private(set) lazy var services = ServiceCompiler(self)
  private(set) lazy var screens = ScreenCompiler(self)
  private(set) lazy var links = LinkCompiler(self)
  private(set) lazy var commands = CommandCompiler(self)
  private(set) lazy var handlers = HandlerCompiler(self)
  private(set) lazy var journeys = JourneyCompiler(self)
  private lazy var coordinators = CoordinatorCompiler(self)

  init(_ model: FlowModel, _ texts: FlowTexts, invalidNames: Set<String>) {
    (self.model, self.texts, self.invalidNames) = (model, texts, invalidNames)
    reach = FlowReach(model)
    sensitiveFields = model.sensitiveFields
  }

  /// Compiles all declarations. Without an error among the faults, the result is an app.
  func compile() -> App? {
    schemas.readTypes()
    declared.declare()
    services.compile()
    screens.compile()
    let coordinators = coordinators.compile()
    schemas.reportLimit()
    let root = declared.known(
      model.coordinators[model.rootCoordinator.name], "coordinator", model.rootCoordinator,
      among: model.coordinators.names)
    return root.map { app(coordinators, $0) }
  }

  private func app(_ coordinators: [CoordinatorDefinition], _ root: CoordinatorModel) -> App {
    let name = root.name.name
    let names = (declared.inputs[name] ?? FieldSet()).names
    let state = (declared.states[name] ?? FieldSet()).defaults
    for other in model.coordinators where other.name.name != name {
      for entry in other.input?.entries ?? [] { schemas.refuseAddress(of: entry.value) }
    }
    var app = App(
      model.name.name, title: templates.fixedText(model.title) ?? Text(model.name.name.asTitle),
      input: schemas.inputSchema(root.input, hasAddress: true), coordinators: coordinators,
      makeRoot: { value in
        try Value(members: names.map { ($0, value[$0] ?? .null) } + state)
      })
    app.summary = templates.fixedText(model.summary)
    app.image = templates.image(model.image)
    app.version = Int(model.version)
    app.tabTitles = commands.tabTitles.compactMapValues(\.self)
    app.schemaPartCount = schemas.partCount
    app.givesResumeAddresses = model.coordinators.contains { $0.commands.contains(where: \.givesResumeAddress) }
    app.links = model.links.compactMap { links.compile($0) }
    return app
  }
}
