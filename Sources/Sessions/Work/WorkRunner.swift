public import CoreMetrics
public import Navigation
internal import Observability
internal import Synchronization
internal import Values

/// The runner of pending work: it finds effects and scheduled events that are due, performs them, and applies the
/// outcomes to their sessions.
///
/// The store says what is due, so work survives the process. A piece of work is claimed for a lease, and due again when
/// the lease expires: then this process or another one takes it over.
public final class WorkRunner: Sendable {
  public struct Settings: Sendable {
    /// The maximum number of pieces of work in progress (`--max-effects`).
    public var limit = 64
    /// The time until a piece of claimed work is due again, unless this process renews the lease.
    public var lease = Duration.seconds(60)
    /// The maximum time between two look-ups of due work.
    public var interval = Duration.seconds(1)
    /// The number of consecutive leases without a report after which a piece of work is stuck.
    public var lostLeaseLimit = 10

    public init() {}
  }

  private let sessions: SessionService
  private let settings: Settings
  private let log: @Sendable (String) -> Void
  private let wakeUps: AsyncStream<Void>
  private let wakeUp: AsyncStream<Void>.Continuation
  private let inProgress = Atomic(0)
  private let metrics: WorkMetrics
  private let resources: any Sendable

  /// - Parameters:
  ///   - resources: what the host offers to effects beyond the app.
  ///   - log: receives a sentence for each failure that concerns operators.
  public init(
    _ sessions: SessionService, _ settings: Settings = Settings(), resources: any Sendable = NoServices(),
    metrics: any MetricsFactory, log: @escaping @Sendable (String) -> Void
  ) {
    self.resources = resources
    self.sessions = sessions
    self.settings = settings
    self.log = log
    self.metrics = WorkMetrics(sessions.apps, metrics)
    (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    sessions.workRequested.set(wakeUp)
  }

  /// The number of pieces of work in progress.
  public var count: Int { inProgress.load(ordering: .relaxed) }

  /// Performs due work. Returns when its task is cancelled, after the work in progress has been cancelled.
  public func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { [self] in
        while (try? await Task.sleep(for: settings.interval)) != nil { wakeUp.yield() }
      }
      wakeUp.yield()
      for await _ in wakeUps {
        while let claimed = await claim(), !claimed.isEmpty {
          for work in claimed {
            inProgress.add(1, ordering: .relaxed)
            group.addTask { [self] in
              await perform(work)
              let wasFull = inProgress.subtract(1, ordering: .relaxed).oldValue >= settings.limit
              if wasFull { wakeUp.yield() }
            }
          }
        }
        if Task.isCancelled { break }
      }
      group.cancelAll()
    }
  }

  /// Claims as much due work as can be performed now. Returns nil if there is no place for more, or the store fails.
  private func claim() async -> [ClaimedWork]? {
    let places = settings.limit - count
    guard places > 0, !Task.isCancelled else { return nil }
    do throws(StoreError) {
      return try await sessions.store.claimWork(
        of: sessions.apps.map(\.name), at: sessions.clock.now(), lease: settings.lease, limit: places)
    } catch {
      if !Task.isCancelled { log("Due work cannot be looked up. \(error.sentence)") }
      return nil
    }
  }

  /// Performs one piece of work, applies its outcome, and reports if it is not finished.
  private func perform(_ work: ClaimedWork) async {
    do {
      guard work.claims <= settings.lostLeaseLimit else { return try await reportStuck(work) }
      let event: BackgroundEvent
      if let stored = work.event {
        event = try BackgroundEvent(work.id, encoded: stored)
      } else {
        guard let happened = try await happening(of: work) else { return }
        event = happened
      }
      try await applyPersistently(event, of: work)
    } catch is CancellationError {
      // The process stops. Another one, or the next start, need not wait for the end of the lease.
      let report = WorkReport(pause: .zero, attempts: work.attempts, error: "The process stopped.", event: work.event)
      try? await self.report(report, on: work)
    } catch {
      // The lease expires, and the work is performed again.
      log("The work \(work.label) was interrupted. \(Self.sentence(of: error))")
    }
  }

  private func reportStuck(_ work: ClaimedWork) async throws {
    let sentence = "It was started \(work.claims - 1) times, and never reported an outcome."
    log("The work \(work.label) is stuck. \(sentence)")
    try await report(WorkReport(pause: nil, attempts: work.attempts, error: sentence, event: work.event), on: work)
  }

  /// Returns the event that the work leads to; nil if there is none yet, or none any more.
  private func happening(of work: ClaimedWork) async throws -> BackgroundEvent? {
    guard let (navigation, pending) = try await sessions.pendingWork(work.id, of: work.session) else {
      try await sessions.wrappingErrors(of: await sessions.store.discard(work))
      return nil
    }
    guard let effect = pending.effect else { return .due(work.id) }
    let definition = navigation.app.effects[effect.effect]
    let meter = metrics.effect(definition.name, of: navigation.app.name)
    let attempt = EffectAttempt(
      idempotencyKey: effect.idempotencyKey(of: work.id, in: work.session, definition.name),
      number: work.attempts + 1, locale: navigation.state.environment.locale,
      resources: resources)
    let start = ContinuousClock.now
    let outcome = await self.outcome(of: definition, effect.input, attempt, holding: work)
    try Task.checkCancellation()
    meter.duration.record(since: start)
    switch outcome {
    case .success(let output):
      meter.done.increment()
      return .done(work.id, output)
    case .failure(let failure) where failure.isFinal || attempt.number >= definition.policy.attempts:
      meter.failed.increment()
      log("The effect \(definition.name) \(work.label) failed. \(failure.outcome.detail)")
      return .failed(work.id, failure.outcome)
    case .failure(let failure):
      meter.retried.increment()
      let pause = failure.pause ?? definition.policy.pause(after: attempt.number)
      try await report(WorkReport(pause: pause, attempts: attempt.number, error: failure.outcome.detail), on: work)
      return nil
    }
  }

  /// Runs an attempt within its timeout, and renews the lease meanwhile.
  private func outcome(
    of effect: EffectDefinition, _ input: Value, _ attempt: EffectAttempt, holding work: ClaimedWork
  ) async -> Result<Value, AttemptFailure> {
    await withTaskGroup(of: Result<Value, AttemptFailure>?.self) { group in
      group.addTask {
        do {
          return .success(try await effect.run(input, attempt))
        } catch {
          return .failure(AttemptFailure(error))
        }
      }
      group.addTask { (try? await Task.sleep(for: effect.policy.timeout)) == nil ? nil : .failure(.timeout) }
      group.addTask { [self] in
        while (try? await Task.sleep(for: settings.lease / 3)) != nil {
          _ = try? await sessions.store.renew(settings.lease, of: work, at: sessions.clock.now())
        }
        return nil
      }
      defer { group.cancelAll() }
      for await result in group { if let result { return result } }
      return .failure(.timeout)
    }
  }

  /// Applies an event. While the store is unavailable, tries again until the lease expires, because the work would be
  /// done again otherwise.
  private func applyPersistently(_ event: BackgroundEvent, of work: ClaimedWork) async throws {
    let deadline = ContinuousClock.now + settings.lease
    while true {
      do {
        return try await apply(event, of: work)
      } catch SessionError.store(.unavailable(_)) where ContinuousClock.now < deadline {
        try await Task.sleep(for: settings.interval)
      }
    }
  }

  private func apply(_ event: BackgroundEvent, of work: ClaimedWork) async throws {
    switch try await sessions.apply(event, to: work.session) {
    case .applied: break
    case .obsolete: try await sessions.wrappingErrors(of: await sessions.store.discard(work))
    case .blocked:
      let sentence = "A guard of the app stops the event."
      try await report(
        WorkReport(pause: settings.interval, attempts: work.attempts, error: sentence, event: event.encoded), on: work)
    case .failed(let reason):
      log("The event of the work \(work.label) is stuck. \(reason)")
      try await report(
        WorkReport(pause: nil, attempts: work.attempts, error: reason, event: event.encoded), on: work)
    }
  }

  private func report(_ report: WorkReport, on work: ClaimedWork) async throws {
    let now = sessions.clock.now()
    _ = try await sessions.wrappingErrors(of: await sessions.store.report(report, on: work, at: now))
  }

  private static func sentence(of error: any Error) -> String {
    (error as? SessionError)?.operatorDescription ?? "\(error)"
  }
}

