package import Navigation
internal import Values

/// Decisions of operators about pending work.
extension SessionService {
  /// Returns the state of a session's pending work.
  package func work(of key: SessionKey) async throws(SessionError) -> [WorkStatus] {
    try await wrappingErrors(of: await store.work(of: key))
  }

  /// Tries work again that waits after an error.
  ///
  /// - Returns: false if there is no such work.
  package func retry(_ work: WorkID, of key: SessionKey) async throws(SessionError) -> Bool {
    let isRetried = try await wrappingErrors(of: await store.retry(work, of: key, with: nil, at: clock.now()))
    if isRetried { runner.workRequested() }
    return isRetried
  }

  /// Gives work up that waits after an error. An effect fails, and its coordinator learns of it. Any other event, and
  /// an effect whose coordinator does not accept that failure either, is dropped.
  ///
  /// - Returns: false if there is no such work.
  package func giveUp(_ work: WorkID, of key: SessionKey) async throws(SessionError) -> Bool {
    guard let status = try await self.work(of: key).first(where: { $0.id == work && $0.error != nil }),
      let pending = try await pendingWork(work, of: key)?.work
    else { return false }
    let progress = status.progress.flatMap { try? WorkProgress(of: work, encoded: $0) }
    switch progress {
    case .event(.signal(_, _, let delivery, _)): return try await drop(.dropped(work, delivery), of: key)
    case .event(.failed(_, let failure)) where failure.reason == .givenUp:
      // Another operator has given it up, and its coordinator has not learned of it yet.
      guard status.isStuck else { return false }
      return try await drop(.dropped(work, nil), of: key)
    case _ where pending.effect == nil: return try await drop(.dropped(work, nil), of: key)
    default: break
    }
    let failure = EffectFailure(.givenUp, detail: "An operator gave it up.", mayHaveHappened: progress != nil)
    let event = WorkProgress.event(.failed(work, failure)).encoded
    let isResolved = try await wrappingErrors(of: await store.retry(work, of: key, with: event, at: clock.now()))
    runner.workRequested()
    return isResolved
  }

  private func drop(_ event: BackgroundEvent, of key: SessionKey) async throws(SessionError) -> Bool {
    if case .applied = try await apply(event, to: key) { true } else { false }
  }
}
