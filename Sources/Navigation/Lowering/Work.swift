internal import Values

extension EffectDefinition {
  convenience init<E: Effect>(_ effect: E.Type, services: any Sendable) {
    let services = BoundServices(services, as: E.Services.self)
    self.init(
      SchemaDefinition(E.self), policy: E.policy, httpServices: E.httpServices,
      maximumAge: (E.self as? any PublicEffect.Type)?.maximumAge,
      missingServices: services.missing, givesResumeAddresses: E.givesResumeAddresses,
      run: { input, attempt in
        let context = EffectContext<E>(
          idempotencyKey: attempt.idempotencyKey, attempt: attempt.number, locale: attempt.locale,
          services: services.typed(as: E.Services.self), resources: attempt.resources, trace: attempt.trace,
          callback: attempt.callback, resumeAddress: attempt.resumeAddress)
        return try Self.encoded(try await input.decode(E.self).run(context))
      })
  }
}

extension EffectReference {
  init<E: Effect>(_ effect: E.Type) {
    self.init(E.name) { EffectDefinition(E.self, services: $0) }
  }
}

extension OutcomeDefinition {
  convenience init<Owner: Coordinator, E: Effect>(
    _ services: BoundServices, _ effect: E.Type, mayRefuse: Bool,
    done: @escaping @Sendable (inout Owner, E.Output, inout Navigator<Owner>) -> Void,
    failed: @escaping @Sendable (inout Owner, EffectFailure, inout Navigator<Owner>) -> Void
  ) {
    self.init(
      EffectReference(E.self),
      failure: { output in
        do {
          _ = try output.decode(E.Output.self)
          return nil
        } catch {
          return EffectFailure(.decoding, detail: "The output is not one of this version of the effect: \(error)")
        }
      },
      mayRefuse: mayRefuse, done: Navigator.reaction(services, done),
      failed: { state, failure, environment in
        let context = ErasedContext(bound: services, environment: environment)
        return try Navigator<Owner>.run(&state, context) { failed(&$0, failure, &$1) }
      })
  }
}

extension SignalDefinition {
  convenience init<S: Signal>(_ signal: S.Type) {
    self.init(
      SchemaDefinition(S.self, named: S.name), sender: S.sender, fields: FieldDeclarations(of: S()))
  }
}
