internal import Sessions
internal import Values

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
    var results = try run(statements.flatMap { [$0] + $0.following }, deadline: deadline)[...]
    var answers = [Result<PostgreSQLAnswer, StoreError>](repeating: .success(.rows(0)), count: jobs.count)
    for (share, statement) in zip(shares, statements) {
      let rows = results.removeFirst()
      results.removeFirst(statement.following.count)
      if share.count == 1 {
        answers[share[0]] = jobs[share[0]].request.answer(rows)
      } else {
        for row in 0..<rows.count { answers[share[Int(rows.integer(row, 0)) - 1]] = .success(.rows(1)) }
      }
    }
    guard mayHaveRun else { return answers }
    for (index, job) in jobs.enumerated() {
      guard case .success(.rows(0)) = answers[index] else { continue }
      answers[index] = try outcomeOfEarlierAttempt(job.request, deadline)
    }
    return answers
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
  private func outcomeOfEarlierAttempt(
    _ request: PostgreSQLRequest, _ deadline: Deadline
  ) throws(PostgreSQLError) -> Result<PostgreSQLAnswer, StoreError> {
    switch request {
    case .insert(let session), .insertOnce(let session, _):
      let rows = try run(
        "SELECT FROM usher_session WHERE number = $1 AND key = $2", .integer(session.key.number),
        .bytes(session.key.bytes), deadline: deadline)
      return .success(.rows(rows.count))
    case .replace(_, let next):
      // `earlier` is in order, so the number of writes since then is the position of this write's version.
      let rows = try run(
        "SELECT version, earlier[((version >> 32) - $2)::int4] FROM usher_session WHERE number = $1",
        .integer(next.key.number), .integer(next.version.count), deadline: deadline)
      guard rows.count == 1 else { return .success(.rows(0)) }
      let current = rows.version(0, 0)
      if current.count <= next.version.count { return .success(.rows(current == next.version ? 1 : 0)) }
      guard !rows.isNull(0, 1) else {
        return .failure(.unavailable("The database connection was lost during a write, whose outcome is unknown."))
      }
      return .success(.rows(rows.version(0, 1) == next.version ? 1 : 0))
    case .report(let report, let work):
      let rows = try run([PostgreSQLRequest.findingReport(on: work, report)], deadline: deadline)[0]
      return .success(.rows(rows.count))
    default: return .success(.rows(0))
    }
  }

  func countSessions(_ deadline: Deadline) throws(PostgreSQLError) -> Int {
    Int(try run([PostgreSQLRequest.count.statement], deadline: deadline)[0].integer(0, 0))
  }
}

extension PostgreSQLRequest {
  /// Returns the answer in the result of the request's statement.
  fileprivate func answer(_ rows: PostgreSQLRows) -> Result<PostgreSQLAnswer, StoreError> {
    do throws(ValueError) {
      switch self {
      case .load(let key, let cached): return .success(.session(try lookup(key, cached, rows)))
      case .creation(let key):
        guard rows.count == 1 else { return .success(.creation(.unknown)) }
        return .success(
          .creation(try CreationLookup(key: key, content: rows.bytes(0, 0), expiresAt: rows.timestamp(0, 1))))
      case .list, .listNumbered, .loadTogether:
        return .success(.sessions((0..<rows.count).compactMap(rows.listedSession)))
      case .count, .countOwned, .excessTombstonesDue:
        return .success(.rows(rows.count == 1 ? Int(rows.integer(0, 0)) : 0))
      case .claim: return .success(.work(rows.claimedWork()))
      case .countWork:
        return .success(
          .workCount(
            WorkCount(
              pending: Int(rows.integer(0, 0)), stuck: Int(rows.integer(0, 1)),
              blocked: Int(rows.integer(0, 4)), heldSignals: Int(rows.integer(0, 2)),
              dueSince: rows.isNull(0, 3) ? nil : rows.timestamp(0, 3))))
      case .endOwned, .endDefined:
        return .success(.ended((0..<rows.count).compactMap { SessionKey(bytes: rows.bytes($0, 0)) }))
      case .deliverKeyed: return .success(.keyedDelivery(rows.keyedDelivery()))
      case .heldSignals: return .success(.signals((0..<rows.count).map { rows.bytes($0, 0) }))
      case .definition: return .success(.definition(rows.definition()))
      case .definitions: return .success(.definitions(rows.definitions()))
      case .work: return .success(.statuses(rows.workStatuses()))
      case .secret: return .success(.bytes(rows.count == 1 ? rows.bytes(0, 0) : nil))
      default: return .success(.rows(rows.changedCount))
      }
    } catch {
      return .failure(.undecodable(error, in: "The database"))
    }
  }

  private func lookup(
    _ key: SessionKey, _ cached: StoredSession?, _ rows: PostgreSQLRows
  ) throws(ValueError) -> SessionLookup {
    guard rows.count == 1, rows.bytes(0, 0) == key.bytes else { return .unknown }
    if rows.integer(0, 5) == 1 { return .gone(owner: rows.owner(0, 6)) }
    if rows.isNull(0, 7), let cached { return .live(cached) }
    return .live(
      try StoredSession(
        key: key, owner: rows.owner(0, 6), app: rows.text(0, 1), createdAt: rows.timestamp(0, 2),
        expiresAt: rows.timestamp(0, 3), version: rows.version(0, 4), content: rows.bytes(0, 7),
        parts: rows.byteStrings(0, 8).map { SessionPart(body: $0) }))
  }
}

extension PostgreSQLRows {
  fileprivate func listedSession(_ row: Int) -> ListedSession? {
    guard let key = SessionKey(bytes: bytes(row, 0)) else { return nil }
    return ListedSession(
      key: key, owner: owner(row, 6), app: text(row, 1), createdAt: timestamp(row, 2), expiresAt: timestamp(row, 3),
      version: version(row, 4), content: bytes(row, 5),
      parts: byteStrings(row, 7).map { SessionPart(body: $0) })
  }
}
