public import CoreMetrics
public import Navigation
internal import Observability
internal import Synchronization
internal import Values

/// The runner of pending work, which finds the effects, scheduled events and signals that are due, performs the
/// effects, and applies outcomes and events to the sessions.
///
/// The store says what is due, so work survives the process. A piece of work is claimed for a lease, and due again when
/// the lease expires: then this process or another one takes it over.
public final class WorkRunner: Sendable {
  public struct Settings: Sendable {
    /// The maximum number of effects in progress (`--max-effects`).
    public var limit = 64
    /// The maximum number of effects in progress that use the same HTTP service or, without one, have the same name.
    public var serviceLimit = 16
    /// The time until a piece of claimed work is due again, unless this process renews the lease.
    public var lease = Duration.seconds(60)
    /// The maximum time between two look-ups of due work.
    public var interval = Duration.seconds(1)
    /// The number of consecutive leases without a report after which a piece of work is stuck.
    public var lostLeaseLimit = 10
    /// The path of the file to which a crash adds the event that it happened in; nil for a store whose file is not on
    /// this machine.
    public var crashFile: String?

    public init() {}
  }

  let sessions: SessionService
  /// By name.
  private let appVersions: [String: Int]
  let settings: Settings
  let log: @Sendable (String) -> Void
  let report: @Sendable (EventReport) -> Void
  let sentence: @Sendable (SessionError) -> String
  let events = WakeUps()
  let effects = WakeUps()
  private let changes = ChangedSessions()
  /// The kinds of work whose last look-up has failed.
  private let failing = Mutex<Set<Kind>>([])

  private enum Kind { case events, effects }
  let inProgress: Mutex<WorkInProgress>
  /// The events during which earlier processes have crashed, until they are reported.
  let crashed: Mutex<Set<CrashedEvent>>
  let shared = SharedOutcomes()
  let metrics: WorkMetrics
  let resources: any Sendable
  let origin: String?

  /// - Parameters:
  ///   - resources: what the host offers to effects beyond the app.
  ///   - origin: the URL at which senders of signals reach the service, without a path; nil if it is not known.
  ///   - sentence: returns an error as a sentence for operators.
  ///   - report: receives each event that is stuck, or has been blocked for long; nil for its sentences in the log.
  ///   - log: receives a sentence for each failure that concerns operators.
  public init(
    _ sessions: SessionService, _ settings: Settings = Settings(), resources: any Sendable = NoServices(),
    origin: String? = "", metrics: any MetricsFactory,
    sentence: (@Sendable (SessionError) -> String)? = nil, report: (@Sendable (EventReport) -> Void)? = nil,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.resources = resources
    self.origin = origin
    inProgress = Mutex(WorkInProgress(effectLimit: settings.limit, queueLimit: settings.serviceLimit))
    crashed = Mutex(settings.crashFile.map { CrashedEvent.all(path: $0) } ?? [])
    self.sessions = sessions
    var versions = Dictionary(sessions.registry.builtIn.map { ($0.name, $0.version) }) { first, _ in first }
    if sessions.registry.compilation != nil { versions[StoredSession.anyFlow] = .max }
    appVersions = versions
    self.settings = settings
    self.log = log
    self.report = report ?? { log("\($0)") }
    self.sentence = sentence ?? { $0.operatorDescription }
    self.metrics = WorkMetrics(sessions.registry.builtIn, metrics)
    sessions.runner.set([events, effects], changes)
  }

  /// The number of pieces of work in progress.
  public var count: Int { inProgress.withLock { $0.count } }

  /// The size in bytes of the outputs that are kept for the public effects of other sessions.
  public var sharedSize: Int { shared.size }

  /// Performs due work. Returns when its task is cancelled, after the work in progress has been cancelled.
  public func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { [self] in
        while (try? await Task.sleep(for: settings.interval)) != nil {
          shared.removeExpired()
          wakeUp()
        }
      }
      group.addTask { [self] in
        while (try? await Task.sleep(for: settings.lease / 3)) != nil { await renewLeases() }
      }
      group.addTask { [self] in
        for await _ in changes.wakeUps.stream {
          while let (session, work) = changes.removeFirst() { await sessions.releaseEvents(of: session, work) }
        }
      }
      // Each has claims of its own, so that neither delays the other.
      group.addTask { [self] in await perform(.events, after: events) }
      group.addTask { [self] in await perform(.effects, after: effects) }
      wakeUp()
    }
  }

  func wakeUp() {
    events.send()
    effects.send()
  }

  /// Performs due work of one kind after each wake-up, until the task is cancelled.
  private func perform(_ kind: Kind, after wakeUps: WakeUps) async {
    await withDiscardingTaskGroup { group in
      for await _ in wakeUps.stream {
        while let claimed = await claim(kind), !claimed.isEmpty {
          // Here, because the order of claims counts.
          let ready = inProgress.withLock { inProgress in
            claimed.filter { $0.queue != .events || !inProgress.enqueue($0) }
          }
          group.addTask { [self] in await perform(ready) }
        }
        if Task.isCancelled { break }
      }
    }
  }

  /// Claims as much due work as can be performed now. Returns nil if no slot is free, or the store fails.
  private func claim(_ kind: Kind) async -> [ClaimedWork]? {
    let slots = inProgress.withLock { kind == .events ? $0.eventSlots : $0.effectSlots }
    guard let slots, !Task.isCancelled else { return nil }
    do throws(StoreError) {
      let begin = ContinuousClock.now
      let claimed = try await sessions.store.claimWork(
        WorkSearch(apps: appVersions, slots: slots, now: sessions.clock.now(), lease: settings.lease))
      inProgress.withLock { $0.add(claimed, since: begin) }
      if failing.withLock({ $0.remove(kind) != nil && $0.isEmpty }) { log("Due work can be looked up again.") }
      return claimed
    } catch {
      // Once, because every look-up fails until the store is back.
      guard !Task.isCancelled else { return nil }
      let isFirst = failing.withLock { failing in
        defer { failing.insert(kind) }
        return failing.isEmpty
      }
      if isFirst { log("Cannot query due work. \(error.sentence)") }
      return nil
    }
  }

  private func renewLeases() async {
    await withDiscardingTaskGroup { group in
      for work in inProgress.withLock({ $0.all }) {
        group.addTask { [self] in
          _ = try? await sessions.store.renew(settings.lease, of: work, at: sessions.clock.now())
        }
      }
    }
  }

  /// Performs effects at the same time, and the events of one session one after the other.
  private func perform(_ ready: [ClaimedWork]) async {
    let loaded = await sessions.store.loadTogether(ready.map(\.session))
    await withDiscardingTaskGroup { group in
      for (work, session) in zip(ready, loaded) {
        group.addTask { [self] in
          await complete(work, of: session)
          guard work.queue == .events else { return }
          while let next = inProgress.withLock({ $0.next(of: work.session) }) { await complete(next, of: nil) }
        }
      }
    }
  }
}
