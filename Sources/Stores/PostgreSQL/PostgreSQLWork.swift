internal import Navigation
internal import Sessions
internal import Values

/// The statements for the pending work of sessions. The rows of a session change in the statement that changes the
/// session, and only if that does: another attempt of a write changes nothing.
///
/// The database's clock decides what is due. Times are rounded so that nothing is due early.
extension PostgreSQLRequest {
  // MARK: - Writes of one session

  /// Makes an insert of a session also add the work in eight more parameters.
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
      WITH \(preceding)written AS (\(insert) RETURNING number, app, owner, definition),
      added AS (\(adding(
        ids: "$\(columns.count + 1)", delays: "$\(columns.count + 2)", signals: "$\(columns.count + 3)",
        detached: "$\(columns.count + 4)", lanes: "$\(columns.count + 5)", addresses: "$\(columns.count + 6)",
        version: "$\(columns.count + 7)", trace: "$\(columns.count + 8)")))
      SELECT FROM written
      """, columns + parameters(of: work))
  }

  /// A replacement that also removes the work that the successor does not have, and adds its new work.
  static func replacingWithWork(
    _ session: StoredSession, _ next: StoredSession, _ content: [UInt8]
  ) -> PostgreSQLStatement? {
    guard next.work != nil || session.work != nil || !next.detached.isEmpty else { return nil }
    let changes = next.workChanges(since: session)
    guard !changes.isEmpty else { return nil }
    // One statement cannot remove a row and add it again. Work with a new time is updated.
    let ids = changes.removed.filter { id in !changes.added.contains { $0.id == id } }
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
      , \(firstSignal(of: "$14")),
      renamed AS (
        UPDATE usher_work SET id = $15, \(settling())
        WHERE session = $1 AND id = $14 AND EXISTS (SELECT FROM written) RETURNING session, address),
      applied AS (\(removingFirst(of: "renamed")))
      """)

  private static let addingReplacement = """
    , added AS (\(adding(
      ids: "$6", delays: "$7", signals: "$8", detached: "$9", lanes: "$10", addresses: "$11", version: "$12",
      trace: "$13")))
    """

  /// - Parameter further: the SQL of further queries, each after a comma.
  private static func replacing(_ further: String) -> String {
    """
    WITH written AS (\(updating) number, key, version, app, owner, definition),
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
    ids: String, delays: String, signals: String, detached: String, lanes: String, addresses: String,
    version: String, trace: String
  ) -> String {
    """
    INSERT INTO usher_work AS work
      (session, id, app, due_at, signal, progress, detached, owner, definition, lane, address, version, trace)
    SELECT written.number, item.id,
      CASE WHEN written.definition IS NULL THEN written.app ELSE '\(StoredSession.anyFlow)' END, \(time(after: "item.delay")), item.signal,
      CASE WHEN item.signal IS NOT NULL THEN decode('\(Hexadecimal.encode(WorkProgress.firstLookUp))', 'hex') END,
      item.detached, CASE WHEN item.detached IS NOT NULL THEN nullif(written.owner, '') END,
      CASE WHEN item.detached IS NOT NULL THEN written.definition END,
      item.lane, nullif(item.address, -1), \(version), nullif(\(trace), '')
    FROM written, unnest(
      (SELECT \(ids)), (SELECT \(delays)), (SELECT \(signals)), (SELECT \(detached)),
      (SELECT \(lanes)), (SELECT \(addresses))) AS item (id, delay, signal, detached, lane, address)
    ON CONFLICT (session, id) DO UPDATE
    SET due_at = excluded.due_at, lease = 0, attempts = 0, claims = 0, error = NULL, wait = NULL,
      waits_since = NULL, progress = excluded.progress,
      signal = excluded.signal, detached = excluded.detached, owner = excluded.owner,
      definition = excluded.definition,
      lane = excluded.lane, address = excluded.address, queue_size = 0, version = excluded.version,
      trace = excluded.trace
    """
  }

  /// The ids, the delays, the signal keys, the detached effects, the lanes, the addresses, the version of the app, and the
  /// trace. A delay is relative, because the clock of this process may differ from that of the database.
  private static func parameters(of work: [ScheduledWork]) -> [PostgreSQLParameter] {
    let now = TimeSource.system.now().milliseconds
    return [
      .integers(work.map { Int64($0.id.rawValue) }),
      // Negative for overdue work, which stays in its order.
      .integers(work.map { $0.dueAt == .never ? .max : $0.dueAt.milliseconds - now }),
      .byteStrings(work.map { $0.key?.bytes }), .byteStrings(work.map(\.detached)), .texts(work.map(\.lane.name)),
      .integers(work.map { $0.address.map { Int64($0) } ?? -1 }), .integer(Int64(work.first?.version ?? 1)),
      .text(work.first?.trace ?? ""),
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

  // MARK: - Times

  /// The database's time in milliseconds since 1970, with a fraction.
  static let now = "(extract(epoch FROM clock_timestamp()) * 1000)"

  /// The SQL of the time so many milliseconds from now; the maximum, if the sum exceeds it.
  ///
  /// A delay begins with the next millisecond, so that it is not shortened. Without a delay, work is due at once: the
  /// runner of the process looks for it as soon as it is committed.
  static func time(after delay: String) -> String {
    // The clock is read once for all rows of a statement, so that they stay in their order.
    """
    least((SELECT floor(\(now)))::numeric + \(delay) + CASE WHEN \(delay) > 0 THEN 1 ELSE 0 END, \(Int64.max))::int8
    """
  }

  // MARK: - Operators

  static func retrying(_ work: WorkID, _ session: SessionKey) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      UPDATE usher_work SET due_at = floor(\(now))::int8, claims = 0
      WHERE session = $1 AND id = $2 AND lease = 0 AND error IS NOT NULL
      """, .integer(session.number), .integer(Int64(work.rawValue)))
  }

  static func resolving(_ work: WorkID, _ session: SessionKey, _ event: [UInt8]) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      UPDATE usher_work SET progress = $3, lane = '', due_at = floor(\(now))::int8, claims = 0
      WHERE session = $1 AND id = $2 AND lease = 0 AND error IS NOT NULL
      """, .integer(session.number), .integer(Int64(work.rawValue)), .bytes(event))
  }

  static func findingWork(of session: SessionKey) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      SELECT id, attempts, error, due_at, \(firstProgress), wait, waits_since FROM usher_work AS work
      WHERE session = $1 ORDER BY id
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
      (SELECT count(*) FROM usher_signal WHERE held_until IS NOT NULL),
      min(due_at) FILTER (WHERE due_at >= \(WorkCount.earliest.milliseconds) AND due_at <= floor(\(now))::int8),
      count(*) FILTER (WHERE wait = \(EventWait.Reason.blockedForLong.rawValue))
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
  func workCount() -> WorkCount {
    WorkCount(
      pending: Int(integer(0, 0)), stuck: Int(integer(0, 1)), blocked: Int(integer(0, 4)),
      heldSignals: Int(integer(0, 2)), dueSince: isNull(0, 3) ? nil : timestamp(0, 3))
  }

  /// The state of the work of a session.
  func workStatuses() -> [WorkStatus] {
    (0..<count).map { row in
      let error = isNull(row, 2) ? nil : text(row, 2)
      return WorkStatus(
        id: WorkID(UInt32(clamping: integer(row, 0))), attempts: Int(integer(row, 1)), error: error,
        dueAt: Timestamp(milliseconds: integer(row, 3)),
        progress: isNull(row, 4) ? nil : bytes(row, 4), wait: eventWait(row, 5, 6))
    }
  }

  /// Returns the reason why an event waits, in two columns.
  func eventWait(_ row: Int, _ reason: Int, _ since: Int) -> EventWait? {
    EventWait(
      reason: isNull(row, reason) ? nil : integer(row, reason), since: isNull(row, since) ? nil : integer(row, since))
  }
}