extension ClaimedWork {
  /// The work in the log: the first digits of the session's key, and the id.
  fileprivate var label: String { "\(session.short)/\(id)" }
}

/// The failure of one attempt.
private struct AttemptFailure: Error {
  let outcome: EffectFailure
  /// Whether no further attempt may follow.
  let isFinal: Bool
  let pause: Duration?

  static let timeout = AttemptFailure(
    outcome: EffectFailure(.timeout, detail: "The attempt exceeded its timeout."), isFinal: false, pause: nil)

  private init(outcome: EffectFailure, isFinal: Bool, pause: Duration?) {
    self.outcome = outcome
    self.isFinal = isFinal
    self.pause = pause
  }

  init(_ error: any Error) {
    switch error {
    case let retry as Retry: self.init(outcome: retry.failure, isFinal: false, pause: retry.pause)
    case let failure as EffectFailure: self.init(outcome: failure, isFinal: true, pause: nil)
    default: self.init(outcome: EffectFailure(.error, detail: "\(error)"), isFinal: true, pause: nil)
    }
  }
}

extension PendingEffect {
  /// The idempotency key: a digest of the session and of the author's key or, without one, of the id and the seed.
  fileprivate func idempotencyKey(of id: WorkID, in session: SessionKey, _ name: String) -> String {
    let parts = [Array("usher effect".utf8), session.bytes, Array(name.utf8)]
    let own = key.map { [Array("key".utf8), Array($0.utf8)] } ?? [Array("id \(id) \(seed)".utf8)]
    return Base64URL.encode(Digest256(ofParts: parts + own).bytes)
  }
}

