internal import Sessions
internal import Values

/// The statements of this service. Each takes whole batches, and is a transaction by itself.
extension PostgreSQLConnection {
  typealias Answers = [Result<PostgreSQLAnswer, StoreError>]

  /// The answers to requests that are alike, in their order.
  ///
  /// - Throws: what concerns all of them.
  func answer(_ jobs: [PostgreSQLJob], deadline: Deadline) throws(PostgreSQLError) -> Answers {
    isReading = jobs[0].request.isRead
    switch jobs[0].request {
    case .load: return try load(jobs, deadline)
    case .insert: return try insert(jobs, deadline).map { .success(.rows($0)) }
    case .replace: return try replace(jobs, deadline)
    case .creation(let key): return [try creation(key, deadline)]
    case .list(let cursor, let limit): return [.success(.sessions(try list(before: cursor, limit, deadline)))]
    case .listNumbered(let numbers, let limit): return [.success(.sessions(try list(numbers, limit, deadline)))]
    case .insertOnce(let session, let outcome):
      return [.success(.rows(try insert(session, outcome, isUnsure: jobs[0].isUnsure, deadline)))]
    case .delete(let session, let forgetAt): return [.success(.rows(try delete(session, forgetAt, deadline)))]
    case .watch(let keys, let until): return [.success(.rows(try watch(keys, until, deadline)))]
    case .endExpired, .forgetSessions, .forgetCreations, .forgetWatches:
      return [.success(.rows(try drop(jobs[0].request, deadline)))]
    case .countOwned(let owner, let limit): return [.success(.rows(try countSessions(of: owner, limit, deadline)))]
    case .count: return [.success(.rows(try countSessions(deadline)))]
    case .lastSurplus(let limit): return [.success(.rows(try lastSurplus(beyond: limit, deadline)))]
    case .check: return [.success(.rows(try check(deadline)))]
    }
  }

  // MARK: - Reading

  /// Sessions that live now, those that have expired and are not swept included.
  func countSessions(_ deadline: Deadline) throws(PostgreSQLError) -> Int {
    Int(try run("SELECT count(*) FROM usher_session WHERE NOT ended", deadline: deadline).integer(0, 0))
  }

  private func countSessions(
    of owner: SessionOwner, _ limit: Int, _ deadline: Deadline
  ) throws(PostgreSQLError) -> Int {
    let sql = """
      SELECT count(*) FROM (
        SELECT FROM usher_session WHERE NOT ended AND owner <> '' AND owner = $1 LIMIT $2) AS owned
      """
    return Int(try run(sql, [.bytes(owner.bytes), .integer(Int64(limit))], deadline: deadline).integer(0, 0))
  }

  /// Takes the locks that a write takes and changes nothing: refused where the database is read-only, and delayed while somebody
  /// else has locked the table.
  private func check(_ deadline: Deadline) throws(PostgreSQLError) -> Int {
    try run("UPDATE usher_session SET version = version WHERE false", deadline: deadline).changed
  }

  private func lastSurplus(beyond limit: Int, _ deadline: Deadline) throws(PostgreSQLError) -> Int {
    let sql = "SELECT expires_at FROM usher_session WHERE ended ORDER BY expires_at DESC OFFSET $1 LIMIT 1"
    let rows = try run(sql, [.integer(Int64(limit))], deadline: deadline)
    return rows.count == 1 ? Int(rows.integer(0, 0)) : 0
  }

  private func load(_ jobs: [PostgreSQLJob], _ deadline: Deadline) throws(PostgreSQLError) -> Answers {
    var requests: [(key: SessionKey, known: StoredSession?)] = []
    for case .load(let key, let known) in jobs.map(\.request) { requests.append((key, known)) }
    let rows = try run(
      """
      SELECT i.place, s.key, s.app, s.created_at, s.expires_at, s.version, s.ended, s.owner,
        CASE WHEN s.version <> i.known THEN s.content END
      FROM unnest($1, $2, $3) AS i (place, number, known) JOIN usher_session s ON s.number = i.number
      """,
      [
        .integers(Array(0..<Int64(requests.count))), .integers(requests.map(\.key.number)),
        .integers(requests.map { $0.known?.version.rawValue ?? 0 }),
      ], deadline: deadline)
    var found = Answers(repeating: .success(.session(.unknown)), count: requests.count)
    for row in 0..<rows.count {
      let place = Int(rows.integer(row, 0))
      let (key, known) = requests[place]
      guard rows.bytes(row, 1) == key.bytes else { continue }
      if rows.integer(row, 6) == 1 {
        found[place] = .success(.session(.gone(owner: rows.owner(row, 7))))
      } else if rows.isNull(row, 8), let known {
        found[place] = .success(.session(.live(known)))
      } else {
        found[place] = Self.reading { () throws(ValueError) in
          .session(
            .live(
              try StoredSession(
                key: key, owner: rows.owner(row, 7), app: rows.text(row, 2), createdAt: rows.timestamp(row, 3),
                expiresAt: rows.timestamp(row, 4), version: rows.version(row, 5), content: rows.bytes(row, 8))))
        }
      }
    }
    return found
  }

