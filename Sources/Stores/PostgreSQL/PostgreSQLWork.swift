internal import Navigation
internal import Sessions
internal import Values

/// The requests for the pending work of sessions. The rows of a session change in the statement that changes the
/// session, and only if that does: another attempt of a write changes nothing.
///
/// The database's clock decides what is due. Times are rounded so that nothing is due early.
extension PostgreSQLRequest {
  // MARK: - Writes of one session

  /// A replacement that also removes the work that the successor does not have, and adds its new work.
  ///
  /// - Parameter replacement: the parameters of ``updating(_:where:)``.
  static func replacingWithWork(
    _ session: StoredSession, _ next: StoredSession, _ content: [UInt8], _ replacement: [PostgreSQLParameter]
  ) -> PostgreSQLStatement? {
    guard next.work != nil || session.work != nil || !next.detached.isEmpty else { return nil }
    let changes = next.workChanges(since: session)
    guard !changes.isEmpty else { return nil }
    // One statement cannot remove a row and add it again. Work with a new time is updated.
    let ids = changes.removed.filter { id in !changes.added.contains { $0.id == id } }
    var parameters = replacement + [.integers(ids.map { Int64($0.rawValue) })]
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

  private static let addingReplacement = ", added AS (\(adding(from: 6)))"

  /// - Parameter further: the SQL of further queries, each after a comma.
  private static func replacing(_ further: String) -> String {
    """
    WITH written AS (\(updating()) RETURNING number, key, version, app, owner, definition),
    removed AS (
      DELETE FROM usher_work
      WHERE session = $1 AND id = ANY ((SELECT $5)::int8[]) AND EXISTS (SELECT FROM written))
    \(further)
    SELECT \(notifyingOfVersion) FROM written
    """
  }

  /// The SQL that adds work to the written session.
  ///
  /// The arrays are in sub-selects, so that the plan does not depend on their lengths. The server would otherwise plan
  /// each execution.
  ///
  /// - Parameter first: the position of the first of ``parameters(of:)``.
  static func adding(from first: Int) -> String {
    let arrays = (first..<first + 6).map { "(SELECT $\($0))" }.joined(separator: ", ")
    let (version, trace) = ("$\(first + 6)", "$\(first + 7)")
    return """
      INSERT INTO usher_work AS work
        (session, id, app, due_at, signal, progress, detached, owner, definition, queue, address, version, trace)
      SELECT written.number, item.id,
        CASE WHEN written.definition IS NULL THEN written.app ELSE '\(StoredSession.anyFlow)' END,
        \(time(after: "item.delay")), item.signal,
        CASE WHEN item.signal IS NOT NULL THEN decode('\(Hexadecimal.encode(WorkProgress.firstLookUp))', 'hex') END,
        item.detached, CASE WHEN item.detached IS NOT NULL THEN nullif(written.owner, '') END,
        CASE WHEN item.detached IS NOT NULL THEN written.definition END,
        item.queue, nullif(item.address, -1), \(version), nullif(\(trace), '')
      FROM written, unnest(\(arrays)) AS item (id, delay, signal, detached, queue, address)
      ON CONFLICT (session, id) DO UPDATE
      SET due_at = excluded.due_at, lease = 0, attempts = 0, claims = 0, error = NULL, wait = NULL,
        waits_since = NULL, progress = excluded.progress,
        signal = excluded.signal, detached = excluded.detached, owner = excluded.owner,
        definition = excluded.definition,
        queue = excluded.queue, address = excluded.address, queue_size = 0, version = excluded.version,
        trace = excluded.trace
      """
  }

  /// The ids, the delays, the signal keys, the detached effects, the queues, the addresses, the version of the app, and the
  /// trace. A delay is relative, because the clock of this process may differ from that of the database.
  static func parameters(of work: [ScheduledWork]) -> [PostgreSQLParameter] {
    let now = TimeSource.system.now().milliseconds
    return [
      .integers(work.map { Int64($0.id.rawValue) }),
      // Negative for overdue work, which stays in its order.
      .integers(work.map { $0.dueAt == .never ? .max : $0.dueAt.milliseconds - now }),
      .byteStrings(work.map { $0.key?.bytes }), .byteStrings(work.map(\.detached)), .texts(work.map(\.queue.name)),
      .integers(work.map { $0.address.map { Int64($0) } ?? -1 }), .integer(Int64(work.first?.version ?? 1)),
      .text(work.first?.trace ?? ""),
    ]
  }

  /// The queries that remove the work of ended sessions, and make their compensations due.
  static let removingWork = """
    worked AS (DELETE FROM usher_work WHERE session IN (SELECT number FROM written) AND detached IS NULL),
    compensated AS (
      UPDATE usher_work SET due_at = 0
      WHERE session IN (SELECT number FROM written) AND detached IS NOT NULL
        AND due_at = \(Timestamp.never.milliseconds) AND error IS NULL)
    """

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

  static func retry(_ work: WorkID, _ session: SessionKey, _ event: [UInt8]?) -> PostgreSQLRequest {
    write(
      work, of: session,
      """
      UPDATE usher_work SET progress = coalesce($3, progress), queue = CASE WHEN $3 IS NULL THEN queue ELSE '' END,
        due_at = floor(\(now))::int8, claims = 0
      WHERE session = $1 AND id = $2 AND lease = 0 AND error IS NOT NULL
      """, [.bytes(event)])
  }

  static func work(_ session: SessionKey) -> PostgreSQLRequest {
    PostgreSQLRequest(
      .lookUp,
      """
      SELECT id, attempts, error, due_at, \(firstProgress), wait, waits_since FROM usher_work AS work
      WHERE session = $1 ORDER BY id
      """, .integer(session.number))
  }

  static let countWork = PostgreSQLRequest(
    .scan,
    """
    SELECT count(*) FILTER (WHERE due_at < \(Timestamp.never.milliseconds)),
      count(*) FILTER (WHERE due_at = \(Timestamp.never.milliseconds) AND error IS NOT NULL),
      (SELECT count(*) FROM usher_signal WHERE held_until IS NOT NULL),
      min(due_at) FILTER (WHERE due_at >= \(WorkCount.earliest.milliseconds) AND due_at <= floor(\(now))::int8),
      count(*) FILTER (WHERE wait = \(EventWait.Reason.blockedForLong.rawValue))
    FROM usher_work
    """)

  /// Whole milliseconds, rounded up.
  static func milliseconds(_ duration: Duration) -> Int64 {
    (Timestamp(milliseconds: 0) + duration).milliseconds
  }
}
