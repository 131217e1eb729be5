public import Values

/// A declared effect: its name, its policy, and a closure that does the work.
public final class EffectDefinition: Sendable {
  public let name: String
  public let policy: EffectPolicy
  public let httpServices: [String]
  /// The name under which effects share a limit: that of their HTTP services or, without one, their own.
  public let lane: String
  /// The age up to which the output of a run serves other sessions; nil for an effect that is not a ``PublicEffect``.
  public let maximumAge: Duration?
  let crashName: CrashName
  let schema: SchemaDefinition
  /// The type of the services that it uses, if the services of the app do not have it.
  let missingServices: String?
  private let body: @Sendable (Value, EffectAttempt) async throws -> Value

  init<E: Effect>(_ effect: E.Type, services: any Sendable) {
    let services = BoundServices(services, as: E.Services.self)
    name = E.name
    policy = E.policy
    httpServices = E.httpServices
    lane = E.httpServices.isEmpty ? E.name : E.httpServices.joined(separator: " ")
    maximumAge = (E.self as? any PublicEffect.Type)?.maximumAge
    crashName = CrashName(E.name)
    schema = SchemaDefinition(E.self)
    missingServices = services.isMissing ? "\(E.Services.self)" : nil
    body = { input, attempt in
      let context = EffectContext<E>(
        idempotencyKey: attempt.idempotencyKey, attempt: attempt.number, locale: attempt.locale,
        services: try services.typed(as: E.Services.self), resources: attempt.resources, trace: attempt.trace,
        callback: attempt.callback)
      return try Self.encoded(try await input.decode(E.self).run(context))
    }
  }

  init(_ effect: DescribedEffect) {
    name = effect.name
    policy = effect.policy
    httpServices = effect.httpServices
    lane = effect.httpServices.isEmpty ? effect.name : effect.httpServices.joined(separator: " ")
    maximumAge = effect.maximumAge
    crashName = CrashName(effect.name)
    schema = SchemaDefinition(effect.schema, of: effect)
    missingServices = nil
    body = effect.run
  }

  /// The version of the stored form of the effect.
  package var version: Int { schema.version }

  /// Returns the stored form of an output.
  package static func encoded(_ output: some Encodable) throws -> Value {
    // In an array, because the history stores the output inside another value, and the depth of values is limited.
    try Value(encoding: [output]).elements.first { _ in true } ?? .null
  }

  /// Runs one attempt, and returns the encoded output.
  ///
  /// - Parameter input: the encoded effect.
  public func run(_ input: Value, _ attempt: EffectAttempt) async throws -> Value { try await body(input, attempt) }
}

/// The facts about one attempt at an effect; see ``EffectContext``.
public struct EffectAttempt: Sendable {
  public let idempotencyKey: String
  public let number: Int
  public let locale: String?
  /// The trace id and the flags of the request behind the effect; see `EffectContext.trace`.
  package let trace: String?
  /// The resources of the host; see `EffectContext.resources`.
  package let resources: any Sendable
  /// Returns the URL at which the coordinator receives the signal of a name; nil if it does not wait for one.
  package let callback: @Sendable (String) async throws -> String?

  public init(
    idempotencyKey: String, number: Int, locale: String?, resources: any Sendable, trace: String? = nil,
    callback: @escaping @Sendable (String) async throws -> String? = { _ in nil }
  ) {
    self.idempotencyKey = idempotencyKey
    self.number = number
    self.locale = locale
    self.resources = resources
    self.trace = trace
    self.callback = callback
  }
}

extension EffectAttempt {
  /// Returns the attempt without the facts about its session.
  public func ofNoSession(_ idempotencyKey: String) -> EffectAttempt {
    EffectAttempt(idempotencyKey: idempotencyKey, number: number, locale: nil, resources: resources)
  }
}

/// An effect that a coordinator requests, and the handlers of its outcome.
final class OutcomeDefinition: Sendable {
  let name: String
  /// A closure, because the effect has services of its own.
  let define: @Sendable (_ services: any Sendable) -> EffectDefinition
  /// Returns the failure that an output is for this version of the app; nil for a valid one. An earlier version may have
  /// requested the effect, with another type of output.
  let failure: @Sendable (Value) -> EffectFailure?
  let done: @Sendable (inout AppValue, Value, SessionEnvironment) throws -> [Command]
  let failed: @Sendable (inout AppValue, EffectFailure, SessionEnvironment) throws -> [Command]