  private func creation(_ key: IdempotencyDigest, _ deadline: Deadline) throws(PostgreSQLError) -> Answers.Element {
    let sql = "SELECT content, expires_at FROM usher_creation WHERE key = $1"
    let rows = try run(sql, [.bytes(key.bytes)], deadline: deadline)
    guard rows.count == 1 else { return .success(.creation(.unknown)) }
    return Self.reading { () throws(ValueError) in
      .creation(try CreationLookup(key: key, content: rows.bytes(0, 0), expiresAt: rows.timestamp(0, 1)))
    }
  }

  private static func reading(_ body: () throws(ValueError) -> PostgreSQLAnswer) -> Answers.Element {
    do {
      return .success(try body())
    } catch {
      return .failure(.unreadable("The database holds what cannot be read: \(error)"))
    }
  }

  // MARK: - Writing

  private static let sessionColumns = "(number, key, app, created_at, expires_at, version, content, owner)"

  private func insert(_ jobs: [PostgreSQLJob], _ deadline: Deadline) throws(PostgreSQLError) -> [Int] {
    var sessions: [StoredSession] = []
    for case .insert(let session) in jobs.map(\.request) { sessions.append(session) }
    let rows = try run(
      """
      INSERT INTO usher_session \(Self.sessionColumns)
      SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)
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
        results.append(job.isUnsure ? try self.rows(of: session.key, deadline) : 0)
      }
    }
    return results
  }

  private func insert(
    _ session: StoredSession, _ outcome: CreationOutcome, isUnsure: Bool, _ deadline: Deadline
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
    return rows.changed == 0 && isUnsure ? try self.rows(of: session.key, deadline) : rows.changed
  }

  /// 1 where there is such a session, otherwise 0.
  private func rows(of key: SessionKey, _ deadline: Deadline) throws(PostgreSQLError) -> Int {
    let sql = "SELECT FROM usher_session WHERE number = $1 AND key = $2"
    return try run(sql, [.integer(key.number), .bytes(key.bytes)], deadline: deadline).count
  }

  private func replace(_ jobs: [PostgreSQLJob], _ deadline: Deadline) throws(PostgreSQLError) -> Answers {
    var writes: [(version: SessionVersion, next: StoredSession)] = []
    for case .replace(let version, let next) in jobs.map(\.request) { writes.append((version, next)) }
    // In the order of the rows' numbers, so that two processes that write the same ones rarely wait for each other.
    let places = writes.indices.sorted { writes[$0].next.key.number < writes[$1].next.key.number }
    let rows = try run(
      """
      WITH written AS (
        UPDATE usher_session AS s SET version = i.next, earlier = (s.version || s.earlier)[1:15], content = i.content
        FROM unnest($1, $2, $3, $4) AS i (number, version, next, content)
        WHERE s.number = i.number AND s.version = i.version AND NOT s.ended
        RETURNING s.number, s.key, i.next)
      SELECT next, \(Self.telling("encode(key, 'hex') || ' ' || next")) FROM written
      """,
      [
        .integers(places.map { writes[$0].next.key.number }), .integers(places.map { writes[$0].version.rawValue }),
        .integers(places.map { writes[$0].next.version.rawValue }),
        .byteStrings(places.map { writes[$0].next.content }),
      ], deadline: deadline)
    let written = Set((0..<rows.count).map { rows.integer($0, 0) })
    var answers: Answers = []
    for (job, write) in zip(jobs, writes) {
      if written.contains(write.next.version.rawValue) {
        answers.append(.success(.rows(1)))
      } else {
        answers.append(job.isUnsure ? try wasDone(write.next, deadline) : .success(.rows(0)))
      }
    }
    return answers
  }

  /// How many rows a write that was sent before has changed: 1 or 0, or `unavailable` where so many writes have followed that it
  /// cannot be told.
  private func wasDone(_ next: StoredSession, _ deadline: Deadline) throws(PostgreSQLError) -> Answers.Element {
    // The version of the write lies as many places down as writes have come since.
    let sql = "SELECT version, earlier[((version >> 32) - $2)::int4] FROM usher_session WHERE number = $1"
    let rows = try run(sql, [.integer(next.key.number), .integer(next.version.count)], deadline: deadline)
    guard rows.count == 1 else { return .success(.rows(0)) }
    let current = rows.version(0, 0)
    if current.count <= next.version.count { return .success(.rows(current == next.version ? 1 : 0)) }
    guard !rows.isNull(0, 1) else { return .failure(.unavailable("It cannot be told whether a write was done.")) }
    return .success(.rows(rows.version(0, 1) == next.version ? 1 : 0))
  }

  private func delete(
    _ session: StoredSession, _ forgetAt: Timestamp, _ deadline: Deadline
  ) throws(PostgreSQLError) -> Int {
    try run(
      """
      WITH written AS (
        UPDATE usher_session SET ended = true, content = NULL, expires_at = $3
        WHERE number = $1 AND version = $2 AND NOT ended
        RETURNING number, key),
      cut AS (\(Self.cutting("SELECT number FROM written")))
      SELECT \(Self.telling("encode(key, 'hex') || ' 0'")) FROM written
      """, [.integer(session.key.number), .integer(session.version.rawValue), .integer(forgetAt.milliseconds)],
      deadline: deadline
    ).count
  }

  /// Keeps nothing of the creations of these sessions but their requests' fingerprints.
  private static func cutting(_ numbers: String) -> String {
    """
    UPDATE usher_creation SET content = substring(content FROM 1 FOR \(CreationOutcome.tombstoneSize))
    WHERE session IN (\(numbers))
    """
  }

  /// Tells those who watch what was written; the payload is as ``PostgreSQLChanges`` reads it.
  private static func telling(_ payload: String) -> String {
    """
    CASE WHEN EXISTS (SELECT FROM usher_watch WHERE usher_watch.number = written.number)
      THEN pg_notify('usher', \(payload)) END
    """
  }

  private func watch(_ keys: [SessionKey], _ until: Timestamp, _ deadline: Deadline) throws(PostgreSQLError) -> Int {
    // In one order, so that two processes that watch the same sessions do not wait for each other in a circle.
    let numbers = Set(keys.map(\.number)).sorted()
    return try run(
      """
      INSERT INTO usher_watch SELECT number, $2 FROM unnest($1) AS i (number)
      ON CONFLICT (number) DO UPDATE SET until = greatest(usher_watch.until, excluded.until)
      """, [.integers(numbers), .integer(until.milliseconds)], deadline: deadline
    ).changed
  }

  // MARK: - Dropping

  private func drop(_ request: PostgreSQLRequest, _ deadline: Deadline) throws(PostgreSQLError) -> Int {
    let limit = PostgreSQLParameter.integer(Int64(Sweeping.rowLimit))
    switch request {
    case .endExpired(let now, let tombstoneLifetime):
      return try run(
        """
        WITH expired AS (
          SELECT number FROM usher_session WHERE NOT ended AND expires_at <= $1
          LIMIT $2 FOR UPDATE SKIP LOCKED),
        cut AS (\(Self.cutting("SELECT number FROM expired")))
        UPDATE usher_session SET ended = true, content = NULL, expires_at = expires_at + $3
        WHERE number IN (SELECT number FROM expired)
        """, [.integer(now.milliseconds), limit, .integer(tombstoneLifetime * 1000)], deadline: deadline
      ).changed
    case .forgetSessions(let now):
      return try run(
        """
        WITH forgotten AS (
          SELECT number FROM usher_session WHERE ended AND expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED),
        creations AS (DELETE FROM usher_creation WHERE session IN (SELECT number FROM forgotten))
        DELETE FROM usher_session WHERE number IN (SELECT number FROM forgotten)
        """, [.integer(now.milliseconds), limit], deadline: deadline
      ).changed
    case .forgetCreations(let now):
      return try run(
        """
        DELETE FROM usher_creation WHERE key IN (
          SELECT key FROM usher_creation WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """, [.integer(now.milliseconds), limit], deadline: deadline
      ).changed
    case .forgetWatches(let now):
      return try run(
        """
        DELETE FROM usher_watch WHERE number IN (
          SELECT number FROM usher_watch WHERE until <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """, [.integer(now.milliseconds), limit], deadline: deadline
      ).changed
    default:
      return 0
    }
  }
}

extension PostgreSQLRows {
  func version(_ row: Int, _ column: Int) -> SessionVersion {
    SessionVersion(rawValue: integer(row, column))
  }

  func owner(_ row: Int, _ column: Int) -> SessionOwner? { SessionOwner(bytes: bytes(row, column)) }

  func timestamp(_ row: Int, _ column: Int) -> Timestamp { Timestamp(milliseconds: integer(row, column)) }
}
