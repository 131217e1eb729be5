internal import CEL
internal import HTTPServices
internal import JSONSchema
internal import Navigation
internal import Suggestions
internal import Values

/// An operation of a service, with its types.
struct CompiledOperation {
  let effect: EffectDefinition
  /// Returns the failure that an output is; nil for a valid one.
  let failure: @Sendable (Value) -> EffectFailure?
  /// Nil for an operation that takes any parameters.
  let parameters: FieldSet?
  let output: CEL.ValueType
}

struct CompiledSignal {
  let signal: SignalDefinition
  let input: CEL.ValueType
  let fields: FieldSet
}

// Operations of services, and signals.
extension FlowCompiler {
  mutating func compile(_ signal: SignalModel) -> CompiledSignal {
    let fields = fields(signal.input, isForm: true)
    let definition = SignalDefinition(
      signal.name.name, sender: signal.sender?.name, input: inputSchema(signal.input, of: nil))
    return CompiledSignal(
      signal: definition, input: withoutFaultyTypes(fields).objectType(named: "input"), fields: fields)
  }

  mutating func compile(_ operation: OperationModel) -> CompiledOperation {
    let methods = operation.methods
    if methods.count != 1 {
      fault(
        methods.dropFirst().first?.key.mark ?? operation.operation.mark,
        "The operation \(operation.name) has \(methods.isEmpty ? "no method" : "several methods"). Give it one, such as "
          + "`get: /orders`.")
    }
    let parameters = operation.parameters.map { fields($0) }
    let response = operation.response.map { schema($0, named: operation.operation.name, at: $0.mark) }
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

  private mutating func check(_ path: OperationPath, _ parameters: FieldSet?, _ method: YAMLNode.Entry) {
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
    if let advice = foreignPlaceholder(in: path.text) { return fault(method.value.mark, advice) }
    let hasBrace = path.parts.contains { part in
      if case .literal(let text) = part { text.contains("{") || text.contains("}") } else { false }
    }
    if hasBrace {
      return fault(method.value.mark, "The path has a brace without a parameter. Write a parameter as {name}.")
    }
    for name in Set(path.parameters).sorted() where parameters?[name] == nil {
      let advice =
        similar(name, among: parameters?.names ?? []).map { "Did you mean \($0)?" } ?? "Add it under parameters."
      fault(method.value.mark, "The operation has no parameter \(name.shortened) for its path. \(advice)")
    }
  }

  /// Returns what to do about a placeholder in the notation of another framework; nil if there is none.
  func foreignPlaceholder(in path: String) -> String? {
    let segments = path.split(separator: "/")
    let found = segments.first { $0.hasPrefix(":") || $0.hasPrefix("<") && $0.hasSuffix(">") || $0.hasPrefix("*") }
    return found.map { segment in
      let name = segment.filter { !":<>*".contains($0) }
      return "\(String(segment).shortened) is not a placeholder. Write {\(name.isEmpty ? "name" : name)}."
    }
  }

  /// Requires that the operation can be registered.
  private mutating func checkLimits(of operation: OperationModel) {
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

/// The path of an operation with its placeholders.
struct OperationPath: Sendable {
  enum Part: Sendable {
    case literal(String)
    case parameter(String)
  }
  let text: String
  let parts: [Part]

  var parameters: [String] { parts.compactMap { if case .parameter(let name) = $0 { name } else { nil } } }

  init(_ text: String) {
    self.text = text
    var parts: [Part] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      parts.append(.literal(String(rest[..<start])))
      parts.append(.parameter(String(rest[rest.index(after: start)..<end])))
      rest = rest[rest.index(after: end)...]
    }
    self.parts = parts + [.literal(String(rest))]
  }
}

/// A call of a service, as an effect performs it.
struct ServiceCall: Sendable {
  let service: String
  let method: String
  let path: OperationPath
  let response: JSONSchema?
  /// The type of the output; nil without a response.
  let output: CEL.ValueType?
  let policy: EffectPolicy

  /// Performs one attempt.
  ///
  /// - Parameter input: the parameters, and the names of those that are addresses of signals; see ``input(_:callbacks:)``.
  func run(_ input: Value, _ attempt: EffectAttempt) async throws -> Value {
    var parameters = (input["with"] ?? .emptyObject).members.map { (name: $0.key, value: $0.value) }
    for callback in (input["callbacks"] ?? .emptyObject).members {
      parameters.append((callback.key, Value(try await address(callback.value.text ?? "", attempt))))
    }
    let endpoint = try HTTPService.named(service, for: attempt, policy)
    let inPath = path.parameters
    let others = parameters.filter { !inPath.contains($0.name) }
    let hasBody = method != "GET" && method != "DELETE"
    var query = ServiceQuery()
    if !hasBody { for item in others where !item.value.isNull { query.append(item.name, item.value.fieldText) } }
    let body = hasBody ? try Value(members: others.map { ($0.name, $0.value) }) : nil
    let output = try await endpoint.send(
      method, path: servicePath(parameters), query: query, body: body, self.output != nil)
    return try checked(output)
  }

  /// Returns the failure that an output is; nil for one that has the declared schema.
  func failure(of output: Value) -> EffectFailure? {
    do {
      _ = try checked(output)
      return nil
    } catch {
      return error as? EffectFailure ?? EffectFailure(.decoding, detail: "\(error)")
    }
  }

  /// Returns the output with numbers of the declared types.
  ///
  /// - Throws: an ``EffectFailure`` if it does not have the declared schema.
  func checked(_ output: Value) throws -> Value {
    func failure(_ fault: String) -> EffectFailure {
      EffectFailure(
        .decoding,
        detail: "The service \(service) responded with a body that does not have the declared schema: \(fault).")
    }
    guard let type = self.output else { return output }
    func place(_ pointer: String) -> String { pointer.isEmpty ? "The value" : type.place(pointer) }
    let typed = output.converted(to: type)
    if let fault = response?.faults(of: typed).first { throw failure("\(place(fault.pointer)) \(fault.message)") }
    guard let pointer = typed.pointerToLargeNumber(in: type) else { return typed }
    throw failure("\(place(pointer)) must be a whole number of at most 64 bits")
  }

  private func servicePath(_ parameters: [(name: String, value: Value)]) -> ServicePath {
    var interpolation = ServicePath.StringInterpolation(literalCapacity: path.text.utf8.count, interpolationCount: 0)
    for part in path.parts {
      switch part {
      case .literal(let text): interpolation.appendLiteral(text)
      case .parameter(let name):
        interpolation.appendInterpolation(parameters.first { $0.name == name }?.value.fieldText ?? "")
      }
    }
    return ServicePath(stringInterpolation: interpolation)
  }

  private func address(_ signal: String, _ attempt: EffectAttempt) async throws -> String {
    if let address = try await attempt.callback(signal) { return address }
    throw EffectFailure(
      .error, detail: "The coordinator does not wait for the signal \(signal). Add the command await before perform.",
      mayHaveHappened: false)
  }

  /// Returns the encoded effect.
  ///
  /// - Parameter callbacks: the parameters that are addresses, with the names of the signals.
  static func input(
    _ parameters: Value, callbacks: [(String, Value)], at mark: SourceMark
  ) throws(FlowError) -> Value {
    try Value(
      members: [("with", parameters)] + (callbacks.isEmpty ? [] : [("callbacks", .object(callbacks))]), at: mark)
  }
}
