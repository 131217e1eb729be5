internal import Sessions
internal import Values

/// The statements of this service. Each takes whole batches, and is a transaction by itself.
extension PostgreSQLConnection {
  /// The answers to requests that are alike, in their order.
  func answer(_ jobs: [PostgreSQLJob], deadline: Deadline) throws -> [PostgreSQLAnswer] {
    switch jobs[0].request {
    case .load: return try load(jobs, deadline).map { .session($0) }
    case .insert: return try insert(jobs, deadline).map { .rows($0) }
    case .replace: return try replace(jobs, deadline).map { .rows($0) }
    case .creation(let key): return [.creation(try creation(key, deadline))]
    case .insertOnce(let session, let outcome):
      return [.rows(try insert(session, outcome, isUnsure: jobs[0].isUnsure, deadline))]
    case .delete(let key, let forgetAt): return [.rows(try delete(key, forgetAt, deadline))]
    case .endExpired, .forgetSessions, .forgetCreations: return [.rows(try drop(jobs[0].request, deadline))]
    case .count: return [.rows(try countSessions(deadline))]
    case .check:
      return [.rows(Int(try run("SELECT NOT pg_is_in_recovery()", deadline: deadline).integer(0, 0)))]
    }
  }

  // MARK: - Reading

  /// Sessions that live now, those that have expired and are not swept included.
  func countSessions(_ deadline: Deadline) throws(PostgreSQLError) -> Int {
    Int(try run("SELECT count(*) FROM usher_session WHERE NOT ended", deadline: deadline).integer(0, 0))
  }

  private func load(_ jobs: [PostgreSQLJob], _ deadline: Deadline) throws -> [SessionLookup] {
    var requests: [(key: SessionKey, known: StoredSession?)] = []
    for case .load(let key, let known) in jobs.map(\.request) { requests.append((key, known)) }
    let rows = try run(
      """
      SELECT i.place, s.key, s.app, s.created_at, s.expires_at, s.version, s.ended,
        CASE WHEN s.version <> i.known THEN s.content END
      FROM unnest($1, $2, $3) AS i (place, number, known) JOIN usher_session s ON s.number = i.number
      """,
      [
        .integers(Array(0..<Int64(requests.count))), .integers(requests.map(\.key.number)),
        .integers(requests.map { Int64($0.known?.version ?? 0) }),
      ], deadline: deadline)
    var found = [SessionLookup](repeating: .unknown, count: requests.count)
    for row in 0..<rows.count {
      let place = Int(rows.integer(row, 0))
      let (key, known) = requests[place]
      guard rows.bytes(row, 1) == key.bytes else { continue }
      if rows.integer(row, 6) == 1 {
        found[place] = .gone
      } else if rows.isNull(row, 7), let known {
        found[place] = .live(known)
      } else {
        found[place] = .live(
          try StoredSession(
            key: key, app: rows.text(row, 2), createdAt: rows.timestamp(row, 3), expiresAt: rows.timestamp(row, 4),
            version: UInt64(rows.integer(row, 5)), content: rows.bytes(row, 7)))
      }
    }
    return found
  }

  private func creation(_ key: OutcomeKey, _ deadline: Deadline) throws -> CreationOutcome? {
    let sql = "SELECT content FROM usher_creation WHERE key = $1"
    let rows = try run(sql, [.bytes(key.bytes)], deadline: deadline)
    return rows.count == 1 ? try CreationOutcome(key: key, content: rows.bytes(0, 0)) : nil
  }

  // MARK: - Writing

  private static let sessionColumns = "(number, key, app, created_at, expires_at, version, stamps, content)"

  private func insert(_ jobs: [PostgreSQLJob], _ deadline: Deadline) throws -> [Int] {
    var sessions: [StoredSession] = []
    for case .insert(let session) in jobs.map(\.request) { sessions.append(session) }
    let rows = try run(
      """
      INSERT INTO usher_session \(Self.sessionColumns)
      SELECT i.number, i.key, i.app, i.created_at, i.expires_at, i.version, '{}', i.content
      FROM unnest($1, $2, $3, $4, $5, $6, $7) AS i (number, key, app, created_at, expires_at, version, content)
      ON CONFLICT DO NOTHING RETURNING number
      """,
      [
        .integers(sessions.map(\.key.number)), .byteStrings(sessions.map(\.key.bytes)), .texts(sessions.map(\.app)),
        .integers(sessions.map(\.createdAt.milliseconds)), .integers(sessions.map(\.expiresAt.milliseconds)),
        .integers(sessions.map { Int64($0.version) }), .byteStrings(sessions.map(\.content)),
      ], deadline: deadline)
    let inserted = Set((0..<rows.count).map { rows.integer($0, 0) })
    var results: [Int] = []
    for (job, session) in zip(jobs, sessions) {
      let wasInserted = inserted.contains(session.key.number)
      results.append(try wasInserted || job.isUnsure && exists(session.key, deadline) ? 1 : 0)
    }
    return results
  }

