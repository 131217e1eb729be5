public import Navigation
public import Sessions
public import Values

/// Signals in a session file: those that wait for work, and those that are received under a key.
extension SQLiteStore {
  public func deliver(
    _ signal: QueuedSignal, to work: WorkID, of session: SessionKey, at now: Timestamp
  ) async throws(StoreError) -> WorkDelivery {
    try await writer.write { batch in
      try batch.key(session, work).map { try batch.append(signal, to: $0, at: now) } ?? .missing
    }
  }

  public func deliver(_ keyed: KeyedSignal, at now: Timestamp) async throws(StoreError) -> KeyedDelivery {
    try await writer.write { batch in
      batch.mustBeDurable = true
      let (key, delivery) = (SQLiteConnection.Binding.bytes(keyed.key.bytes), keyed.signal.delivery.binding)
      let known = try batch.connection.number(
        "SELECT receivers FROM signal WHERE key = ? AND delivery = ? AND forget_at > ?", key, delivery, now.binding)
      if let known { return .repeated(Int(known)) }
      let receivers = try batch.connection.rows(
        "SELECT session, id, queue_size FROM work WHERE signal = ? LIMIT ?",
        [key, .integer(Int64(KeyedSignal.receiverLimit + 1))]
      ) { row in (work: try row.workKey, size: try row.integer(2)) }
      guard receivers.count <= KeyedSignal.receiverLimit else { return .tooMany }
      if receivers.contains(where: { $0.size >= QueuedSignal.sizeLimit }) { return .full }
      if keyed.hold != nil {
        if try !batch.hasRoom(toHoldUnder: key, at: now) { return .full }
      } else if receivers.isEmpty {
        // A repetition may find a receiver.
        return .delivered(0)
      }
      try batch.connection.run(
        "INSERT OR REPLACE INTO signal VALUES (?, ?, ?, ?, ?, ?, ?)", key, delivery, .integer(Int64(receivers.count)),
        now.binding, (now + KeyedSignal.memory).binding, .integer(keyed.hold.map { (now + $0).milliseconds }),
        .bytes(keyed.hold.map { _ in keyed.signal.event }))
      for receiver in receivers { _ = try batch.append(keyed.signal, to: receiver.work, at: now) }
      return .delivered(receivers.count)
    }
  }

  public func heldSignals(for key: SignalKey, at now: Timestamp) async throws(StoreError) -> [QueuedSignal] {
    try await reader.read { connection in
      try connection.rows(
        "SELECT delivery, event FROM signal WHERE key = ? AND held_until > ? ORDER BY arrived_at",
        [.bytes(key.bytes), now.binding]
      ) { try QueuedSignal($0) }
    }
  }

  public func settle(_ work: ClaimedWork, adding held: [QueuedSignal], at now: Timestamp) async throws(StoreError) {
    try await writer.write { batch in
      guard let (key, lease) = try batch.endLease(of: work) else { return }
      let isHeld = try batch.connection.number(
        "SELECT 1 FROM work WHERE session = ? AND id = ? AND lease = ?", .integer(key.session), .integer(key.id),
        .integer(lease))
      if isHeld != nil {
        try batch.settle(key, as: key.id, removingFirst: work.progress != nil, adding: held, dueAt: now)
      }
    }
  }
}

extension SQLiteBatch {
  /// The SQL of the progress that a claim returns: that of the work or, without one, the first signal that waits.
  static let firstProgress = """
    coalesce(progress, CASE WHEN queue_size > 0 THEN (
      SELECT event FROM queued_signal AS queue
      WHERE queue.session = work.session AND queue.address = work.address ORDER BY position LIMIT 1) END)
    """

