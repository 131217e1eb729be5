internal import CoreMetrics
internal import Navigation
internal import Synchronization
internal import Values

/// One piece of claimed work: its attempt, its event, and the report if it is not finished.
extension WorkRunner {
  /// Performs one piece of work, and reports if it is not finished.
  ///
  /// - Parameter session: the session as it was after the claim; nil if it has to be loaded.
  func complete(_ work: ClaimedWork, of session: StoredSession?) async {
    defer { if inProgress.withLock({ $0.remove(work) }) { (work.queue == .events ? events : effects).send() } }
    var progress: WorkProgress?
    do {
      if let detached = work.detached {
        try await perform(DetachedWork(encoded: detached), by: work)
      } else {
        try await perform(work, of: session, &progress)
      }
    } catch is CancellationError {
      // The process stops. Another one, or the next start, need not wait for the end of the lease.
      try? await report(.zero, "The process stopped.", progress, attempts: work.attempts, on: work, work.wait?.reason)
    } catch {
      // A failure of the store, or work that only another version of the app can read.
      let sentence = sentence(of: error)
      log("The work \(work.label) was interrupted. \(sentence)")
      try? await report(settings.lease / 2, sentence, progress, attempts: work.attempts, on: work, work.wait?.reason)
    }
  }

  /// Performs work of a living session, and applies its event.
  ///
  /// - Parameter progress: receives the result so far.
  private func perform(
    _ work: ClaimedWork, of session: StoredSession?, _ progress: inout WorkProgress?
  ) async throws {
    progress = try work.progress.map { try WorkProgress(of: work.id, encoded: $0) }
    // A lost lease leaves no report.
    if progress == nil, work.claims > 1 { progress = .uncertain }
    guard work.claims <= settings.lostLeaseLimit else {
      let sentence = "The work was started \(work.claims - 1) times, and never reported an outcome."
      return try await reportStuck(work, sentence, progress)
    }
    guard try await !reportCrash(work, progress) else { return }
    let found = try await whileStoreFails { [sessions] in
      try await sessions.pendingWork(work.id, of: work.session, session)
    }
    guard let found else { return try await drop(work, progress) }
    if case .event(let event) = progress { return try await applyPersistently(event, of: work, found) }
    if let effect = found.work.effect {
      try await attempt(effect, of: found, by: work, &progress)
      if case .event(let event) = progress { try await applyPersistently(event, of: work, nil) }
    } else if let signal = found.work.signal {
      try await sessions.receiveHeld(signal, of: work, in: found.navigation.app)
    } else {
      progress = .event(.due(work.id))
      try await applyPersistently(.due(work.id), of: work, found)
    }
  }

  /// Performs an attempt at a detached effect. After the last one, the effect is over.
  private func perform(_ content: DetachedWork, by work: ClaimedWork) async throws {
    guard work.claims <= settings.lostLeaseLimit else {
      log("The detached effect \(work.label) was started \(work.claims - 1) times, and is given up.")
      return try await discard(work)
    }
    let app = try await sessions.app(of: content)
    let detached = try app.unpackDetached(content.effect, id: work.id)
    let definition = app.effects[detached.effect]
    let issued = IssuedAddresses()
    let attempt = EffectAttempt(
      idempotencyKey: content.session.idempotencyKey(
        of: definition.name, detached.key.map(WorkKey.given), detached.id, detached.seed),
      number: work.attempts &+ 1, locale: content.locale, resources: resources, trace: work.trace,
      resumeAddress: resumeAddress(for: detached.id, detached.seed, of: content.session, issued))
    let meter = metrics.effects[WorkMetrics.Effect(app: app.name, name: definition.name)]
    switch try await outcome(of: definition, detached.input, attempt, work, meter, issued) {
    case nil: return
    case .success: meter?.done.increment()
    case .failure(let failure):
      if try await reportRetry(of: definition, after: failure, attempt, nil, work, meter) { return }
      meter?.failed.increment()
      log("The detached effect \(definition.name) \(work.label) failed. \(failure.outcome.detail)")
    }
    try await discard(work)
  }