  private func insert(
    _ session: StoredSession, _ outcome: CreationOutcome, isUnsure: Bool, _ deadline: Deadline
  ) throws -> Int {
    let rows = try run(
      """
      WITH taken AS (
        INSERT INTO usher_creation (key, content, expires_at) VALUES ($1, $2, $3)
        ON CONFLICT (key) DO UPDATE SET content = excluded.content, expires_at = excluded.expires_at
        WHERE usher_creation.expires_at <= $4
        RETURNING key)
      INSERT INTO usher_session \(Self.sessionColumns)
      SELECT $5, $6, $7, $8, $9, $10, '{}', $11 FROM taken
      ON CONFLICT DO NOTHING
      """,
      [
        .bytes(outcome.key.bytes), .bytes(outcome.content), .integer(outcome.expiresAt.milliseconds),
        .integer(outcome.storedAt.milliseconds), .integer(session.key.number), .bytes(session.key.bytes),
        .text(session.app), .integer(session.createdAt.milliseconds), .integer(session.expiresAt.milliseconds),
        .integer(Int64(session.version)), .bytes(session.content),
      ], deadline: deadline)
    return try rows.changed == 1 || isUnsure && exists(session.key, deadline) ? 1 : 0
  }

  private func exists(_ key: SessionKey, _ deadline: Deadline) throws -> Bool {
    let sql = "SELECT FROM usher_session WHERE number = $1 AND key = $2"
    return try run(sql, [.integer(key.number), .bytes(key.bytes)], deadline: deadline).count == 1
  }

  private func replace(_ jobs: [PostgreSQLJob], _ deadline: Deadline) throws -> [Int] {
    var writes: [(version: UInt64, next: StoredSession, stamp: Int64)] = []
    for case .replace(let version, let next, let stamp) in jobs.map(\.request) { writes.append((version, next, stamp)) }
    // In the order of the rows' numbers, so that two processes that write the same ones rarely wait for each other.
    let places = writes.indices.sorted { writes[$0].next.key.number < writes[$1].next.key.number }
    let rows = try run(
      """
      UPDATE usher_session AS s SET version = i.version + 1, stamps = (i.stamp || s.stamps)[1:16], content = i.content
      FROM unnest($1, $2, $3, $4) AS i (number, version, stamp, content)
      WHERE s.number = i.number AND s.version = i.version AND NOT s.ended
      RETURNING i.stamp
      """,
      [
        .integers(places.map { writes[$0].next.key.number }), .integers(places.map { Int64(writes[$0].version) }),
        .integers(places.map { writes[$0].stamp }), .byteStrings(places.map { writes[$0].next.content }),
      ], deadline: deadline)
    let written = Set((0..<rows.count).map { rows.integer($0, 0) })
    var results: [Int] = []
    for (job, write) in zip(jobs, writes) {
      let wasWritten = written.contains(write.stamp)
      results.append(
        try wasWritten || job.isUnsure && wasDone(write.version, write.next.key, write.stamp, deadline) ? 1 : 0)
    }
    return results
  }

  /// Whether a write that was sent before has been carried out.
  ///
  /// - Throws: `connectionLost` where so many writes have followed that it cannot be told.
  private func wasDone(
    _ version: UInt64, _ key: SessionKey, _ stamp: Int64, _ deadline: Deadline
  ) throws -> Bool {
    // The write made version + 1, so its stamp lies as many places down as versions have come since.
    let rows = try run(
      """
      SELECT version - $2, stamps[version - $2] FROM usher_session WHERE number = $1
      """, [.integer(key.number), .integer(Int64(version))], deadline: deadline)
    guard rows.count == 1, rows.integer(0, 0) > 0 else { return false }
    guard !rows.isNull(0, 1) else {
      throw PostgreSQLError.connectionLost("It cannot be told whether a write was done.")
    }
    return rows.integer(0, 1) == stamp
  }

  private func delete(_ key: SessionKey, _ forgetAt: Timestamp, _ deadline: Deadline) throws -> Int {
    try run(
      """
      UPDATE usher_session SET ended = true, content = NULL, expires_at = $3
      WHERE number = $1 AND key = $2 AND NOT ended
      """, [.integer(key.number), .bytes(key.bytes), .integer(forgetAt.milliseconds)], deadline: deadline
    ).changed
  }

  // MARK: - Dropping

  private func drop(_ request: PostgreSQLRequest, _ deadline: Deadline) throws -> Int {
    let limit = PostgreSQLParameter.integer(Int64(StoreLimits.droppedRows))
    switch request {
    case .endExpired(let now, let memory):
      return try run(
        """
        UPDATE usher_session SET ended = true, content = NULL, expires_at = expires_at + $3 WHERE number IN (
          SELECT number FROM usher_session WHERE NOT ended AND expires_at <= $1
          LIMIT $2 FOR UPDATE SKIP LOCKED)
        """, [.integer(now.milliseconds), limit, .integer(memory * 1000)], deadline: deadline
      ).changed
    case .forgetSessions(let now):
      return try run(
        """
        DELETE FROM usher_session WHERE number IN (
          SELECT number FROM usher_session WHERE ended AND expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """, [.integer(now.milliseconds), limit], deadline: deadline
      ).changed
    case .forgetCreations(let now):
      return try run(
        """
        DELETE FROM usher_creation WHERE key IN (
          SELECT key FROM usher_creation WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """, [.integer(now.milliseconds), limit], deadline: deadline
      ).changed
    default:
      return 0
    }
  }
}

extension PostgreSQLRows {
  fileprivate func timestamp(_ row: Int, _ column: Int) -> Timestamp { Timestamp(milliseconds: integer(row, column)) }
}
