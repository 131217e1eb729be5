internal import GRDB
internal import Sessions

/// The changes of one transaction.
struct SQLiteBatch {
  let statements: SQLiteStatements

  init(_ connection: Database) { statements = SQLiteStatements(connection: connection) }

  /// The number of rows that the change has changed.
  func write(_ change: SQLiteWrite) throws -> Int {
    switch change {
    case .insert(let session, let outcome):
      return try insert(session, outcome)
    case .replace(let version, let next):
      return try next.withContent { content in
        try statements.run(
          "UPDATE session SET version = ?, content = ? WHERE number = ? AND version = ? AND ended = 0",
          .integer(next.version.rawValue), .lent(content), .integer(next.key.number),
          .integer(version.rawValue))
      }
    case .delete(let session, let forgetAt):
      let rows = try statements.run(
        """
        UPDATE session SET ended = 1, content = NULL, expires_at = ? WHERE number = ? AND version = ? AND ended = 0
        """, forgetAt.binding, .integer(session.key.number), .integer(session.version.rawValue))
      if rows == 1 { try cutCreation(of: session.key.number) }
      return rows
    case .endExpired, .forgetSessions:
      return try rows(of: change, limit: Sweeping.rowLimit).reduce(0) { $0 + (try write(change, to: $1)) }
    case .forgetCreations(let now):
      return try statements.run(
        "DELETE FROM creation WHERE key IN (SELECT key FROM creation WHERE expires_at <= ? LIMIT ?)", now.binding,
        .integer(Int64(Sweeping.rowLimit)))
    case .probe:
      return try statements.run("PRAGMA user_version = \(SQLiteSchema.steps.count)")
    }
  }

  /// The sessions that a change for many of them is about, found by an index.
  func rows(of change: SQLiteWrite, limit: Int) throws -> [Int64] {
    switch change {
    case .endExpired(let now, _): try numbers("ended = 0 AND expires_at <= ?", now, limit)
    case .forgetSessions(let now): try numbers("ended = 1 AND expires_at <= ?", now, limit)
    default: []
    }
  }

  private func numbers(_ condition: String, _ now: Timestamp, _ limit: Int) throws -> [Int64] {
    try Int64.fetchAll(
      statements.connection, sql: "SELECT number FROM session WHERE \(condition) ORDER BY expires_at LIMIT ?",
      arguments: [now.milliseconds, limit])
  }

  /// Makes a change for many sessions in one of them.
  func write(_ change: SQLiteWrite, to number: Int64) throws -> Int {
    switch change {
    case .endExpired(_, let tombstoneLifetime):
      try cutCreation(of: number)
      return try statements.run(
        "UPDATE session SET ended = 1, content = NULL, expires_at = expires_at + ? WHERE number = ?",
        .integer(tombstoneLifetime * 1000), .integer(number))
    case .forgetSessions:
      _ = try statements.run("DELETE FROM creation WHERE session = ?", .integer(number))
      return try statements.run("DELETE FROM session WHERE number = ?", .integer(number))
    default:
      return 0
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
      INSERT INTO creation (key, content, expires_at, session) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE
      SET content = excluded.content, expires_at = excluded.expires_at, session = excluded.session
      WHERE creation.expires_at <= ?
      """, .bytes(outcome.key.bytes), .bytes(outcome.content), outcome.expiresAt.binding,
      .integer(outcome.session.key.number), outcome.storedAt.binding)
  }

  /// Keeps nothing of the session's creation but the fingerprint of its request.
  private func cutCreation(of number: Int64) throws {
    _ = try statements.run(
      "UPDATE creation SET content = substr(content, 1, ?) WHERE session = ?",
      .integer(Int64(CreationOutcome.tombstoneSize)), .integer(number))
  }
}
