internal import Navigation
internal import Sessions
internal import Values

/// The statements of the processes that perform pending work: its claims, and what the holder of a lease does.
extension PostgreSQLRequest {
  /// Claims due work. Skips the rows that other claims, or writes of their sessions, have locked, and locks no session.
  /// Removes due rows without a session.
  static func claiming(_ search: WorkSearch) -> PostgreSQLStatement {
    let parameters: [PostgreSQLParameter] = [
      .texts(Array(search.apps.keys)), .integers(search.apps.values.map { Int64($0) }),
      .integer(milliseconds(search.lease)), .integer(Int64(search.places.count)),
    ]
    guard case .effects(_, let countOfLane, let taken) = search.places else {
      return PostgreSQLStatement(claimingEvents, parameters)
    }
    return PostgreSQLStatement(
      claimingEffects,
      parameters + [
        .integer(Int64(countOfLane)), .texts(taken.keys.map(\.name)), .integers(taken.values.map { Int64($0) }),
      ])
  }

  private static let claimingEvents = "WITH " + claiming(due(in: "''", limit: "$4"))

  /// Claims effects. The lane with the longest due work comes first, so that each has its share of the places.
  private static let claimingEffects = """
    WITH RECURSIVE lane AS (
      (SELECT lane AS name, due_at FROM usher_work WHERE lane > '' ORDER BY lane, due_at LIMIT 1)
      UNION ALL
      SELECT next.* FROM lane CROSS JOIN LATERAL (
        SELECT lane, due_at FROM usher_work WHERE lane > lane.name ORDER BY lane, due_at LIMIT 1) AS next),

    """
    + claiming(
      """
      SELECT work.*
      FROM (
        SELECT name,
          greatest($5 - coalesce($7[array_position($6, name)], 0), 0) AS places
        FROM lane ORDER BY due_at) AS lane
      CROSS JOIN LATERAL (\(due(in: "lane.name", limit: "lane.places"))) AS work
      WHERE places > 0 LIMIT $4
      """)

  /// The SQL that locks the longest due work of a lane.
  private static func due(in lane: String, limit: String) -> String {
    """
    SELECT ctid AS place, due_at,
      (SELECT key FROM usher_session WHERE number = work.session AND NOT ended) AS key
    FROM usher_work AS work
    WHERE lane = \(lane) AND due_at <= (SELECT floor(\(now))::int8) AND app = ANY ($1)
      AND (version <= $2[array_position($1, app)]
        OR due_at <= (SELECT floor(\(now))::int8) - \(milliseconds(WorkSearch.reserve)))
    ORDER BY due_at LIMIT \(limit) FOR UPDATE SKIP LOCKED
    """
  }

  /// The SQL that claims due work.
  ///
  /// A random number from `random()` has at least 48 bits.
  ///
  /// Locked rows are found again by their places. In place of a look-up by key, the server might plan a scan of the table
  /// for each row, if it plans the statement while the table is small. A row that another transaction updates meanwhile
  /// has another place, and is claimed next time.
  private static func claiming(_ due: String) -> String {
    """
    due AS (\(due)),
    claimed AS (
      UPDATE usher_work AS work
      SET lease = 1 + floor(random() * \(Int64(1) << 52))::int8, claims = claims + 1, due_at = \(time(after: "$3"))
      FROM due WHERE work.ctid = place AND (key IS NOT NULL OR detached IS NOT NULL)
      RETURNING key, id, lease, attempts, claims, \(firstProgress) AS progress, due.due_at, detached, trace, lane,
        wait, waits_since),
    removed AS (
      DELETE FROM usher_work AS work USING due WHERE work.ctid = place AND key IS NULL AND detached IS NULL)
    SELECT key, id, lease, attempts, claims, progress, detached, trace, lane, wait, waits_since
    FROM claimed ORDER BY due_at, id
    """
  }

  static func renewing(_ lease: Duration, _ work: ClaimedWork) -> PostgreSQLStatement {
    PostgreSQLStatement(
      "UPDATE usher_work SET due_at = \(time(after: "$4")) WHERE session = $1 AND id = $2 AND lease = $3",
      columns(of: work) + [.integer(milliseconds(lease))])
  }

  static func reporting(_ report: WorkReport, on work: ClaimedWork) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      UPDATE usher_work
      SET lease = 0, claims = 0, due_at = \(time(after: "$4")), attempts = $5, error = $6,
        wait = CASE WHEN $9 > 0 THEN $9 END, waits_since = CASE WHEN $9 > 0 THEN $10 END,
        progress = coalesce($7, progress), lane = CASE WHEN $8 = 1 THEN '' ELSE lane END
      WHERE session = $1 AND id = $2 AND lease = $3
      """,
      columns(of: work) + [
        .integer(report.pause.map(milliseconds) ?? .max), .integer(Int64(report.attempts)),
        .text(report.storedError), .bytes(report.progress),
        .integer(WorkProgress.isEvent(report.progress) ? 1 : 0), .integer(report.wait?.reason.rawValue ?? 0),
        .integer(report.wait?.since.milliseconds ?? 0),
      ])
  }

  /// Finds work whose lease a report has ended, if nothing has claimed the work since.
  static func findingReport(on work: ClaimedWork, _ report: WorkReport) -> PostgreSQLStatement {
    PostgreSQLStatement(
      "SELECT FROM usher_work WHERE session = $1 AND id = $2 AND lease = 0 AND attempts = $3",
      .integer(work.session.number), .integer(Int64(work.id.rawValue)), .integer(Int64(report.attempts)))
  }

  static func discarding(_ work: ClaimedWork) -> PostgreSQLStatement {
    PostgreSQLStatement("DELETE FROM usher_work WHERE session = $1 AND id = $2 AND lease = $3", columns(of: work))
  }
}

extension PostgreSQLRows {
  /// The work that a claim has returned.
  func claimedWork() -> [ClaimedWork] {
    (0..<count).compactMap { row in
      let detached = isNull(row, 6) ? nil : bytes(row, 6)
      let session = detached.map { try? DetachedWork(encoded: $0).session } ?? SessionKey(bytes: bytes(row, 0))
      return session.map { session in
        ClaimedWork(
          session: session, id: WorkID(UInt32(clamping: integer(row, 1))), lane: WorkLane(name: text(row, 8)),
          lease: integer(row, 2), attempts: Int(integer(row, 3)), claims: Int(integer(row, 4)),
          progress: isNull(row, 5) ? nil : bytes(row, 5),
          detached: detached, trace: isNull(row, 7) ? nil : text(row, 7), wait: eventWait(row, 9, 10))
      }
    }
  }
}
