internal import Navigation
internal import Sessions
internal import Values

/// The requests for sessions and for the creations under an idempotency key.
extension PostgreSQLRequest {
  // MARK: - Reads

  /// - Parameter cached: the cached session. The server omits the content if its version is current.
  static func load(_ key: SessionKey, cached: StoredSession?) -> PostgreSQLRequest {
    PostgreSQLRequest(
      .lookUp,
      """
      SELECT key, app, created_at, expires_at, version, CASE WHEN version <> $2 THEN content END, owner,
        CASE WHEN version <> $2 THEN \(blobs) END, ended
      FROM usher_session WHERE number = $1
      """, .integer(key.number), .integer(cached?.version.rawValue ?? 0))
  }

  static func loadTogether(_ keys: [SessionKey]) -> PostgreSQLRequest {
    // A look-up for each key, whatever the server knows of the size of the table when it plans the statement.
    PostgreSQLRequest(
      .lookUp,
      """
      SELECT found.* FROM unnest((SELECT $1)) AS asked (number)
      CROSS JOIN LATERAL (\(listing) number = asked.number LIMIT 1) AS found
      """, .integers(keys.map(\.number)))
  }

  /// The SQL of a list of sessions, which a condition completes.
  static let listing = """
    SELECT key, app, created_at, expires_at, version, content, owner, \(blobs)
    FROM usher_session WHERE NOT ended AND
    """

  static let count = PostgreSQLRequest(.scan, "SELECT count(*) FROM usher_session WHERE NOT ended")

  // MARK: - Writes of one session

  /// Inserts a session with its parts and its work and, unless the idempotency key is taken, its creation's outcome.
  static func insert(_ session: StoredSession, _ outcome: CreationOutcome? = nil) -> PostgreSQLRequest {
    let key = session.key
    return PostgreSQLRequest(.write, inserting(session, outcome), lock: (outcome?.key.number ?? 0, -1)) {
      connection, deadline throws(PostgreSQLError) in
      try connection.run(
        "SELECT FROM usher_session WHERE number = $1 AND key = $2", .integer(key.number), .bytes(key.bytes),
        deadline: deadline
      ).count == 1
    }
  }

  private static func inserting(_ session: StoredSession, _ outcome: CreationOutcome?) -> PostgreSQLStatement {
    session.withContent(.withoutBlobs) { content, parts in
      var parameters: [PostgreSQLParameter] = [
        .integer(session.key.number), .bytes(session.key.bytes), .text(session.app),
        .integer(session.createdAt.milliseconds), .integer(session.expiresAt.milliseconds),
        .integer(session.version.rawValue), .bytes(Array(content)), .bytes(session.owner?.bytes ?? []),
      ]
      var (columns, values, condition) = ("", "", "")
      if let definition = session.definition {
        (columns, values, condition) = (", definition", ", $9", "WHERE \(isKept("$9"))")
        parameters.append(.bytes(definition.bytes))
      }
      var queries: [String] = []
      var source = condition
      if let outcome {
        queries.append(taking(from: parameters.count + 1, condition))
        source = "FROM taken"
        parameters += [
          .bytes(outcome.key.bytes), .bytes(outcome.content), .integer(outcome.expiresAt.milliseconds),
          .integer(outcome.storedAt.milliseconds),
        ]
      }
      var insert = """
        INSERT INTO usher_session (number, key, app, created_at, expires_at, version, content, owner\(columns))
        SELECT $1, $2, $3, $4, $5, $6, $7, $8\(values) \(source) ON CONFLICT DO NOTHING
        """
      if let work = session.firstWork {
        queries.append("written AS (\(insert) RETURNING number, app, owner, definition)")
        queries.append("added AS (\(adding(from: parameters.count + 1)))")
        insert = "SELECT FROM written"
        parameters += self.parameters(of: work)
      }
      let with = queries.isEmpty ? "" : "WITH \(queries.joined(separator: ", ")) "
      var statement = PostgreSQLStatement(with + insert, parameters)
      if parts.count > 0 { statement.following = [changingParts(of: session, removing: [], adding: parts.stored)] }
      return statement
    }
  }

  /// The SQL that takes an idempotency key, unless an outcome has it that has not expired.
  ///
  /// - Parameter first: the position of the first of four parameters: the key, the content, the time of expiry, and the
  ///   time now.
  private static func taking(from first: Int, _ condition: String) -> String {
    """
    taken AS (
      INSERT INTO usher_creation (key, content, expires_at, session)
      SELECT $\(first), $\(first + 1), $\(first + 2), $1 \(condition)
      ON CONFLICT (key) DO UPDATE
      SET content = excluded.content, expires_at = excluded.expires_at, session = excluded.session
      WHERE usher_creation.expires_at <= $\(first + 3)
      RETURNING key)
    """
  }

