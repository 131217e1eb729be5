internal import CEL
internal import JSONSchema
internal import Navigation
internal import Suggestions
internal import Values

/// A compiler of the declarations of a flow to those of an app. It reports every fault, and goes on after each.
struct FlowCompiler {
  let model: FlowModel
  let texts: FlowTexts
  let reach: FlowReach
  var faults: [FlowFault] = []

  /// The keys of texts that the flow names.
  var usedTexts: Set<String> = []
  /// The places of schemas with a fault, which cause no other faults.
  var faultySchemas: Set<SourceMark> = []

  /// The first schema that is too large or too deep with the types that it refers to.
  var limitFault: FlowFault?
  /// The titles of tabs by the names of their root coordinators; nil for several, or one that depends on values.
  var tabTitles: [String: Text?] = [:]

  /// The schemas that have been read.
  var readSchemas: [SchemaKey: (type: CEL.ValueType, schema: JSONSchema?)] = [:]

  /// The parts of all schemas that were read, each with the types to which it leads.
  var schemaPartCount = 0

  private var comparisonCount = 0

  /// The kinds of declarations of which the flow has none, but needs one.
  private var missingKinds: Set<String> = []

  /// The names of the fields that histories and the console hide.
  let sensitiveFields: Set<String>
  /// The schemas of `types`.
  let types: [String: Value]
  /// The nodes of those schemas.
  let typeNodes: [String: YAMLNode]
  private(set) var coordinatorInputs: [String: FieldSet] = [:]
  private(set) var coordinatorStates: [String: FieldSet] = [:]
  private(set) var coordinatorResults: [String: FieldSet] = [:]
  private(set) var screenData: [String: FieldSet] = [:]
  private(set) var promptData: [String: FieldSet] = [:]
  private(set) var timerInputs: [String: FieldSet] = [:]
  /// The timers with several inputs.
  private(set) var faultyTimers: Set<String> = []
  var operations: [String: CompiledOperation] = [:]
  var signals: [String: CompiledSignal] = [:]
  var timers: [String: TimedEventDefinition] = [:]
  /// The actions that top-level `actions` declare.
  var sharedActions: [String: CompiledAction] = [:]
  var screens: [String: CompiledScreen] = [:]
  var prompts: [String: CompiledPrompt] = [:]
  /// The variables of each coordinator by its name, which many expressions share.
  var coordinatorTypes: [String: ScopeTypes] = [:]
  /// The steps by coordinator and name.
  var steps: [String: CompiledStep] = [:]

  /// The steps that are being compiled, each of which does the next one.
  var openSteps = 0

  /// The places of the commands that were checked as those of events.
  var checkedInEvents: Set<SourceMark> = []
  var checkedForFailures: Set<SourceMark> = []

  enum CompiledStep {
    case inProgress
    case compiled([CompiledCommand])
  }

  /// The properties that coordinators fill in, by the screen.
  let filledProperties: [String: Set<String>]
  /// The first operation of each name of an effect.
  let effectOperations: [String: OperationModel]
  /// The actions of all screens by their names.
  var screenActions: [String: [CompiledAction]] = [:]
  var offersByName: [String: [Offer]] = [:]
  var offersByAction: [ObjectIdentifier: [Offer]] = [:]
  /// The coordinators that show a screen or ask a prompt, and all above them, by its name.
  var coordinatorsAbove: [String: Set<String>] = [:]
  /// The summaries of the steps, by coordinator and name.
  var stepSummaries: [String: StepSummary] = [:]

  init(_ model: FlowModel, _ texts: FlowTexts) {
    self.model = model
    self.texts = texts
    reach = FlowReach(model)
    sensitiveFields = model.sensitiveFields
    typeNodes = Dictionary(model.types.map { ($0.key.name, $0.value) }) { first, _ in first }
    types = typeNodes.mapValues(\.value)
    let fills = model.coordinators.flatMap(\.fills).map { fill in
      (fill.name.name, Set((fill.value?.entries ?? []).map(\.key.name)))
    }
    filledProperties = Dictionary(fills) { $0.union($1) }
    effectOperations = Dictionary(model.operations.map { ($0.effectName, $0) }) { first, _ in first }
  }

