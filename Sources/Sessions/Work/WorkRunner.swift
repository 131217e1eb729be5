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
  let sentence: @Sendable (SessionError) -> String
  let events = WakeUps()
  let effects = WakeUps()
  let inProgress: Mutex<WorkInProgress>
  /// The events during which earlier processes have crashed, until they are reported.
  let crashed: Mutex<Set<CrashedEvent>>
  let metrics: WorkMetrics
  let resources: any Sendable
  let origin: String?

  /// - Parameters:
  ///   - resources: what the host offers to effects beyond the app.
  ///   - origin: the URL at which senders of signals reach the service, without a path; nil if it is not known.
  ///   - sentence: returns an error as a sentence for operators.
  ///   - log: receives a sentence for each failure that concerns operators.
  public init(
    _ sessions: SessionService, _ settings: Settings = Settings(), resources: any Sendable = NoServices(),
    origin: String? = "", metrics: any MetricsFactory,
    sentence: (@Sendable (SessionError) -> String)? = nil,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.resources = resources
    self.origin = origin
    inProgress = Mutex(WorkInProgress(effectLimit: settings.limit, laneLimit: settings.serviceLimit))
    crashed = Mutex(settings.crashFile.map { CrashedEvent.all(path: $0) } ?? [])
    self.sessions = sessions
    appVersions = Dictionary(sessions.apps.map { ($0.name, $0.version) }) { first, _ in first }
    self.settings = settings
    self.log = log
    self.sentence = sentence ?? { $0.operatorDescription }
    self.metrics = WorkMetrics(sessions.apps, metrics)
    sessions.workRequested.set([events, effects])
  }

  /// The number of pieces of work in progress.
  public var count: Int { inProgress.withLock { $0.count } }

  /// Performs due work. Returns when its task is cancelled, after the work in progress has been cancelled.
  public func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { [self] in
        while (try? await Task.sleep(for: settings.interval)) != nil { wakeUp() }
      }
      group.addTask { [self] in
        while (try? await Task.sleep(for: settings.lease / 3)) != nil { await renewLeases() }
      }
      // Each has claims of its own, so that neither delays the other.
      group.addTask { [self] in await perform(\.eventPlaces, after: events) }
      group.addTask { [self] in await perform(\.effectPlaces, after: effects) }
      wakeUp()
    }
  }

  func wakeUp() {
    events.send()
    effects.send()
  }

  /// Performs due work of one kind after each wake-up, until the task is cancelled.
  private func perform(
    _ places: @Sendable (WorkInProgress) -> WorkPlaces?, after wakeUps: WakeUps
  ) async {
    await withDiscardingTaskGroup { group in
      for await _ in wakeUps.stream {
        while let claimed = await claim(places), !claimed.isEmpty {
          group.addTask { [self] in await perform(claimed) }
        }
        if Task.isCancelled { break }
      }
    }
  }

  /// Claims as much due work as can be performed now. Returns nil if there is no place for more, or the store fails.
  private func claim(_ places: @Sendable (WorkInProgress) -> WorkPlaces?) async -> [ClaimedWork]? {
    guard let places = inProgress.withLock({ places($0) }), !Task.isCancelled else { return nil }
    do throws(StoreError) {
      let begin = ContinuousClock.now
      let claimed = try await sessions.store.claimWork(
        of: appVersions, for: places, at: sessions.clock.now(), lease: settings.lease)
      inProgress.withLock { $0.add(claimed, since: begin) }
      return claimed
    } catch {
      if !Task.isCancelled { log("Due work cannot be looked up. \(error.sentence)") }
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

  /// Performs claimed work: the events of one session one after the other, in the order in which they are due.
  private func perform(_ claimed: [ClaimedWork]) async {
    let loaded = zip(claimed, await sessions.store.loadTogether(claimed.map(\.session)))
    await withDiscardingTaskGroup { group in
      for (work, session) in loaded where work.lane != .events {
        group.addTask { [self] in await complete(work, of: session) }
      }
      for events in Dictionary(grouping: loaded.filter { $0.0.lane == .events }, by: \.0.session).values {
        group.addTask { [self] in
          var session = events[0].1
          for (work, _) in events {
            await complete(work, of: session)
            session = nil
          }
        }
      }
    }
  }
}
