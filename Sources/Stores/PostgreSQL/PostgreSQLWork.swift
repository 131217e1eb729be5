internal import Navigation
internal import Sessions
internal import Values

/// The statements for the pending work of sessions. The rows of a session change in the statement that changes the
/// session, and only if that does: another attempt of a write changes nothing.
///
/// The database's clock decides what is due. Times are rounded so that nothing is due early.
extension PostgreSQLRequest {
  // MARK: - Writes of one session

  /// Makes an insert of a session also add the work in two more parameters.
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
      WITH \(preceding)written AS (\(insert) RETURNING number, app),
      added AS (\(adding(ids: "$\(columns.count + 1)", delays: "$\(columns.count + 2)")))
      SELECT FROM written
      """, columns + parameters(of: work))
  }

  /// A replacement that also removes the work that the successor does not have, and adds its new work.
  static func replacingWithWork(_ session: StoredSession, _ next: StoredSession) -> PostgreSQLStatement? {
    guard next.work != nil || session.work != nil else { return nil }
    let (added, removed) = next.workChanges(since: session)
    guard !added.isEmpty || !removed.isEmpty else { return nil }
    // One statement cannot remove a row and add it again. Work with a new time is updated.
    let ids = removed.filter { id in !added.contains { $0.id == id } }
    return PostgreSQLStatement(
      replacingWithWork,
      [
        .integer(session.key.number), .integer(session.version.rawValue), .integer(next.version.rawValue),
        .bytes(next.content), array(ids.map { Int64($0.rawValue) }),
      ] + parameters(of: added))
  }

  private static let replacingWithWork = """
    WITH written AS (\(updating) number, key, version, app),
    removed AS (
      DELETE FROM usher_work AS work USING written
      WHERE work.session = written.number AND work.id = ANY ((SELECT $5::text::int8[])::int8[])),
    added AS (\(adding(ids: "$6", delays: "$7")))
    SELECT \(notifying("encode(key, 'hex') || ' ' || version")) FROM written
    """

  /// The SQL that adds work to the written session.
  ///
  /// The arrays are in sub-selects, so that the plan does not depend on their lengths. The server would otherwise plan
  /// each execution.
  private static func adding(ids: String, delays: String) -> String {
    """
    INSERT INTO usher_work AS work (session, id, app, due_at)
    SELECT written.number, item.id, written.app, \(time(after: "item.delay"))
    FROM written, unnest((SELECT \(ids)::text::int8[]), (SELECT \(delays)::text::int8[])) AS item (id, delay)
    ON CONFLICT (session, id) DO UPDATE
    SET due_at = excluded.due_at, lease = 0, attempts = 0, claims = 0, error = NULL, progress = NULL
    """
  }

  /// The ids and the delays of work. A delay is relative, because the clock of this process may differ from that of the
  /// database.
  private static func parameters(of work: [ScheduledWork]) -> [PostgreSQLParameter] {
    let now = TimeSource.system.now().milliseconds
    return [
      array(work.map { Int64($0.id.rawValue) }),
      array(work.map { $0.dueAt == .never ? .max : max(now, $0.dueAt.milliseconds) - now }),
    ]
  }

  static func array(_ numbers: [Int64]) -> PostgreSQLParameter {
    .text("{\(numbers.map(String.init).joined(separator: ","))}")
  }

  /// The SQL that removes the work of ended sessions.
  static func removingWork(of numbers: String) -> String {
    "DELETE FROM usher_work WHERE session IN (\(numbers))"
  }

  // MARK: - Claims

  /// The database's time in milliseconds since 1970, with a fraction.
  private static let now = "(extract(epoch FROM clock_timestamp()) * 1000)"

  /// The SQL of the time so many milliseconds from now; the maximum, if the sum exceeds it.
  ///
  /// A delay begins with the next millisecond, so that it is not shortened. Without a delay, work is due at once: the
  /// runner of the process looks for it as soon as it is committed.
  private static func time(after delay: String) -> String {
    "least((CASE WHEN \(delay) > 0 THEN ceil(\(now)) ELSE floor(\(now)) END)::numeric + \(delay), \(Int64.max))::int8"
  }

  /// Claims due work. Skips the rows that other claims, or writes of their sessions, have locked, and locks no session.
  /// Removes due rows without a session.
  static func claiming(_ search: WorkSearch) -> PostgreSQLStatement {
    PostgreSQLStatement(
      claiming, .text(search.apps.joined(separator: ",")), .integer(milliseconds(search.lease)),
      .integer(Int64(search.limit)))
  }

  // A random number from `random()` has at least 48 bits.
  private static let claiming = """
    WITH due AS (
      SELECT session, id, due_at FROM usher_work
      WHERE due_at <= (SELECT floor(\(now))::int8) AND app = ANY (string_to_array($1, ','))
      ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED),
    claimed AS (
      UPDATE usher_work AS work
      SET lease = 1 + floor(random() * \(Int64(1) << 52))::int8, claims = claims + 1, due_at = \(time(after: "$2"))
      FROM due, usher_session
      WHERE work.session = due.session AND work.id = due.id AND number = due.session AND NOT ended
      RETURNING key, work.id, lease, attempts, claims, progress, due.due_at),
    removed AS (
      DELETE FROM usher_work AS work USING due
      WHERE work.session = due.session AND work.id = due.id
        AND NOT EXISTS (SELECT FROM usher_session WHERE number = due.session AND NOT ended))
    SELECT key, id, lease, attempts, claims, progress FROM claimed ORDER BY due_at
    """

  static func renewing(_ lease: Duration, _ work: ClaimedWork) -> PostgreSQLStatement {
    PostgreSQLStatement(
      "UPDATE usher_work SET due_at = \(time(after: "$4")) WHERE session = $1 AND id = $2 AND lease = $3",
      columns(of: work) + [.integer(milliseconds(lease))])
  }

  static func reporting(_ report: WorkReport, on work: ClaimedWork) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      UPDATE usher_work
      SET lease = 0, claims = 0, due_at = \(time(after: "$4")), attempts = $5, error = $6, progress = $7
      WHERE session = $1 AND id = $2 AND lease = $3
      """,
      columns(of: work) + [
        .integer(report.pause.map(milliseconds) ?? .max), .integer(Int64(report.attempts)),
        .text(report.storedError), .bytes(report.progress),
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
      """
      UPDATE usher_work SET progress = $3, due_at = floor(\(now))::int8, claims = 0
      WHERE session = $1 AND id = $2
        AND CASE WHEN $4 = 1 THEN lease = 0 AND error IS NOT NULL ELSE progress IS NULL END
      """, .integer(session.number), .integer(Int64(work.rawValue)), .bytes(event), .integer(replacing ? 1 : 0))
  }

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
      count(*) FILTER (WHERE due_at = \(Timestamp.never.milliseconds) AND error IS NOT NULL)
    FROM usher_work
    """)

  private static func columns(of work: ClaimedWork) -> [PostgreSQLParameter] {
    [.integer(work.session.number), .integer(Int64(work.id.rawValue)), .integer(work.lease)]
  }

  /// Whole milliseconds, rounded up.
  private static func milliseconds(_ duration: Duration) -> Int64 {
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
        isStuck: error != nil && integer(row, 3) == Timestamp.never.milliseconds,
        progress: isNull(row, 4) ? nil : bytes(row, 4))
    }
  }

  /// The work that a claim has returned.
  func claimedWork() -> [ClaimedWork] {
    (0..<count).compactMap { row in
      SessionKey(bytes: bytes(row, 0)).map { session in
        ClaimedWork(
          session: session, id: WorkID(UInt32(clamping: integer(row, 1))), lease: integer(row, 2),
          attempts: Int(integer(row, 3)), claims: Int(integer(row, 4)), progress: isNull(row, 5) ? nil : bytes(row, 5))
      }
    }
  }
}
