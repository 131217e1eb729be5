internal import HeapModule
internal import Navigation
internal import Sessions
internal import Values

/// The pending work of the sessions in memory, by time.
struct WorkTable {
  struct Key: Hashable {
    let session: SessionKey
    let id: WorkID
  }

  struct Row {
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
    var queue: WorkQueue
    var dueAt: Timestamp
    var lease: Int64 = 0
    var attempts = 0
    var claims = 0
    /// The result of earlier leases. In front of signals, the look-up of held ones.
    var progress: [UInt8]?
    /// The signals that wait, in their order.
    var signals: [QueuedSignal] = []
    var error: String?
    var wait: EventWait?

    init(_ work: ScheduledWork, of session: StoredSession) {
      (app, version, trace) = (session.claimedApp, work.version, work.trace)
      (signalKey, waitsForSignals) = (work.key, work.address != nil)
      (detached, definition) = (work.detached, work.detached == nil ? nil : session.definition)
      (owner, queue, dueAt, progress) = (session.owner, work.queue, work.dueAt, work.progress)
    }

    var isStuck: Bool { dueAt == .never && error != nil }
    var isFull: Bool { signals.reduce(0) { $0 + $1.event.count } >= QueuedSignal.sizeLimit }
    /// The progress that a claim returns.
    var firstProgress: [UInt8]? { progress ?? signals.first?.event }

    /// Whether the signal or a repetition of it waits.
    func has(_ signal: QueuedSignal) -> Bool { signals.contains { $0.delivery == signal.delivery } }

    /// Ends the lease, and puts signals before those that wait. The work is due from a time, if signals wait.
    ///
    /// - Parameter removesFirst: whether the first entry of the signals ends: the progress, or a signal.
    mutating func settle(removesFirst: Bool = true, adding held: [QueuedSignal] = [], dueAt: Timestamp) {
      if removesFirst, progress == nil { signals.removeFirst(min(1, signals.count)) }
      (lease, claims, attempts, error, wait, progress) = (0, 0, 0, nil, nil, nil)
      signals = held + signals
      self.dueAt = signals.isEmpty ? .never : dueAt
    }
  }

  /// A position in the order of time of a queue. A position is outdated if its row has another time or queue by now.
  private struct Position: Comparable {
    let dueAt: Timestamp
    let key: Key

    static func < (a: Position, b: Position) -> Bool { (a.dueAt, a.key.id) < (b.dueAt, b.key.id) }
    static func == (a: Position, b: Position) -> Bool { (a.dueAt, a.key.id) == (b.dueAt, b.key.id) }
  }

  private(set) var rows: [Key: Row] = [:]
  private var orders: [WorkQueue: Heap<Position>] = [:]
  /// The work that waits for signals, by key.
  private(set) var waiting: [SignalKey: Set<Key>] = [:]
  var signals = ReceivedSignals()

  private mutating func add(_ row: Row, at key: Key) {
    remove(key)
    if let signalKey = row.signalKey { waiting[signalKey, default: []].insert(key) }
    update(row, at: key)
  }

  mutating func remove(_ key: Key) {
    guard let signalKey = rows.removeValue(forKey: key)?.signalKey else { return }
    waiting[signalKey]?.remove(key)
    if waiting[signalKey]?.isEmpty == true { waiting[signalKey] = nil }
  }

  /// Changes a row, which may be due at another time or in another queue than before.
  private mutating func update(_ row: Row, at key: Key) {
    rows[key] = row
    guard row.dueAt != .never else { return }
    orders[row.queue, default: Heap()].insert(Position(dueAt: row.dueAt, key: key))
    guard let count = orders[row.queue]?.count, count > 2 * rows.count + 1024 else { return }
    // Most positions are outdated.
    let current = rows.filter { $0.value.queue == row.queue && $0.value.dueAt != .never }
    orders[row.queue] = Heap(current.map { Position(dueAt: $0.value.dueAt, key: $0.key) })
  }

