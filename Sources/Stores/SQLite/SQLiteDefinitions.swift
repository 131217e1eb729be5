public import Navigation
public import Sessions
public import Values

/// The definitions of flows in a session file. A session is written in the transaction that finds its definition.
extension SQLiteStore {
  public func keep(_ definitions: [KeptDefinition], at now: Timestamp) async throws(StoreError) {
    try await writer.write { batch in
      for definition in definitions {
        try batch.connection.run(
          """
          INSERT INTO definition (digest, app, version, source, kept_since, used_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
          ON CONFLICT DO UPDATE SET used_at = excluded.used_at
          """, .bytes(definition.digest.bytes), .text(definition.app), .integer(Int64(definition.version)),
          .bytes(definition.source), now.binding)
      }
    }
  }

  public func definition(_ digest: DefinitionDigest) async throws(StoreError) -> KeptDefinition? {
    try await reader.read { connection in
      try connection.first("SELECT app, version, source FROM definition WHERE digest = ?", [.bytes(digest.bytes)]) {
        try KeptDefinition(digest, $0)
      }
    }
  }

  public func definitions() async throws(StoreError) -> [ListedDefinition] {
    try await reader.read { connection in
      try connection.rows(
        """
        SELECT digest, app, version, kept_since, used_at,
          (SELECT count(*) FROM session
            WHERE NOT ended AND session.definition IS NOT NULL AND session.definition = digest)
        FROM definition ORDER BY kept_since, digest
        """
      ) { row in
        guard let digest = DefinitionDigest(bytes: try row.bytes(0)) else {
          throw SQLiteError.damaged("the digest of a definition is invalid")
        }
        return try ListedDefinition(digest, row)
      }
    }
  }

  public func removeDefinitions(unusedSince time: Timestamp) async throws(StoreError) -> Int {
    try await writer.write { batch in
      try batch.connection.run(
        """
        DELETE FROM definition
        WHERE used_at < ?
          AND NOT EXISTS (SELECT 1 FROM session
            WHERE NOT ended AND session.definition IS NOT NULL AND session.definition = digest)
          AND NOT EXISTS (SELECT 1 FROM work WHERE work.definition IS NOT NULL AND work.definition = digest)
        """, time.binding)
    }
  }
}

extension SQLiteBatch {
  func isKept(_ digest: DefinitionDigest) throws -> Bool {
    try connection.number("SELECT 1 FROM definition WHERE digest = ?", .bytes(digest.bytes)) != nil
  }
}