  /// Attempts an effect. Returns nil, without an attempt, if the lease was lost meanwhile.
  ///
  /// - Parameter app: the app whose sessions share the runs of public effects; nil for a run of its own.
  private func outcome(
    of effect: EffectDefinition, _ input: Value, _ attempt: EffectAttempt, _ work: ClaimedWork,
    _ meter: WorkMetrics.EffectMeter?, _ issued: IssuedAddresses, sharedIn app: AppDefinition? = nil
  ) async throws -> Result<Value, AttemptFailure>? {
    // The process may have been stopped since the claim, and another one may have taken the work over.
    if inProgress.withLock({ $0.age(of: work) }) > settings.interval, try await !isHeld(work) { return nil }
    guard let app, let maximumAge = effect.maximumAge else {
      return issued.confined(await effect.outcome(of: input, attempt, meter))
    }
    let key = SharedOutcomes.Key(
      app: app.name, definition: app.digest, effect: effect.name, version: effect.version, input: input)
    let (outcome, isShared) = await shared.outcome(of: key, maximumAge: maximumAge) {
      await effect.outcome(of: input, attempt.ofNoSession(key.idempotencyKey(attempt.idempotencyKey)), meter)
    }
    if isShared { metrics.shared.increment() }
    return outcome
  }

  /// Returns the function by which an attempt makes resume addresses of its session.
  private func resumeAddress(
    for id: WorkID, _ seed: UInt64, of session: SessionKey, _ issued: IssuedAddresses
  ) -> @Sendable (ResumeTerms) async throws -> String {
    { [sessions, origin] in
      issued.keep(try await sessions.resumeAddress($0, for: id, seed, of: session, at: origin))
    }
  }

  /// Discards work for which nothing waits any more, and counts the outcome that it may have.
  private func drop(_ work: ClaimedWork, _ progress: WorkProgress?) async throws {
    switch progress {
    case .event(.done), .event(.failed): metrics.dropped.increment()
    default: break
    }
    try await discard(work)
  }

  private func discard(_ work: ClaimedWork) async throws {
    try await sessions.wrappingErrors(of: await sessions.store.discard(work))
  }

  /// Reports an event as stuck during which an earlier process has crashed. Returns false for any other work.
  private func reportCrash(_ work: ClaimedWork, _ progress: WorkProgress?) async throws -> Bool {
    let event = CrashedEvent(session: work.session, work: work.id)
    guard let path = settings.crashFile, crashed.withLock({ $0.contains(event) }) else { return false }
    let sentence = "The app crashed while it handled the event. Try it again with a version that handles it."
    try await reportStuck(work, sentence, progress)
    let isLast = crashed.withLock { crashed in
      crashed.remove(event)
      return crashed.isEmpty
    }
    if isLast { CrashedEvent.remove(path: path) }
    return true
  }

  private func reportStuck(_ work: ClaimedWork, _ sentence: String, _ progress: WorkProgress?) async throws {
    // First, because the row would not be tried again if the process ended in between.
    let location = try await sessions.tellStuck(work.id, of: work.session)
    report(EventReport(kind: .stuck, location: location, work: work.label, sentence: sentence))
    if work.wait?.reason != .stuck { sessions.stuckMeter.increment() }
    try await report(nil, sentence, progress, attempts: work.attempts, on: work, .stuck)
  }