  /// Follows a write of a session.
  mutating func apply(_ changes: WorkChanges, of session: StoredSession) {
    for id in changes.removed { remove(Key(session: session.key, id: id)) }
    for (old, new) in changes.renamed {
      guard var row = rows[Key(session: session.key, id: old)] else { continue }
      remove(Key(session: session.key, id: old))
      row.settle(dueAt: Timestamp(milliseconds: 0))
      add(row, at: Key(session: session.key, id: new))
    }
    add(changes.added, of: session)
  }

  mutating func add(_ work: [ScheduledWork], of session: StoredSession) {
    for work in work { add(Row(work, of: session), at: Key(session: session.key, id: work.id)) }
  }

  /// Removes the work of an ended session. Its compensations are due.
  mutating func remove(_ session: StoredSession) {
    for work in session.work ?? [] {
      let key = Key(session: session.key, id: work.id)
      if var row = rows[key], row.detached != nil {
        row.dueAt = Timestamp(milliseconds: 0)
        update(row, at: key)
      } else {
        remove(key)
      }
    }
  }

  mutating func claim(_ search: WorkSearch) -> [ClaimedWork] {
    search.claim(from: queues(of: search)) { queue, limit in claim(queue, search, limit: limit) }
  }

  /// Returns the queues in which a search looks for due work. The one with the longest due work comes first, so that
  /// each has its share of the slots.
  private func queues(of search: WorkSearch) -> [WorkQueue] {
    guard case .effects = search.slots else { return [.events] }
    let found = orders.compactMap { queue, order in
      queue == .events ? nil : order.min.map { (queue: queue, dueAt: $0.dueAt) }
    }
    return found.sorted { ($0.dueAt, $0.queue.name) < ($1.dueAt, $1.queue.name) }.map(\.queue)
  }

  /// Claims up to `limit` pieces of due work of a queue.
  private mutating func claim(_ queue: WorkQueue, _ search: WorkSearch, limit: Int) -> [ClaimedWork] {
    var claimed: [ClaimedWork] = []
    var skipped: [Position] = []
    while claimed.count < limit, let position = orders[queue]?.min, position.dueAt <= search.now {
      _ = orders[queue]?.popMin()
      let key = position.key
      guard var row = rows[key], row.dueAt == position.dueAt, row.queue == queue else { continue }
      guard let known = search.apps[row.app], row.version <= known || row.dueAt <= search.reservedSince else {
        skipped.append(position)
        continue
      }
      row.lease = .random(in: 1 ... .max)
      row.claims += 1
      row.dueAt = search.now + search.lease
      update(row, at: key)
      claimed.append(
        ClaimedWork(
          session: key.session, id: key.id, queue: queue, lease: row.lease, attempts: row.attempts, claims: row.claims,
          progress: row.firstProgress, detached: row.detached, trace: row.trace, wait: row.wait))
    }
    orders[queue]?.insert(contentsOf: skipped)
    if orders[queue]?.isEmpty == true { orders[queue] = nil }
    return claimed
  }

  /// Puts a signal behind those that wait for work, which becomes due if there are none.
  mutating func append(_ signal: QueuedSignal, to key: Key, at now: Timestamp) {
    let isFirst = rows[key]?.firstProgress == nil
    rows[key]?.signals.append(signal)
    guard isFirst, var row = rows[key] else { return }
    row.dueAt = now
    update(row, at: key)
  }

  /// Changes claimed work. Returns false if its lease was lost.
  mutating func change(_ work: ClaimedWork, by change: (inout Row) -> Void) -> Bool {
    self.change(Key(session: work.session, id: work.id), where: { $0.lease == work.lease }, by: change)
  }

  /// Changes the work under a key that meets a condition. Returns false if there is none.
  mutating func change(_ key: Key, where condition: (Row) -> Bool, by change: (inout Row) -> Void) -> Bool {
    guard var row = rows[key], condition(row) else { return false }
    change(&row)
    update(row, at: key)
    return true
  }
}
