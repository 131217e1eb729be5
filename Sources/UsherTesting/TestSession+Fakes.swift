public import Navigation
internal import Values

extension TestSession {
  /// The maximum number of effects that fakes complete in one step.
  static let maximumOutcomes = 1000

  /// Completes the effects of a type with the output of a closure: the pending ones now, and later ones in the step that
  /// requests them.
  ///
  ///     try session.fake(FetchPrice.self) { fetch in
  ///       guard fetch.product == "tea" else { throw EffectFailure(.status, status: 404) }
  ///       return 350
  ///     }
  ///
  /// The effects that an outcome requests are completed in the same step, if they have a fake as well. An outcome that
  /// meets a guard waits until the guard passes. A fake replaces an earlier one of the same type.
  ///
  /// - Parameter output: returns the output of one effect. The effect fails with an `EffectFailure` that the closure
  ///   throws; the step throws any other error.
  /// - Throws: ``TestSessionError``, or an error of the closure. The step that requested the effect has then been done.
  public mutating func fake<E: Effect>(
    _ effect: E.Type, _ output: @escaping @Sendable (E) throws -> E.Output
  ) throws {
    forgetOutcomes(of: E.name)
    fakes[E.name] = { id, input in
      do {
        return .done(id, try EffectDefinition.encoded(try output(try input.decode(E.self))))
      } catch let failure as EffectFailure {
        return .failed(id, failure)
      }
    }
    try runFakes()
  }

  /// Removes the fake of a type, so that its effects stay pending.
  public mutating func removeFake<E: Effect>(_ effect: E.Type) {
    forgetOutcomes(of: E.name)
    fakes[E.name] = nil
  }

  /// Forgets the outcomes that an earlier fake gave, and that the session has not taken.
  private mutating func forgetOutcomes(of effect: String) {
    for work in state.work where app.name(of: work) == effect {
      outcomes[work.id] = nil
      stuck.remove(work.id)
    }
  }

  /// Completes the pending effects that have a fake, and those that their outcomes request, and lets the timers fire that
  /// have waited for a guard.
  mutating func runFakes() throws {
    for count in 0... {
      try askFakes()
      guard let name = try applyOutcome() ?? fireWaitingTimer() else { return }
      if count == Self.maximumOutcomes { throw TestSessionError.endless(name) }
    }
  }

  private mutating func askFakes() throws {
    for work in state.work where outcomes[work.id] == nil && !stuck.contains(work.id) {
      let name = app.name(of: work)
      guard let effect = work.effect, let fake = fakes[name] else { continue }
      outcomes[work.id] = try fake(work.id, effect.input)
    }
  }

  /// Applies the first outcome that the session takes, and returns the name of its effect; nil if there is none.
  private mutating func applyOutcome() throws -> String? {
    for work in state.work {
      guard let outcome = outcomes[work.id] else { continue }
      let name = app.name(of: work)
      do {
        guard case .applied = try apply(outcome) else { continue }
        if let effect = work.effect { performedEffects.append((name, effect.input)) }
        return name
      } catch let rejection as Rejection {
        outcomes[work.id] = nil
        stuck.insert(work.id)
        throw TestSessionError.stuck(name, rejection)
      }
    }
    return nil
  }
}
