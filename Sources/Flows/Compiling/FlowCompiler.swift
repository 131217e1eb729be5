internal import Navigation
internal import Values
internal import YAML

/// A compiler of the declarations of a flow to those of an app. It reports every fault, and goes on after each.
struct FlowCompiler {
  private let flow: FlowContext
  private let declared: DeclaredFields
  private let templates: TemplateCompiler
  private let schemas: SchemaCompiler
  private let services: ServiceCompiler
  private let screens: ScreenCompiler
  private let links: LinkCompiler
  private let commands: CommandCompiler

  init(_ model: FlowModel, _ texts: FlowTexts) {
    flow = FlowContext(model, texts)
    declared = DeclaredFields(flow)
    templates = TemplateCompiler(flow, declared)
    schemas = SchemaCompiler(flow, templates)
    services = ServiceCompiler(flow, templates, schemas)
    screens = ScreenCompiler(flow, templates, schemas, services, declared)
    links = LinkCompiler(flow, templates, schemas, screens)
    commands = CommandCompiler(flow, templates, declared, services, screens, links)
  }

  var faults: [FlowFault] { flow.faults }

  /// The keys of texts that the flow names.
  var usedTexts: Set<String> { templates.usedTexts }

  /// Compiles all declarations. Without an error among the faults, the result is an app.
  func compile() -> App? {
    let model = flow.model
    schemas.readTypes()
    declared.declare(schemas)
    services.compile()
    screens.compile()
    // After the screens, whose actions the coordinators handle.
    let compiler = CoordinatorCompiler(flow, templates, declared, services, screens, commands)
    let root = model.coordinator(model.rootCoordinator.name)
    // The root comes first.
    let others = model.coordinators.filter { $0.name.name != model.rootCoordinator.name }
    let coordinators = (model.coordinators.filter { $0.name.name == model.rootCoordinator.name } + others)
      .map { compiler.compile($0) }
    schemas.reportLimit()
    guard let root else {
      flow.unknown("coordinator", model.rootCoordinator, among: model.coordinators.map(\.name.name))
      return nil
    }
    return app(coordinators, root)
  }

  private func app(_ coordinators: [CoordinatorDefinition], _ root: CoordinatorModel) -> App {
    let (model, declaration, name) = (flow.model, flow.model.declaration, root.name.name)
    let names = (declared.inputs[name] ?? FieldSet()).names
    let state = FieldValues(
      (declared.states[name] ?? FieldSet()).fields.map { field in
        (field.name.name, .constant(field.defaultValue ?? .null))
      })
    var app = App(
      model.name.name, title: templates.fixedText(declaration.title) ?? Text(model.name.name.asTitle),
      input: schemas.inputSchema(root.input, of: nil), coordinators: coordinators,
      makeRoot: { value in
        let given = names.map { ($0, value[$0] ?? .null) }
        return try Value(members: given + (try state.value(Scope(.emptyObject))).members.map { ($0.key, $0.value) })
      })
    app.summary = templates.fixedText(declaration.summary)
    app.image = templates.image(declaration.image)
    app.version = Int(declaration.version)
    app.tabTitles = commands.tabTitles.compactMapValues(\.self)
    app.schemaPartCount = schemas.partCount
    app.links = model.links.compactMap { links.compile($0) }
    return app
  }
}
