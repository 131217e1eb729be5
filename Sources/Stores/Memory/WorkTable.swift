internal import HeapModule
internal import Navigation
internal import Sessions
internal import Synchronization
internal import Values

/// The pending work of the sessions in memory, by time.
final class WorkTable: Sendable {
  private struct Key: Hashable {
    let session: SessionKey
    let id: WorkID
  }

  private struct Row {
    let app: String
    /// The version of the app.
    let version: Int
    let trace: String?
    let signalKey: SignalKey?
    let waitsForSignals: Bool
    /// The content of a detached effect; nil for other work.
    let detached: [UInt8]?
    /// The definition of a detached effect; nil for other work, and for an app in Swift.
    let definition: DefinitionDigest?
    /// The owner of the session.
    let owner: SessionOwner?
    var lane: WorkLane
    var dueAt: Timestamp
    var lease: Int64 = 0
    var attempts = 0
    var claims = 0
    /// The result of earlier leases. In front of signals, the look-up of held ones.
    var progress: [UInt8]?
    /// The signals that wait, in their order.
    var queue: [QueuedSignal] = []
    var error: String?
    var wait: EventWait?

    var isStuck: Bool { dueAt == .never && error != nil }
    var isFull: Bool { queue.reduce(0) { $0 + $1.event.count } >= QueuedSignal.sizeLimit }
    /// The progress that a claim returns.
    var firstProgress: [UInt8]? { progress ?? queue.first?.event }

    /// Whether the signal or a repetition of it waits.
    func has(_ signal: QueuedSignal) -> Bool { queue.contains { $0.delivery == signal.delivery } }

    /// Ends the lease, and puts signals before those that wait.
    ///
    /// - Parameter removesFirst: whether the first entry of the queue ends: the progress, or a signal.
    mutating func settle(removesFirst: Bool = true, adding held: [QueuedSignal] = []) {
      if removesFirst, progress == nil { queue.removeFirst(min(1, queue.count)) }
      (lease, claims, attempts, error, wait) = (0, 0, 0, nil, nil)
      progress = nil
      queue = held + queue
    }
  }

  /// A place in the order of time of a lane. It is outdated if its row has another time or lane by now.
  private struct Place: Comparable {
    let dueAt: Timestamp
    let key: Key

    static func < (a: Place, b: Place) -> Bool { (a.dueAt, a.key.id) < (b.dueAt, b.key.id) }
    static func == (a: Place, b: Place) -> Bool { (a.dueAt, a.key.id) == (b.dueAt, b.key.id) }
  }

  private struct State {
    var rows: [Key: Row] = [:]
    var orders: [WorkLane: Heap<Place>] = [:]
    /// The work that waits for signals, by key.
    var waiting: [SignalKey: Set<Key>] = [:]
    var signals = ReceivedSignals()

    mutating func add(_ row: Row, at key: Key) {
      remove(key)
      rows[key] = row
      if let signalKey = row.signalKey { waiting[signalKey, default: []].insert(key) }
      set(row.dueAt, of: key)
    }

    mutating func remove(_ key: Key) {
      guard let signalKey = rows.removeValue(forKey: key)?.signalKey else { return }
      waiting[signalKey]?.remove(key)
      if waiting[signalKey]?.isEmpty == true { waiting[signalKey] = nil }
    }

    mutating func set(_ dueAt: Timestamp, of key: Key) {
      rows[key]?.dueAt = dueAt
      guard dueAt != .never, let lane = rows[key]?.lane else { return }
      orders[lane, default: Heap()].insert(Place(dueAt: dueAt, key: key))
      guard let count = orders[lane]?.count, count > 2 * rows.count + 1024 else { return }
      // Most places are outdated.
      let current = rows.filter { $0.value.lane == lane && $0.value.dueAt != .never }
      orders[lane] = Heap(current.map { Place(dueAt: $0.value.dueAt, key: $0.key) })
    }

    /// Returns the lanes in which a search looks for due work. The one with the longest due work comes first, so that
    /// each has its share of the places.
    func lanes(of search: WorkSearch) -> [WorkLane] {
      guard case .effects = search.places else { return [.events] }
      let found = orders.compactMap { lane, order in
        lane == .events ? nil : order.min.map { (lane: lane, dueAt: $0.dueAt) }
      }
      return found.sorted { ($0.dueAt, $0.lane.name) < ($1.dueAt, $1.lane.name) }.map(\.lane)
    }