  static func replace(_ session: StoredSession, next: StoredSession) -> PostgreSQLRequest {
    let (number, version) = (next.key.number, next.version)
    return PostgreSQLRequest(.write, replacing(session, next), lock: (number, -1)) {
      connection, deadline throws(PostgreSQLError) in
      // `earlier` is in order, so the number of writes since then is the position of this write's version.
      let rows = try connection.run(
        "SELECT version, earlier[((version >> 32) - $2)::int4] FROM usher_session WHERE number = $1", .integer(number),
        .integer(version.count), deadline: deadline)
      guard let row = rows.first else { return false }
      let current = row.version(0)
      if current.count <= version.count { return current == version }
      return row.optionalInteger(1).map { $0 == version.rawValue }
    }
  }

  private static func replacing(_ session: StoredSession, _ next: StoredSession) -> PostgreSQLStatement {
    next.withContent(.withoutBlobs) { content, parts in
      let content = Array(content)
      let parameters: [PostgreSQLParameter] = [
        .integer(session.key.number), .integer(session.version.rawValue), .integer(next.version.rawValue),
        .bytes(content),
      ]
      let changes = parts.changes(since: session.parts(in: .withoutBlobs))
      var statement: PostgreSQLStatement
      if session.definition != next.definition {
        statement = PostgreSQLStatement(replacingDefinition, parameters + [.bytes(next.definition?.bytes)])
      } else if let withWork = replacingWithWork(session, next, content, parameters) {
        statement = withWork
      } else {
        statement = PostgreSQLStatement(replacing, parameters)
        statement.replacement = PostgreSQLReplacement(session, next, content)
      }
      if !changes.removed.isEmpty || !changes.added.isEmpty {
        statement.following = [changingParts(of: next, removing: changes.removed, adding: changes.added)]
      }
      // Most replacements leave the time and its index as they are.
      if session.expiresAt != next.expiresAt {
        statement.following.append(
          PostgreSQLStatement(
            extending, .integer(session.key.number), .integer(next.version.rawValue),
            .integer(next.expiresAt.milliseconds)))
      }
      if !statement.following.isEmpty { statement.replacement = nil }
      return statement
    }
  }

  private static let replacing = "\(updating()) RETURNING \(notifyingOfVersion)"

  /// Only if the replacement before it was made.
  private static let extending =
    "UPDATE usher_session SET expires_at = $3 WHERE number = $1 AND version = $2 AND NOT ended"

  /// The SQL that replaces a session. Its parameters are the number, the version, the next version and the content.
  static func updating(_ assignment: String = "", where condition: String = "") -> String {
    """
    UPDATE usher_session AS written SET version = $3, earlier = (version || earlier)[1:63], content = $4\(assignment)
    WHERE number = $1 AND version = $2 AND NOT ended\(condition)
    """
  }

  static func delete(_ session: StoredSession, forgetAt: Timestamp) -> PostgreSQLRequest {
    PostgreSQLRequest(
      .write,
      PostgreSQLStatement(
        session.work == nil ? deleting : deletingWithWork, .integer(session.key.number),
        .integer(session.version.rawValue), .integer(forgetAt.milliseconds)),
      lock: (session.key.number, -1))
  }

  private static let deleting = "\(ending), \(removingRows) SELECT \(notifyingOfEnd) FROM written"

  private static let deletingWithWork = """
    \(ending), \(removingRows), \(removingWork) SELECT \(notifyingOfEnd) FROM written
    """

  private static let ending = """
    WITH written AS (
      UPDATE usher_session SET ended = true, content = NULL, expires_at = $3, definition = NULL
      WHERE number = $1 AND version = $2 AND NOT ended
      RETURNING number, key)
    """

  // MARK: - Changes of many sessions

  static let endingOwned = """
    \(ending(where: "owner <> '' AND owner = $1")),
    worked AS (
      DELETE FROM usher_work
      WHERE session IN (SELECT number FROM written) OR owner IS NOT NULL AND owner = $1)
    SELECT key, \(notifyingOfEnd) FROM written
    """

  static let endingDefined = """
    \(ending(where: "definition = $1")), \(removingWork) SELECT key, \(notifyingOfEnd) FROM written
    """

