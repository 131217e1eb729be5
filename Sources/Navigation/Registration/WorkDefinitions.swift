public import Values

/// A declared effect: its name, its policy, and a closure that does the work.
public final class EffectDefinition: Declaration, Sendable {
  public var name: String { schema.name }
  public let policy: EffectPolicy
  public let httpServices: [String]
  /// Whether attempts make resume addresses.
  let givesResumeAddresses: Bool
  /// The name under which effects share a limit: that of their HTTP services or, without one, their own.
  public let queue: String
  /// The age up to which the output of a run serves other sessions; nil for an effect that is not a ``PublicEffect``.
  public let maximumAge: Duration?
  let schema: SchemaDefinition
  /// The type of the services that it uses, if the services of the app do not have it.
  let missingServices: String?
  /// Performs one attempt with the encoded effect, and returns the encoded output.
  public let run: @Sendable (_ input: Value, _ attempt: EffectAttempt) async throws -> Value

  package init(
    _ schema: SchemaDefinition, policy: EffectPolicy, httpServices: [String], maximumAge: Duration?,
    missingServices: String? = nil, givesResumeAddresses: Bool = false,
    run: @escaping @Sendable (Value, EffectAttempt) async throws -> Value
  ) {
    (self.schema, self.policy, self.httpServices, self.run) = (schema, policy, httpServices, run)
    (self.maximumAge, self.missingServices) = (maximumAge, missingServices)
    self.givesResumeAddresses = givesResumeAddresses
    queue = httpServices.isEmpty ? schema.name : httpServices.joined(separator: " ")
  }

  /// The version of the stored form of the effect.
  package var version: Int { schema.version }

  /// Returns the stored form of an output.
  package static func encoded(_ output: some Encodable) throws -> Value {
    // In an array, because the history stores the output inside another value, and the depth of values is limited.
    try Value(encoding: [output]).elements.first { _ in true } ?? .null
  }
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
  /// Returns the URL that continues the session.
  package let resumeAddress: @Sendable (ResumeTerms) async throws -> String

  public init(
    idempotencyKey: String, number: Int, locale: String?, resources: any Sendable, trace: String? = nil,
    callback: @escaping @Sendable (String) async throws -> String? = { _ in nil },
    resumeAddress: (@Sendable (ResumeTerms) async throws -> String)? = nil
  ) {
    self.idempotencyKey = idempotencyKey
    self.number = number
    self.locale = locale
    self.resources = resources
    self.trace = trace
    self.callback = callback
    self.resumeAddress = resumeAddress ?? { _ in throw Self.noSession }
  }

  private static let noSession = EffectFailure(
    .error, detail: "A run of a public effect serves several sessions, and has no resume address.",
    mayHaveHappened: false)

  /// Returns the attempt without the facts about its session.
  public func ofNoSession(_ idempotencyKey: String) -> EffectAttempt {
    EffectAttempt(idempotencyKey: idempotencyKey, number: number, locale: nil, resources: resources)
  }
}

/// The use of an effect by its name.
package struct EffectReference: Sendable {
  let name: String
  /// A closure, because the effect has services of its own.
  let define: @Sendable (_ services: any Sendable) -> EffectDefinition

  init(_ name: String, define: @escaping @Sendable (_ services: any Sendable) -> EffectDefinition) {
    (self.name, self.define) = (name, define)
  }

  package init(_ effect: EffectDefinition) { self.init(effect.name) { _ in effect } }
}

/// An effect that a coordinator requests, and the handlers of its outcome.
package final class OutcomeDefinition: Sendable {
  let effect: EffectReference
  /// Returns the failure that an output is for this version of the app; nil for a valid one. An earlier version may have
  /// requested the effect, with another type of output.
  let failure: @Sendable (Value) -> EffectFailure?
  /// Returns what the handlers read of the encoded effect; nil if they read nothing of it.
  private let call: (@Sendable (Value) -> Value)?
  /// Takes the output.
  let done: ValueReaction
  let failed: @Sendable (inout AppValue, EffectFailure, SessionEnvironment) throws -> [Command]
  /// Whether a handler may refuse the form behind the effect, or request another effect whose outcome may.
  let mayRefuse: Bool

  package init(
    _ effect: EffectReference, failure: @escaping @Sendable (Value) -> EffectFailure?,
    call: (@Sendable (Value) -> Value)? = nil, mayRefuse: Bool = false, done: @escaping ValueReaction,
    failed: @escaping @Sendable (inout AppValue, EffectFailure, SessionEnvironment) throws -> [Command]
  ) {
    (self.effect, self.failure, self.call, self.done, self.failed) = (effect, failure, call, done, failed)
    self.mayRefuse = mayRefuse
  }

  /// Returns the outcome with other handlers, which read the origin of the outcome.
  func with(
    done: @escaping ValueReaction,
    failed: @escaping @Sendable (inout AppValue, EffectFailure, SessionEnvironment) throws -> [Command]
  ) -> OutcomeDefinition {
    OutcomeDefinition(
      effect, failure: failure, call: call ?? { _ in .null }, mayRefuse: mayRefuse, done: done, failed: failed)
  }

  /// The outcome, whose handlers may refuse a form.
  var refusing: OutcomeDefinition {
    OutcomeDefinition(effect, failure: failure, call: call, mayRefuse: true, done: done, failed: failed)
  }

  /// Whether the handlers read the request.
  var readsRequest: Bool { call != nil }

  /// Returns the environment for the handlers of an outcome, with the request if they read it.
  ///
  /// - Parameter screens: the names of the screens that the coordinator shows.
  func environment(
    _ environment: SessionEnvironment, of request: PendingEffect, showing screens: [String]
  ) -> SessionEnvironment {
    guard let call else { return environment }
    return environment.with(
      origin: EventOrigin(.call, effect.name, call(request.input), key: request.key, screens: screens))
  }
}

/// A declared signal, and its input.
public final class SignalDefinition: Declaration, Sendable {
  public var name: String { schema.name }
  /// The sender whose signature is required; nil for none.
  public let sender: String?
  public var input: InputSchema { fields.schema }
  let fields: FieldDeclarations
  let schema: SchemaDefinition

  package init(_ schema: SchemaDefinition, sender: String?, fields: FieldDeclarations) {
    (self.schema, self.sender, self.fields) = (schema, sender, fields)
  }

  func written(by writer: TextWriter) -> SignalDefinition {
    writer.isIdentity ? self : SignalDefinition(schema, sender: sender, fields: fields.written(by: writer))
  }
}

/// The handler of a coordinator for one timed event or signal.
package final class EventHandler<Definition: Sendable>: Sendable {
  let definition: Definition
  let handle: ValueReaction

  package init(_ definition: Definition, handle: @escaping ValueReaction) {
    (self.definition, self.handle) = (definition, handle)
  }
}