extension SessionService {
  /// Returns a piece of pending work with the session's navigation; nil if the session has ended or no longer has it.
  fileprivate func pendingWork(
    _ id: WorkID, of key: SessionKey
  ) async throws(SessionError) -> (LiveNavigation, PendingWork)? {
    let session: StoredSession
    do throws(SessionError) {
      session = try await load(key, .current)
    } catch .unknownSession, .expired {
      return nil
    }
    let navigation = try navigation(of: session)
    guard !navigation.state.isFinished, let work = navigation.state.work.first(where: { $0.id == id }) else {
      return nil
    }
    return (navigation, work)
  }
}

/// Wakes the runner of a process when a step has requested work.
final class WorkSignal: Sendable {
  private let wakeUp = Mutex<AsyncStream<Void>.Continuation?>(nil)

  func set(_ continuation: AsyncStream<Void>.Continuation) { wakeUp.withLock { $0 = continuation } }

  func send() { _ = wakeUp.withLock { $0?.yield() } }
}

/// The metrics of effects, by app and name.
private struct WorkMetrics: Sendable {
  struct EffectMeter: Sendable {
    let done: Counter
    let failed: Counter
    let retried: Counter
    let duration: Timer
  }

  private let effects: [String: [String: EffectMeter]]

  init(_ apps: [AppDefinition], _ factory: any MetricsFactory) {
    func counter(_ app: String, _ effect: String, _ outcome: String) -> Counter {
      factory.counter(.effects, [("app", app), ("effect", effect), ("outcome", outcome)])
    }
    effects = Dictionary(
      apps.map { app in
        let meters = app.effects.map { effect in
          (
            effect.name,
            EffectMeter(
              done: counter(app.name, effect.name, "done"), failed: counter(app.name, effect.name, "failed"),
              retried: counter(app.name, effect.name, "retried"),
              duration: factory.timer(.effectDuration, [("app", app.name), ("effect", effect.name)]))
          )
        }
        return (app.name, Dictionary(uniqueKeysWithValues: meters))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// - Precondition: the app is hosted, and has the effect.
  func effect(_ name: String, of app: String) -> EffectMeter { effects[app]![name]! }
}
