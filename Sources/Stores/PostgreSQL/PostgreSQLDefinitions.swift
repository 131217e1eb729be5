public import Navigation
public import Sessions
public import Values

/// The requests for the definitions of flows, and the SQL for the sessions that use them.
///
/// Sessions refer to their definitions. The server therefore refuses the removal of a definition while a session begins
/// with it, and the request is tried again with a new look at the tables. A statement that finds no definition writes
/// nothing.
extension PostgreSQLRequest {
  /// The condition that a definition is kept.
  static func isKept(_ digest: String) -> String { "EXISTS (SELECT FROM usher_definition WHERE digest = \(digest))" }

  /// The SQL of a replacement by a session with another definition, and with the same work.
  static let replacingDefinition = """
    \(updating(", definition = $5", where: " AND \(isKept("$5"))")) RETURNING \(notifyingOfVersion)
    """
}

extension PostgreSQLStore {
  public func keep(_ definitions: [KeptDefinition], at now: Timestamp) async throws(StoreError) {
    for definition in definitions {
      _ = try await rows(
        .init(
          .bulkWrite,
          """
          INSERT INTO usher_definition (digest, app, version, source, kept_since, used_at)
          VALUES ($1, $2, $3, $4, $5, $5)
          ON CONFLICT (digest) DO UPDATE SET used_at = greatest(usher_definition.used_at, excluded.used_at)
          """, .bytes(definition.digest.bytes), .text(definition.app), .integer(Int64(definition.version)),
          .bytes(definition.source), .integer(now.milliseconds)))
    }
  }

  public func definition(_ digest: DefinitionDigest) async throws(StoreError) -> KeptDefinition? {
    let sql = "SELECT app, version, source FROM usher_definition WHERE digest = $1"
    return try await pool.answer(.init(.lookUp, sql, .bytes(digest.bytes))) { answer in
      answer.rows.first.map { KeptDefinition(digest, $0) }
    }
  }

  public func definitions() async throws(StoreError) -> [ListedDefinition] {
    try await pool.answer(
      .init(
        .scan,
        """
        SELECT digest, app, version, kept_since, used_at,
          (SELECT count(*) FROM usher_session WHERE NOT ended AND definition = digest)
        FROM usher_definition ORDER BY kept_since, digest
        """)
    ) { $0.rows.compactMap { row in DefinitionDigest(bytes: row.bytes(0)).map { ListedDefinition($0, row) } } }
  }

  public func removeDefinitions(unusedSince time: Timestamp) async throws(StoreError) -> Int {
    try await rows(
      .init(
        .bulkWrite,
        """
        DELETE FROM usher_definition
        WHERE used_at < $1 AND NOT EXISTS (SELECT FROM usher_session WHERE definition = digest)
          AND NOT EXISTS (SELECT FROM usher_work WHERE definition = digest)
        """, .integer(time.milliseconds)))
  }
}
