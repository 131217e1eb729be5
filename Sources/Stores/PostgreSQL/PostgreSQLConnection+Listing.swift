internal import Sessions
internal import Values

/// Which sessions there are.
extension PostgreSQLConnection {
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
}
