internal import Sessions

/// The statements that write sessions, creations and watches, and those of a sweep.
extension PostgreSQLConnection {
  private static let sessionColumns = "(number, key, app, created_at, expires_at, version, content, owner)"

  func insert(_ jobs: [PostgreSQLJob], _ deadline: Deadline) throws(PostgreSQLError) -> [Int] {
    var sessions: [StoredSession] = []
    for case .insert(let session) in jobs.map(\.request) { sessions.append(session) }
    let rows = try run(
      """
      INSERT INTO usher_session \(Self.sessionColumns)
      SELECT * FROM \(PostgreSQLParameter.table(rows: sessions.count, columns: 8)) AS i
      ON CONFLICT DO NOTHING RETURNING number
      """,
      [
        .integers(sessions.map(\.key.number)), .byteStrings(sessions.map(\.key.bytes)), .texts(sessions.map(\.app)),
        .integers(sessions.map(\.createdAt.milliseconds)), .integers(sessions.map(\.expiresAt.milliseconds)),
        .integers(sessions.map(\.version.rawValue)), .byteStrings(sessions.map(\.content)),
        .byteStrings(sessions.map { $0.owner?.bytes ?? [] }),
      ], deadline: deadline)
    let inserted = Set((0..<rows.count).map { rows.integer($0, 0) })
    var results: [Int] = []
    for (job, session) in zip(jobs, sessions) {
      if inserted.contains(session.key.number) {
        results.append(1)
      } else {
        results.append(job.mayHaveRun ? try self.rows(of: session.key, deadline) : 0)
      }
    }
    return results
  }

  /// Inserts a session with its creation's outcome, unless the idempotency key is taken.
  func insert(
    _ session: StoredSession, _ outcome: CreationOutcome, mayHaveRun: Bool, _ deadline: Deadline
  ) throws(PostgreSQLError) -> Int {
    let rows = try run(
      """
      WITH taken AS (
        INSERT INTO usher_creation (key, content, expires_at, session) VALUES ($1, $2, $3, $5)
        ON CONFLICT (key) DO UPDATE
        SET content = excluded.content, expires_at = excluded.expires_at, session = excluded.session
        WHERE usher_creation.expires_at <= $4
        RETURNING key)
      INSERT INTO usher_session \(Self.sessionColumns)
      SELECT $5, $6, $7, $8, $9, $10, $11, $12 FROM taken
      ON CONFLICT DO NOTHING
      """,
      [
        .bytes(outcome.key.bytes), .bytes(outcome.content), .integer(outcome.expiresAt.milliseconds),
        .integer(outcome.storedAt.milliseconds), .integer(session.key.number), .bytes(session.key.bytes),
        .text(session.app), .integer(session.createdAt.milliseconds), .integer(session.expiresAt.milliseconds),
        .integer(session.version.rawValue), .bytes(session.content), .bytes(session.owner?.bytes ?? []),
      ], deadline: deadline)
    return rows.changedCount == 0 && mayHaveRun ? try self.rows(of: session.key, deadline) : rows.changedCount
  }

  /// Returns 1 if the session exists, otherwise 0.
  private func rows(of key: SessionKey, _ deadline: Deadline) throws(PostgreSQLError) -> Int {
    let sql = "SELECT FROM usher_session WHERE number = $1 AND key = $2"
    return try run(sql, [.integer(key.number), .bytes(key.bytes)], deadline: deadline).count
  }

  func replace(_ jobs: [PostgreSQLJob], _ deadline: Deadline) throws(PostgreSQLError) -> Answers {
    var writes: [(version: SessionVersion, next: StoredSession)] = []
    for case .replace(let version, let next) in jobs.map(\.request) { writes.append((version, next)) }
    // In the order of the row numbers, so that processes that write the same rows rarely deadlock.
    let order = writes.indices.sorted { writes[$0].next.key.number < writes[$1].next.key.number }
    let rows = try run(
      """
      WITH written AS (
        UPDATE usher_session AS s SET version = i.next, earlier = (s.version || s.earlier)[1:63], content = i.content
        FROM \(PostgreSQLParameter.table(rows: writes.count, columns: 4)) AS i (number, version, next, content)
        WHERE s.number = i.number AND s.version = i.version AND NOT s.ended
        RETURNING s.number, s.key, i.next)
      SELECT next, \(Self.notifying("encode(key, 'hex') || ' ' || next")) FROM written
      """,
      [
        .integers(order.map { writes[$0].next.key.number }), .integers(order.map { writes[$0].version.rawValue }),
        .integers(order.map { writes[$0].next.version.rawValue }),
        .byteStrings(order.map { writes[$0].next.content }),
      ], deadline: deadline)
    let written = Set((0..<rows.count).map { rows.integer($0, 0) })
    var answers: Answers = []
    for (job, write) in zip(jobs, writes) {
      if written.contains(write.next.version.rawValue) {
        answers.append(.success(.rows(1)))
      } else {
        answers.append(job.mayHaveRun ? try outcomeOfEarlierAttempt(write.next, deadline) : .success(.rows(0)))
      }
    }
    return answers
  }