  mutating func fault(_ mark: SourceMark, _ message: String, severity: FlowFault.Severity = .error) {
    faults.append(FlowFault(mark, message, severity: severity))
  }

  /// The number of names that may be compared with wrong ones.
  private static let maximumComparisons = 1_000_000

  /// Returns the name that a wrong one was probably meant to be. A file full of wrong names has no more proposals at
  /// its end.
  mutating func similar(_ name: String, among names: some Collection<String>) -> String? {
    comparisonCount += names.count
    return comparisonCount <= Self.maximumComparisons ? nearest(name, among: names) : nil
  }

  mutating func warn(_ mark: SourceMark, _ message: String) { fault(mark, message, severity: .warning) }

  /// Reports a name that is not declared.
  mutating func unknown(_ kind: String, _ name: YAMLKey, among names: [String]) {
    if reportExpression(name) { return }
    // One fault is enough for declarations that are all missing.
    if names.isEmpty, !missingKinds.insert(kind).inserted { return }
    let advice =
      similar(name.name, among: names).map { "Did you mean \($0)?" }
      ?? (names.isEmpty ? "The flow has none." : "There \(names.count == 1 ? "is" : "are") \(names.enumerated).")
    fault(name.mark, "There is no \(kind) \(name.name.shortened). \(advice)")
  }

  /// Reports an expression in place of a name. Returns whether there is one.
  private mutating func reportExpression(_ name: YAMLKey) -> Bool {
    guard name.name.hasPrefix("=") else { return false }
    fault(name.mark, "This is an expression, where a name is expected. Write the name without =.")
    return true
  }

  /// Reports a name that a declaration does not have.
  ///
  /// - Parameter advice: what to do if no name is similar; by default the names that there are.
  mutating func unknown(
    _ kind: String, _ name: YAMLKey, of owner: String, among names: [String], _ advice: String? = nil
  ) {
    if reportExpression(name) { return }
    let advice =
      similar(name.name, among: names).map { "Did you mean \($0)?" } ?? advice
      ?? (names.isEmpty ? "It has none." : "It has \(names.enumerated).")
    fault(name.mark, "The \(owner) has no \(kind) \(name.name.shortened). \(advice)")
  }

  /// Compiles all declarations. Without an error among the faults, the result is an app.
  mutating func compile() -> App? {
    for type in model.types { _ = schema(type.value, named: type.key.name, at: type.value.mark) }
    // The faults of types are reported at the type, but a long or endless chain of references has no such place.
    if faults.isEmpty, let limitFault { faults.append(limitFault) }
    if faults.isEmpty, let circle = model.types.first(where: { faultySchemas.contains($0.value.mark) }) {
      fault(circle.key.mark, "The type \(circle.key.name) is nothing but a reference to itself. Write its schema.")
    }
    declare()
    for operation in model.operations { operations[operation.name] = compile(operation) }
    for signal in model.signals { signals[signal.name.name] = compile(signal) }
    for action in model.sharedActions { sharedActions[action.name.name] = compile(action, of: nil) }
    for screen in model.screens {
      let compiled = compile(screen)
      screens[screen.name.name] = compiled
      for action in compiled.actions { screenActions[action.action.name, default: []].append(action) }
    }
    for prompt in model.prompts { prompts[prompt.name.name] = compile(prompt) }
    noteOffers()
    let coordinators = ordered(model.coordinators).map { compile($0) }
    if faults.isEmpty, let limitFault { faults.append(limitFault) }
    guard let root = model.coordinator(model.rootCoordinator.name) else {
      unknown("coordinator", model.rootCoordinator, among: model.coordinators.map(\.name.name))
      return nil
    }
    return app(coordinators, root)
  }

