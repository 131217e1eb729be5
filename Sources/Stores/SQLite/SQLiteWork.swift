public import Navigation
public import Sessions
public import Values

/// The pending work of sessions in a session file.
extension SQLiteStore {
  public func claimWork(_ search: WorkSearch) async throws(StoreError) -> [ClaimedWork] {
    try await writer.write(
      { try $0.claim(search) }, as: .claim, rowByRow: { batch, _ in try batch.claimRowByRow(search) })
  }

  public func renew(_ lease: Duration, of work: ClaimedWork, at now: Timestamp) async throws(StoreError) -> Bool {
    try await writer.write { batch in
      guard let key = try batch.key(work.session, work.id) else { return false }
      if batch.leases.renew(key, work.lease, until: now + lease) { return true }
      return try batch.connection.run(
        "UPDATE work SET due_at = ? WHERE session = ? AND id = ? AND lease = ?", (now + lease).binding,
        .integer(key.session), .integer(key.id), .integer(work.lease)) == 1
    }
  }

  public func report(_ report: WorkReport, on work: ClaimedWork, at now: Timestamp) async throws(StoreError) -> Bool {
    try await writer.write { batch in
      guard let (key, lease) = try batch.endLease(of: work) else { return false }
      return try batch.connection.run(
        """
        UPDATE work SET lease = 0, claims = 0, attempts = ?, error = ?, wait = ?, waits_since = ?,
          progress = coalesce(?, progress), queue = CASE WHEN ? THEN '' ELSE queue END, due_at = ?
        WHERE session = ? AND id = ? AND lease = ?
        """, .integer(Int64(report.attempts)), .text(report.storedError), .integer(report.wait?.reason.rawValue),
        .integer(report.wait?.since.milliseconds), .bytes(report.progress),
        .integer(WorkProgress.isEvent(report.progress) ? 1 : 0), (report.pause.map { now + $0 } ?? .never).binding,
        .integer(key.session), .integer(key.id), .integer(lease)) == 1
    }
  }

  public func discard(_ work: ClaimedWork) async throws(StoreError) {
    try await writer.write { batch in
      guard let (key, lease) = try batch.endLease(of: work) else { return }
      try batch.connection.run(
        "DELETE FROM work WHERE session = ? AND id = ? AND lease = ?", .integer(key.session), .integer(key.id),
        .integer(lease))
    }
  }

  public func work(of session: SessionKey) async throws(StoreError) -> [WorkStatus] {
    try await reader.read { connection in
      try connection.rows(
        """
        SELECT id, attempts, error, due_at, \(SQLiteBatch.firstProgress), wait, waits_since FROM work
        WHERE session = (SELECT position FROM session WHERE number = ?) ORDER BY id
        """, [.integer(session.number)]
      ) { try WorkStatus($0) }
    }
  }

  public func retry(
    _ work: WorkID, of session: SessionKey, with event: [UInt8]?, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await writer.write { batch in
      guard let work = try batch.key(session, work), !batch.leases.contains(work) else { return false }
      let rows = try batch.connection.run(
        """
        UPDATE work SET progress = coalesce(?1, progress), queue = CASE WHEN ?1 IS NULL THEN queue ELSE '' END,
          due_at = ?2, claims = 0
        WHERE session = ?3 AND id = ?4 AND lease = 0 AND error IS NOT NULL
        """, .bytes(event), now.binding, .integer(work.session), .integer(work.id))
      if rows == 1, event != nil { batch.mustBeDurable = true }
      return rows == 1
    }
  }

  public func countWork() async throws(StoreError) -> WorkCount {
    let count = try await reader.read { connection in
      try connection.first(
        """
        SELECT count(*) FILTER (WHERE due_at < ?1), count(*) FILTER (WHERE due_at = ?1 AND error IS NOT NULL),
          (SELECT count(*) FROM signal WHERE held_until IS NOT NULL), min(due_at) FILTER (WHERE due_at >= ?2),
          count(*) FILTER (WHERE wait = ?3)
        FROM work
        """,
        [
          Timestamp.never.binding, WorkCount.earliest.binding, .integer(EventWait.Reason.blockedForLong.rawValue),
        ]
      ) { try WorkCount($0) }
    }
    guard let count else { throw SQLiteFile.damaged("A count has no row.") }
    return count
  }
}

/// The rows of a session's work change in the transaction that changes the session.
extension SQLiteBatch {
  /// Returns the key of a piece of work; nil if its session is unknown.
  func key(_ session: SessionKey, _ id: WorkID) throws -> SQLiteWorkKey? {
    try row(of: session.number).map { SQLiteWorkKey(session: $0, id: Int64(id.rawValue)) }
  }

