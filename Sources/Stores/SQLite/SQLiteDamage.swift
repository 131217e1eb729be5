internal import Sessions

/// Claims and sweeps beside damaged pages: row by row, in transactions of their own. Rows on a damaged page stay as they
/// are.
extension SQLiteBatch {
  /// The number of rows among which a change looks for undamaged ones. The number is many times a batch, because each
  /// sweep finds the damaged rows again and they must not crowd out all others.
  private static let searchLimit = 50 * StoreLimits.sweepBatch

  func claimRowByRow(_ search: WorkSearch) throws -> [ClaimedWork] {
    // The transaction that has met the damage has undone this.
    leases.prepare(at: search.now)
    return try search.claim(from: try queues(of: search)) { queue, limit in
      var claimed: [ClaimedWork] = []
      for work in try dueWork(search, in: queue, limit: Self.searchLimit) where claimed.count < limit {
        do {
          claimed += try transaction { try claim(work, search) }
        } catch  where SQLiteFile.isCorruption(error) {
          continue
        }
      }
      return claimed
    }
  }

  /// Applies a sweep to undamaged rows, and returns their number.
  ///
  /// - Throws: the error, if no rows are due.
  func applyRowByRow(_ sweep: SQLiteSweep, after error: any Error) throws -> Int {
    var rows = try sessions(dueFor: sweep, limit: Self.searchLimit)[...]
    if rows.isEmpty { throw error }
    var written = 0
    while written < StoreLimits.sweepBatch, !rows.isEmpty {
      let next = rows.prefix(StoreLimits.sweepBatch - written)
      written += try apply(sweep, to: next)
      rows = rows.dropFirst(next.count)
    }
    return written
  }

  private func apply(_ sweep: SQLiteSweep, to rows: ArraySlice<Int64>) throws -> Int {
    do {
      return try transaction { try rows.reduce(0) { $0 + (try apply(sweep, to: $1)) } }
    } catch  where SQLiteFile.isCorruption(error) {
      guard rows.count > 1 else { return 0 }
      let middle = rows.startIndex + rows.count / 2
      return try apply(sweep, to: rows[..<middle]) + apply(sweep, to: rows[middle...])
    }
  }
}
