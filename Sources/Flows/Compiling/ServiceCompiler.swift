internal import CEL
internal import Navigation
internal import Values
internal import YAML

/// An operation of a service, with its types.
struct CompiledOperation {
  let effect: EffectDefinition
  /// Returns the failure that an output is; nil for a valid one.
  let failure: @Sendable (Value) -> EffectFailure?
  /// The declared parameters; nil for an operation that takes any.
  let parameters: FieldSet?
  let output: CEL.ValueType
}

struct CompiledSignal {
  let signal: SignalDefinition
  let input: CEL.ValueType
  let fields: FieldSet
}

/// A compiler of the operations of services, and of signals.
final class ServiceCompiler: PartCompiler {
  private(set) var operations: [String: CompiledOperation] = [:]
  private(set) var signals: [String: CompiledSignal] = [:]
  /// The first operation of each name of an effect.
  private lazy var effectOperations = Dictionary(model.operations.map { ($0.effectName, $0) }) { first, _ in first }

  func compile() {
    for operation in model.operations { operations[operation.name] = compile(operation) }
    for signal in model.signals { signals[signal.name.name] = compile(signal) }
  }

  private func compile(_ signal: SignalModel) -> CompiledSignal {
    let fields = schemas.fields(signal.input, isForm: true)
    let definition = SignalDefinition(
      SchemaDefinition(signal.name.name) { $0 }, sender: signal.sender?.name,
      fields: FieldDeclarations(schema: schemas.inputSchema(signal.input)))
    return CompiledSignal(
      signal: definition, input: schemas.withoutFaultyTypes(fields).objectType(named: "input"), fields: fields)
  }

  private func compile(_ operation: OperationModel) -> CompiledOperation {
    let methods = operation.methods
    if methods.count != 1 {
      fault(
        methods.dropFirst().first?.key.mark ?? operation.operation.mark,
        "The operation \(operation.name) has \(methods.isEmpty ? "no method" : "several methods"). Give it one, such as "
          + "`get: /orders`.")
    }
    let parameters = operation.parameters.map { schemas.fields($0) }
    let response = operation.response.map { schemas.schema($0, named: operation.operation.name, at: $0.mark) }
    let path = OperationPath(methods.first?.value.text ?? "/")
    checkLimits(of: operation)
    if let method = methods.first { check(path, parameters, method) }
    let call = ServiceCall(
      service: operation.service.name, method: methods.first?.key.name.uppercased() ?? "GET", path: path,
      response: response?.schema, output: response?.type, policy: EffectPolicy(operation))
    let effect = EffectDefinition(
      SchemaDefinition(operation.effectName) { $0 }, policy: call.policy, httpServices: [operation.service.name],
      maximumAge: operation.shared,
      run: { try await call.run($0, $1) })
    return CompiledOperation(
      effect: effect, failure: { call.failure(of: $0) }, parameters: parameters, output: response?.type ?? .null)
  }

  private func check(_ path: OperationPath, _ parameters: FieldSet?, _ method: YAMLNode.Entry) {
    if method.value.expression != nil {
      return fault(method.value.mark, "The value is an expression, where a literal is expected.")
    }
    if path.text.hasPrefix("http://") || path.text.hasPrefix("https://") {
      return fault(
        method.value.mark,
        "The operator of Usher sets the address of a service, with --service. Write the path alone, such as /orders.")
    }
    if !path.text.hasPrefix("/") {
      return fault(method.value.mark, "The path \(path.text.shortened) does not begin with /. Write /\(path.text).")
    }
    if let advice = path.foreignPlaceholder { return fault(method.value.mark, advice) }
    let hasBrace = path.parts.contains { part in
      if case .literal(let text) = part { text.contains("{") || text.contains("}") } else { false }
    }
    if hasBrace {
      return fault(method.value.mark, "The path has a brace without a parameter. Write a parameter as {name}.")
    }
    for name in Set(path.parameters).sorted() where parameters?[name] == nil {
      let advice = advice(for: name, among: parameters?.names ?? [], or: "Add it under parameters.")
      fault(method.value.mark, "The operation has no parameter \(name.shortened) for its path. \(advice)")
    }
  }

  func isSignal(_ name: YAMLKey) -> Bool {
    known(model.signals[name.name], "signal", name, among: model.signals.names) != nil
  }

  /// Returns the operation of a name. Reports the name if there is none.
  func operation(_ name: YAMLKey) -> CompiledOperation? {
    if operations[name.name] == nil { unknownOperation(name) }
    return operations[name.name]
  }

  private func unknownOperation(_ name: YAMLKey) {
    guard name.name.contains(".") else {
      let full = model.operations.filter { $0.operation.name == name.name }.map(\.name)
      let advice = full.isEmpty ? "Write SERVICE.OPERATION." : "Did you mean \(full.listed)?"
      return fault(name.mark, "There is no operation \(name.name.shortened). \(advice)")
    }
    let service = name.name.split(separator: ".").first.map { String($0) } ?? ""
    let services = model.operations.map(\.service.name)
    if !services.contains(service) {
      unknown("service", YAMLKey(name: service, mark: name.mark), among: Set(services).sorted())
    } else {
      unknown("operation", name, among: model.operations.names)
    }
  }

  /// Compiles the parameters of an operation.
  ///
  /// - Parameter excluded: the parameters that the command gives itself: addresses of signals, and answers.
  func parameters(
    _ node: YAMLNode?, of operation: CompiledOperation, _ name: YAMLKey, _ types: ScopeTypes,
    without excluded: Set<String> = []
  ) -> Template {
    if let fields = operation.parameters {
      let members = templates.values(
        node?.without(excluded), for: fields, types, at: name.mark, of: "operation \(name.name)",
        isOptional: { excluded.contains($0) })
      return .object(members.filter { !excluded.contains($0.name) })
    }
    let given = (node?.entries ?? []).filter { !excluded.contains($0.key.name) }
    return .object(given.map { templates.member($0, types, expecting: .dyn) })
  }

  /// Requires that the operation can be registered.
  private func checkLimits(of operation: OperationModel) {
    if operation.effectName.utf8.count > 64 {
      fault(
        operation.operation.mark,
        "The names of the service and the operation have more than 63 characters together. Shorten one of them.")
    }
    if let first = effectOperations[operation.effectName], first.name != operation.name {
      fault(
        operation.operation.mark,
        "The operations \(first.name) and \(operation.name) have one name with a hyphen. Rename one of them.")
    }
    if let timeout = operation.timeout, !(Duration.milliseconds(1) ... .seconds(3600)).contains(timeout.value) {
      fault(timeout.mark, "The timeout is not from 1ms to 1h. Write another one.")
    }
    if let pauses = operation.retry?.pauses, pauses.value.last > .seconds(86_400) {
      fault(pauses.mark, "The longest pause is more than 1d. Write a shorter one.")
    }
  }
}

extension EffectPolicy {
  fileprivate init(_ operation: OperationModel) {
    self.init()
    if let timeout = operation.timeout { self.timeout = timeout.value }
    if let times = operation.retry?.times { attempts = Int(times) }
    if let pauses = operation.retry?.pauses?.value {
      (pause, maximumPause) = (pauses.first, max(pauses.first, pauses.last))
    }
  }
}

extension YAMLNode {
  /// Returns the mapping without some of its keys.
  fileprivate func without(_ keys: Set<String>) -> YAMLNode {
    guard let entries, !keys.isEmpty else { return self }
    return replacing(.mapping(entries.filter { !keys.contains($0.key.name) }))
  }
}
