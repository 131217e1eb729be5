internal import Sessions

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
        for row in rows { answers[share[row.number(0) - 1]].changed = 1 }
      }
    }
    return try zip(jobs, answers).map { job, answer throws(PostgreSQLError) in
      guard mayHaveRun, answer.changed == 0 else { return .success(answer) }
      guard let hasChanged = try job.request.recovery(self, deadline) else {
        return .failure(.unavailable("The database connection was lost during a write, whose outcome is unknown."))
      }
      return .success(PostgreSQLAnswer(rows: answer.rows, changed: hasChanged ? 1 : 0))
    }
  }

  /// Returns the indices of the requests that share a statement, in the order of the statements. The order is that of
  /// the requests, because they are in the order of their locks.
  private static func shares(of jobs: [PostgreSQLJob]) -> [[Int]] {
    let together = jobs.indices.filter { jobs[$0].request.statement.replacement != nil }
    return jobs.indices.compactMap { index in
      if jobs[index].request.statement.replacement == nil { return [index] }
      return index == together[0] ? together : nil
    }
  }

  private static func statement(for jobs: [PostgreSQLJob]) -> PostgreSQLStatement {
    guard jobs.count > 1 else { return jobs[0].request.statement }
    return PostgreSQLReplacement.statement(for: jobs.compactMap(\.request.statement.replacement))
  }
}
