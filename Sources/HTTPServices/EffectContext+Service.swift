public import Navigation

extension EffectContext {
  /// Returns the HTTP service of this name, whose address and token the operator of the host sets.
  ///
  ///     struct FetchQuote: Effect {
  ///       static let name = "fetch-quote"
  ///       static let httpServices = ["shop"]
  ///       var product: String
  ///
  ///       func run(_ context: EffectContext<Self>) async throws -> Quote {
  ///         try await context.service("shop").post("/quotes", ["product": product])
  ///       }
  ///     }
  ///
  /// - Throws: an `EffectFailure` if the effect does not declare the service in `httpServices`, or nobody has set its
  ///   address.
  public func service(_ name: String) throws(EffectFailure) -> HTTPService {
    guard Of.httpServices.contains(name) else {
      throw EffectFailure(
        .error, detail: "The effect \(Of.name) does not declare the HTTP service \(name). Add it to httpServices.",
        mayHaveHappened: false)
    }
    return HTTPService(
      try HTTPServiceDirectory.endpoint(name, in: resources), idempotencyKey: idempotencyKey, trace: trace,
      minimumPause: Of.policy.pause(after: attempt))
  }
}

extension HTTPService {
  /// Returns the service of this name for an attempt at an effect that is not a Swift type.
  ///
  /// - Throws: an `EffectFailure` if the service has no address.
  package static func named(
    _ name: String, for attempt: EffectAttempt, _ policy: EffectPolicy
  ) throws(EffectFailure) -> HTTPService {
    HTTPService(
      try HTTPServiceDirectory.endpoint(name, in: attempt.resources), idempotencyKey: attempt.idempotencyKey,
      trace: attempt.trace, minimumPause: policy.pause(after: attempt.number))
  }
}

extension HTTPServiceDirectory {
  /// Returns the endpoint of a service among the resources of a host.
  fileprivate static func endpoint(
    _ name: String, in resources: any Sendable
  ) throws(EffectFailure) -> HTTPServiceEndpoint {
    if let endpoint = (resources as? HTTPServiceDirectory)?.endpoints[name] { return endpoint }
    throw EffectFailure(
      .error, detail: "The HTTP service \(name) has no address. Set it with --service \(name)=URL.",
      mayHaveHappened: false)
  }
}
