internal import Navigation
internal import Sessions
internal import Values

/// Signals in a session file: those that queue in the row of the work that waits for them, and those that are received
/// under a key.
extension SQLiteBatch {
  func deliver(
    _ event: [UInt8], to work: WorkID, of session: SessionKey, at now: Timestamp, replacing: Bool
  ) throws -> Bool {
    guard let work = try key(session, work) else { return false }
    let wasDelivered = try replacing ? replaceProgress(of: work, by: event, at: now) : append(event, to: work, at: now)
    if wasDelivered { mustBeDurable = true }
    return wasDelivered
  }

  /// Gives an event to work that waits after an error, in the place of its progress.
  private func replaceProgress(of work: SQLiteWorkKey, by event: [UInt8], at now: Timestamp) throws -> Bool {
    if leases.contains(work) { return false }
    return try connection.run(
      """
      UPDATE work SET progress = ?, lane = '', due_at = ?, claims = 0
      WHERE session = ? AND id = ? AND lease = 0 AND error IS NOT NULL
      """, .bytes(event), now.binding, .integer(work.session), .integer(work.id)) == 1
  }

  /// Puts a signal behind those that wait, unless they are too many or a repetition of it is among them.
  private func append(_ signal: [UInt8], to work: SQLiteWorkKey, at now: Timestamp) throws -> Bool {
    try connection.run(
      """
      UPDATE work SET progress = CAST(coalesce(progress, x'') || ?1 AS BLOB),
        due_at = CASE WHEN coalesce(length(progress), 0) = 0 THEN ?2 ELSE due_at END
      WHERE session = ?3 AND id = ?4 AND coalesce(length(progress), 0) < ?5 AND coalesce(instr(progress, ?6), 0) = 0
      """, .bytes(signal), now.binding, .integer(work.session), .integer(work.id),
      .integer(Int64(WorkProgress.queueLimit)), .bytes(WorkProgress.identity(ofSignal: signal))) == 1
  }

  func deliver(_ signal: KeyedSignal, at now: Timestamp) throws -> KeyedDelivery {
    mustBeDurable = true
    let key = SQLiteConnection.Binding.bytes(signal.key.bytes)
    let delivery = SQLiteConnection.Binding.integer(Int64(bitPattern: signal.delivery.rawValue))
    let known = try connection.number(
      "SELECT receivers FROM signal WHERE key = ? AND delivery = ? AND forget_at > ?", key, delivery, now.binding)
    if let known { return .repeated(Int(known)) }
    let receivers = try connection.rows(
      "SELECT session, id, coalesce(length(progress), 0) FROM work WHERE signal = ? LIMIT ?",
      [key, .integer(Int64(KeyedSignal.receiverLimit + 1))]
    ) { row in (work: try row.workKey, size: try row.integer(2)) }
    guard receivers.count <= KeyedSignal.receiverLimit else { return .tooMany }
    if receivers.contains(where: { $0.size >= WorkProgress.queueLimit }) { return .full }
    if signal.hold != nil {
      if try !hasRoom(toHoldUnder: key, at: now) { return .full }
    } else if receivers.isEmpty {
      // A repetition may find a receiver.
      return .delivered(0)
    }
    try connection.run(
      "INSERT OR REPLACE INTO signal VALUES (?, ?, ?, ?, ?, ?, ?)", key, delivery, .integer(Int64(receivers.count)),
      now.binding, (now + KeyedSignal.memory).binding,
      signal.hold.map { (now + $0).binding } ?? .null, signal.hold.map { _ in .bytes(signal.event) } ?? .null)
    for receiver in receivers { _ = try append(signal.event, to: receiver.work, at: now) }
    return .delivered(receivers.count)
  }

  /// Returns whether another signal can be held under a key.
  private func hasRoom(toHoldUnder key: SQLiteConnection.Binding, at now: Timestamp) throws -> Bool {
    try connection.number(
      """
      SELECT count(*) < ?3 AND coalesce(sum(length(event)), 0) < ?4
        AND coalesce(sum(length(event)) FILTER (WHERE key = ?1), 0) < ?5
      FROM signal WHERE held_until > ?2
      """, key, now.binding, .integer(Int64(KeyedSignal.holdLimit)), .integer(Int64(KeyedSignal.holdSizeLimit)),
      .integer(Int64(WorkProgress.queueLimit))) != 0
  }

  func settle(_ work: ClaimedWork, with signals: [UInt8], at now: Timestamp) throws {
    guard let (key, lease) = try endLease(of: work) else { return }
    try connection.run(
      """
      UPDATE work SET lease = 0, claims = 0, attempts = 0, error = NULL, wait = NULL,
        waits_since = NULL, progress = nullif(CAST(?7 || substr(coalesce(progress, x''), ?1 + 1) AS BLOB), x''),
        due_at = CASE WHEN length(?7) > 0 OR length(progress) > ?1 THEN ?2 ELSE ?3 END
      WHERE session = ?4 AND id = ?5 AND lease = ?6
      """, .integer(Int64(WorkProgress.firstSignalSize(in: work.progress))), now.binding, Timestamp.never.binding,
      .integer(key.session), .integer(key.id), .integer(lease), .bytes(signals))
  }

  func releaseSignals(at now: Timestamp) throws -> Int {
    try connection.run(
      """
      UPDATE signal SET held_until = NULL, event = NULL
      WHERE (key, delivery) IN (SELECT key, delivery FROM signal WHERE held_until <= ? LIMIT ?)
      """, now.binding, .integer(Int64(StoreLimits.sweepBatch)))
  }

  func removeSignals(at now: Timestamp) throws -> Int {
    try connection.run(
      "DELETE FROM signal WHERE (key, delivery) IN (SELECT key, delivery FROM signal WHERE forget_at <= ? LIMIT ?)",
      now.binding, .integer(Int64(StoreLimits.sweepBatch)))
  }
}
