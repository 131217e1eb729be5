internal import Foundation
internal import GRDB
internal import Navigation
internal import Sessions
internal import Values

/// Signals in a session file: those that queue in the row of the work that waits for them, and those that are received
/// under a key.
extension SQLiteBatch {
  func deliver(
    _ event: [UInt8], to work: WorkID, of session: SessionKey, at now: Timestamp, _ replacing: Bool
  ) throws -> Int {
    guard let work = try key(session, work) else { return 0 }
    guard replacing else { return try append(event, to: work, at: now) }
    if leases.contains(work) { return 0 }
    return try statements.run(
      """
      UPDATE work SET progress = ?, lane = '', due_at = ?, claims = 0
      WHERE session = ? AND id = ? AND lease = 0 AND error IS NOT NULL
      """, .bytes(event), now.binding, .integer(work.session), .integer(work.id))
  }

  /// Puts a signal behind those that wait, unless they are too many or a repetition of it is among them.
  private func append(_ signal: [UInt8], to work: SQLiteWorkKey, at now: Timestamp) throws -> Int {
    try statements.run(
      """
      UPDATE work SET progress = CAST(coalesce(progress, x'') || ?1 AS BLOB),
        due_at = CASE WHEN coalesce(length(progress), 0) = 0 THEN ?2 ELSE due_at END
      WHERE session = ?3 AND id = ?4 AND coalesce(length(progress), 0) < ?5 AND coalesce(instr(progress, ?6), 0) = 0
      """, .bytes(signal), now.binding, .integer(work.session), .integer(work.id),
      .integer(Int64(WorkProgress.queueLimit)), .bytes(WorkProgress.identity(ofSignal: signal)))
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
    if try receivers.contains(where: { try $0.workColumn(2) >= WorkProgress.queueLimit }) { return .full }
    if signal.hold != nil {
      if try !hasRoom(toHoldUnder: key, at: now) { return .full }
    } else if receivers.isEmpty {
      // A repetition may find a receiver.
      return .delivered(0)
    }
    _ = try statements.run(
      "INSERT OR REPLACE INTO signal VALUES (?, ?, ?, ?, ?, ?, ?)", .bytes(signal.key.bytes), .integer(delivery),
      .integer(Int64(receivers.count)), now.binding, (now + KeyedSignal.memory).binding,
      signal.hold.map { (now + $0).binding } ?? .null, signal.hold.map { _ in .bytes(signal.event) } ?? .null)
    for receiver in receivers {
      let work = SQLiteWorkKey(session: try receiver.workColumn(0), id: try receiver.workColumn(1))
      _ = try append(signal.event, to: work, at: now)
    }
    return .delivered(receivers.count)
  }

  /// Returns whether another signal can be held under a key.
  private func hasRoom(toHoldUnder key: Data, at now: Timestamp) throws -> Bool {
    try Bool.fetchOne(
      connection,
      sql: """
        SELECT count(*) < ?3 AND coalesce(sum(length(event)), 0) < ?4
          AND coalesce(sum(length(event)) FILTER (WHERE key = ?1), 0) < ?5
        FROM signal WHERE held_until > ?2
        """,
      arguments: [
        key, now.milliseconds, KeyedSignal.holdLimit, KeyedSignal.holdSizeLimit, WorkProgress.queueLimit,
      ]) ?? true
  }

  func settle(_ work: ClaimedWork, with signals: [UInt8], at now: Timestamp) throws -> Int {
    let applied = Int64(WorkProgress.firstSignalSize(in: work.progress))
    return try endLease(of: work) { key, lease in
      try statements.run(
        """
        UPDATE work SET lease = 0, claims = 0, attempts = 0, error = NULL, wait = NULL,
          waits_since = NULL, progress = nullif(CAST(?7 || substr(coalesce(progress, x''), ?1 + 1) AS BLOB), x''),
          due_at = CASE WHEN length(?7) > 0 OR length(progress) > ?1 THEN ?2 ELSE ?3 END
        WHERE session = ?4 AND id = ?5 AND lease = ?6
        """, .integer(applied), now.binding, Timestamp.never.binding, .integer(key.session), .integer(key.id),
        .integer(lease), .bytes(signals))
    }
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
}
