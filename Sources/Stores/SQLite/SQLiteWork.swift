internal import Navigation
internal import Sessions
internal import Values

/// The pending work of sessions in a session file. The rows of a session change in the transaction that changes the
/// session.
extension SQLiteBatch {
  /// Returns the key of a piece of work; nil if its session is unknown.
  func key(_ session: SessionKey, _ id: WorkID) throws -> SQLiteWorkKey? {
    try place(of: session.number).map { SQLiteWorkKey(session: $0, id: Int64(id.rawValue)) }
  }

  private func place(of number: Int64) throws -> Int64? {
    try connection.number("SELECT place FROM session WHERE number = ?", .integer(number))
  }

  /// Adds the rows of a session's work. A row of that session and id that was left over is replaced.
  func add(_ work: [ScheduledWork], of session: StoredSession) throws {
    guard !work.isEmpty, let place = try place(of: session.key.number) else { return }
    try add(work, of: session, at: place)
  }

  private func add(_ work: [ScheduledWork], of session: StoredSession, at place: Int64) throws {
    let owner = session.owner.map { SQLiteConnection.Binding.bytes($0.bytes) }
    let definition = session.definition.map { SQLiteConnection.Binding.bytes($0.bytes) }
    for item in work {
      try connection.run(
        """
        INSERT OR REPLACE INTO work
          (session, id, app, version, trace, lane, due_at, signal, progress, detached, owner, definition, address)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        .integer(place), .integer(Int64(item.id.rawValue)), .text(session.claimedApp), .integer(Int64(item.version)),
        item.trace.map { .text($0) } ?? .null, .text(item.lane.name), item.dueAt.binding,
        item.key.map { .bytes($0.bytes) } ?? .null, item.progress.map { .bytes($0) } ?? .null,
        item.detached.map { .bytes($0) } ?? .null, item.detached.flatMap { _ in owner } ?? .null,
        item.detached.flatMap { _ in definition } ?? .null, item.address.map { .integer(Int64($0)) } ?? .null)
    }
  }

  /// Removes the rows of the work that a session's successor does not have, and adds those of its new work.
  func replaceWork(of session: StoredSession, with next: StoredSession) throws {
    let changes = next.workChanges(since: session)
    guard !changes.isEmpty, let place = try place(of: session.key.number) else { return }
    for id in changes.removed { try remove(SQLiteWorkKey(session: place, id: Int64(id.rawValue))) }
    for (old, new) in changes.renamed {
      let work = SQLiteWorkKey(session: place, id: Int64(old.rawValue))
      try settle(work, as: Int64(new.rawValue), dueAt: Timestamp(milliseconds: 0))
      leases.end(work)
    }
    try add(changes.added, of: next, at: place)
  }

  private func remove(_ work: SQLiteWorkKey) throws {
    leases.end(work)
    try connection.run("DELETE FROM work WHERE session = ? AND id = ?", .integer(work.session), .integer(work.id))
  }

  /// Removes the work of an ended session. Its compensations are due.
  func removeWork(of number: Int64) throws {
    guard let session = try place(of: number) else { return }
    leases.end(of: session)
    try connection.run("DELETE FROM work WHERE session = ? AND detached IS NULL", .integer(session))
    try connection.run(
      "UPDATE work SET due_at = 0 WHERE session = ? AND detached IS NOT NULL AND due_at = ? AND error IS NULL",
      .integer(session), Timestamp.never.binding)
  }

  /// Removes the detached effects of an owner's sessions, also of those that have ended.
  func removeDetached(of owner: SessionOwner) throws {
    try connection.run("DELETE FROM work WHERE owner = ?", .bytes(owner.bytes))
  }

  /// Returns the lanes in which a search looks for due work. The one with the longest due work comes first, so that each
  /// has its share of the places.
  func lanes(of search: WorkSearch) throws -> [WorkLane] {
    guard case .effects = search.places else { return [.events] }
    var found: [(lane: WorkLane, dueAt: Int64)] = []
    while let next = try connection.first(
      "SELECT lane, due_at FROM work WHERE lane > ? ORDER BY lane, due_at LIMIT 1",
      [.text(found.last?.lane.name ?? "")], { row in (WorkLane(name: try row.text(0)), try row.integer(1)) })
    {
      found.append(next)
    }
    return found.sorted { $0.dueAt < $1.dueAt }.map(\.lane)
  }

  /// Returns the longest due work of a lane, from an index. Its session may have ended.
  func dueWork(_ search: WorkSearch, in lane: WorkLane, limit: Int) throws -> [SQLiteWorkKey] {
    let (condition, bindings) = Self.due(search, in: lane, limit: limit)
    return try connection.rows("SELECT session, id FROM work WHERE \(condition)", bindings) { try $0.workKey }
  }

  private static func due(
    _ search: WorkSearch, in lane: WorkLane, limit: Int
  ) -> (condition: String, [SQLiteConnection.Binding]) {
    let apps = (["0"] + search.apps.map { _ in "app = ? AND (version <= ? OR due_at <= ?)" }).joined(separator: " OR ")
    return (
      "lane = ? AND due_at <= ? AND (\(apps)) ORDER BY due_at LIMIT ?",
      search.apps.reduce([.text(lane.name), search.now.binding]) {
        $0 + [.text($1.key), .integer(Int64($1.value)), search.reservedSince.binding]
      } + [.integer(Int64(limit))]
    )
  }

  /// Claims due work, and removes the work of ended sessions.
  func claim(_ search: WorkSearch) throws -> [ClaimedWork] {
    leases.prepare(at: search.now)
    return try search.claim(from: try lanes(of: search)) { lane, limit in
      // Leased events are still in their places.
      let leased = lane == .events ? leases.count : 0
      let (condition, bindings) = Self.due(search, in: lane, limit: limit + leased)
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
      SELECT session, id, lane, due_at, attempts, claims, \(Self.firstProgress), detached, trace,
        (SELECT key FROM session WHERE place = work.session AND ended = 0), wait, waits_since
      FROM work WHERE \(condition)
      """, bindings
    ) { try DueWork($0) }
    var claimed: [ClaimedWork] = []
    for work in due where claimed.count < limit {
      if let work = try claim(work, search) { claimed.append(work) }
    }
    return claimed
  }

  /// A row of work that is due.
  private struct DueWork {
    let key: SQLiteWorkKey
    let lane: WorkLane
    let dueAt: Timestamp
    let (attempts, claims): (Int, Int)
    let (progress, detached): ([UInt8]?, [UInt8]?)
    let trace: String?
    /// The key of its session; nil if that has ended.
    let session: [UInt8]?
    let wait: EventWait?

    init(_ row: SQLiteRow) throws {
      key = try row.workKey
      lane = WorkLane(name: try row.text(2))
      dueAt = try row.time(3)
      (attempts, claims) = (Int(try row.integer(4)), Int(try row.integer(5)))
      (progress, detached) = (row.optionalBytes(6), row.optionalBytes(7))
      trace = row.optionalText(8)
      session = row.optionalBytes(9)
      wait = row.eventWait(10, 11)
    }
  }

  /// Claims work. Returns nil if it is leased, or its session has ended.
  private func claim(_ work: DueWork, _ search: WorkSearch) throws -> ClaimedWork? {
    guard !leases.contains(work.key) else { return nil }
    guard work.session != nil || work.detached != nil else {
      try remove(work.key)
      return nil
    }
    guard
      let session = try work.session.flatMap({ SessionKey(bytes: $0) })
        ?? work.detached.flatMap({ try (try? DetachedWork(encoded: $0).session) ?? placeholder(of: work.key.session) })
    else { throw SQLiteError.damaged("a session has an invalid key") }
    return ClaimedWork(
      session: session, id: WorkID(UInt32(clamping: work.key.id)), lane: work.lane,
      lease: try lease(work.key, in: work.lane, dueSince: work.dueAt, search), attempts: work.attempts,
      claims: Int(clamping: work.claims &+ 1), progress: work.progress, detached: work.detached, trace: work.trace,
      wait: work.wait)
  }

  /// Returns a key with the number of a session. It is enough to report work whose content is unreadable.
  private func placeholder(of place: Int64) throws -> SessionKey? {
    let number = try connection.number("SELECT number FROM session WHERE place = ?", .integer(place)) ?? 0
    return SessionKey(bytes: withUnsafeBytes(of: number.bigEndian) { Array($0) } + [UInt8](repeating: 0, count: 24))
  }

  /// Leases work, and returns the number of the lease.
  private func lease(
    _ work: SQLiteWorkKey, in lane: WorkLane, dueSince dueAt: Timestamp, _ search: WorkSearch
  ) throws -> Int64 {
    let end = search.now + search.lease
    if lane == .events, let number = leases.take(work, dueSince: dueAt, until: end) { return number }
    let number = Int64.random(in: 1...Int64.max)
    try connection.run(
      "UPDATE work SET lease = ?, claims = claims + 1, due_at = ? WHERE session = ? AND id = ?", .integer(number),
      end.binding, .integer(work.session), .integer(work.id))
    if lane != .events { mustBeDurable = true }
    return number
  }

  func renew(_ lease: Duration, of work: ClaimedWork, at now: Timestamp) throws -> Bool {
    guard let key = try key(work.session, work.id) else { return false }
    if leases.renew(key, work.lease, until: now + lease) { return true }
    return try connection.run(
      "UPDATE work SET due_at = ? WHERE session = ? AND id = ? AND lease = ?", (now + lease).binding,
      .integer(key.session), .integer(key.id), .integer(work.lease)) == 1
  }

  /// Ends the lease of claimed work, and returns the key of its row and the number of the lease in it; nil if the lease
  /// was lost.
  func endLease(of work: ClaimedWork) throws -> (key: SQLiteWorkKey, lease: Int64)? {
    guard let key = try key(work.session, work.id), let lease = leases.end(key, work.lease) else { return nil }
    return (key, lease)
  }

  func report(_ report: WorkReport, on work: ClaimedWork, at now: Timestamp) throws -> Bool {
    guard let (key, lease) = try endLease(of: work) else { return false }
    return try connection.run(
      """
      UPDATE work SET lease = 0, claims = 0, attempts = ?, error = ?, wait = ?, waits_since = ?,
        progress = coalesce(?, progress), lane = CASE WHEN ? THEN '' ELSE lane END, due_at = ?
      WHERE session = ? AND id = ? AND lease = ?
      """, .integer(Int64(report.attempts)), .text(report.storedError),
      report.wait.map { .integer($0.reason.rawValue) } ?? .null, report.wait.map(\.since.binding) ?? .null,
      report.progress.map { .bytes($0) } ?? .null, .integer(WorkProgress.isEvent(report.progress) ? 1 : 0),
      (report.pause.map { now + $0 } ?? .never).binding, .integer(key.session), .integer(key.id), .integer(lease)) == 1
  }

  /// Ends the leases that an earlier process has written, so that the work is due at once.
  func endLeases() throws { try connection.run("UPDATE work SET lease = 0, due_at = 0 WHERE lease <> 0") }

  func discard(_ work: ClaimedWork) throws {
    guard let (key, lease) = try endLease(of: work) else { return }
    try connection.run(
      "DELETE FROM work WHERE session = ? AND id = ? AND lease = ?", .integer(key.session), .integer(key.id),
      .integer(lease))
  }

  func resolve(_ work: WorkID, of session: SessionKey, with event: [UInt8], at now: Timestamp) throws -> Bool {
    guard let work = try key(session, work), !leases.contains(work) else { return false }
    let rows = try connection.run(
      """
      UPDATE work SET progress = ?, lane = '', due_at = ?, claims = 0
      WHERE session = ? AND id = ? AND lease = 0 AND error IS NOT NULL
      """, .bytes(event), now.binding, .integer(work.session), .integer(work.id))
    if rows == 1 { mustBeDurable = true }
    return rows == 1
  }

  func retry(_ work: WorkID, of session: SessionKey, at now: Timestamp) throws -> Bool {
    guard let work = try key(session, work), !leases.contains(work) else { return false }
    return try connection.run(
      """
      UPDATE work SET due_at = ?, claims = 0 WHERE session = ? AND id = ? AND lease = 0 AND error IS NOT NULL
      """, now.binding, .integer(work.session), .integer(work.id)) == 1
  }
}

/// The key of a row of work.
struct SQLiteWorkKey: Sendable, Hashable {
  /// The place of the session.
  let session: Int64
  let id: Int64
}

extension SQLiteRow {
  /// The key of a row of work, in the first two columns.
  var workKey: SQLiteWorkKey {
    get throws { SQLiteWorkKey(session: try integer(0), id: try integer(1)) }
  }

  /// Returns the reason why an event waits, in two columns.
  func eventWait(_ reason: Int32, _ since: Int32) -> EventWait? {
    EventWait(reason: optionalInteger(reason), since: optionalInteger(since))
  }
}
