public import Navigation
public import Sessions
public import Values

/// The statements for the definitions of flows, and for the sessions that use them.
///
/// Sessions refer to their definitions. The server therefore refuses the removal of a definition while a session begins
/// with it, and the request is tried again with a new look at the tables. A statement that finds no definition writes
/// nothing.
extension PostgreSQLRequest {
  static let insertingFlow = """
    INSERT INTO usher_session (number, key, app, created_at, expires_at, version, content, owner, definition)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9 WHERE EXISTS (SELECT FROM usher_definition WHERE digest = $9)
    ON CONFLICT DO NOTHING
    """

  static let takingForFlow = taking(
    "SELECT $10, $11, $12, $1 WHERE EXISTS (SELECT FROM usher_definition WHERE digest = $9)", replacingBefore: "$13")

  static let insertingTakenFlow = """
    INSERT INTO usher_session (number, key, app, created_at, expires_at, version, content, owner, definition)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9 FROM taken ON CONFLICT DO NOTHING
    """

  /// A replacement by a session with another definition, and with the same work.
  static func replacingDefinition(
    _ session: StoredSession, _ next: StoredSession, _ content: [UInt8]
  ) -> PostgreSQLStatement {
    PostgreSQLStatement(
      replacingDefinition, .integer(next.key.number), .integer(session.version.rawValue),
      .integer(next.version.rawValue), .bytes(content), .bytes(next.definition?.bytes))
  }

  private static let replacingDefinition = """
    UPDATE usher_session AS written
    SET version = $3, earlier = (version || earlier)[1:63], content = $4, definition = $5
    WHERE number = $1 AND version = $2 AND NOT ended AND EXISTS (SELECT FROM usher_definition WHERE digest = $5)
    RETURNING \(notifying("encode(key, 'hex') || ' ' || version"))
    """

  static func keeping(_ definition: KeptDefinition, _ now: Timestamp) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      INSERT INTO usher_definition (digest, app, version, source, kept_since, used_at) VALUES ($1, $2, $3, $4, $5, $5)
      ON CONFLICT (digest) DO UPDATE SET used_at = greatest(usher_definition.used_at, excluded.used_at)
      """, .bytes(definition.digest.bytes), .text(definition.app), .integer(Int64(definition.version)),
      .bytes(definition.source), .integer(now.milliseconds))
  }

  static func finding(_ digest: DefinitionDigest) -> PostgreSQLStatement {
    PostgreSQLStatement(
      "SELECT digest, app, version, source FROM usher_definition WHERE digest = $1", .bytes(digest.bytes))
  }

  static let listingDefinitions = PostgreSQLStatement(
    """
    SELECT digest, app, version, kept_since, used_at,
      (SELECT count(*) FROM usher_session WHERE NOT ended AND definition = digest)
    FROM usher_definition ORDER BY kept_since, digest
    """)

  static func removingDefinitions(unusedSince time: Timestamp) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      DELETE FROM usher_definition
      WHERE used_at < $1 AND NOT EXISTS (SELECT FROM usher_session WHERE definition = digest)
        AND NOT EXISTS (SELECT FROM usher_work WHERE definition = digest)
      """, .integer(time.milliseconds))
  }

  /// As for an owner's sessions, one that is replaced meanwhile stays.
  static func ending(definedBy digest: DefinitionDigest, _ forgetAt: Timestamp) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      WITH defined AS (
        SELECT number, version FROM usher_session WHERE NOT ended AND definition = $1
        LIMIT \(StoreLimits.sweepBatch)),
      written AS (
        UPDATE usher_session AS session SET ended = true, content = NULL, expires_at = $2, definition = NULL
        FROM defined WHERE session.number = defined.number AND session.version = defined.version AND NOT session.ended
        RETURNING session.number, session.key),
      \(removingRows(of: "SELECT number FROM written"))
      SELECT key, \(notifyingOfEnd) FROM written
      """, .bytes(digest.bytes), .integer(forgetAt.milliseconds))
  }
}

extension PostgreSQLRows {
  /// The definition that was looked for; nil if there is none.
  func definition() -> KeptDefinition? {
    guard count == 1, let digest = DefinitionDigest(bytes: bytes(0, 0)) else { return nil }
    return KeptDefinition(digest: digest, app: text(0, 1), version: Int(integer(0, 2)), source: bytes(0, 3))
  }

  func definitions() -> [ListedDefinition] {
    (0..<count).compactMap { row in
      DefinitionDigest(bytes: bytes(row, 0)).map { digest in
        ListedDefinition(
          digest: digest, app: text(row, 1), version: Int(integer(row, 2)), keptSince: timestamp(row, 3),
          usedAt: timestamp(row, 4), sessions: Int(integer(row, 5)))
      }
    }
  }
}

extension PostgreSQLStore {
  public func keep(_ definitions: [KeptDefinition], at now: Timestamp) async throws(StoreError) {
    for definition in definitions { _ = try await rows(.keep(definition, now: now)) }
  }

  public func definition(_ digest: DefinitionDigest) async throws(StoreError) -> KeptDefinition? {
    try await pool.answer(.definition(digest)) { $0.rows.definition() }
  }

  public func definitions() async throws(StoreError) -> [ListedDefinition] {
    try await pool.answer(.definitions) { $0.rows.definitions() }
  }

  public func removeDefinitions(unusedSince time: Timestamp) async throws(StoreError) -> Int {
    try await rows(.removeDefinitions(unusedSince: time))
  }

  public func endSessions(
    definedBy digest: DefinitionDigest, forgetAt: Timestamp
  ) async throws(StoreError) -> [SessionKey] {
    try await endSessions(.endDefined(digest, forgetAt: forgetAt))
  }
}