  private func row(of number: Int64) throws -> Int64? {
    try connection.number("SELECT position FROM session WHERE number = ?", .integer(number))
  }

  /// Adds the rows of a session's work. A row of that session and id that was left over is replaced.
  func add(_ work: [ScheduledWork], of session: StoredSession) throws {
    guard !work.isEmpty, let row = try row(of: session.key.number) else { return }
    try add(work, of: session, at: row)
  }

  private func add(_ work: [ScheduledWork], of session: StoredSession, at row: Int64) throws {
    for item in work {
      let isDetached = item.detached != nil
      try connection.run(
        """
        INSERT OR REPLACE INTO work
          (session, id, app, version, trace, queue, due_at, signal, progress, detached, owner, definition, address)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        .integer(row), .integer(Int64(item.id.rawValue)), .text(session.claimedApp), .integer(Int64(item.version)),
        .text(item.trace), .text(item.queue.name), item.dueAt.binding, .bytes(item.key?.bytes), .bytes(item.progress),
        .bytes(item.detached), .bytes(isDetached ? session.owner?.bytes : nil),
        .bytes(isDetached ? session.definition?.bytes : nil), .integer(item.address.map { Int64($0) }))
    }
  }

  /// Removes the rows of the work that a session's successor does not have, and adds those of its new work.
  func replaceWork(of session: StoredSession, with next: StoredSession) throws {
    let changes = next.workChanges(since: session)
    guard !changes.isEmpty, let row = try row(of: session.key.number) else { return }
    for id in changes.removed { try remove(SQLiteWorkKey(session: row, id: Int64(id.rawValue))) }
    for (old, new) in changes.renamed {
      let work = SQLiteWorkKey(session: row, id: Int64(old.rawValue))
      try settle(work, as: Int64(new.rawValue), dueAt: Timestamp(milliseconds: 0))
      leases.end(work)
    }
    try add(changes.added, of: next, at: row)
  }

  private func remove(_ work: SQLiteWorkKey) throws {
    leases.end(work)
    try connection.run("DELETE FROM work WHERE session = ? AND id = ?", .integer(work.session), .integer(work.id))
  }

  /// Removes the work of an ended session. Its compensations are due.
  func removeWork(of number: Int64) throws {
    guard let session = try row(of: number) else { return }
    leases.end(of: session)
    try connection.run("DELETE FROM work WHERE session = ? AND detached IS NULL", .integer(session))
    try connection.run(
      "UPDATE work SET due_at = 0 WHERE session = ? AND detached IS NOT NULL AND due_at = ? AND error IS NULL",
      .integer(session), Timestamp.never.binding)
  }

  /// Returns the queues in which a search looks for due work. The one with the longest due work comes first, so that each
  /// has its share of the slots.
  func queues(of search: WorkSearch) throws -> [WorkQueue] {
    guard case .effects = search.slots else { return [.events] }
    var found: [(queue: WorkQueue, dueAt: Int64)] = []
    while let next = try connection.first(
      "SELECT queue, due_at FROM work WHERE queue > ? ORDER BY queue, due_at LIMIT 1",
      [.text(found.last?.queue.name ?? "")], { row in (WorkQueue(name: try row.text(0)), try row.integer(1)) })
    {
      found.append(next)
    }
    return found.sorted { $0.dueAt < $1.dueAt }.map(\.queue)
  }

  /// Returns the longest due work of a queue, from an index. Its session may have ended.
  func dueWork(_ search: WorkSearch, in queue: WorkQueue, limit: Int) throws -> [SQLiteWorkKey] {
    let (condition, bindings) = Self.due(search, in: queue, limit: limit)
    return try connection.rows("SELECT session, id FROM work WHERE \(condition)", bindings) { try $0.workKey }
  }

  private static func due(
    _ search: WorkSearch, in queue: WorkQueue, limit: Int
  ) -> (condition: String, [SQLiteConnection.Binding]) {
    let apps = (["0"] + search.apps.map { _ in "app = ? AND (version <= ? OR due_at <= ?)" }).joined(separator: " OR ")
    return (
      "queue = ? AND due_at <= ? AND (\(apps)) ORDER BY due_at LIMIT ?",
      search.apps.reduce([.text(queue.name), search.now.binding]) {
        $0 + [.text($1.key), .integer(Int64($1.value)), search.reservedSince.binding]
      } + [.integer(Int64(limit))]
    )
  }

  /// Claims due work, and removes the work of ended sessions.
  func claim(_ search: WorkSearch) throws -> [ClaimedWork] {
    leases.prepare(at: search.now)
    return try search.claim(from: try queues(of: search)) { queue, limit in
      // Leased events are still in the index.
      let leased = queue == .events ? leases.count : 0
      let (condition, bindings) = Self.due(search, in: queue, limit: limit + leased)
      return try claim(condition, bindings, search, limit: limit)
    }
  }

  /// Claims one piece of work, or removes it if its session has ended.
  func claim(_ work: SQLiteWorkKey, _ search: WorkSearch) throws -> [ClaimedWork] {
    try claim("session = ? AND id = ?", [.integer(work.session), .integer(work.id)], search, limit: 1)
  }

  private func claim(
    _ condition: String, _ bindings: [SQLiteConnection.Binding], _ search: WorkSearch, limit: Int
  ) throws -> [ClaimedWork] {
    // All rows before the first claim, which moves a row within the index.
    let due = try connection.rows(
      """
      SELECT session, id, queue, due_at, attempts, claims, \(Self.firstProgress), detached, trace,
        (SELECT key FROM session WHERE position = work.session AND ended = 0), wait, waits_since, lease
      FROM work WHERE \(condition)
      """, bindings
    ) { row in
      // A lease that was written has to be replaced in the row.
      let dueAt = try row.integer(12) == 0 ? try row.time(3) : nil
      return (key: try row.workKey, dueAt: dueAt, work: try claimedWork(row))
    }
    var claimed: [ClaimedWork] = []
    for (key, dueAt, work) in due where claimed.count < limit && !leases.contains(key) {
      if var work {
        work.lease = try lease(key, in: work.queue, dueSince: dueAt, search)
        claimed.append(work)
      } else {
        try remove(key)
      }
    }
    return claimed
  }

  /// Returns due work, still without a lease; nil if its session has ended.
  private func claimedWork(_ row: SQLiteRow) throws -> ClaimedWork? {
    let (detached, key) = (row.optionalBytes(7), row.optionalBytes(9))
    guard key != nil || detached != nil else { return nil }
    guard
      let session = try key.flatMap({ SessionKey(bytes: $0) })
        ?? detached.flatMap({ try (try? DetachedWork(encoded: $0).session) ?? placeholder(of: try row.workKey.session) }
        )
    else { throw SQLiteError.damaged("a session has an invalid key") }
    return ClaimedWork(
      session: session, id: try row.workID(1), queue: WorkQueue(name: try row.text(2)), lease: 0,
      attempts: try row.number(4), claims: Int(clamping: try row.integer(5) &+ 1), progress: row.optionalBytes(6),
      detached: detached, trace: row.optionalText(8), wait: row.eventWait(10))
  }

  /// Returns a key with the number of a session. The key is enough to report work whose content is unreadable.
  private func placeholder(of row: Int64) throws -> SessionKey? {
    let number = try connection.number("SELECT number FROM session WHERE position = ?", .integer(row)) ?? 0
    return SessionKey(bytes: withUnsafeBytes(of: number.bigEndian) { Array($0) } + [UInt8](repeating: 0, count: 24))
  }

  /// Leases work, and returns the number of the lease.
  private func lease(
    _ work: SQLiteWorkKey, in queue: WorkQueue, dueSince dueAt: Timestamp?, _ search: WorkSearch
  ) throws -> Int64 {
    let end = search.now + search.lease
    if queue == .events, let dueAt, let number = leases.take(work, dueSince: dueAt, until: end) { return number }
    let number = Int64.random(in: 1...Int64.max)
    try connection.run(
      "UPDATE work SET lease = ?, claims = claims + 1, due_at = ? WHERE session = ? AND id = ?", .integer(number),
      end.binding, .integer(work.session), .integer(work.id))
    if queue != .events { mustBeDurable = true }
    return number
  }

  /// Ends the lease of claimed work, and returns the key of its row and the number of the lease in it; nil if the lease
  /// was lost.
  func endLease(of work: ClaimedWork) throws -> (key: SQLiteWorkKey, lease: Int64)? {
    guard let key = try key(work.session, work.id), let lease = leases.end(key, work.lease) else { return nil }
    return (key, lease)
  }
}

/// The key of a row of work.
struct SQLiteWorkKey: Sendable, Hashable {
  /// The row of the session, by its column `position`.
  let session: Int64
  let id: Int64
}

extension SQLiteRow {
  /// The key of a row of work, in the first two columns.
  var workKey: SQLiteWorkKey {
    get throws { SQLiteWorkKey(session: try integer(0), id: try integer(1)) }
  }
}
