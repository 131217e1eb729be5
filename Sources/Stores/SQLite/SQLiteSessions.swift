internal import Sessions
internal import Values

/// The sessions of a file, as one transaction reads them.
extension SQLiteConnection {
  private static let columns = "key, app, created_at, expires_at, version, content, owner, ended, parts"

  func session(_ key: SessionKey) throws -> SessionLookup {
    try first("SELECT \(Self.columns) FROM session WHERE number = ?", [.integer(key.number)]) { row in
      guard row.optionalBytes(0) == key.bytes else { return .unknown }
      return try row.session(self).map { .live($0) } ?? .gone(owner: row.owner(6))
    } ?? .unknown
  }

  /// Returns the sessions of several keys, in the order of the keys. Nil for a session that has ended or cannot be read.
  func sessions(_ keys: [SessionKey]) throws -> [StoredSession?] {
    do {
      let numbers = keys.map { "\($0.number)" }.joined(separator: ",")
      // One that is unreadable is missing.
      let found = try rows(
        "SELECT \(Self.columns) FROM (SELECT value AS asked FROM json_each(?)) CROSS JOIN session ON number = asked",
        [.text("[\(numbers)]")]
      ) { row in try? row.session(self) }
      let sessions = Dictionary(found.compactMap { session in session.map { ($0.key, $0) } }) { first, _ in first }
      return keys.map { sessions[$0] }
    } catch  where SQLiteFile.isCorruption(error) {
      return keys.map { if case .live(let session)? = try? session($0) { session } else { nil } }
    }
  }

  /// Returns the first sessions that meet a condition, which ends with the order.
  func sessions(where condition: String, _ bindings: [Binding], limit: Int) throws -> [ListedSession] {
    do {
      return try rows(
        "SELECT \(Self.columns) FROM session WHERE NOT ended AND \(condition) LIMIT ?",
        bindings + [.integer(Int64(limit))]
      ) { try $0.listed(self) }
    } catch  where SQLiteFile.isCorruption(error) {
      // An index has the numbers of all sessions. Read the sessions one by one, and skip those on a damaged page.
      let numbers = try rows(
        "SELECT number FROM session INDEXED BY session_created WHERE NOT ended AND \(condition)", bindings
      ) { try $0.integer(0) }
      var found: [ListedSession] = []
      for number in numbers where found.count < limit {
        do {
          found += try rows("SELECT \(Self.columns) FROM session WHERE number = ?", [.integer(number)]) {
            try $0.listed(self)
          }
        } catch  where SQLiteFile.isCorruption(error) {
          continue
        }
      }
      return found
    }
  }
}

/// The columns of a session's row.
extension SQLiteRow {
  /// Decodes the session. Returns nil for a tombstone.
  fileprivate func session(_ connection: SQLiteConnection) throws -> StoredSession? {
    guard try integer(7) == 0 else { return nil }
    return try StoredSession(
      key: try key(), owner: owner(6), app: try text(1), createdAt: try time(2), expiresAt: try time(3),
      version: try version(4), content: try bytes(5), parts: try parts(connection))
  }

  /// Decodes the session for a list, even if its content is unreadable.
  fileprivate func listed(_ connection: SQLiteConnection) throws -> ListedSession {
    try ListedSession(try key(), self, try parts(connection))
  }

  private func parts(_ connection: SQLiteConnection) throws -> [SessionPart] {
    let count = try integer(8)
    guard count > 0 else { return [] }
    let parts = try connection.rows(
      "SELECT key, content FROM part WHERE session = ? ORDER BY key", [.integer(try key().number)]
    ) { SessionPart(key: try $0.bytes(0), content: try $0.bytes(1)) }
    guard parts.count == count else { throw SQLiteError.damaged("a session lacks one of its parts") }
    return parts
  }

  private func key() throws -> SessionKey {
    guard let key = SessionKey(bytes: try bytes(0)) else { throw SQLiteError.damaged("a session has an invalid key") }
    return key
  }
}