  static let endingExpired = """
    \(ending(where: "expires_at <= $1", forgetAt: "session.expires_at + $2")), \(removingWork) SELECT FROM written
    """

  /// The queries that end sessions. One that another process replaces meanwhile stays, because the statement would not
  /// see the work that the replacement adds.
  private static func ending(where condition: String, forgetAt: String = "$2") -> String {
    """
    WITH found AS (
      SELECT number, version FROM usher_session WHERE NOT ended AND \(condition) LIMIT \(StoreLimits.sweepBatch)),
    written AS (
      UPDATE usher_session AS session SET ended = true, content = NULL, expires_at = \(forgetAt), definition = NULL
      FROM found WHERE session.number = found.number AND session.version = found.version AND NOT session.ended
      RETURNING session.number, session.key),
    \(removingRows)
    """
  }

  /// The queries that reduce the creations of ended sessions to the fingerprints of their requests, and remove the parts
  /// of the sessions.
  private static let removingRows = """
    truncated AS (
      UPDATE usher_creation SET content = substring(content FROM 1 FOR \(CreationOutcome.tombstoneSize))
      WHERE session IN (SELECT number FROM written)),
    parts AS (\(removingParts(of: "written")))
    """

  static let removingTombstones = """
    WITH due AS (
      SELECT number FROM usher_session WHERE ended AND expires_at <= $1
      LIMIT \(StoreLimits.sweepBatch) FOR UPDATE SKIP LOCKED),
    creations AS (DELETE FROM usher_creation WHERE session IN (SELECT number FROM due)),
    parts AS (\(removingParts(of: "due")))
    DELETE FROM usher_session WHERE number IN (SELECT number FROM due)
    """

  static let removingCreations = "DELETE FROM usher_creation \(batch(of: "usher_creation", "key", "expires_at <= $1"))"

  static let removingWatches = "DELETE FROM usher_watch \(batch(of: "usher_watch", "number", "until <= $1"))"

  /// The condition for up to ``StoreLimits/sweepBatch`` rows of a table that no other transaction has locked.
  static func batch(of table: String, _ key: String, _ condition: String) -> String {
    """
    WHERE (\(key)) IN (
      SELECT \(key) FROM \(table) WHERE \(condition) LIMIT \(StoreLimits.sweepBatch) FOR UPDATE SKIP LOCKED)
    """
  }

  // MARK: - Watching

  /// Has all processes announce changes to these sessions until the given time.
  static func watch(_ keys: [SessionKey], until: Timestamp) -> PostgreSQLRequest {
    // Sorted, so that processes that watch the same sessions do not deadlock.
    PostgreSQLRequest(
      .bulkWrite,
      """
      INSERT INTO usher_watch SELECT unnest($1), $2
      ON CONFLICT (number) DO UPDATE SET until = greatest(usher_watch.until, excluded.until)
      """, .integers(Set(keys.map(\.number)).sorted()), .integer(until.milliseconds))
  }

  static let notifyingOfEnd = notifying("encode(key, 'hex') || ' 0'")

  static let notifyingOfVersion = notifying("encode(key, 'hex') || ' ' || version")

  /// The SQL that announces the written rows if a process watches them. ``PostgreSQLChangeListener`` parses the
  /// payload.
  private static func notifying(_ payload: String) -> String {
    """
    CASE WHEN EXISTS (SELECT FROM usher_watch WHERE usher_watch.number = written.number)
      THEN pg_notify('usher', \(payload)) END
    """
  }
}

extension PostgreSQLRow {
  /// Decodes the session.
  ///
  /// - Parameter cached: the cached session, whose content the server omits if it is current.
  func lookup(of key: SessionKey, _ cached: StoredSession?) throws(ValueError) -> SessionLookup {
    if bytes(0) != key.bytes { return .unknown }
    if integer(8) == 1 { return .gone(owner: owner(6)) }
    if isNull(5), let cached { return .live(cached) }
    return .live(
      try StoredSession(
        key: key, owner: owner(6), app: text(1), createdAt: time(2), expiresAt: time(3), version: version(4),
        content: bytes(5), parts: parts))
  }

  /// Decodes the session for a list, even if its content is unreadable. Returns nil if its key is invalid.
  var listedSession: ListedSession? { SessionKey(bytes: bytes(0)).map { ListedSession($0, self, parts) } }

  private var parts: [SessionPart] { byteStrings(7).map { SessionPart(blob: $0) } }
}
