internal import CEL
internal import Navigation
internal import Values
internal import YAML

/// An action with the type of its input.
struct CompiledAction {
  let action: ActionDefinition
  let fields: FieldSet

  var inputType: CEL.ValueType { fields.objectType(named: "input") }
}

/// A limit of a field that an expression gives.
struct CompiledLimit<Result>: Sendable {
  let expression: CompiledExpression
  let make: @Sendable (Scope) throws -> Result
}

/// A screen or a prompt.
struct CompiledOwner<Definition> {
  let definition: Definition
  let data: FieldSet
  /// The actions in their order, as in the model.
  let actions: [CompiledAction]
}

typealias CompiledScreen = CompiledOwner<ScreenDefinition>
typealias CompiledPrompt = CompiledOwner<PromptDefinition>

/// A compiler of screens, prompts and actions.
final class ScreenCompiler: PartCompiler {
  private(set) var screens: [String: CompiledScreen] = [:]
  private(set) var prompts: [String: CompiledPrompt] = [:]
  /// The actions that top-level `actions` declare.
  private(set) var sharedActions: [String: CompiledAction] = [:]
  /// The actions of all screens by their names.
  private(set) var screenActions: [String: [CompiledAction]] = [:]
  /// The properties that coordinators fill in, by the screen.
  private(set) lazy var boundProperties = Dictionary(
    model.coordinators.flatMap(\.bindings).map { ($0.name.name, Set(($0.value?.entries ?? []).map(\.key.name))) }
  ) { $0.union($1) }

  func compile() {
    for action in model.sharedActions { sharedActions[action.name.name] = compile(action) }
    for screen in model.screens {
      let compiled = compile(screen)
      screens[screen.name.name] = compiled
      for action in compiled.actions { screenActions[action.action.name, default: []].append(action) }
    }
    for prompt in model.prompts { prompts[prompt.name.name] = compile(prompt) }
  }

  private func compile(_ model: ScreenModel) -> CompiledScreen {
    let name = model.name.name
    let data = declared.screenData[name] ?? FieldSet()
    let today = NotedVariable.today
    var types = types(of: model, data)
    types.noted = today
    let actions = model.actions.map { compile($0, isOnScreen: true) }
    let (policy, question) = leaving(model.leave)
    let title: ScreenTitle =
      switch templates.title(model.title, of: model.name, types) {
      case .fixed(let text): .fixed(text)
      case .made(let make): .made { try make(Scope($0.encoding)) }
      }
    let content = blocks(model.content, types, of: name, actions)
    let declared = zip(model.actions, actions).filter { $0.0.isDeclared }
    let screen = ScreenDefinition(
      schema(of: model, data), title: title, actions: actions.map(\.action), leavePolicy: policy,
      leaveQuestion: question, loads: loads(model, types),
      limits: declared.flatMap { choices($0, $1, types) + bounds($0, $1, types) },
      agreements: declared.compactMap { agreement($0, $1, types) },
      prefills: declared.compactMap { prefill($0, $1, types) }, readsToday: today.isRead,
      content: { data in
        let scope = Scope(data.encoding)
        return try content.flatMap { try $0(scope) }
      })
    return CompiledScreen(definition: screen, data: data, actions: actions)
  }

  /// Compiles the content of a page of a journey, which has no actions of its own.
  func contentOfPage(_ models: [BlockModel], _ types: ScopeTypes) -> @Sendable (Scope) throws -> [Block] {
    let content = blocks(models, types, of: "of a journey", [])
    return { scope in try content.flatMap { try $0(scope) } }
  }

  /// The variables of a screen: its data, and what it loads.
  private func types(of model: ScreenModel, _ data: FieldSet) -> ScopeTypes {
    var types = ScopeTypes(of: data)
    for load in model.loads where data[load.property.name] == nil {
      let output = load.operation.flatMap { services.operations[$0.name]?.output } ?? .dyn
      let response = load.operation.flatMap { self.model.operations[$0.name]?.response }
      types = types.with(load.property.name, output.orNull, response.map { .schema($0) })
    }
    return types
  }

  /// Returns the types of the properties of a screen, with those that it loads.
  func dataTypes(of screen: String) -> [String: CEL.ValueType] {
    guard let screen = self.model.screens[screen] else { return [:] }
    return types(of: screen, declared.screenData[screen.name.name] ?? FieldSet()).variables
  }

  /// The adaptation of the data of another version. A property that is filled in needs no stored value, and one that is
  /// loaded is loaded again.
  private func schema(of model: ScreenModel, _ data: FieldSet) -> SchemaDefinition {
    let filled = boundProperties[model.name.name] ?? []
    let given = FieldSet(data.filter { !filled.contains($0.name.name) || $0.defaultValue != nil })
    let loaded = model.loads.map { ($0.property.name, Value.null) }
    return SchemaDefinition(model.name.name) { try Value(members: try given.adapted($0) + loaded) }
  }

