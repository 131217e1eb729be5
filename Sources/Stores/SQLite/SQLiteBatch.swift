internal import GRDB
internal import Sessions

/// The changes of one transaction.
struct SQLiteBatch {
  let statements: SQLiteStatements

  /// The number of rows that the change has changed.
  func write(_ change: SQLiteWrite) throws -> Int {
    switch change {
    case .insert(let session, let outcome):
      try insert(session, outcome)
    case .replace(let version, let next):
      try next.withContent { content in
        try statements.run(
          "UPDATE session SET version = ?, content = ? WHERE number = ? AND version = ? AND ended = 0",
          .integer(next.version.rawValue), .lent(content), .integer(next.key.number),
          .integer(version.rawValue))
      }
    case .delete(let session, let forgetAt):
      try statements.run(
        """
        UPDATE session SET ended = 1, content = NULL, expires_at = ? WHERE number = ? AND version = ? AND ended = 0
        """, forgetAt.binding, .integer(session.key.number), .integer(session.version.rawValue))
    case .endExpired(let now, let memory):
      try statements.run(
        """
        UPDATE session SET ended = 1, content = NULL, expires_at = expires_at + ? WHERE number IN
          (SELECT number FROM session WHERE ended = 0 AND expires_at <= ? LIMIT ?)
        """, .integer(memory * 1000), now.binding, .integer(Int64(Sweeping.rowLimit)))
    case .forgetSessions(let now):
      try statements.run(
        """
        DELETE FROM session WHERE number IN
          (SELECT number FROM session WHERE ended = 1 AND expires_at <= ? LIMIT ?)
        """, now.binding, .integer(Int64(Sweeping.rowLimit)))
    case .forgetCreations(let now):
      try statements.run(
        "DELETE FROM creation WHERE key IN (SELECT key FROM creation WHERE expires_at <= ? LIMIT ?)", now.binding,
        .integer(Int64(Sweeping.rowLimit)))
    case .probe:
      try statements.run("PRAGMA user_version = \(SQLiteSchema.steps.count)")
    }
  }

  private func insert(_ session: StoredSession, _ outcome: CreationOutcome?) throws -> Int {
    let rows = try statements.run(
      """
      INSERT INTO session (number, key, app, created_at, expires_at, version, content, owner)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """, .integer(session.key.number), .bytes(session.key.bytes), .text(session.app), session.createdAt.binding,
      session.expiresAt.binding, .integer(session.version.rawValue), .bytes(session.content),
      session.owner.map { .bytes($0.bytes) } ?? .null)
    guard rows == 1, let outcome, try insert(outcome) == 0 else { return rows }
    _ = try statements.run("DELETE FROM session WHERE number = ?", .integer(session.key.number))
    return 0
  }

  private func insert(_ outcome: CreationOutcome) throws -> Int {
    try statements.run(
      """
      INSERT INTO creation (key, content, expires_at) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET content = excluded.content, expires_at = excluded.expires_at
      WHERE creation.expires_at <= ?
      """, .bytes(outcome.key.bytes), .bytes(outcome.content), outcome.expiresAt.binding, outcome.storedAt.binding)
  }
}
