public import Navigation
public import Values

/// One piece of a session's pending work as a store finds it, without reading sessions: by time, or by a key.
public struct ScheduledWork: Sendable, Equatable {
  public let id: WorkID
  /// The version of the app that has requested the work.
  public var version = 1
  /// The trace of the request that has requested the work; see ``StepTrace``.
  public var trace = StepTrace.current
  /// The time from which the work is due: the time of its request for an effect, and ``Values/Timestamp/never`` for a
  /// signal, until it arrives. Work that waits for a signal under a key is due at once, to look for held signals.
  public let dueAt: Timestamp
  /// Identifies work that waits for signals over all deliveries, each of which gives it a new id; nil for other work.
  public var address: UInt32?
  /// The key under which signals reach the work; nil without one.
  public var key: SignalKey?
  /// Of a session that was read from a store, always ``WorkQueue/events``.
  public var queue = WorkQueue.events
  /// The encoded ``DetachedWork`` of a detached effect, which outlives its session. Due at ``Values/Timestamp/never``,
  /// it is a compensation, which becomes due when the session ends. Nil for other work, and in a session that was read
  /// from a store.
  public var detached: [UInt8]?

  /// The ``WorkReport/progress`` that the work begins with, encoded.
  public var progress: [UInt8]? { key.map { _ in WorkProgress.firstLookUp } }
}

extension ScheduledWork {
  init(_ work: PendingWork, in app: AppDefinition) {
    switch work.content {
    case .effect(let effect):
      let queue = WorkQueue(app.effects[effect.effect])
      self.init(id: work.id, version: app.version, dueAt: work.since, queue: queue)
    case .timer(let timer):
      // The runner looks at once when the session ends, and again at that time, which may have moved.
      self.init(id: work.id, version: app.version, dueAt: timer.lead == nil ? timer.dueAt : work.since)
    case .signal(let signal):
      let key = signal.key.map { SignalKey($0, of: app.name(of: work), in: app.name) }
      self.init(
        id: work.id, version: app.version, dueAt: key == nil ? .never : work.since, address: signal.address,
        key: key)
    }
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.id == b.id && a.dueAt == b.dueAt && a.address == b.address && a.key == b.key
  }
}

extension LiveNavigation {
  /// The pending work of the state, compensations included.
  func work(of session: SessionKey) -> [ScheduledWork] {
    // Most sessions have none, and every step asks.
    if !state.hasWork { return [] }
    return state.work.flatMap { work in
      let scheduled = ScheduledWork(work, in: app)
      guard let compensation = work.effect?.compensation else { return [scheduled] }
      return [scheduled, self.scheduled(compensation, at: .never, of: session)]
    }
  }

  /// The detached effects that the last step has requested.
  func detached(of session: SessionKey, at now: Timestamp) -> [ScheduledWork] {
    // Most steps request none.
    if !state.environment.hasDetached { return [] }
    return state.environment.detached.map { scheduled($0, at: now, of: session) }
  }

  private func scheduled(_ effect: DetachedEffect, at dueAt: Timestamp, of session: SessionKey) -> ScheduledWork {
    let content = DetachedWork(
      session: session, app: app.name, definition: app.digest, locale: state.environment.locale,
      effect: app.pack(effect))
    return ScheduledWork(
      id: effect.id, version: app.version, dueAt: dueAt, queue: WorkQueue(app.effects[effect.effect]),
      detached: content.encoded)
  }
}

/// The changes of a session's pending work in one write.
public struct WorkChanges: Sendable {
  public var added: [ScheduledWork] = []
  public var removed: [WorkID] = []
  /// Work whose first signal the write has applied. The work keeps the further signals under its new id, and is due if
  /// there are any.
  public var renamed: [(from: WorkID, to: WorkID)] = []

  public var isEmpty: Bool { added.isEmpty && removed.isEmpty && renamed.isEmpty }
}

extension Timestamp {
  /// The due time of work that waits for something other than a time.
  public static let never = Timestamp(milliseconds: .max)
}

extension StoredSession {
  public func workChanges(since predecessor: StoredSession) -> WorkChanges {
    let (old, new) = (predecessor.work ?? [], work ?? [])
    var changes = WorkChanges(added: detached)
    guard old != new else { return changes }
    for work in new where !old.contains(work) {
      if let address = work.address, let waiting = old.first(where: { $0.address == address }) {
        changes.renamed.append((waiting.id, work.id))
      } else {
        changes.added.append(work)
      }
    }
    changes.removed = old.filter { work in
      !new.contains(work) && !changes.renamed.contains { $0.from == work.id } && !detached.contains { $0.id == work.id }
    }.map(\.id)
    return changes
  }
}