  private func leaving(_ model: LeaveModel?) -> (LeavePolicy, LeaveQuestion) {
    switch model {
    case .question(let model):
      let question = LeaveQuestion(
        templates.fixedText(model.question), message: templates.fixedText(model.message),
        leave: templates.fixedText(model.leave),
        stay: templates.fixedText(model.stay))
      return (.confirm, question)
    case .policy(let policy): return (policy, LeaveQuestion())
    case nil: return (.free, LeaveQuestion())
    }
  }

  private func loads(_ model: ScreenModel, _ types: ScopeTypes) -> [LoadDefinition] {
    model.loads.compactMap { load in
      if declared.screenData[model.name.name]?[load.property.name] != nil {
        fault(load.property.mark, "The data has a property \(load.property.name) too. Rename one of them.")
      } else if load.property.name == Value.today {
        fault(load.property.mark, "The name today is that of a variable of its own. Choose another one.")
      }
      guard let name = load.operation, let operation = services.operation(name) else { return nil }
      let when = load.condition.flatMap { templates.expression($0, types, expecting: .bool) }
      let parameters = services.parameters(
        load.parameters, of: operation, name, types.assuming(when, at: load.condition, is: true))
      return LoadDefinition(
        load.property.name, freshness: load.freshness, problem: templates.fixedText(load.problem), isData: load.isData,
        effect: EffectReference(operation.effect),
        request: { data in
          let scope = Scope(data.encoding)
          if let when, !(try when.isTrue(scope)) { return nil }
          return try ServiceCall.input(try parameters.value(scope), callbacks: [], at: name.mark)
        })
    }
  }

  private func compile(_ model: PromptModel) -> CompiledPrompt {
    let name = model.name.name
    let data = declared.promptData[name] ?? FieldSet()
    let today = NotedVariable.today
    var types = ScopeTypes(of: data)
    types.noted = today
    let actions = model.actions.map { compile($0) }
    let title = templates.title(model.title, of: model.name, types)
    let message = templates.text(model.message, types) ?? .fixed("")
    let prompt = PromptDefinition(
      data.schema(named: name), actions: actions.map(\.action), readsToday: today.isRead,
      texts: { values in
        let scope = Scope(values)
        return (try title.text(scope), try message.text(scope))
      })
    return CompiledPrompt(definition: prompt, data: data, actions: actions)
  }

  /// - Parameter isOnScreen: whether a screen declares the action.
  private func compile(_ model: ActionModel, isOnScreen: Bool = false) -> CompiledAction {
    let name = model.name.name
    if !model.isDeclared, let shared = sharedActions[name] { return shared }
    let fields = schemas.fields(model.input, isForm: true)
    let action = ActionDefinition(
      name, title: templates.fixedTitle(model.title, of: model.name),
      role: model.role ?? .secondary,
      fields: FieldDeclarations(schema: schemas.inputSchema(model.input, isOnScreen: isOnScreen, isShown: true)))
    return CompiledAction(action: action, fields: schemas.withoutFaultyTypes(fields))
  }

  // MARK: Inputs that depend on the data

  private func agreement(_ model: ActionModel, _ action: CompiledAction, _ types: ScopeTypes) -> ActionValue? {
    guard let agreed = model.agreement else { return nil }
    let template = templates.template(agreed, types, expecting: .dyn, "agreesTo")
    return ActionValue(action.action.key) { try template.value(Scope($0.encoding)) }
  }

  private func choices(_ model: ActionModel, _ action: CompiledAction, _ types: ScopeTypes) -> [ScreenLimitDefinition] {
    (model.input?.entries ?? []).compactMap { field in
      guard let choices = choices(of: field, types)?.make else { return nil }
      return ScreenLimitDefinition(
        field.key.name, of: action.action.key,
        .choices(isListed: field.value["listed"]?.boolean ?? true) { try choices(Scope($0.encoding)) })
    }
  }

  /// Compiles the choices of a field that an expression gives.
  func choices(of field: YAMLNode.Entry, _ types: ScopeTypes) -> CompiledLimit<[Choice]>? {
    guard let choices = field.value["choices"] else { return nil }
    guard choices.expression != nil else {
      fault(
        choices.mark,
        "The value is \(choices.kindName), where an expression is expected. Write known choices under enum.")
      return nil
    }
    guard let expression = templates.expression(choices, types, expecting: .list(.dyn)) else { return nil }
    let isNumber = FieldSource(field, types: schemas.typeNodes).typeName == "integer"
    checkChoices(expression, choices, isNumber: isNumber)
    return CompiledLimit(expression: expression) {
      try expression.list($0).map { try Choice($0, isNumber: isNumber, at: expression.mark) }
    }
  }

