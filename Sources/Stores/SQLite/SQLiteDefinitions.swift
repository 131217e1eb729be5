internal import Navigation
internal import Sessions
internal import Values

/// The definitions of flows in a session file. A session is written in the transaction that finds its definition.
extension SQLiteBatch {
  func keep(_ definition: KeptDefinition, at now: Timestamp) throws {
    let (digest, time) = (SQLiteConnection.Binding.bytes(definition.digest.bytes), now.binding)
    // The files are written once, and not at each use.
    if try connection.run("UPDATE definition SET used_at = ? WHERE digest = ?", time, digest) == 1 { return }
    try connection.run(
      "INSERT INTO definition (digest, app, version, source, kept_since, used_at) VALUES (?, ?, ?, ?, ?, ?)", digest,
      .text(definition.app), .integer(Int64(definition.version)), .bytes(definition.source), time, time)
  }

  func isKept(_ digest: DefinitionDigest) throws -> Bool {
    try connection.number("SELECT 1 FROM definition WHERE digest = ?", .bytes(digest.bytes)) != nil
  }

  func setDefinition(of session: StoredSession) throws {
    try connection.run(
      "UPDATE session SET definition = ? WHERE number = ?", session.definition.map { .bytes($0.bytes) } ?? .null,
      .integer(session.key.number))
  }

  /// Removes the definitions that nothing needs and that were not used since a time, and returns their number.
  func removeDefinitions(unusedSince time: Timestamp) throws -> Int {
    try connection.run(
      """
      DELETE FROM definition
      WHERE used_at < ?
        AND NOT EXISTS (SELECT 1 FROM session
          WHERE NOT ended AND session.definition IS NOT NULL AND session.definition = digest)
        AND NOT EXISTS (SELECT 1 FROM work WHERE work.definition IS NOT NULL AND work.definition = digest)
      """, time.binding)
  }

  /// Replaces up to ``StoreLimits/sweepBatch`` sessions of a definition with tombstones, and returns their keys.
  func endSessions(definedBy digest: DefinitionDigest, forgetAt: Timestamp) throws -> [SessionKey] {
    try end(
      try keys("NOT ended AND definition IS NOT NULL AND definition = ?", .bytes(digest.bytes)), forgetAt)
  }
}

extension SQLiteReader {
  func definition(_ digest: DefinitionDigest) async throws(StoreError) -> KeptDefinition? {
    try await read { connection in
      try connection.first("SELECT app, version, source FROM definition WHERE digest = ?", [.bytes(digest.bytes)]) {
        row in
        KeptDefinition(
          digest: digest, app: try row.text(0), version: Int(try row.integer(1)), source: try row.bytes(2))
      }
    }
  }

  func definitions() async throws(StoreError) -> [ListedDefinition] {
    try await read { connection in
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
        return ListedDefinition(
          digest: digest, app: try row.text(1), version: Int(try row.integer(2)), keptSince: try row.time(3),
          usedAt: try row.time(4), sessions: Int(try row.integer(5)))
      }
    }
  }
}