    /// Claims up to `limit` pieces of due work of a lane.
    mutating func claim(_ lane: WorkLane, _ search: WorkSearch, limit: Int) -> [ClaimedWork] {
      var claimed: [ClaimedWork] = []
      var skipped: [Place] = []
      while claimed.count < limit, let place = orders[lane]?.min, place.dueAt <= search.now {
        _ = orders[lane]?.popMin()
        guard var row = rows[place.key], row.dueAt == place.dueAt, row.lane == lane else { continue }
        guard let known = search.apps[row.app], row.version <= known || row.dueAt <= search.reservedSince else {
          skipped.append(place)
          continue
        }
        row.lease = .random(in: 1 ... .max)
        row.claims += 1
        rows[place.key] = row
        set(search.now + search.lease, of: place.key)
        claimed.append(
          ClaimedWork(
            session: place.key.session, id: place.key.id, lane: lane, lease: row.lease, attempts: row.attempts,
            claims: row.claims, progress: row.firstProgress, detached: row.detached, trace: row.trace,
            wait: row.wait))
      }
      orders[lane]?.insert(contentsOf: skipped)
      if orders[lane]?.isEmpty == true { orders[lane] = nil }
      return claimed
    }

    /// Puts a signal behind those that wait for work, which becomes due if there are none.
    mutating func append(_ signal: QueuedSignal, to key: Key, at now: Timestamp) {
      let isFirst = rows[key]?.firstProgress == nil
      rows[key]?.queue.append(signal)
      if isFirst { set(now, of: key) }
    }

    /// Returns the row of claimed work whose lease is not lost.
    func row(of work: ClaimedWork) -> Row? {
      rows[Key(session: work.session, id: work.id)].flatMap { $0.lease == work.lease ? $0 : nil }
    }
  }

  private let state = Mutex(State())

  /// Follows a write of a session.
  func update(_ session: StoredSession, since predecessor: StoredSession) {
    let changes = session.workChanges(since: predecessor)
    guard !changes.isEmpty else { return }
    state.withLock { state in
      for id in changes.removed { state.remove(Key(session: session.key, id: id)) }
      for (old, new) in changes.renamed {
        guard var row = state.rows[Key(session: session.key, id: old)] else { continue }
        state.remove(Key(session: session.key, id: old))
        row.settle()
        row.dueAt = row.queue.isEmpty ? .never : Timestamp(milliseconds: 0)
        state.add(row, at: Key(session: session.key, id: new))
      }
      for work in changes.added { Self.add(work, of: session, to: &state) }
    }
  }

  func insert(_ session: StoredSession) {
    guard let work = session.firstWork else { return }
    state.withLock { state in for work in work { Self.add(work, of: session, to: &state) } }
  }

  private static func add(_ work: ScheduledWork, of session: StoredSession, to state: inout State) {
    let row = Row(
      app: session.claimedApp, version: work.version, trace: work.trace, signalKey: work.key,
      waitsForSignals: work.address != nil, detached: work.detached,
      definition: work.detached.flatMap { _ in session.definition }, owner: session.owner, lane: work.lane,
      dueAt: work.dueAt, progress: work.progress)
    state.add(row, at: Key(session: session.key, id: work.id))
  }

  /// Removes the work of an ended session. Its compensations are due.
  func remove(_ session: StoredSession) {
    guard let work = session.work, !work.isEmpty else { return }
    state.withLock { state in
      for work in work {
        let key = Key(session: session.key, id: work.id)
        if state.rows[key]?.detached == nil {
          state.remove(key)
        } else {
          state.set(Timestamp(milliseconds: 0), of: key)
        }
      }
    }
  }

  /// Removes the detached effects of an owner's sessions.
  func removeDetached(of owner: SessionOwner) {
    state.withLock { state in
      for (key, row) in state.rows where row.detached != nil && row.owner == owner { state.remove(key) }
    }
  }

  /// Returns whether a detached effect needs a definition. Scans all work.
  func hasDetached(definedBy digest: DefinitionDigest) -> Bool {
    state.withLock { $0.rows.values.contains { $0.definition == digest } }
  }

  func claim(_ search: WorkSearch) -> [ClaimedWork] {
    state.withLock { state in
      search.claim(from: state.lanes(of: search)) { lane, limit in state.claim(lane, search, limit: limit) }
    }
  }

  func renew(_ lease: Duration, of work: ClaimedWork, at now: Timestamp) -> Bool {
    state.withLock { state in
      guard state.row(of: work) != nil else { return false }
      state.set(now + lease, of: Key(session: work.session, id: work.id))
      return true
    }
  }