  /// Puts a signal behind those that wait, unless they are too many or a repetition of it is among them.
  fileprivate func append(_ signal: QueuedSignal, to work: SQLiteWorkKey, at now: Timestamp) throws -> WorkDelivery {
    let queue = try connection.first(
      """
      SELECT address, queue_size, queue_size > 0 AND EXISTS (
        SELECT 1 FROM queued_signal AS queue
        WHERE queue.session = work.session AND queue.address = work.address AND delivery = ?)
      FROM work WHERE session = ? AND id = ? AND address IS NOT NULL
      """, [signal.delivery.binding, .integer(work.session), .integer(work.id)]
    ) { row in (address: try row.integer(0), size: try row.integer(1), isRepeated: try row.integer(2) != 0) }
    guard let queue else { return .missing }
    if queue.isRepeated { return .repeated }
    guard queue.size < QueuedSignal.sizeLimit else { return .full }
    try connection.run(
      """
      INSERT INTO queued_signal (session, address, position, delivery, event)
      SELECT ?1, ?2, coalesce(max(position), 0) + 1, ?3, ?4 FROM queued_signal WHERE session = ?1 AND address = ?2
      """, .integer(work.session), .integer(queue.address), signal.delivery.binding, .bytes(signal.event))
    try connection.run(
      """
      UPDATE work SET queue_size = queue_size + ?,
        due_at = CASE WHEN queue_size = 0 AND progress IS NULL THEN ? ELSE due_at END
      WHERE session = ? AND id = ?
      """, .integer(Int64(signal.event.count)), now.binding, .integer(work.session), .integer(work.id))
    mustBeDurable = true
    return .delivered
  }

  /// Returns whether another signal can be held under a key.
  fileprivate func hasRoom(toHoldUnder key: SQLiteConnection.Binding, at now: Timestamp) throws -> Bool {
    try connection.number(
      """
      SELECT count(*) < ?3 AND coalesce(sum(length(event)), 0) < ?4
        AND coalesce(sum(length(event)) FILTER (WHERE key = ?1), 0) < ?5
      FROM signal WHERE held_until > ?2
      """, key, now.binding, .integer(Int64(KeyedSignal.holdLimit)), .integer(Int64(KeyedSignal.holdSizeLimit)),
      .integer(Int64(QueuedSignal.sizeLimit))) != 0
  }

  /// Ends the lease of work that waits for signals, and puts signals before those that wait.
  ///
  /// - Parameters:
  ///   - id: the id of the work from now on.
  ///   - removesFirst: whether the first entry of the queue ends: a look-up of held signals, or a signal.
  ///   - dueAt: the time from which the next signal is due.
  func settle(
    _ work: SQLiteWorkKey, as id: Int64, removingFirst removesFirst: Bool = true, adding held: [QueuedSignal] = [],
    dueAt: Timestamp
  ) throws {
    let queue = try connection.first(
      """
      SELECT work.address, progress IS NOT NULL, position, length(event) FROM work
      LEFT JOIN queued_signal AS queue ON queue.session = work.session AND queue.address = work.address
      WHERE work.session = ? AND id = ? AND work.address IS NOT NULL ORDER BY position LIMIT 1
      """, [.integer(work.session), .integer(work.id)]
    ) { row in
      (
        address: try row.integer(0), looksUp: try row.integer(1) != 0, position: row.optionalInteger(2),
        size: row.optionalInteger(3) ?? 0
      )
    }
    guard let queue else { return }
    var growth = held.reduce(0) { $0 + Int64($1.event.count) }
    if removesFirst, !queue.looksUp, let position = queue.position {
      try connection.run(
        "DELETE FROM queued_signal WHERE session = ? AND address = ? AND position = ?", .integer(work.session),
        .integer(queue.address), .integer(position))
      growth -= queue.size
    }
    let front = (queue.position ?? 1) - Int64(held.count)
    for (index, signal) in held.enumerated() {
      try connection.run(
        "INSERT INTO queued_signal (session, address, position, delivery, event) VALUES (?, ?, ?, ?, ?)",
        .integer(work.session), .integer(queue.address), .integer(front + Int64(index)), signal.delivery.binding,
        .bytes(signal.event))
    }
    try connection.run(
      """
      UPDATE work SET id = ?1, lease = 0, claims = 0, attempts = 0, error = NULL, wait = NULL, waits_since = NULL,
        progress = NULL, queue_size = queue_size + ?2, due_at = CASE WHEN queue_size + ?2 > 0 THEN ?3 ELSE ?4 END
      WHERE session = ?5 AND id = ?6
      """, .integer(id), .integer(growth), dueAt.binding, Timestamp.never.binding, .integer(work.session),
      .integer(work.id))
  }
}

extension SignalDelivery {
  fileprivate var binding: SQLiteConnection.Binding { .integer(Int64(bitPattern: rawValue)) }
}