  private func bounds(_ model: ActionModel, _ action: CompiledAction, _ types: ScopeTypes) -> [ScreenLimitDefinition] {
    (model.input?.entries ?? []).compactMap { field in
      let bounds = FormBound.allCases.compactMap { bound in
        self.bound(bound, of: field, action.fields[field.key.name]?.type, types).map { (bound, $0.make) }
      }
      if bounds.isEmpty { return nil }
      let (minimum, maximum) = (
        bounds.first { $0.0 == .minimum }?.1, bounds.first { $0.0 == .maximum }?.1
      )
      return ScreenLimitDefinition(
        field.key.name, of: action.action.key,
        .bounds { data in
          let scope = Scope(data.encoding)
          return (try minimum?(scope), try maximum?(scope))
        })
    }
  }

  /// Compiles a bound of a field that an expression gives.
  func bound(
    _ bound: FormBound, of field: YAMLNode.Entry, _ type: CEL.ValueType?, _ types: ScopeTypes
  ) -> CompiledLimit<Value?>? {
    let (name, keyword) = (field.key.name, bound.rawValue)
    let expression = field.value[keyword].flatMap {
      templates.expression($0, types, expecting: type?.orNull ?? .dyn)
    }
    guard let expression else { return nil }
    let format = field.value["format"]?.text.flatMap { TextFormat(rawValue: $0) }
    return CompiledLimit(expression: expression) { scope in
      let value = try expression.value(scope)
      if value.isNull { return nil }
      // Another value would let every input pass, or none.
      let isBound = format.map { $0.kind().faults(of: value).isEmpty } ?? (value.double != nil)
      if isBound { return value }
      throw FlowError(expression.mark, "The \(keyword) of \(name) is not a valid value of the field.")
    }
  }

  private func prefill(_ model: ActionModel, _ action: CompiledAction, _ types: ScopeTypes) -> ActionValue? {
    let initial = (model.input?.entries ?? []).compactMap { field -> NamedTemplate? in
      guard let value = field.value["initial"] else { return nil }
      let type = action.fields[field.key.name]?.type.orNull ?? .dyn
      return (field.key.name, templates.template(value, types, expecting: type, "initial"))
    }
    if initial.isEmpty { return nil }
    let values = Template.object(initial, omitsNull: true)
    return ActionValue(action.action.key) { try values.value(Scope($0.encoding)) }
  }

  /// - Parameter isNumber: whether the field is a whole number, and not a text.
  private func checkChoices(_ expression: CompiledExpression, _ node: YAMLNode, isNumber: Bool) {
    for keys in expression.program.keysOfElements {
      if let other = keys.first(where: { !["value", "title"].contains($0) }) {
        return fault(node.mark, "A choice has no \(other.shortened). Its keys are value and title.")
      }
      if !keys.contains("value") { return fault(node.mark, "A choice needs a value beside its title.") }
    }
    guard case .list(let element) = expression.program.type.withoutNull else { return }
    let value: CEL.ValueType = isNumber ? .int : .string
    switch element {
    case .dyn, .map: break
    case .object(let object) where object.fields["value"]?.type == value: break
    default: if element != value { fault(node.mark, Choice.fault(isNumber: isNumber)) }
    }
  }
}

/// A bound of a field that an expression may give, by its keyword.
enum FormBound: String, CaseIterable { case minimum, maximum }

extension Choice {
  fileprivate static func fault(isNumber: Bool) -> String {
    "A choice is \(isNumber ? "a whole number" : "a text"), or a mapping with a value and a title."
  }

  /// - Parameter isNumber: whether the field is a whole number, and not a text.
  /// - Throws: for a value that is neither one of the field nor a mapping with a `value`.
  fileprivate init(_ value: CEL.Value, isNumber: Bool, at mark: SourceMark) throws(FlowError) {
    guard case .map(let map) = value else {
      guard let constant = Self.constant(value, isNumber: isNumber) else {
        throw FlowError(mark, Self.fault(isNumber: isNumber))
      }
      self.init(value: constant)
      return
    }
    guard let constant = map["value"].flatMap({ Self.constant($0, isNumber: isNumber) }) else {
      throw FlowError(mark, "A choice has no value that is \(isNumber ? "a whole number" : "a text").")
    }
    if case .string(let title)? = map["title"] {
      self.init(value: constant, title: Text(title))
    } else {
      self.init(value: constant)
    }
  }

  private static func constant(_ value: CEL.Value, isNumber: Bool) -> Value? {
    switch value {
    case .string(let text) where !isNumber: Value(text)
    case .int(let number) where isNumber: Value(number)
    default: nil
    }
  }
}
