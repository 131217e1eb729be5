internal import Sessions
internal import Values

/// The database's answer to a request.
struct PostgreSQLAnswer {
  /// The result of the request's statement; of another request, for a replacement that shares its statement.
  let rows: PostgreSQLRows
  /// The number of rows that the request has changed.
  var changed: Int
}

extension PostgreSQLConnection {
  /// Answers a batch of requests in one transaction, in their order.
  ///
  /// - Parameter mayHaveRun: whether an earlier attempt lost its connection after it was sent. The server may have
  ///   executed that attempt.
  /// - Throws: an error that concerns all of them.
  func answer(
    _ jobs: [PostgreSQLJob], mayHaveRun: Bool = false, deadline: Deadline
  ) throws(PostgreSQLError) -> [Result<PostgreSQLAnswer, StoreError>] {
    isReading = jobs[0].request.isRead
    let shares = Self.shares(of: jobs)
    let statements = shares.map { Self.statement(for: $0.map { jobs[$0] }) }
    var resultRows = try run(statements.flatMap { [$0] + $0.following }, deadline: deadline)[...]
    var answers = [PostgreSQLAnswer](repeating: PostgreSQLAnswer(rows: resultRows[0], changed: 0), count: jobs.count)
    for (share, statement) in zip(shares, statements) {
      let rows = resultRows.removeFirst()
      resultRows.removeFirst(statement.following.count)
      if share.count == 1 {
        answers[share[0]] = PostgreSQLAnswer(rows: rows, changed: rows.changedCount)
      } else {
        for row in 0..<rows.count { answers[share[Int(rows.integer(row, 0)) - 1]].changed = 1 }
      }
    }
    var results = answers.map { Result<PostgreSQLAnswer, StoreError>.success($0) }
    guard mayHaveRun else { return results }
    for (index, answer) in answers.enumerated() where answer.changed == 0 {
      let changed = try changesOfEarlierAttempt(jobs[index].request, deadline)
      results[index] = changed.map { PostgreSQLAnswer(rows: answer.rows, changed: $0) }
    }
    return results
  }

  /// Returns the places of the requests that share a statement, in the order of the statements. It is the order of the
  /// requests, because they are in the order of their locks.
  private static func shares(of jobs: [PostgreSQLJob]) -> [[Int]] {
    let together = jobs.indices.filter { jobs[$0].statement.replacement != nil }
    return jobs.indices.compactMap { index in
      if jobs[index].statement.replacement == nil { return [index] }
      return index == together[0] ? together : nil
    }
  }

  private static func statement(for jobs: [PostgreSQLJob]) -> PostgreSQLStatement {
    guard jobs.count > 1 else { return jobs[0].statement }
    return PostgreSQLReplacement.statement(for: jobs.compactMap(\.statement.replacement))
  }

  /// Returns the number of rows that an earlier attempt of a write has changed: 1 or 0. Fails with `unavailable` if so
  /// many writes have followed that the server no longer knows.
  private func changesOfEarlierAttempt(
    _ request: PostgreSQLRequest, _ deadline: Deadline
  ) throws(PostgreSQLError) -> Result<Int, StoreError> {
    switch request {
    case .insert(let session), .insertOnce(let session, _):
      let rows = try run(
        "SELECT FROM usher_session WHERE number = $1 AND key = $2", .integer(session.key.number),
        .bytes(session.key.bytes), deadline: deadline)
      return .success(rows.count)
    case .replace(_, let next):
      // `earlier` is in order, so the number of writes since then is the position of this write's version.
      let rows = try run(
        "SELECT version, earlier[((version >> 32) - $2)::int4] FROM usher_session WHERE number = $1",
        .integer(next.key.number), .integer(next.version.count), deadline: deadline)
      guard rows.count == 1 else { return .success(0) }
      let current = rows.version(0, 0)
      if current.count <= next.version.count { return .success(current == next.version ? 1 : 0) }
      guard !rows.isNull(0, 1) else {
        return .failure(.unavailable("The database connection was lost during a write, whose outcome is unknown."))
      }
      return .success(rows.version(0, 1) == next.version ? 1 : 0)
    case .report(let report, let work):
      let rows = try run([PostgreSQLRequest.findingReport(on: work, report)], deadline: deadline)[0]
      return .success(rows.count)
    default: return .success(0)
    }
  }

  func countSessions(_ deadline: Deadline) throws(PostgreSQLError) -> Int {
    Int(try run([PostgreSQLRequest.count.statement], deadline: deadline)[0].integer(0, 0))
  }
}

extension PostgreSQLRows {
  /// The session that was looked up.
  ///
  /// - Parameter cached: the cached session, whose content the server omits if it is current.
  func lookup(of key: SessionKey, _ cached: StoredSession?) throws(ValueError) -> SessionLookup {
    guard count == 1, bytes(0, 0) == key.bytes else { return .unknown }
    if integer(0, 5) == 1 { return .gone(owner: owner(0, 6)) }
    if isNull(0, 7), let cached { return .live(cached) }
    return .live(
      try StoredSession(
        key: key, owner: owner(0, 6), app: text(0, 1), createdAt: timestamp(0, 2), expiresAt: timestamp(0, 3),
        version: version(0, 4), content: bytes(0, 7), parts: byteStrings(0, 8).map { SessionPart(body: $0) }))
  }

  func creation(of key: IdempotencyDigest) throws(ValueError) -> CreationLookup {
    guard count == 1 else { return .unknown }
    return try CreationLookup(key: key, content: bytes(0, 0), expiresAt: timestamp(0, 1))
  }

  func listedSessions() -> [ListedSession] {
    (0..<count).compactMap { row in
      SessionKey(bytes: bytes(row, 0)).map { key in
        ListedSession(
          key: key, owner: owner(row, 6), app: text(row, 1), createdAt: timestamp(row, 2),
          expiresAt: timestamp(row, 3), version: version(row, 4), content: bytes(row, 5),
          parts: byteStrings(row, 7).map { SessionPart(body: $0) })
      }
    }
  }

  /// The keys of the sessions that have ended.
  func endedSessions() -> [SessionKey] { (0..<count).compactMap { SessionKey(bytes: bytes($0, 0)) } }
}