  init<Owner: Coordinator, E: Effect>(
    _ services: BoundServices, _ effect: E.Type,
    done: @escaping @Sendable (inout Owner, E.Output, inout Navigator<Owner>) -> Void,
    failed: @escaping @Sendable (inout Owner, EffectFailure, inout Navigator<Owner>) -> Void
  ) {
    name = E.name
    define = { EffectDefinition(E.self, services: $0) }
    failure = { output in
      do {
        _ = try output.decode(E.Output.self)
        return nil
      } catch {
        return EffectFailure(.decoding, detail: "The output is not one of this version of the effect: \(error)")
      }
    }
    self.done = { try Navigator<Owner>.run(&$0, with: $1, try services.erasedContext($2), done) }
    self.failed = { state, failure, environment in
      try Navigator<Owner>.run(&state, try services.erasedContext(environment)) { failed(&$0, failure, &$1) }
    }
  }

  init(_ outcome: DescribedCoordinator.Outcome) {
    name = outcome.effect.name
    define = { _ in EffectDefinition(outcome.effect) }
    failure = outcome.effect.failure
    done = DescribedStep.reaction(outcome.done)
    let failed = DescribedStep.reaction(outcome.failed)
    self.failed = { try failed(&$0, try Value(encoding: $1), $2) }
  }
}

/// An effect that a coordinator requests without an outcome.
struct DetachedDefinition: Sendable {
  let name: String
  /// A closure, because the effect has services of its own.
  let define: @Sendable (_ services: any Sendable) -> EffectDefinition

  init<E: Effect>(_ effect: E.Type) {
    name = E.name
    define = { EffectDefinition(E.self, services: $0) }
  }

  init(_ effect: DescribedEffect) {
    name = effect.name
    define = { _ in EffectDefinition(effect) }
  }
}

/// A declared event that coordinators schedule.
public final class TimedEventDefinition: Sendable {
  public let name: String
  let crashName: CrashName
  let schema: SchemaDefinition

  init<E: TimedEvent>(_ event: E.Type) {
    name = E.name
    crashName = CrashName(E.name)
    schema = SchemaDefinition(E.self)
  }

  init(_ timer: DescribedTimer) {
    name = timer.name
    crashName = CrashName(timer.name)
    schema = SchemaDefinition(timer.schema, of: timer)
  }
}

/// A declared signal, and its input.
public final class SignalDefinition: Sendable {
  public let name: String
  /// The sender whose signature is required; nil for none.
  public let sender: String?
  public let input: InputSchema
  let fields: FieldDeclarations
  let crashName: CrashName
  let schema: SchemaDefinition

  init<S: Signal>(_ signal: S.Type) {
    name = S.name
    sender = S.sender
    fields = FieldDeclarations(of: S())
    input = fields.schema
    crashName = CrashName(S.name)
    schema = SchemaDefinition(unversioned: S.self, named: S.name)
  }

  init(_ signal: DescribedSignal) {
    name = signal.name
    sender = signal.sender
    input = signal.input
    fields = FieldDeclarations(schema: signal.input)
    crashName = CrashName(signal.name)
    schema = SchemaDefinition(StoredSchema(name: signal.name) { $0 }, of: signal)
  }

  /// - Parameter input: the input in a language.
  private init(_ signal: SignalDefinition, _ input: InputSchema) {
    name = signal.name
    sender = signal.sender
    self.input = input
    fields = signal.fields
    crashName = CrashName(signal.name)
    schema = signal.schema
  }

  func written(by writer: TextWriter) -> SignalDefinition {
    writer.isIdentity ? self : SignalDefinition(self, input.written(by: writer))
  }
}

/// The handler of a coordinator for one timed event or signal.
final class EventHandler<Definition: Sendable>: Sendable {
  let definition: Definition
  let handle: @Sendable (inout AppValue, Value, SessionEnvironment) throws -> [Command]

  init<Owner: Coordinator, Event: Decodable & SendableMetatype>(
    _ services: BoundServices, _ definition: Definition,
    _ handle: @escaping @Sendable (inout Owner, Event, inout Navigator<Owner>) -> Void
  ) {
    self.definition = definition
    self.handle = { try Navigator<Owner>.run(&$0, with: $1, try services.erasedContext($2), handle) }
  }

  init(_ definition: Definition, _ script: @escaping DescribedScript) {
    self.definition = definition
    handle = DescribedStep.reaction(script)
  }
}