  /// Performs an attempt at an effect. Afterwards the progress is its outcome, unless another attempt follows, or the
  /// lease was lost.
  private func attempt(
    _ effect: PendingEffect, of found: FoundWork, by work: ClaimedWork, _ progress: inout WorkProgress?
  ) async throws {
    let app = found.navigation.app
    let definition = app.effects[effect.effect]
    let meter = metrics.effects[WorkMetrics.Effect(app: app.name, name: definition.name)]
    let issued = IssuedAddresses()
    let attempt = EffectAttempt(
      idempotencyKey: work.session.idempotencyKey(of: definition.name, effect.key, work.id, effect.seed),
      number: work.attempts &+ 1, locale: found.navigation.state.environment.locale, resources: resources,
      trace: work.trace,
      callback: { [sessions, origin, owner = found.work.owner] in
        try await sessions.callback(for: $0, awaitedBy: owner, in: work.session, at: origin)
      },
      resumeAddress: resumeAddress(for: work.id, effect.seed, of: work.session, issued))
    switch try await outcome(of: definition, effect.input, attempt, work, meter, issued, sharedIn: app) {
    case nil: progress = nil
    case .success(let output):
      meter?.done.increment()
      progress = .event(.done(work.id, output))
    case .failure(let failure):
      if failure.outcome.mayHaveHappened { progress = .uncertain }
      if try await reportRetry(of: definition, after: failure, attempt, progress, work, meter) { return }
      // Of several definitive outcomes the first counts, but only the holder of the lease may give up.
      if !failure.isFinal, try await !isHeld(work) { return progress = nil }
      meter?.failed.increment()
      log("The effect \(definition.name) \(work.label) failed. \(failure.outcome.detail)")
      let mayHaveHappened = if case .uncertain = progress { true } else { false }
      progress = .event(.failed(work.id, failure.outcome.with(mayHaveHappened: mayHaveHappened)))
    }
  }

  /// Reports a failed attempt that another one follows. Returns false after the last one.
  ///
  /// - Throws: `CancellationError`, if the failure may be a consequence of the cancellation.
  private func reportRetry(
    of effect: EffectDefinition, after failure: AttemptFailure, _ attempt: EffectAttempt, _ progress: WorkProgress?,
    _ work: ClaimedWork, _ meter: WorkMetrics.EffectMeter?
  ) async throws -> Bool {
    try Task.checkCancellation()
    guard !failure.isFinal, attempt.number < effect.policy.attempts else { return false }
    meter?.retried.increment()
    let pause = failure.pause ?? effect.policy.pause(after: attempt.number)
    try await report(pause, failure.outcome.detail, progress, attempts: attempt.number, on: work)
    return true
  }

  /// Renews the lease. Returns false if it was lost.
  private func isHeld(_ work: ClaimedWork) async throws -> Bool {
    try await sessions.wrappingErrors(
      of: await sessions.store.renew(settings.lease, of: work, at: sessions.clock.now()))
  }

  /// Applies an event. While the store cannot be used, tries again until the lease expires, because the work would be done
  /// again otherwise.
  ///
  /// - Parameter found: the work as it was found before; nil if it has to be loaded.
  private func applyPersistently(
    _ event: BackgroundEvent, of work: ClaimedWork, _ found: FoundWork?
  ) async throws {
    var found = found
    try await whileStoreFails {
      defer { found = nil }
      try await apply(event, of: work, found)
    }
  }

  /// Does something that needs the store, and again while the store cannot be used, until the lease expires.
  private func whileStoreFails<R>(_ operation: () async throws -> R) async throws -> R {
    let deadline = ContinuousClock.now + settings.lease
    while true {
      do {
        return try await operation()
      } catch SessionError.store(let error) where error.mayPass && ContinuousClock.now < deadline {
        try await Task.sleep(for: settings.interval)
      }
    }
  }

