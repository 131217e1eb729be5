internal import CEL
internal import HTTPServices
internal import JSONSchema
internal import Navigation
internal import Values
internal import YAML

/// The path of an operation with its placeholders.
struct OperationPath: Sendable {
  enum Part: Sendable {
    case literal(String)
    case parameter(String)
  }
  let text: String
  let parts: [Part]

  /// The advice about a placeholder in the notation of another framework; nil if there is none.
  var foreignPlaceholder: String? {
    let segments = text.split(separator: "/")
    let found = segments.first { $0.hasPrefix(":") || $0.hasPrefix("<") && $0.hasSuffix(">") || $0.hasPrefix("*") }
    return found.map { segment in
      let name = segment.filter { !":<>*".contains($0) }
      return "\(String(segment).shortened) is not a placeholder. Write {\(name.isEmpty ? "name" : name)}."
    }
  }

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
  /// - Parameter input: the parameters, and the names of those that are addresses; see ``input(_:callbacks:at:)``.
  func run(_ input: Value, _ attempt: EffectAttempt) async throws -> Value {
    var parameters = (input["with"] ?? .emptyObject).members.map { (name: $0.key, value: $0.value) }
    for callback in (input["callbacks"] ?? .emptyObject).members {
      let address =
        if let terms = Self.terms(callback.value) {
          try await attempt.resumeAddress(terms)
        } else {
          try await address(callback.value.text ?? "", attempt)
        }
      parameters.append((callback.key, Value(address)))
    }
    let endpoint = try HTTPService(
      service, in: attempt.resources, idempotencyKey: attempt.idempotencyKey, trace: attempt.trace,
      minimumPause: policy.pause(after: attempt.number))
    let inPath = path.parameters
    let others = parameters.filter { !inPath.contains($0.name) }
    let hasBody = method != "GET" && method != "DELETE"
    var query = ServiceQuery()
    if !hasBody { for item in others where !item.value.isNull { query.append(item.name, item.value.fieldText) } }
    let body = hasBody ? try Value(members: others.map { ($0.name, $0.value) }) : nil
    let output = typed(
      try await endpoint.send(method, path: servicePath(parameters), query: query, body: body, self.output != nil))
    if let failure = failure(ofTyped: output) { throw failure }
    return output
  }

  /// Returns the failure that an output is; nil for one that has the declared schema.
  func failure(of output: Value) -> EffectFailure? { failure(ofTyped: typed(output)) }

  private func typed(_ output: Value) -> Value { self.output.map { output.converted(to: $0) } ?? output }

  private func failure(ofTyped output: Value) -> EffectFailure? {
    guard let type = self.output, let fault = output.fault(as: type, response) else { return nil }
    return EffectFailure(
      .decoding,
      detail: "The service \(service) responded with a body that does not have the declared schema: "
        + "\(fault.path.isEmpty ? "The value" : fault.path) \(fault.message).")
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

  /// Returns the stored form of the terms of a resume address.
  static func encoded(_ terms: ResumeTerms) -> Value {
    ["seconds": terms.validity.map { Value($0.components.seconds) } ?? .null, "repeatable": Value(terms.isRepeatable)]
  }

  private static func terms(_ value: Value) -> ResumeTerms? {
    guard let isRepeatable = value["repeatable"]?.bool else { return nil }
    return ResumeTerms(validity: value["seconds"]?.int.map { .seconds($0) }, isRepeatable: isRepeatable)
  }

  /// Returns a function that finds the parameters of a call in its encoded effect. Another version of the flow may have
  /// requested the effect: a parameter that is new has its default, or is null.
  ///
  /// - Parameter fields: nil for any parameters.
  static func parameters(_ fields: FieldSet?) -> @Sendable (Value) -> Value {
    let defaults = fields?.defaults
    return { input in
      let given = input["with"] ?? .emptyObject
      guard let defaults else { return given }
      return .object(defaults.map { ($0.0, given[$0.0] ?? $0.1) })
    }
  }

  /// Returns the encoded effect.
  ///
  /// - Parameter callbacks: the parameters that are addresses, with the names of signals, or with encoded terms.
  static func input(
    _ parameters: Value, callbacks: [(String, Value)], at mark: SourceMark
  ) throws(FlowError) -> Value {
    try Value(
      members: [("with", parameters)] + (callbacks.isEmpty ? [] : [("callbacks", .object(callbacks))]), at: mark)
  }
}
