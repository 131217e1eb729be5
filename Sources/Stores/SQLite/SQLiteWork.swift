internal import Foundation
internal import GRDB
internal import Navigation
internal import Sessions
internal import Values

/// The pending work of sessions in a session file. The rows of a session change in the transaction that changes the
/// session.
extension SQLiteBatch {
  /// Adds the rows of a session's work. A row of that session and id that was left over is replaced.
  func add(_ work: [ScheduledWork], of session: StoredSession) throws {
    let owner = session.owner.map { SQLiteStatements.Binding.bytes($0.bytes) }
    for item in work {
      _ = try statements.run(
        """
        INSERT OR REPLACE INTO work (session, id, app, due_at, signal, progress, detached, owner)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        .integer(session.key.number), .integer(Int64(item.id.rawValue)), .text(session.app), item.dueAt.binding,
        item.key.map { .bytes($0.bytes) } ?? .null, item.key.map { _ in .bytes(WorkProgress.firstLookUp) } ?? .null,
        item.detached.map { .bytes($0) } ?? .null, item.detached.flatMap { _ in owner } ?? .null)
    }
  }

  /// Removes the rows of the work that a session's successor does not have, and adds those of its new work.
  func replaceWork(of session: StoredSession, with next: StoredSession) throws {
    let changes = next.workChanges(since: session)
    for id in changes.removed {
      _ = try statements.run(
        "DELETE FROM work WHERE session = ? AND id = ?", .integer(session.key.number), .integer(Int64(id.rawValue)))
    }
    for (old, new) in changes.renamed {
      // The digits before the first signal are the size of the rest of it.
      _ = try statements.run(
        """
        UPDATE work SET id = ?1, lease = 0, claims = 0, attempts = 0, error = NULL,
          progress = nullif(substr(progress, ?4 + 1 + CAST(CAST(substr(progress, 1, ?4) AS TEXT) AS INTEGER)), x''),
          due_at = CASE WHEN length(progress) > ?4 + CAST(CAST(substr(progress, 1, ?4) AS TEXT) AS INTEGER)
            THEN 0 ELSE ?5 END
        WHERE session = ?2 AND id = ?3
        """, .integer(Int64(new.rawValue)), .integer(session.key.number), .integer(Int64(old.rawValue)),
        .integer(Int64(WorkProgress.sizeDigits)), Timestamp.never.binding)
    }
    try add(changes.added, of: next)
  }

  /// Removes the work of an ended session. Its compensations are due.
  func removeWork(of number: Int64) throws {
    _ = try statements.run("DELETE FROM work WHERE session = ? AND detached IS NULL", .integer(number))
    _ = try statements.run(
      "UPDATE work SET due_at = 0 WHERE session = ? AND detached IS NOT NULL AND due_at = ? AND error IS NULL",
      .integer(number), Timestamp.never.binding)
  }

  /// Removes the detached effects of an owner's sessions, also of those that have ended.
  func removeDetached(of owner: SessionOwner) throws {
    _ = try statements.run("DELETE FROM work WHERE owner = ?", .bytes(owner.bytes))
  }

  /// Returns the longest due work of any session, from an index. Its session may have ended.
  func dueWork(_ search: WorkSearch, limit: Int) throws -> [SQLiteWorkKey] {
    let statement = try connection.cachedStatement(sql: Self.due(search.apps.count))
    return try Row.fetchAll(statement, arguments: Self.due(search, limit)).map { row in
      SQLiteWorkKey(session: try row.workNumber(0), id: try row.workNumber(1))
    }
  }

  private static func due(_ apps: Int) -> String {
    let apps = [String](repeating: "?", count: apps).joined(separator: ", ")
    return "SELECT session, id FROM work WHERE due_at <= ? AND app IN (\(apps)) ORDER BY due_at LIMIT ?"
  }

  private static func due(_ search: WorkSearch, _ limit: Int) -> StatementArguments {
    [search.now.milliseconds] + StatementArguments(search.apps) + [limit]
  }

  /// Claims due work, and removes the work of ended sessions.
  func claim(_ search: WorkSearch) throws -> [ClaimedWork] {
    let due = try dueWork(search, limit: search.limit)
    guard !due.isEmpty else { return [] }
    let claimed = try claim("(session, id) IN (\(Self.due(search.apps.count)))", Self.due(search, search.limit), search)
    // An update returns its rows in no order.
    let works = Dictionary(
      claimed.map { (SQLiteWorkKey(session: $0.session.number, id: Int64($0.id.rawValue)), $0) }
    ) { first, _ in first }
    return due.compactMap { works[$0] }
  }

  /// Claims one piece of work, or removes it if its session has ended.
  func claim(_ work: SQLiteWorkKey, _ search: WorkSearch) throws -> [ClaimedWork] {
    try claim("session = ? AND id = ?", [work.session, work.id], search)
  }

  private func claim(
    _ condition: String, _ arguments: StatementArguments, _ search: WorkSearch
  ) throws -> [ClaimedWork] {
    let statement = try connection.cachedStatement(
      sql: """
        UPDATE work SET lease = (random() & \(Int64.max)) | 1, claims = claims + 1, due_at = ? WHERE \(condition)
        RETURNING session, id, lease, attempts, claims, progress,
          (SELECT key FROM session WHERE number = work.session AND ended = 0), detached
        """)
    let end: StatementArguments = [(search.now + search.lease).milliseconds]
    return try Row.fetchAll(statement, arguments: end + arguments).compactMap { row in
      let (session, id) = (try row.workNumber(0), try row.workNumber(1))
      let detached = Data.fromDatabaseValue(row[7]).map { [UInt8]($0) }
      guard !row.hasNull(atIndex: 6) || detached != nil else {
        _ = try statements.run("DELETE FROM work WHERE session = ? AND id = ?", .integer(session), .integer(id))
        return nil
      }
      let stored = Data.fromDatabaseValue(row[6]).flatMap { SessionKey(bytes: [UInt8]($0)) }
      // Unreadable content stops no other work. A key with the number of its session is enough to report it.
      let placeholder = SessionKey(
        bytes: withUnsafeBytes(of: session.bigEndian) { Array($0) } + [UInt8](repeating: 0, count: 24))
      guard let key = stored ?? detached.flatMap({ (try? DetachedWork(encoded: $0).session) ?? placeholder }) else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "A session has an invalid key.")
      }
      return ClaimedWork(
        session: key, id: WorkID(UInt32(clamping: id)), lease: try row.workNumber(2),
        attempts: Int(try row.workNumber(3)), claims: Int(clamping: try row.workNumber(4)),
        progress: Data.fromDatabaseValue(row[5]).map { [UInt8]($0) }, detached: detached)
    }
  }

  func renew(_ lease: Duration, of work: ClaimedWork, at now: Timestamp) throws -> Int {
    try statements.run(
      "UPDATE work SET due_at = ? WHERE session = ? AND id = ? AND lease = ?", (now + lease).binding,
      .integer(work.session.number), .integer(Int64(work.id.rawValue)), .integer(work.lease))
  }

  func report(_ report: WorkReport, on work: ClaimedWork, at now: Timestamp) throws -> Int {
    try statements.run(
      """
      UPDATE work SET lease = 0, claims = 0, attempts = ?, error = ?, progress = coalesce(?, progress), due_at = ?
      WHERE session = ? AND id = ? AND lease = ?
      """, .integer(Int64(report.attempts)), .text(report.storedError), report.progress.map { .bytes($0) } ?? .null,
      (report.pause.map { now + $0 } ?? .never).binding, .integer(work.session.number),
      .integer(Int64(work.id.rawValue)), .integer(work.lease))
  }

  /// Ends all leases, so that the work is due at once.
  func endLeases() throws { _ = try statements.run("UPDATE work SET lease = 0, due_at = 0 WHERE lease <> 0") }

  func discard(_ work: ClaimedWork) throws -> Int {
    try statements.run(
      "DELETE FROM work WHERE session = ? AND id = ? AND lease = ?", .integer(work.session.number),
      .integer(Int64(work.id.rawValue)), .integer(work.lease))
  }

  func deliver(
    _ event: [UInt8], to work: WorkID, of session: SessionKey, at now: Timestamp, _ replacing: Bool
  ) throws -> Int {
    let (session, id) = (session.number, Int64(work.rawValue))
    guard !replacing else {
      return try statements.run(
        """
        UPDATE work SET progress = ?, due_at = ?, claims = 0
        WHERE session = ? AND id = ? AND lease = 0 AND error IS NOT NULL
        """, .bytes(event), now.binding, .integer(session), .integer(id))
    }
    return try append(event, to: SQLiteWorkKey(session: session, id: id), at: now)
  }

  /// Puts a signal behind those that wait, unless they are too many or the same signal is among them.
  private func append(_ signal: [UInt8], to work: SQLiteWorkKey, at now: Timestamp) throws -> Int {
    try statements.run(
      """
      UPDATE work SET progress = CAST(coalesce(progress, x'') || ?1 AS BLOB),
        due_at = CASE WHEN coalesce(length(progress), 0) = 0 THEN ?2 ELSE due_at END
      WHERE session = ?3 AND id = ?4 AND coalesce(length(progress), 0) < ?5 AND coalesce(instr(progress, ?1), 0) = 0
      """, .bytes(signal), now.binding, .integer(work.session), .integer(work.id),
      .integer(Int64(WorkProgress.queueLimit)))
  }

  func deliver(_ signal: KeyedSignal, at now: Timestamp) throws -> KeyedDelivery {
    let (key, delivery) = (Data(signal.key.bytes), Int64(bitPattern: signal.delivery.rawValue))
    let known = try Int.fetchOne(
      connection, sql: "SELECT receivers FROM signal WHERE key = ? AND delivery = ? AND forget_at > ?",
      arguments: [key, delivery, now.milliseconds])
    if let known { return .repeated(known) }
    let receivers = try Row.fetchAll(
      connection, sql: "SELECT session, id, coalesce(length(progress), 0) FROM work WHERE signal = ? LIMIT ?",
      arguments: [key, KeyedSignal.receiverLimit + 1])
    guard receivers.count <= KeyedSignal.receiverLimit else { return .tooMany }
    if try receivers.contains(where: { try $0.workNumber(2) >= WorkProgress.queueLimit }) { return .full }
    if signal.hold != nil {
      let held = try Int.fetchOne(
        connection, sql: "SELECT count(*) FROM (SELECT 1 FROM signal WHERE held_until > ? LIMIT ?)",
        arguments: [now.milliseconds, KeyedSignal.holdLimit])
      if held == KeyedSignal.holdLimit { return .full }
    } else if receivers.isEmpty {
      // A repetition may find a receiver.
      return .delivered(0)
    }
    _ = try statements.run(
      "INSERT OR REPLACE INTO signal VALUES (?, ?, ?, ?, ?, ?, ?)", .bytes(signal.key.bytes), .integer(delivery),
      .integer(Int64(receivers.count)), now.binding, (now + KeyedSignal.memory).binding,
      signal.hold.map { (now + $0).binding } ?? .null, signal.hold.map { _ in .bytes(signal.event) } ?? .null)
    for receiver in receivers {
      let work = SQLiteWorkKey(session: try receiver.workNumber(0), id: try receiver.workNumber(1))
      _ = try append(signal.event, to: work, at: now)
    }
    return .delivered(receivers.count)
  }

  func settle(_ work: ClaimedWork, at now: Timestamp) throws -> Int {
    let applied = Int64(WorkProgress.firstSignalSize(in: work.progress))
    return try statements.run(
      """
      UPDATE work SET lease = 0, claims = 0, attempts = 0, error = NULL,
        progress = nullif(substr(progress, ?1 + 1), x''),
        due_at = CASE WHEN length(progress) > ?1 THEN ?2 ELSE ?3 END
      WHERE session = ?4 AND id = ?5 AND lease = ?6
      """, .integer(applied), now.binding, Timestamp.never.binding, .integer(work.session.number),
      .integer(Int64(work.id.rawValue)), .integer(work.lease))
  }

  func releaseSignals(at now: Timestamp) throws -> Int {
    try statements.run(
      """
      UPDATE signal SET held_until = NULL, event = NULL
      WHERE (key, delivery) IN (SELECT key, delivery FROM signal WHERE held_until <= ? LIMIT ?)
      """, now.binding, .integer(Int64(StoreLimits.sweepBatch)))
  }

  func removeSignals(at now: Timestamp) throws -> Int {
    try statements.run(
      "DELETE FROM signal WHERE (key, delivery) IN (SELECT key, delivery FROM signal WHERE forget_at <= ? LIMIT ?)",
      now.binding, .integer(Int64(StoreLimits.sweepBatch)))
  }

  func retry(_ work: WorkID, of session: SessionKey, at now: Timestamp) throws -> Int {
    try statements.run(
      """
      UPDATE work SET due_at = ?, claims = 0 WHERE session = ? AND id = ? AND lease = 0 AND error IS NOT NULL
      """, now.binding, .integer(session.number), .integer(Int64(work.rawValue)))
  }
}

/// The key of a row of work.
struct SQLiteWorkKey: Sendable, Hashable {
  /// The number of the session.
  let session: Int64
  let id: Int64
}

extension Row {
  /// Returns the number in a column, which may have any type on a damaged page.
  fileprivate func workNumber(_ index: Int) throws -> Int64 {
    guard let number = Int64.fromDatabaseValue(self[index]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "A row of pending work has a column of the wrong type.")
    }
    return number
  }
}
