internal import Navigation
internal import Sessions
internal import Values

extension PostgreSQLRequest {
  /// The statement that carries out the request, in a transaction of its own or of its batch.
  var statement: PostgreSQLStatement {
    switch self {
    case .load(let key, let cached):
      PostgreSQLStatement(
        """
        SELECT key, app, created_at, expires_at, version, ended, owner, CASE WHEN version <> $2 THEN content END,
          CASE WHEN version <> $2 THEN \(Self.bodies) END
        FROM usher_session WHERE number = $1
        """, .integer(key.number), .integer(cached?.version.rawValue ?? 0))
    case .loadTogether(let keys):
      // A look-up for each key, whatever the server knows of the size of the table when it plans the statement.
      PostgreSQLStatement(
        """
        SELECT found.* FROM unnest((SELECT $1)) AS asked (number)
        CROSS JOIN LATERAL (\(Self.listing) number = asked.number LIMIT 1) AS found
        """, .integers(keys.map(\.number)))
    case .creation(let key):
      PostgreSQLStatement("SELECT content, expires_at FROM usher_creation WHERE key = $1", .bytes(key.bytes))
    case .list(let cursor, let limit):
      PostgreSQLStatement(
        Self.listing + "(created_at, number) < ($1, $2) ORDER BY created_at DESC, number DESC LIMIT $3",
        .integer(cursor.createdAt.milliseconds), .integer(cursor.number), .integer(Int64(limit)))
    case .listNumbered(let numbers, let limit):
      PostgreSQLStatement(
        Self.listing + "number BETWEEN $1 AND $2 ORDER BY number LIMIT $3", .integer(numbers.lowerBound),
        .integer(numbers.upperBound), .integer(Int64(limit)))
    case .count: PostgreSQLStatement("SELECT count(*) FROM usher_session WHERE NOT ended")
    case .countOwned(let owner, let limit):
      PostgreSQLStatement(
        """
        SELECT count(*) FROM (
          SELECT FROM usher_session WHERE NOT ended AND owner <> '' AND owner = $1 LIMIT $2) AS owned
        """, .bytes(owner.bytes), .integer(Int64(limit)))
    case .excessTombstonesDue(let limit):
      PostgreSQLStatement(
        "SELECT expires_at FROM usher_session WHERE ended ORDER BY expires_at DESC OFFSET $1 LIMIT 1",
        .integer(Int64(limit)))
    case .check:
      // Takes a write's locks without changing a row. The server refuses that if it is read-only, and delays it while
      // another client has locked the table.
      PostgreSQLStatement("UPDATE usher_session SET version = version WHERE false")
    case .insert(let session):
      Self.inserting(session) { columns in
        let insert = session.definition == nil ? Self.inserting : Self.insertingFlow
        return session.firstWork.map { Self.adding($0, to: insert, columns) } ?? PostgreSQLStatement(insert, columns)
      }
    case .insertOnce(let session, let outcome):
      Self.inserting(session) { columns in Self.inserting(session, outcome, columns) }
    case .replace(let session, let next): Self.replacing(session, next)
    case .delete(let session, let forgetAt):
      PostgreSQLStatement(
        session.work == nil ? Self.deleting : Self.deletingWithWork, .integer(session.key.number),
        .integer(session.version.rawValue), .integer(forgetAt.milliseconds))
    case .watch(let keys, let until):
      // Sorted, so that processes that watch the same sessions do not deadlock.
      PostgreSQLStatement(
        """
        INSERT INTO usher_watch SELECT unnest($1), $2
        ON CONFLICT (number) DO UPDATE SET until = greatest(usher_watch.until, excluded.until)
        """, .integers(Set(keys.map(\.number)).sorted()),
        .integer(until.milliseconds))
    case .endOwned(let owner, let forgetAt):
      // A session that another process replaces meanwhile stays, because this statement would not see the work that the
      // replacement adds.
      PostgreSQLStatement(
        """
        WITH owned AS (
          SELECT number, version FROM usher_session WHERE NOT ended AND owner <> '' AND owner = $1
          LIMIT \(StoreLimits.sweepBatch)),
        written AS (
          UPDATE usher_session AS session SET ended = true, content = NULL, expires_at = $2, definition = NULL
          FROM owned WHERE session.number = owned.number AND session.version = owned.version AND NOT session.ended
          RETURNING session.number, session.key),
        truncated AS (\(Self.truncatingCreations(of: "SELECT number FROM written"))),
        parts AS (\(Self.removingParts(of: "SELECT number FROM written"))),
        worked AS (
          DELETE FROM usher_work
          WHERE session IN (SELECT number FROM written) OR owner IS NOT NULL AND owner = $1)
        SELECT key, \(Self.notifyingOfEnd) FROM written
        """, .bytes(owner.bytes), .integer(forgetAt.milliseconds))
    case .endExpired(let now, let tombstoneLifetime):
      // As for an owner's sessions, one that is replaced meanwhile stays until the next sweep.
      PostgreSQLStatement(
        """
        WITH expired AS (
          SELECT number, version FROM usher_session WHERE NOT ended AND expires_at <= $1
          LIMIT \(StoreLimits.sweepBatch)),
        written AS (
          UPDATE usher_session AS session
          SET ended = true, content = NULL, expires_at = session.expires_at + $2, definition = NULL
          FROM expired WHERE session.number = expired.number AND session.version = expired.version AND NOT session.ended
          RETURNING session.number),
        \(Self.removingRows(of: "SELECT number FROM written"))
        SELECT FROM written
        """, .integer(now.milliseconds), .integer(tombstoneLifetime * 1000))
    case .endDefined(let digest, let forgetAt): Self.ending(definedBy: digest, forgetAt)
    case .keep(let definition, let now): Self.keeping(definition, now)
    case .definition(let digest): Self.finding(digest)
    case .definitions: Self.listingDefinitions
    case .removeDefinitions(let time): Self.removingDefinitions(unusedSince: time)
    case .removeTombstones(let now):
      PostgreSQLStatement(
        """
        WITH due AS (
          SELECT number FROM usher_session WHERE ended AND expires_at <= $1
          LIMIT \(StoreLimits.sweepBatch) FOR UPDATE SKIP LOCKED),
        creations AS (DELETE FROM usher_creation WHERE session IN (SELECT number FROM due)),
        parts AS (\(Self.removingParts(of: "SELECT number FROM due")))
        DELETE FROM usher_session WHERE number IN (SELECT number FROM due)
        """, .integer(now.milliseconds))
    case .removeCreations(let now):
      PostgreSQLStatement(
        """
        DELETE FROM usher_creation WHERE key IN (
          SELECT key FROM usher_creation WHERE expires_at <= $1
          LIMIT \(StoreLimits.sweepBatch) FOR UPDATE SKIP LOCKED)
        """, .integer(now.milliseconds))
    case .removeWatches(let now):
      PostgreSQLStatement(
        """
        DELETE FROM usher_watch WHERE number IN (
          SELECT number FROM usher_watch WHERE until <= $1
          LIMIT \(StoreLimits.sweepBatch) FOR UPDATE SKIP LOCKED)
        """, .integer(now.milliseconds))
    case .claim(let search): Self.claiming(search)
    case .renew(let lease, let work): Self.renewing(lease, work)
    case .report(let report, let work): Self.reporting(report, on: work)
    case .discard(let work): Self.discarding(work)
    case .deliver(let signal, let work, let session): Self.delivering(signal, work, session)
    case .hold(let signal): Self.holding(signal)
    case .unhold(let signal): Self.unholding(signal)
    case .deliverKeyed(let signal): Self.delivering(signal)
    case .heldSignals(let key): Self.findingSignals(for: key)
    case .settle(let work, let held): Self.settling(work, adding: held)
    case .releaseSignals: Self.releasingSignals
    case .removeSignals: Self.removingSignals
    case .retry(let work, let session): Self.retrying(work, session)
    case .resolve(let work, let session, let event): Self.resolving(work, session, event)
    case .work(let session): Self.findingWork(of: session)
    case .keepSecret(let secret): Self.keepingSecret(secret)
    case .secret: Self.findingSecret
    case .countWork: Self.countingWork
    }
  }

