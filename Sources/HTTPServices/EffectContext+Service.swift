public import Navigation

extension EffectContext {
  /// Returns the HTTP service of this name, whose address and credentials the operator of the host sets.
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
    return try HTTPService(
      name, in: resources, idempotencyKey: idempotencyKey, trace: trace, minimumPause: Of.policy.pause(after: attempt))
  }
}

extension HTTPService {
  /// Creates the service of this name for an attempt at an effect.
  ///
  /// - Parameters:
  ///   - resources: the resources of the host.
  ///   - minimumPause: the pause of the policy before the next attempt.
  /// - Throws: an `EffectFailure` if the service has no address.
  package init(
    _ name: String, in resources: any Sendable, idempotencyKey: String, trace: String?, minimumPause: Duration
  ) throws(EffectFailure) {
    guard let endpoint = (resources as? HTTPServiceDirectory)?.endpoints[name] else {
      throw EffectFailure(
        .error, detail: "The HTTP service \(name) has no address. Set it with --service \(name)=URL.",
        mayHaveHappened: false)
    }
    self.init(endpoint, idempotencyKey: idempotencyKey, trace: trace, minimumPause: minimumPause)
  }
}