  /// Returns the number of rows that an earlier attempt of a write has changed: 1 or 0. Fails with `unavailable` if so
  /// many writes have followed that the server no longer knows.
  private func outcomeOfEarlierAttempt(
    _ next: StoredSession, _ deadline: Deadline
  ) throws(PostgreSQLError) -> Answers.Element {
    // `earlier` is in order, so the number of writes since then is the position of this write's version.
    let sql = "SELECT version, earlier[((version >> 32) - $2)::int4] FROM usher_session WHERE number = $1"
    let rows = try run(sql, [.integer(next.key.number), .integer(next.version.count)], deadline: deadline)
    guard rows.count == 1 else { return .success(.rows(0)) }
    let current = rows.version(0, 0)
    if current.count <= next.version.count { return .success(.rows(current == next.version ? 1 : 0)) }
    guard !rows.isNull(0, 1) else {
      return .failure(.unavailable("The database connection was lost during a write, whose outcome is unknown."))
    }
    return .success(.rows(rows.version(0, 1) == next.version ? 1 : 0))
  }

  func delete(
    _ session: StoredSession, _ forgetAt: Timestamp, _ deadline: Deadline
  ) throws(PostgreSQLError) -> Int {
    try run(
      """
      WITH written AS (
        UPDATE usher_session SET ended = true, content = NULL, expires_at = $3
        WHERE number = $1 AND version = $2 AND NOT ended
        RETURNING number, key),
      truncated AS (\(Self.truncatingCreations(of: "SELECT number FROM written")))
      SELECT \(Self.notifying("encode(key, 'hex') || ' 0'")) FROM written
      """, [.integer(session.key.number), .integer(session.version.rawValue), .integer(forgetAt.milliseconds)],
      deadline: deadline
    ).count
  }

  /// The SQL that reduces the creations of these sessions to the fingerprints of their requests.
  private static func truncatingCreations(of numbers: String) -> String {
    """
    UPDATE usher_creation SET content = substring(content FROM 1 FOR \(CreationOutcome.tombstoneSize))
    WHERE session IN (\(numbers))
    """
  }

  /// The SQL that announces the written rows if a process watches them. ``PostgreSQLChangeListener`` parses the
  /// payload.
  private static func notifying(_ payload: String) -> String {
    """
    CASE WHEN EXISTS (SELECT FROM usher_watch WHERE usher_watch.number = written.number)
      THEN pg_notify('usher', \(payload)) END
    """
  }

  func watch(_ keys: [SessionKey], _ until: Timestamp, _ deadline: Deadline) throws(PostgreSQLError) -> Int {
    // Sorted, so that processes that watch the same sessions do not deadlock.
    let numbers = Set(keys.map(\.number)).sorted()
    return try run(
      """
      INSERT INTO usher_watch
      SELECT number, $2 FROM \(PostgreSQLParameter.table(rows: numbers.count, columns: 1)) AS i (number)
      ON CONFLICT (number) DO UPDATE SET until = greatest(usher_watch.until, excluded.until)
      """, [.integers(numbers), .integer(until.milliseconds)], deadline: deadline
    ).changedCount
  }

  // MARK: - Sweeping

  func sweep(_ request: PostgreSQLRequest, _ deadline: Deadline) throws(PostgreSQLError) -> Int {
    let limit = PostgreSQLParameter.integer(Int64(StoreLimits.sweepBatch))
    switch request {
    case .endExpired(let now, let tombstoneLifetime):
      return try run(
        """
        WITH expired AS (
          SELECT number FROM usher_session WHERE NOT ended AND expires_at <= $1
          LIMIT $2 FOR UPDATE SKIP LOCKED),
        truncated AS (\(Self.truncatingCreations(of: "SELECT number FROM expired")))
        UPDATE usher_session SET ended = true, content = NULL, expires_at = expires_at + $3
        WHERE number IN (SELECT number FROM expired)
        """, [.integer(now.milliseconds), limit, .integer(tombstoneLifetime * 1000)], deadline: deadline
      ).changedCount
    case .removeTombstones(let now):
      return try run(
        """
        WITH due AS (
          SELECT number FROM usher_session WHERE ended AND expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED),
        creations AS (DELETE FROM usher_creation WHERE session IN (SELECT number FROM due))
        DELETE FROM usher_session WHERE number IN (SELECT number FROM due)
        """, [.integer(now.milliseconds), limit], deadline: deadline
      ).changedCount
    case .removeCreations(let now):
      return try run(
        """
        DELETE FROM usher_creation WHERE key IN (
          SELECT key FROM usher_creation WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """, [.integer(now.milliseconds), limit], deadline: deadline
      ).changedCount
    case .removeWatches(let now):
      return try run(
        """
        DELETE FROM usher_watch WHERE number IN (
          SELECT number FROM usher_watch WHERE until <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """, [.integer(now.milliseconds), limit], deadline: deadline
      ).changedCount
    default:
      return 0
    }
  }
}