  private static let listing = """
    SELECT key, app, created_at, expires_at, version, content, owner, \(bodies)
    FROM usher_session WHERE NOT ended AND

    """

  // MARK: - Writes of one session

  private static let inserting = """
    INSERT INTO usher_session (number, key, app, created_at, expires_at, version, content, owner)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
    """

  /// Inserts a session with its creation's outcome, unless the idempotency key is taken.
  private static func inserting(
    _ session: StoredSession, _ outcome: CreationOutcome, _ columns: [PostgreSQLParameter]
  ) -> PostgreSQLStatement {
    let isFlow = session.definition != nil
    let (taking, insert) = isFlow ? (takingForFlow, insertingTakenFlow) : (self.taking, insertingTaken)
    let columns =
      columns + [
        .bytes(outcome.key.bytes), .bytes(outcome.content), .integer(outcome.expiresAt.milliseconds),
        .integer(outcome.storedAt.milliseconds),
      ]
    return session.firstWork.map { adding($0, to: insert, preceding: taking + ", ", columns) }
      ?? PostgreSQLStatement("WITH \(taking) \(insert)", columns)
  }

  private static let taking = taking(
    "VALUES ($9, $10, $11, $1)", replacingBefore: "$12")

  private static let insertingTaken = """
    INSERT INTO usher_session (number, key, app, created_at, expires_at, version, content, owner)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8 FROM taken ON CONFLICT DO NOTHING
    """