  func report(_ report: WorkReport, on work: ClaimedWork, at now: Timestamp) -> Bool {
    state.withLock { state in
      guard var row = state.row(of: work) else { return false }
      let key = Key(session: work.session, id: work.id)
      (row.lease, row.claims, row.attempts) = (0, 0, report.attempts)
      row.progress = report.progress ?? row.progress
      if WorkProgress.isEvent(report.progress) { row.lane = .events }
      (row.error, row.wait) = (report.storedError, report.wait)
      state.rows[key] = row
      state.set(report.pause.map { now + $0 } ?? .never, of: key)
      return true
    }
  }

  func discard(_ work: ClaimedWork) {
    state.withLock { state in
      if state.row(of: work) != nil { state.remove(Key(session: work.session, id: work.id)) }
    }
  }

  func settle(_ work: ClaimedWork, adding held: [QueuedSignal], at now: Timestamp) {
    state.withLock { state in
      guard var row = state.row(of: work) else { return }
      let key = Key(session: work.session, id: work.id)
      row.settle(removesFirst: work.progress != nil, adding: held)
      state.rows[key] = row
      state.set(row.queue.isEmpty ? .never : now, of: key)
    }
  }

  func deliver(
    _ signal: QueuedSignal, to work: WorkID, of session: SessionKey, at now: Timestamp
  ) -> WorkDelivery {
    state.withLock { state in
      let key = Key(session: session, id: work)
      guard let row = state.rows[key], row.waitsForSignals else { return .missing }
      if row.has(signal) { return .repeated }
      guard !row.isFull else { return .full }
      state.append(signal, to: key, at: now)
      return .delivered
    }
  }

  func deliver(_ keyed: KeyedSignal, at now: Timestamp) -> KeyedDelivery {
    state.withLock { state in
      if let count = state.signals.receivers(of: keyed, at: now) { return .repeated(count) }
      let receivers = state.waiting[keyed.key] ?? []
      guard receivers.count <= KeyedSignal.receiverLimit else { return .tooMany }
      guard receivers.allSatisfy({ state.rows[$0]?.isFull != true }) else { return .full }
      guard state.signals.insert(keyed, receivers.count, at: now) else { return .full }
      for key in receivers where state.rows[key]?.has(keyed.signal) == false {
        state.append(keyed.signal, to: key, at: now)
      }
      return .delivered(receivers.count)
    }
  }

  func heldSignals(for key: SignalKey, at now: Timestamp) -> [QueuedSignal] {
    state.withLock { $0.signals.held(for: key, at: now) }
  }

  func sweep(now: Timestamp) { state.withLock { $0.signals.sweep(now: now) } }

  func statuses(of session: SessionKey, _ ids: [WorkID]) -> [WorkStatus] {
    state.withLock { state in
      ids.sorted().compactMap { id in
        state.rows[Key(session: session, id: id)].map { row in
          WorkStatus(
            id: id, attempts: row.attempts, error: row.error, dueAt: row.dueAt, progress: row.firstProgress,
            wait: row.wait)
        }
      }
    }
  }

  func retry(_ work: WorkID, of session: SessionKey, at now: Timestamp) -> Bool {
    state.withLock { state in
      let key = Key(session: session, id: work)
      guard let row = state.rows[key], row.lease == 0, row.error != nil else { return false }
      state.rows[key]?.claims = 0
      state.set(now, of: key)
      return true
    }
  }

  func resolve(_ work: WorkID, of session: SessionKey, with event: [UInt8], at now: Timestamp) -> Bool {
    state.withLock { state in
      let key = Key(session: session, id: work)
      guard var row = state.rows[key], row.lease == 0, row.error != nil else { return false }
      (row.progress, row.claims, row.lane) = (event, 0, .events)
      state.rows[key] = row
      state.set(now, of: key)
      return true
    }
  }

  var count: WorkCount {
    state.withLock { state in
      let stuck = state.rows.values.count(where: \.isStuck)
      let pending = state.rows.values.lazy.map(\.dueAt).filter { $0 != .never }
      return WorkCount(
        pending: pending.count, stuck: stuck,
        blocked: state.rows.values.count { $0.wait?.reason == .blockedForLong },
        heldSignals: state.signals.heldCount,
        dueSince: pending.filter { $0 >= WorkCount.earliest }.min())
    }
  }
}