/// Due work that a process has claimed. Until the lease expires, no other process claims it.
public struct ClaimedWork: Sendable, Equatable {
  public let session: SessionKey
  public let id: WorkID
  public let queue: WorkQueue
  /// A random number that identifies the lease.
  public var lease: Int64
  /// The number of attempts that have reported an error.
  public let attempts: Int
  /// The number of leases since the last report, this one included. Each but this one was lost.
  public let claims: Int
  /// The result of earlier leases, encoded; see ``WorkReport/progress``. Without one, the first signal that waits for the
  /// work.
  public let progress: [UInt8]?
  /// The encoded ``DetachedWork``; nil for work of a living session.
  public let detached: [UInt8]?
  /// The trace of the request that has requested the work; see ``StepTrace``.
  public let trace: String?
  /// The reason why the event has waited; nil if it has not.
  public let wait: EventWait?

  public init(
    session: SessionKey, id: WorkID, queue: WorkQueue, lease: Int64, attempts: Int, claims: Int, progress: [UInt8]?,
    detached: [UInt8]? = nil, trace: String? = nil, wait: EventWait? = nil
  ) {
    self.wait = wait
    self.queue = queue
    self.detached = detached
    self.trace = trace
    self.session = session
    self.id = id
    self.lease = lease
    self.attempts = attempts
    self.claims = claims
    self.progress = progress
  }
}

/// The report of the holder of a lease about work that is not finished.
public struct WorkReport: Sendable, Equatable {
  /// The time until the work is due again; nil if it is stuck until an operator retries it.
  public var pause: Duration?
  /// The number of attempts that have reported an error, this one included.
  public var attempts: Int
  /// The error, for operators; nil for work that is only early.
  public var error: String?
  /// The result so far, encoded: an event that waits to be applied, or that the attempts may have had their effect; nil
  /// if the stored progress stays as it is. With an event the work changes to the queue of the events.
  public var progress: [UInt8]?
  /// The reason why the event waits; nil for other work.
  public var wait: EventWait?
}

/// The state of a piece of pending work in its store.
public struct WorkStatus: Sendable, Equatable {
  public let id: WorkID
  /// The number of attempts that have reported an error.
  public let attempts: Int
  /// The latest error; nil without one since the work was requested.
  public let error: String?
  /// The time from which it may be claimed; ``Values/Timestamp/never`` for stuck work, and for a signal that has not
  /// arrived.
  public let dueAt: Timestamp
  /// The encoded ``WorkReport/progress``; without one, the first signal that waits for the work.
  public let progress: [UInt8]?
  /// The reason why the event waits; nil if it does not.
  public let wait: EventWait?

  /// Whether the work waits for an operator.
  public var isStuck: Bool { dueAt == .never && error != nil }

  /// Whether the event waits behind a stuck one of its coordinator.
  var isBehind: Bool { wait?.reason == .behindStuckEvent }

  /// Returns whether the event is stuck, or is tried again, and holds the later events of its coordinator back. After the
  /// limit it is set aside. An event that a previous version of the service has stored without the time holds none back.
  public func holdsOthersBack(for limit: Duration, at now: Timestamp) -> Bool {
    guard let wait, wait.reason == .stuck else { return false }
    return !wait.isOlder(than: limit, at: now)
  }

  /// Whether the work is done, and its event waits to be applied.
  var hasEvent: Bool {
    if let progress, case .event = try? WorkProgress(of: id, encoded: progress) { true } else { false }
  }

  public init(
    id: WorkID, attempts: Int, error: String?, dueAt: Timestamp, progress: [UInt8]?, wait: EventWait? = nil
  ) {
    self.wait = wait
    self.id = id
    self.attempts = attempts
    self.error = error
    self.dueAt = dueAt
    self.progress = progress
  }
}

/// The result of delivering a signal to a piece of work that waits for signals.
public enum WorkDelivery: Sendable, Equatable {
  case delivered
  /// The same signal waits already.
  case repeated
  /// Too many signals wait already; see ``QueuedSignal/sizeLimit``.
  case full
  /// No such work waits for signals, or it has changed meanwhile.
  case missing
}

/// The numbers of pieces of pending work in a store. Work that waits for a signal counts as neither.
public struct WorkCount: Sendable, Equatable {
  public var pending: Int
  /// The pieces that wait for an operator.
  public var stuck: Int
  /// The events that a guard or a full queue of prompts has kept back for long.
  public var blocked: Int
  /// The signals that are held for sessions that may wait for them later.
  public var heldSignals: Int
  /// The earliest time at which pending work is due; nil if there is none.
  public var dueSince: Timestamp?

  /// The time before which due times say only that work is due at once, whatever the time.
  public static let earliest = Timestamp(milliseconds: 1_000_000_000_000)

  public init(pending: Int, stuck: Int, blocked: Int = 0, heldSignals: Int = 0, dueSince: Timestamp? = nil) {
    self.blocked = blocked
    self.pending = pending
    self.stuck = stuck
    self.heldSignals = heldSignals
    self.dueSince = dueSince
  }
}