  /// - Parameters:
  ///   - row: the SQL of the row of the creation.
  ///   - time: the parameter with the time before which an earlier creation has expired.
  static func taking(_ row: String, replacingBefore time: String) -> String {
    """
    taken AS (
      INSERT INTO usher_creation (key, content, expires_at, session) \(row)
      ON CONFLICT (key) DO UPDATE
      SET content = excluded.content, expires_at = excluded.expires_at, session = excluded.session
      WHERE usher_creation.expires_at <= \(time)
      RETURNING key)
    """
  }

  /// Inserts a session and its parts.
  ///
  /// - Parameter statement: the statement with the columns of the session.
  private static func inserting(
    _ session: StoredSession, _ statement: ([PostgreSQLParameter]) -> PostgreSQLStatement
  ) -> PostgreSQLStatement {
    session.withContent(.withoutBodies) { content, parts in
      var statement = statement(
        [
          .integer(session.key.number), .bytes(session.key.bytes), .text(session.app),
          .integer(session.createdAt.milliseconds), .integer(session.expiresAt.milliseconds),
          .integer(session.version.rawValue), .bytes(Array(content)), .bytes(session.owner?.bytes ?? []),
        ] + (session.definition.map { [.bytes($0.bytes)] } ?? []))
      if parts.count > 0 { statement.following = [changingParts(of: session, removing: [], adding: parts.stored)] }
      return statement
    }
  }

  private static func replacing(_ session: StoredSession, _ next: StoredSession) -> PostgreSQLStatement {
    next.withContent(.withoutBodies) { content, parts in
      let content = Array(content)
      let changes = parts.changes(since: session.parts(in: .withoutBodies))
      var statement =
        session.definition != next.definition
        ? replacingDefinition(session, next, content)
        : replacingWithWork(session, next, content) ?? replacing(session, next, content)
      guard !changes.removed.isEmpty || !changes.added.isEmpty else { return statement }
      statement.replacement = nil
      statement.following = [changingParts(of: next, removing: changes.removed, adding: changes.added)]
      return statement
    }
  }

  private static func replacing(
    _ session: StoredSession, _ next: StoredSession, _ content: [UInt8]
  ) -> PostgreSQLStatement {
    var statement = PostgreSQLStatement(
      replacing, .integer(next.key.number), .integer(session.version.rawValue), .integer(next.version.rawValue),
      .bytes(content))
    statement.replacement = PostgreSQLReplacement(session, next, content)
    return statement
  }

  private static let replacing = "\(updating) \(notifying("encode(key, 'hex') || ' ' || version"))"

  static let updating = """
    UPDATE usher_session AS written SET version = $3, earlier = (version || earlier)[1:63], content = $4
    WHERE number = $1 AND version = $2 AND NOT ended
    RETURNING
    """

  private static let deleting = """
    \(ending), truncated AS (\(truncatingCreations(of: "SELECT number FROM written"))),
    parts AS (\(removingParts(of: "SELECT number FROM written")))
    SELECT \(notifyingOfEnd) FROM written
    """

  private static let deletingWithWork = """
    \(ending), \(removingRows(of: "SELECT number FROM written")) SELECT \(notifyingOfEnd) FROM written
    """

  private static let ending = """
    WITH written AS (
      UPDATE usher_session SET ended = true, content = NULL, expires_at = $3, definition = NULL
      WHERE number = $1 AND version = $2 AND NOT ended
      RETURNING number, key)
    """

  static let notifyingOfEnd = notifying("encode(key, 'hex') || ' 0'")

  /// The queries of a statement that remove what other tables have of ended sessions.
  static func removingRows(of numbers: String) -> String {
    """
    truncated AS (\(truncatingCreations(of: numbers))), parts AS (\(removingParts(of: numbers))),
    worked AS (\(removingWork(of: numbers))), compensated AS (\(performingCompensations(of: numbers)))
    """
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
  static func notifying(_ payload: String) -> String {
    """
    CASE WHEN EXISTS (SELECT FROM usher_watch WHERE usher_watch.number = written.number)
      THEN pg_notify('usher', \(payload)) END
    """
  }
}
