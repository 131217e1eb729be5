internal import Navigation
internal import Sessions
internal import Values

/// The statements for the pending work of sessions. The rows of a session change in the statement that changes the
/// session, and only if that does: another attempt of a write changes nothing.
///
/// The database's clock decides what is due. Times are rounded so that nothing is due early.
extension PostgreSQLRequest {
  // MARK: - Writes of one session

  /// Makes an insert of a session also add the work in seven more parameters.
  ///
  /// - Parameters:
  ///   - insert: the statement.
  ///   - preceding: the SQL of a preceding query of the statement, or an empty text.
  ///   - columns: the statement's parameters.
  static func adding(
    _ work: [ScheduledWork], to insert: String, preceding: String = "", _ columns: [PostgreSQLParameter]
  ) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      WITH \(preceding)written AS (\(insert) RETURNING number, app, owner),
      added AS (\(adding(
        ids: "$\(columns.count + 1)", delays: "$\(columns.count + 2)", signals: "$\(columns.count + 3)",
        detached: "$\(columns.count + 4)", lanes: "$\(columns.count + 5)", version: "$\(columns.count + 6)",
        trace: "$\(columns.count + 7)")))
      SELECT FROM written
      """, columns + parameters(of: work))
  }

  /// A replacement that also removes the work that the successor does not have, and adds its new work.
  static func replacingWithWork(_ session: StoredSession, _ next: StoredSession) -> PostgreSQLStatement? {
    guard next.work != nil || session.work != nil || !next.detached.isEmpty else { return nil }
    let changes = next.workChanges(since: session)
    guard !changes.isEmpty else { return nil }
    // One statement cannot remove a row and add it again. Work with a new time is updated.
    let ids = changes.removed.filter { id in !changes.added.contains { $0.id == id } }
    let content = next.content
    var parameters: [PostgreSQLParameter] = [
      .integer(session.key.number), .integer(session.version.rawValue), .integer(next.version.rawValue),
      .bytes(content), .integers(ids.map { Int64($0.rawValue) }),
    ]
    guard !changes.added.isEmpty || !changes.renamed.isEmpty else {
      var statement = PostgreSQLStatement(replacingAfterWork, parameters)
      statement.replacement = PostgreSQLReplacement(session, next, content, removing: ids)
      return statement
    }
    parameters += self.parameters(of: changes.added)
    guard let renamed = changes.renamed.first else { return PostgreSQLStatement(replacingWithWork, parameters) }
    return PostgreSQLStatement(
      replacingAfterSignal,
      parameters + [.integer(Int64(renamed.from.rawValue)), .integer(Int64(renamed.to.rawValue))])
  }

  /// A replacement that only removes work, as most events do. The server takes a third longer for one that may also add
  /// some.
  private static let replacingAfterWork = replacing("")

  private static let replacingWithWork = replacing(addingReplacement)

  /// A replacement that has applied the first signal of a piece of work. A write applies one signal.
  private static let replacingAfterSignal = replacing(
    addingReplacement + """
      , renamed AS (
        UPDATE usher_work AS work
        SET id = $14, lease = 0, claims = 0, attempts = 0, error = NULL, \(waiting(after: firstSignalSize))
        WHERE session = $1 AND id = $13 AND EXISTS (SELECT FROM written))
      """)

  private static let addingReplacement = """
    , added AS (\(adding(
      ids: "$6", delays: "$7", signals: "$8", detached: "$9", lanes: "$10", version: "$11", trace: "$12")))
    """

  /// - Parameter further: the SQL of further queries, each after a comma.
  private static func replacing(_ further: String) -> String {
    """
    WITH written AS (\(updating) number, key, version, app, owner),
    removed AS (
      DELETE FROM usher_work
      WHERE session = $1 AND id = ANY ((SELECT $5)::int8[]) AND EXISTS (SELECT FROM written))
    \(further)
    SELECT \(notifying("encode(key, 'hex') || ' ' || version")) FROM written
    """
  }

  /// The SQL that adds work to the written session.
  ///
  /// The arrays are in sub-selects, so that the plan does not depend on their lengths. The server would otherwise plan
  /// each execution.
  private static func adding(
    ids: String, delays: String, signals: String, detached: String, lanes: String, version: String, trace: String
  ) -> String {
    """
    INSERT INTO usher_work AS work (session, id, app, due_at, signal, progress, detached, owner, lane, version, trace)
    SELECT written.number, item.id, written.app, \(time(after: "item.delay")), item.signal,
      CASE WHEN item.signal IS NOT NULL THEN decode('\(Hexadecimal.encode(WorkProgress.firstLookUp))', 'hex') END,
      item.detached, CASE WHEN item.detached IS NOT NULL THEN nullif(written.owner, '') END,
      item.lane, \(version), nullif(\(trace), '')
    FROM written, unnest(
      (SELECT \(ids)), (SELECT \(delays)), (SELECT \(signals)), (SELECT \(detached)),
      (SELECT \(lanes))) AS item (id, delay, signal, detached, lane)
    ON CONFLICT (session, id) DO UPDATE
    SET due_at = excluded.due_at, lease = 0, attempts = 0, claims = 0, error = NULL, progress = excluded.progress,
      signal = excluded.signal, detached = excluded.detached, owner = excluded.owner,
      lane = excluded.lane, version = excluded.version, trace = excluded.trace
    """
  }

  /// The ids, the delays, the signal keys, the detached effects, the lanes, the version of the app, and the trace. A delay is
  /// relative, because the clock of this process may differ from that of the database.
  private static func parameters(of work: [ScheduledWork]) -> [PostgreSQLParameter] {
    let now = TimeSource.system.now().milliseconds
    return [
      .integers(work.map { Int64($0.id.rawValue) }),
      // Negative for overdue work, which stays in its order.
      .integers(work.map { $0.dueAt == .never ? .max : $0.dueAt.milliseconds - now }),
      .byteStrings(work.map { $0.key?.bytes }), .byteStrings(work.map(\.detached)), .texts(work.map(\.lane.name)),
      .integer(Int64(work.first?.version ?? 1)), .text(work.first?.trace ?? ""),
    ]
  }

  /// The SQL that removes the work of ended sessions.
  static func removingWork(of numbers: String) -> String {
    "DELETE FROM usher_work WHERE session IN (\(numbers)) AND detached IS NULL"
  }

  /// The SQL that makes the compensations of ended sessions due.
  static func performingCompensations(of numbers: String) -> String {
    """
    UPDATE usher_work SET due_at = 0
    WHERE session IN (\(numbers)) AND detached IS NOT NULL AND due_at = \(Timestamp.never.milliseconds) AND error IS NULL
    """
  }

  // MARK: - Claims

  /// The database's time in milliseconds since 1970, with a fraction.
  static let now = "(extract(epoch FROM clock_timestamp()) * 1000)"

  /// The SQL of the time so many milliseconds from now; the maximum, if the sum exceeds it.
  ///
  /// A delay begins with the next millisecond, so that it is not shortened. Without a delay, work is due at once: the
  /// runner of the process looks for it as soon as it is committed.
  private static func time(after delay: String) -> String {
    // The clock is read once for all rows of a statement, so that they stay in their order.
    """
    least((SELECT floor(\(now)))::numeric + \(delay) + CASE WHEN \(delay) > 0 THEN 1 ELSE 0 END, \(Int64.max))::int8
    """
  }

  /// Claims due work. Skips the rows that other claims, or writes of their sessions, have locked, and locks no session.
  /// Removes due rows without a session.
  static func claiming(_ search: WorkSearch) -> PostgreSQLStatement {
    let parameters: [PostgreSQLParameter] = [
      .texts(Array(search.apps.keys)), .integers(search.apps.values.map { Int64($0) }),
      .integer(milliseconds(search.lease)), .integer(Int64(search.places.count)),
    ]
    guard case .effects(let places) = search.places else { return PostgreSQLStatement(claimingEvents, parameters) }
    return PostgreSQLStatement(
      claimingEffects,
      parameters + [
        .integer(Int64(places.countOfLane)), .texts(places.taken.keys.map(\.name)),
        .integers(places.taken.values.map { Int64($0) }),
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
      RETURNING key, id, lease, attempts, claims, progress, due.due_at, detached, trace, lane),
    removed AS (
      DELETE FROM usher_work AS work USING due WHERE work.ctid = place AND key IS NULL AND detached IS NULL)
    SELECT key, id, lease, attempts, claims, progress, detached, trace, lane FROM claimed ORDER BY due_at, id
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
        progress = coalesce($7, progress), lane = CASE WHEN $8 = 1 THEN '' ELSE lane END
      WHERE session = $1 AND id = $2 AND lease = $3
      """,
      columns(of: work) + [
        .integer(report.pause.map(milliseconds) ?? .max), .integer(Int64(report.attempts)),
        .text(report.storedError), .bytes(report.progress),
        .integer(WorkProgress.isEvent(report.progress) ? 1 : 0),
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

  static func delivering(
    _ event: [UInt8], _ work: WorkID, _ session: SessionKey, replacing: Bool
  ) -> PostgreSQLStatement {
    PostgreSQLStatement(
      replacing ? replacingEvent : appendingEvent, .integer(session.number), .integer(Int64(work.rawValue)),
      .bytes(event))
  }

  private static let replacingEvent = """
    UPDATE usher_work SET progress = $3, lane = '', due_at = floor(\(now))::int8, claims = 0
    WHERE session = $1 AND id = $2 AND lease = 0 AND error IS NOT NULL
    """

  private static let appendingEvent = """
    UPDATE usher_work SET \(appending("$3"))
    WHERE session = $1 AND id = $2 AND coalesce(length(progress), 0) < \(WorkProgress.queueLimit)
      AND coalesce(position($3 IN progress), 0) = 0
    """

  // MARK: - Operators

  static func retrying(_ work: WorkID, _ session: SessionKey) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      UPDATE usher_work SET due_at = floor(\(now))::int8, claims = 0
      WHERE session = $1 AND id = $2 AND lease = 0 AND error IS NOT NULL
      """, .integer(session.number), .integer(Int64(work.rawValue)))
  }

  static func findingWork(of session: SessionKey) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      SELECT id, attempts, error, due_at, progress FROM usher_work WHERE session = $1 ORDER BY id
      """, .integer(session.number))
  }

  /// Keeps a secret, unless the database has one.
  static func keepingSecret(_ secret: [UInt8]) -> PostgreSQLStatement {
    PostgreSQLStatement("INSERT INTO usher_secret VALUES (1, $1) ON CONFLICT DO NOTHING", .bytes(secret))
  }

  static let findingSecret = PostgreSQLStatement("SELECT value FROM usher_secret WHERE id = 1")

  static let countingWork = PostgreSQLStatement(
    """
    SELECT count(*) FILTER (WHERE due_at < \(Timestamp.never.milliseconds)),
      count(*) FILTER (WHERE due_at = \(Timestamp.never.milliseconds) AND error IS NOT NULL),
      (SELECT count(*) FROM usher_signal WHERE held_until IS NOT NULL)
    FROM usher_work
    """)

  static func columns(of work: ClaimedWork) -> [PostgreSQLParameter] {
    [.integer(work.session.number), .integer(Int64(work.id.rawValue)), .integer(work.lease)]
  }

  /// Whole milliseconds, rounded up.
  static func milliseconds(_ duration: Duration) -> Int64 {
    (Timestamp(milliseconds: 0) + duration).milliseconds
  }
}

extension PostgreSQLRows {
  /// The state of the work of a session.
  func workStatuses() -> [WorkStatus] {
    (0..<count).map { row in
      let error = isNull(row, 2) ? nil : text(row, 2)
      return WorkStatus(
        id: WorkID(UInt32(clamping: integer(row, 0))), attempts: Int(integer(row, 1)), error: error,
        dueAt: Timestamp(milliseconds: integer(row, 3)),
        progress: isNull(row, 4) ? nil : bytes(row, 4))
    }
  }

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
          detached: detached, trace: isNull(row, 7) ? nil : text(row, 7))
      }
    }
  }
}
