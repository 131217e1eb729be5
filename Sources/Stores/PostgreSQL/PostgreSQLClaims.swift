internal import Navigation
internal import Sessions
internal import Values

/// The requests of the processes that perform pending work: its claims, and what the holder of a lease does.
extension PostgreSQLRequest {
  /// Claims due work. Skips the rows that other claims, or writes of their sessions, have locked, and locks no session.
  /// Removes due rows without a session.
  static func claim(_ search: WorkSearch) -> PostgreSQLRequest {
    let parameters: [PostgreSQLParameter] = [
      .texts(Array(search.apps.keys)), .integers(search.apps.values.map { Int64($0) }),
      .integer(milliseconds(search.lease)), .integer(Int64(search.slots.count)),
    ]
    guard case .effects(_, let countOfQueue, let taken) = search.slots else {
      return PostgreSQLRequest(.claim, PostgreSQLStatement(claimingEvents, parameters))
    }
    return PostgreSQLRequest(
      .claim,
      PostgreSQLStatement(
        claimingEffects,
        parameters + [
          .integer(Int64(countOfQueue)), .texts(taken.keys.map(\.name)),
          .integers(taken.values.map { Int64($0) }),
        ]))
  }

  private static let claimingEvents = "WITH " + claiming(due(in: "''", limit: "$4"))

  /// Claims effects. The queue with the longest due work comes first, so that each has its share of the slots.
  private static let claimingEffects = """
    WITH RECURSIVE waiting AS (
      (SELECT queue AS name, due_at FROM usher_work WHERE queue > '' ORDER BY queue, due_at LIMIT 1)
      UNION ALL
      SELECT next.* FROM waiting CROSS JOIN LATERAL (
        SELECT queue, due_at FROM usher_work WHERE queue > waiting.name ORDER BY queue, due_at LIMIT 1) AS next),

    """
    + claiming(
      """
      SELECT work.*
      FROM (
        SELECT name,
          greatest($5 - coalesce($7[array_position($6, name)], 0), 0) AS slots
        FROM waiting ORDER BY due_at) AS waiting
      CROSS JOIN LATERAL (\(due(in: "waiting.name", limit: "waiting.slots"))) AS work
      WHERE slots > 0 LIMIT $4
      """)

  /// The SQL that locks the longest due work of a queue.
  private static func due(in queue: String, limit: String) -> String {
    """
    SELECT ctid AS location, due_at,
      (SELECT key FROM usher_session WHERE number = work.session AND NOT ended) AS key
    FROM usher_work AS work
    WHERE queue = \(queue) AND due_at <= (SELECT floor(\(now))::int8) AND app = ANY ($1)
      AND (version <= $2[array_position($1, app)]
        OR due_at <= (SELECT floor(\(now))::int8) - \(milliseconds(WorkSearch.reserve)))
    ORDER BY due_at LIMIT \(limit) FOR UPDATE SKIP LOCKED
    """
  }

  /// The SQL that claims due work.
  ///
  /// A random number from `random()` has at least 48 bits.
  ///
  /// Locked rows are found again by their location. Instead of a look-up by key, the server might plan a scan of the table
  /// for each row, if it plans the statement while the table is small. A row that another transaction updates meanwhile
  /// has another location, and is claimed next time.
  private static func claiming(_ due: String) -> String {
    """
    due AS (\(due)),
    claimed AS (
      UPDATE usher_work AS work
      SET lease = 1 + floor(random() * \(Int64(1) << 52))::int8, claims = claims + 1, due_at = \(time(after: "$3"))
      FROM due WHERE work.ctid = location AND (key IS NOT NULL OR detached IS NOT NULL)
      RETURNING key, id, lease, attempts, claims, \(firstProgress) AS progress, due.due_at, detached, trace, queue,
        wait, waits_since),
    removed AS (
      DELETE FROM usher_work AS work USING due WHERE work.ctid = location AND key IS NULL AND detached IS NULL)
    SELECT key, id, lease, attempts, claims, progress, detached, trace, queue, wait, waits_since
    FROM claimed ORDER BY due_at, id
    """
  }

  static func renew(_ lease: Duration, _ work: ClaimedWork) -> PostgreSQLRequest {
    write(
      work, "UPDATE usher_work SET due_at = \(time(after: "$4")) WHERE session = $1 AND id = $2 AND lease = $3",
      .integer(milliseconds(lease)))
  }

  static func report(_ report: WorkReport, _ work: ClaimedWork) -> PostgreSQLRequest {
    write(
      work,
      """
      UPDATE usher_work
      SET lease = 0, claims = 0, due_at = \(time(after: "$4")), attempts = $5, error = nullif($6, ''),
        wait = CASE WHEN $9 > 0 THEN $9 END, waits_since = CASE WHEN $9 > 0 THEN $10 END,
        progress = coalesce($7, progress), queue = CASE WHEN $8 = 1 THEN '' ELSE queue END
      WHERE session = $1 AND id = $2 AND lease = $3
      """, .integer(report.pause.map(milliseconds) ?? .max), .integer(Int64(report.attempts)),
      .text(report.storedError ?? ""), .bytes(report.progress), .integer(WorkProgress.isEvent(report.progress) ? 1 : 0),
      .integer(report.wait?.reason.rawValue ?? 0), .integer(report.wait?.since.milliseconds ?? 0)
    ) { connection, deadline throws(PostgreSQLError) in
      // The work has not been claimed since.
      try connection.run(
        "SELECT FROM usher_work WHERE session = $1 AND id = $2 AND lease = 0 AND attempts = $3",
        .integer(work.session.number), .integer(Int64(work.id.rawValue)), .integer(Int64(report.attempts)),
        deadline: deadline
      ).count == 1
    }
  }

  static func discard(_ work: ClaimedWork) -> PostgreSQLRequest {
    write(work, "DELETE FROM usher_work WHERE session = $1 AND id = $2 AND lease = $3")
  }

  /// A write of claimed work. The first three parameters are the session, the id and the lease.
  static func write(
    _ work: ClaimedWork, _ sql: String, _ parameters: PostgreSQLParameter...,
    recovery: @escaping Recovery = { _, _ in false }
  ) -> PostgreSQLRequest {
    write(work.id, of: work.session, sql, [.integer(work.lease)] + parameters, recovery: recovery)
  }

  /// A write of a piece of work. The first two parameters are the session and the id.
  static func write(
    _ work: WorkID, of session: SessionKey, _ sql: String, _ parameters: [PostgreSQLParameter] = [],
    recovery: @escaping Recovery = { _, _ in false }
  ) -> PostgreSQLRequest {
    let (session, id) = (session.number, Int64(work.rawValue))
    return PostgreSQLRequest(
      .write, PostgreSQLStatement(sql, [.integer(session), .integer(id)] + parameters), lock: (session, id),
      recovery: recovery)
  }
}

extension PostgreSQLRow {
  /// Decodes the work that a claim has returned. Returns nil if its session is invalid.
  var claimedWork: ClaimedWork? {
    let detached = optionalBytes(6)
    let session = detached.map { try? DetachedWork(encoded: $0).session } ?? SessionKey(bytes: bytes(0))
    return session.map { session in
      ClaimedWork(
        session: session, id: workID(1), queue: WorkQueue(name: text(8)), lease: integer(2), attempts: number(3),
        claims: number(4), progress: optionalBytes(5), detached: detached, trace: optionalText(7), wait: eventWait(9))
    }
  }
}
