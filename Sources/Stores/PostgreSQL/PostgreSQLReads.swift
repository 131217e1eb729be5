internal import Sessions
internal import Values

/// The statements that read sessions and creations, and the readiness check.
extension PostgreSQLConnection {
  // MARK: - Look-ups

  func load(_ jobs: [PostgreSQLJob], _ deadline: Deadline) throws(PostgreSQLError) -> Answers {
    var requests: [(key: SessionKey, cached: StoredSession?)] = []
    for case .load(let key, let cached) in jobs.map(\.request) { requests.append((key, cached)) }
    let rows = try run(
      """
      SELECT i.index, s.key, s.app, s.created_at, s.expires_at, s.version, s.ended, s.owner,
        CASE WHEN s.version <> i.cached THEN s.content END
      FROM \(PostgreSQLParameter.table(rows: requests.count, columns: 3)) AS i (index, number, cached)
      JOIN usher_session s ON s.number = i.number
      """,
      [
        .integers(Array(0..<Int64(requests.count))), .integers(requests.map(\.key.number)),
        .integers(requests.map { $0.cached?.version.rawValue ?? 0 }),
      ], deadline: deadline)
    var found = Answers(repeating: .success(.session(.unknown)), count: requests.count)
    for row in 0..<rows.count {
      let index = Int(rows.integer(row, 0))
      let (key, cached) = requests[index]
      guard rows.bytes(row, 1) == key.bytes else { continue }
      if rows.integer(row, 6) == 1 {
        found[index] = .success(.session(.gone(owner: rows.owner(row, 7))))
      } else if rows.isNull(row, 8), let cached {
        found[index] = .success(.session(.live(cached)))
      } else {
        found[index] = Self.decoding { () throws(ValueError) in
          .session(
            .live(
              try StoredSession(
                key: key, owner: rows.owner(row, 7), app: rows.text(row, 2), createdAt: rows.timestamp(row, 3),
                expiresAt: rows.timestamp(row, 4), version: rows.version(row, 5), content: rows.bytes(row, 8))))
        }
      }
    }
    return found
  }

  func creation(_ key: IdempotencyDigest, _ deadline: Deadline) throws(PostgreSQLError) -> Answers.Element {
    let sql = "SELECT content, expires_at FROM usher_creation WHERE key = $1"
    let rows = try run(sql, [.bytes(key.bytes)], deadline: deadline)
    guard rows.count == 1 else { return .success(.creation(.unknown)) }
    return Self.decoding { () throws(ValueError) in
      .creation(try CreationLookup(key: key, content: rows.bytes(0, 0), expiresAt: rows.timestamp(0, 1)))
    }
  }

  private static func decoding(_ body: () throws(ValueError) -> PostgreSQLAnswer) -> Answers.Element {
    do {
      return .success(try body())
    } catch {
      return .failure(.undecodable(error, in: "The database"))
    }
  }

  // MARK: - Lists and counts

  func list(
    before cursor: SessionCursor, _ limit: Int, _ deadline: Deadline
  ) throws(PostgreSQLError) -> [ListedSession] {
    try sessions(
      "(created_at, number) < ($1, $2) ORDER BY created_at DESC, number DESC LIMIT $3",
      [.integer(cursor.createdAt.milliseconds), .integer(cursor.number), .integer(Int64(limit))], deadline)
  }

  func list(
    _ numbers: ClosedRange<Int64>, _ limit: Int, _ deadline: Deadline
  ) throws(PostgreSQLError) -> [ListedSession] {
    try sessions(
      "number BETWEEN $1 AND $2 ORDER BY number LIMIT $3",
      [.integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(Int64(limit))], deadline)
  }

  private func sessions(
    _ condition: String, _ parameters: [PostgreSQLParameter], _ deadline: Deadline
  ) throws(PostgreSQLError) -> [ListedSession] {
    let sql = "SELECT key, app, created_at, expires_at, version, content, owner FROM usher_session WHERE NOT ended AND "
    let rows = try run(sql + condition, parameters, deadline: deadline)
    return (0..<rows.count).compactMap { row in
      guard let key = SessionKey(bytes: rows.bytes(row, 0)) else { return nil }
      return ListedSession(
        key: key, owner: rows.owner(row, 6), app: rows.text(row, 1), createdAt: rows.timestamp(row, 2),
        expiresAt: rows.timestamp(row, 3), version: rows.version(row, 4), content: rows.bytes(row, 5))
    }
  }

  /// Counts the sessions, expired ones included until they are swept.
  func countSessions(_ deadline: Deadline) throws(PostgreSQLError) -> Int {
    Int(try run("SELECT count(*) FROM usher_session WHERE NOT ended", deadline: deadline).integer(0, 0))
  }

  func countSessions(
    of owner: SessionOwner, _ limit: Int, _ deadline: Deadline
  ) throws(PostgreSQLError) -> Int {
    let sql = """
      SELECT count(*) FROM (
        SELECT FROM usher_session WHERE NOT ended AND owner <> '' AND owner = $1 LIMIT $2) AS owned
      """
    return Int(try run(sql, [.bytes(owner.bytes), .integer(Int64(limit))], deadline: deadline).integer(0, 0))
  }

  func excessTombstonesDue(beyond limit: Int, _ deadline: Deadline) throws(PostgreSQLError) -> Int {
    let sql = "SELECT expires_at FROM usher_session WHERE ended ORDER BY expires_at DESC OFFSET $1 LIMIT 1"
    let rows = try run(sql, [.integer(Int64(limit))], deadline: deadline)
    return rows.count == 1 ? Int(rows.integer(0, 0)) : 0
  }

  /// Takes a write's locks without changing a row. The server refuses that if it is read-only, and delays it while
  /// another client has locked the table.
  func check(_ deadline: Deadline) throws(PostgreSQLError) -> Int {
    try run("UPDATE usher_session SET version = version WHERE false", deadline: deadline).changedCount
  }
}
