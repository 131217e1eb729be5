internal import Foundation
internal import GRDB
internal import Navigation
internal import Sessions
internal import Values

/// The definitions of flows in a session file. A session is written in the transaction that finds its definition.
extension SQLiteBatch {
  func keep(_ definition: KeptDefinition, at now: Timestamp) throws -> Int {
    let (digest, time) = (SQLiteStatements.Binding.bytes(definition.digest.bytes), now.binding)
    // The files are written once, and not at each use.
    if try statements.run("UPDATE definition SET used_at = ? WHERE digest = ?", time, digest) == 1 { return 1 }
    return try statements.run(
      "INSERT INTO definition (digest, app, version, source, kept_since, used_at) VALUES (?, ?, ?, ?, ?, ?)", digest,
      .text(definition.app), .integer(Int64(definition.version)), .bytes(definition.source), time, time)
  }

  func isKept(_ digest: DefinitionDigest) throws -> Bool {
    try statements.number("SELECT 1 FROM definition WHERE digest = ?", .bytes(digest.bytes)) != nil
  }

  func setDefinition(of session: StoredSession) throws {
    _ = try statements.run(
      "UPDATE session SET definition = ? WHERE number = ?", session.definition.map { .bytes($0.bytes) } ?? .null,
      .integer(session.key.number))
  }

  func removeDefinitions(unusedSince time: Timestamp) throws -> Int {
    try statements.run(
      """
      DELETE FROM definition
      WHERE used_at < ?
        AND NOT EXISTS (SELECT 1 FROM session
          WHERE NOT ended AND session.definition IS NOT NULL AND session.definition = digest)
        AND NOT EXISTS (SELECT 1 FROM work WHERE work.definition IS NOT NULL AND work.definition = digest)
      """, time.binding)
  }

  func endSessions(definedBy digest: DefinitionDigest, _ forgetAt: Timestamp) throws -> [SessionKey] {
    let rows = try Row.fetchAll(
      connection,
      sql: "SELECT number, key FROM session WHERE NOT ended AND definition IS NOT NULL AND definition = ? LIMIT ?",
      arguments: [Data(digest.bytes), StoreLimits.sweepBatch])
    for row in rows {
      let number: Int64 = row[0]
      try removeRows(of: number)
      _ = try statements.run(
        "UPDATE session SET ended = 1, content = NULL, expires_at = ? WHERE number = ?", forgetAt.binding,
        .integer(number))
    }
    return rows.compactMap { row in SessionKey(bytes: [UInt8](row[1] as Data)) }
  }
}

extension SQLiteReader {
  func definition(_ digest: DefinitionDigest) async throws(StoreError) -> KeptDefinition? {
    try await read { connection in
      let row = try Row.fetchOne(
        connection, sql: "SELECT app, version, source FROM definition WHERE digest = ?",
        arguments: [Data(digest.bytes)])
      return try row.map { row in
        KeptDefinition(
          digest: digest, app: try row.workColumn(0), version: try row.workColumn(1),
          source: [UInt8](try row.workColumn(2) as Data))
      }
    }
  }

  func definitions() async throws(StoreError) -> [ListedDefinition] {
    try await read { connection in
      try Row.fetchAll(
        connection,
        sql: """
          SELECT digest, app, version, kept_since, used_at,
            (SELECT count(*) FROM session
              WHERE NOT ended AND session.definition IS NOT NULL AND session.definition = digest)
          FROM definition ORDER BY kept_since, digest
          """
      ).compactMap { row in
        guard let digest = DefinitionDigest(bytes: [UInt8](try row.workColumn(0) as Data)) else { return nil }
        return ListedDefinition(
          digest: digest, app: try row.workColumn(1), version: try row.workColumn(2),
          keptSince: Timestamp(milliseconds: try row.workColumn(3)),
          usedAt: Timestamp(milliseconds: try row.workColumn(4)), sessions: try row.workColumn(5))
      }
    }
  }
}