  private func apply(_ event: BackgroundEvent, of work: ClaimedWork, _ found: FoundWork?) async throws {
    let progress = try await StepTrace.with(work.trace) { [sessions] in
      try await sessions.apply(event, to: work.session, found)
    }
    switch progress {
    case .applied(let late, let exposed):
      if let late { metrics.lateness.recordMilliseconds(max(0, late)) }
      if let exposed {
        log("The outcome of the work \(work.label) contained the address of the signal \(exposed), and is a failure.")
      }
    case .unusableData(let error, let location):
      log("The load \(location) failed, work \(work.label): the session cannot take its data. \(sentence(error))")
    case .repeated:
      defer { events.send() }
      try await sessions.wrappingErrors(of: await sessions.store.settle(work, adding: [], at: sessions.clock.now()))
    case .early(let dueAt):
      let left = Duration.milliseconds(dueAt.milliseconds &- sessions.clock.now().milliseconds)
      try await report(max(.milliseconds(1), left), nil, nil, attempts: work.attempts, on: work)
    case .obsolete: try await drop(work, .event(event))
    case .blocked(let obstacle, let since, let version, let location):
      // A tenth of its age, so that work of abandoned sessions costs little. A signal may be awaited for long before it
      // arrives, and its sender waits with the next one. A user may answer a prompt soon.
      let now = sessions.clock.now()
      let age = Duration.milliseconds(now.milliseconds &- since.milliseconds)
      let isShort = if case .signal = event { true } else { obstacle == .promptQueueFull }
      let longest = Duration.seconds(isShort ? 5 : 60)
      let pause = max(settings.interval, min(age / 10, longest))
      let reason = tellBlocked(work, location, obstacle, at: now)
      try await report(pause, obstacle.description, .event(event), attempts: work.attempts, on: work, reason)
      await sessions.retry(work.id, of: work.session, ifChangedSince: version)
    case .behind(let end):
      // The decision about the stuck event makes the others due before.
      let left = end.map { Duration.milliseconds($0.milliseconds &- sessions.clock.now().milliseconds) }
      let pause = max(settings.interval, min(settings.interval * 60, left ?? .zero))
      let sentence = "The event waits behind a stuck event of its coordinator."
      try await report(pause, sentence, .event(event), attempts: work.attempts, on: work, .behindStuckEvent)
    case .failed(let error): try await reportStuck(work, sentence(error), .event(event))
    }
  }

  /// Returns the reason of a blocked event, and tells operators once if it has been blocked for long.
  private func tellBlocked(
    _ work: ClaimedWork, _ location: EventLocation, _ obstacle: BackgroundObstacle, at now: Timestamp
  ) -> EventWait.Reason {
    let wait = EventWait.next(.blocked, after: work.wait, at: now)
    guard wait.isOlder(than: sessions.settings.blockedWarning, at: now) else { return .blocked }
    if work.wait?.reason != .blockedForLong {
      let seconds = (now.milliseconds &- wait.since.milliseconds) / 1000
      report(
        EventReport(
          kind: .blocked(seconds: seconds), location: location, work: work.label, sentence: obstacle.description))
    }
    return .blockedForLong
  }

  /// Reports work that is due again after a pause, or stuck if the pause is nil.
  private func report(
    _ pause: Duration?, _ error: String?, _ progress: WorkProgress?, attempts: Int, on work: ClaimedWork,
    _ reason: EventWait.Reason? = nil
  ) async throws {
    // The store keeps the first signal of a queue, and a progress that only another version can read.
    let kept = progress?.isQueued ?? true
    let now = sessions.clock.now()
    let report = WorkReport(
      pause: pause, attempts: attempts, error: error, progress: kept ? nil : progress?.encoded,
      wait: reason.map { EventWait.next($0, after: work.wait, at: now) })
    _ = try await sessions.wrappingErrors(of: await sessions.store.report(report, on: work, at: now))
    // The next look-up of due work would be late for a short pause.
    guard let pause, pause < settings.interval else { return }
    Task {
      try? await Task.sleep(for: pause)
      wakeUp()
    }
  }

  private func sentence(of error: any Error) -> String {
    (error as? SessionError).map { sentence($0) } ?? "\(error)"
  }
}

extension ClaimedWork {
  /// The work in the log: the first digits of the session's key, and the id.
  fileprivate var label: String { "\(session.short)/\(id)" }
}