  /// The coordinators with the root first.
  private func ordered(_ coordinators: [CoordinatorModel]) -> [CoordinatorModel] {
    let root = model.rootCoordinator.name
    return coordinators.filter { $0.name.name == root } + coordinators.filter { $0.name.name != root }
  }

  private mutating func app(_ coordinators: [CoordinatorDefinition], _ root: CoordinatorModel) -> App {
    let name = root.name.name
    let input = coordinatorInputs[name] ?? FieldSet()
    let state = FieldValues(
      (coordinatorStates[name] ?? FieldSet()).fields.map { field in
        (field.name.name, .constant(field.defaultValue ?? .null))
      })
    let names = input.names
    let title = fixedText(model.declaration.title) ?? Text(model.name.name.asTitle)
    var app = App(
      model.name.name, title: title, input: inputSchema(root.input, of: nil), coordinators: coordinators,
      makeRoot: { value in
        let given = names.map { ($0, value[$0] ?? .null) }
        return try Value(members: given + (try state.value(Scope(.emptyObject))).members.map { ($0.key, $0.value) })
      })
    app.summary = fixedText(model.declaration.summary)
    app.image = image(model.declaration.image)
    app.version = Int(model.declaration.version)
    app.tabTitles = tabTitles.compactMapValues(\.self)
    app.schemaPartCount = schemaPartCount
    app.links = model.links.compactMap { compile($0) }
    return app
  }

  /// Reads the fields of all declarations, which others refer to.
  private mutating func declare() {
    for coordinator in model.coordinators {
      let name = coordinator.name.name
      coordinatorInputs[name] = fields(coordinator.input, isForm: true, reserving: true)
      coordinatorStates[name] = fields(coordinator.state, reserving: true, needsDefaults: true)
      coordinatorResults[name] = fields(coordinator.result)
      for field in coordinatorStates[name]?.fields ?? [] where coordinatorInputs[name]?[field.name.name] != nil {
        fault(field.name.mark, "The input of the coordinator has the name \(field.name.name) too. Rename one of them.")
      }
      for timer in coordinator.timers { declare(timer) }
    }
    for screen in model.screens { screenData[screen.name.name] = fields(screen.data) }
    for prompt in model.prompts { promptData[prompt.name.name] = fields(prompt.data) }
  }

  private mutating func declare(_ timer: TimerModel) {
    let input = fields(timer.input)
    let name = timer.name.name
    if let known = timerInputs[name], known.declaration != input.declaration {
      faultyTimers.insert(name)
      return fault(
        timer.name.mark, "Another coordinator has a timer \(name) with a different input. Rename one of them.")
    }
    timerInputs[name] = input
    timers[name] = TimedEventDefinition(input.schema(named: name))
  }
}

extension YAMLNode {
  /// Returns the place of a part.
  ///
  /// - Parameter pointer: a JSON pointer (RFC 6901).
  func mark(atPointer pointer: String) -> SourceMark {
    var node = self
    var place = mark
    for part in pointer.split(separator: "/") {
      let name = String(part).replacing("~1", with: "/").replacing("~0", with: "~")
      if let entry = node.entry(name) {
        (node, place) = (entry.value, entry.value.mark)
      } else if let index = Int(name), let elements = node.elements, elements.indices.contains(index) {
        (node, place) = (elements[index], elements[index].mark)
      } else {
        return place
      }
    }
    return place
  }
}

extension [String] {
  /// The number of names above which a message does not have all.
  private static var enumeratedNames: Int { 50 }

  /// The words with commas and `and`.
  var enumerated: String {
    guard let last, count > 1 else { return first ?? "" }
    if count > Self.enumeratedNames {
      let others = count - Self.enumeratedNames
      return "\(prefix(Self.enumeratedNames).joined(separator: ", ")) and \(others) other\(others == 1 ? "" : "s")"
    }
    return "\(dropLast().joined(separator: ", ")) and \(last)"
  }
}
