internal import CoreMetrics
internal import Foundation
internal import Navigation
internal import Observability
internal import Sessions
internal import Synchronization
internal import Values

/// The thread that writes a session file with group commit: it commits the changes that arrive during one commit
/// together in the next, so that they share the wait for the disk.
final class SQLiteWriter: Sendable {
  /// The number of changes with which a batch does not wait for more. A larger batch saves few syncs of the disk, and
  /// the processor is idle meanwhile.
  private static let gatheringLimit = 16
  /// The nanoseconds that the first change of a batch waits for others: about one sync of the disk.
  private static let gatheringTime = 500_000

  /// The number of rows among which a change that meets a damaged page looks for undamaged ones. It is many times a
  /// batch, because each sweep finds the damaged rows again and they must not crowd out all others.
  private static let searchLimit = 50 * StoreLimits.sweepBatch

  /// A change, and the function that receives its answer. It is an object, because a batch passes it on several times.
  private final class Job: Sendable {
    let change: SQLiteChange
    let completion: @Sendable (Result<SQLiteAnswer, StoreError>) -> Void

    init(_ change: SQLiteChange, _ completion: @escaping @Sendable (Result<SQLiteAnswer, StoreError>) -> Void) {
      (self.change, self.completion) = (change, completion)
    }
  }

  private let file: SQLiteFile
  private let cache: SessionCache
  private let queue = JobQueue<Job>()
  private let checkpointer: SQLiteCheckpointer
  private let ended = DispatchSemaphore(value: 0)
  private let commitSize: Recorder
  private let log: @Sendable (String) -> Void
  /// Whether the log has told the operator that the file is not in its place.
  private let wasDisplaced = Atomic(false)

  init(
    _ file: SQLiteFile, cache: SessionCache, metrics: any MetricsFactory, log: @escaping @Sendable (String) -> Void
  ) {
    commitSize = metrics.histogram(.commitSize)
    self.file = file
    self.cache = cache
    self.log = log
    checkpointer = SQLiteCheckpointer(file, log: log)
  }

  /// Starts the thread.
  func start() {
    checkpointer.start()
    Thread.start("usher.writer") { [self] in
      let batch = SQLiteBatch(file.writer)
      endLeases(batch)
      while let jobs = queue.dequeueBatch(timeout: Self.gatheringTime, gathering: { min($0, Self.gatheringLimit) }) {
        commit(jobs, batch)
      }
      checkpointer.stop()
      file.close(log)
      ended.signal()
    }
  }

  /// Ends the leases of an earlier process. Only one process at a time works on the file.
  private func endLeases(_ batch: SQLiteBatch) {
    do {
      try batch.transaction { try batch.endLeases() }
    } catch {
      // The leases end by themselves.
      log(Self.failure(error).sentence)
    }
  }

  /// Refuses new changes, commits the pending ones, and closes the file. Blocks until that is done.
  func stop() {
    queue.close()
    ended.wait()
    ended.signal()
  }

  /// Commits a change, and returns the number of rows that it has changed once it is durable.
  func write(_ change: SQLiteChange) async throws(StoreError) -> Int { try await answer(change).rows }

  /// Claims due work, and returns it once the claims are durable.
  func claim(_ search: WorkSearch) async throws(StoreError) -> [ClaimedWork] {
    guard case .work(let claimed) = try await answer(.claim(search)) else { return [] }
    return claimed
  }

  /// Ends sessions of an owner, and returns their keys once their ends are durable.
  func endSessions(of owner: SessionOwner, forgetAt: Timestamp) async throws(StoreError) -> [SessionKey] {
    guard case .ended(let keys) = try await answer(.endOwned(owner, forgetAt: forgetAt)) else { return [] }
    return keys
  }

  /// Ends sessions of a definition, and returns their keys once their ends are durable.
  func endSessions(
    definedBy digest: DefinitionDigest, forgetAt: Timestamp
  ) async throws(StoreError) -> [SessionKey] {
    guard case .ended(let keys) = try await answer(.endDefined(digest, forgetAt: forgetAt)) else { return [] }
    return keys
  }

  /// Delivers a signal, and returns the result once it is durable.
  func deliver(_ signal: KeyedSignal, at now: Timestamp) async throws(StoreError) -> KeyedDelivery {
    guard case .keyedDelivery(let delivery) = try await answer(.deliverKeyed(signal, now: now)) else { return .full }
    return delivery
  }

  private func answer(_ change: SQLiteChange) async throws(StoreError) -> SQLiteAnswer {
    try await withUnsafeContinuation { (written: UnsafeContinuation<Result<SQLiteAnswer, StoreError>, Never>) in
      write(change) { written.resume(returning: $0) }
    }.get()
  }

  /// Commits a change, and passes its answer to `completion` once it is durable.
  func write(_ change: SQLiteChange, then completion: @escaping @Sendable (Result<SQLiteAnswer, StoreError>) -> Void) {
    if !queue.enqueue(Job(change, completion)) { completion(.failure(SQLiteFile.closed)) }
  }

  private func commit(_ jobs: [Job], _ batch: SQLiteBatch) {
    if let message = file.displacement {
      if !wasDisplaced.exchange(true, ordering: .relaxed) { log(message) }
      for job in jobs { job.completion(.failure(.displaced(message))) }
      return
    }
    if wasDisplaced.exchange(false, ordering: .relaxed) {
      log("The session file is back in its place. Writes succeed again.")
    }
    // Claims come first, in a transaction of their own: those of events write nothing, and need not wait for the disk.
    // A purge comes last, outside of a transaction.
    let (claims, others) = jobs.partitioned { if case .claim = $0.change { true } else { false } }
    let (purges, writes) = others.partitioned { if case .purge = $0.change { true } else { false } }
    for jobs in [claims, writes] where !jobs.isEmpty {
      complete(jobs) { try writeDurably(jobs[...], batch) }
    }
    if !purges.isEmpty {
      complete(purges) {
        try rewriteFile()
        return purges.map { _ in .success(.rows(0)) }
      }
    }
  }

  /// Passes the answers of a batch to its callers.
  private func complete(_ jobs: [Job], by body: () throws -> [Result<SQLiteAnswer, StoreError>]) {
    switch Result(catching: body) {
    case .success(let results):
      commitSize.record(jobs.count)
      for (job, result) in zip(jobs, results) { job.completion(result) }
      checkpointer.didCommit()
    case .failure(let error):
      let failure = Self.failure(error)
      log(failure.sentence)
      for job in jobs { job.completion(.failure(failure)) }
    }
  }

  /// Rewrites the session file, and empties the log. SQLite overwrites what it deletes (`secure_delete`), but a page
  /// whose rows it has rearranged may keep an earlier copy of them in its free space.
  private func rewriteFile() throws {
    try file.writer.execute("VACUUM")
    try file.writer.checkpoint(.truncate)
  }

  private static func failure(_ error: any Error) -> StoreError {
    SQLiteFile.storeError(error, "The session file cannot be written")
  }

  /// Commits a batch. Work that it claims is on disk afterwards, with the write that requested the work: its effects
  /// must not be visible to the outside if a power failure undoes that write. So is a signal, whose sender does not
  /// repeat it, and the secret, with which addresses are made.
  private func writeDurably(_ jobs: ArraySlice<Job>, _ batch: SQLiteBatch) throws -> [Result<SQLiteAnswer, StoreError>]
  {
    let results = try write(jobs, batch)
    guard !file.syncsCommits else { return results }
    let isKnownOutside = zip(jobs, results).contains { job, result in
      switch (job.change, result) {
      case (_, .success(.work(let claimed))): claimed.contains { $0.lane != .events }
      case (.deliver, .success(.rows(1))), (.deliverKeyed, .success), (.keepSecret, .success): true
      default: false
      }
    }
    if isKnownOutside { try file.syncLog() }
    return results
  }

  /// Commits a batch. If one of its changes meets a damaged page, commits each half by itself, and so on, so that only
  /// that change fails. If this throws any other error, a part of the batch may have been committed.
  private func write(_ jobs: ArraySlice<Job>, _ batch: SQLiteBatch) throws -> [Result<SQLiteAnswer, StoreError>] {
    do {
      let results = try batch.transaction { try jobs.map { try batch.apply($0.change) } }
      for (job, result) in zip(jobs, results) { updateCache(job.change, result) }
      return results.map { .success($0) }
    } catch  where SQLiteFile.isCorruption(error) {
      guard jobs.count > 1 else { return [try writeRows(of: jobs[jobs.startIndex].change, batch, after: error)] }
      let middle = jobs.startIndex + jobs.count / 2
      return try write(jobs[..<middle], batch) + write(jobs[middle...], batch)
    }
  }

  /// Commits a claim or a sweep's change row by row where necessary. Rows on a damaged page stay as they are.
  private func writeRows(
    of change: SQLiteChange, _ batch: SQLiteBatch, after error: any Error
  ) throws -> Result<SQLiteAnswer, StoreError> {
    do {
      if case .claim(let search) = change { return .success(.work(try claimRows(search, batch))) }
      let rows = try batch.sessions(dueFor: change, limit: Self.searchLimit)
      return rows.isEmpty ? .failure(Self.failure(error)) : .success(.rows(try sweep(rows[...], by: change, batch)))
    } catch  where SQLiteFile.isCorruption(error) {
      return .failure(Self.failure(error))
    }
  }

  /// Applies a sweep's change to undamaged rows, up to the size of a sweep.
  private func sweep(_ rows: ArraySlice<Int64>, by change: SQLiteChange, _ batch: SQLiteBatch) throws -> Int {
    var rows = rows
    var written = 0
    while written < StoreLimits.sweepBatch, !rows.isEmpty {
      let next = rows.prefix(StoreLimits.sweepBatch - written)
      written += try write(change, to: next, batch)
      rows = rows.dropFirst(next.count)
    }
    return written
  }

  private func claimRows(_ search: WorkSearch, _ batch: SQLiteBatch) throws -> [ClaimedWork] {
    // The transaction that has met the damage has undone this.
    batch.leases.prepare(at: search.now)
    return try search.claim(from: try batch.lanes(of: search)) { lane, limit in
      var claimed: [ClaimedWork] = []
      for work in try batch.dueWork(search, in: lane, limit: Self.searchLimit) where claimed.count < limit {
        do {
          claimed += try batch.transaction { try batch.claim(work, search) }
        } catch  where SQLiteFile.isCorruption(error) {
          continue
        }
      }
      return claimed
    }
  }

  private func write(_ change: SQLiteChange, to rows: ArraySlice<Int64>, _ batch: SQLiteBatch) throws -> Int {
    do {
      return try batch.transaction { try rows.reduce(0) { $0 + (try batch.apply(change, to: $1)) } }
    } catch  where SQLiteFile.isCorruption(error) {
      guard rows.count > 1 else { return 0 }
      let middle = rows.startIndex + rows.count / 2
      return try write(change, to: rows[..<middle], batch) + write(change, to: rows[middle...], batch)
    }
  }

  /// Updates the cache after a commit, before the callers resume.
  private func updateCache(_ change: SQLiteChange, _ answer: SQLiteAnswer) {
    switch (change, answer) {
    case (.insert(let session, _), .rows(1)): cache.insert(written: session)
    case (.replace(_, let next), .rows(1)): cache.update(written: next)
    case (.delete(let session, _), .rows(1)): cache.remove(session.key)
    case (.endOwned, .ended(let keys)), (.endDefined, .ended(let keys)): for key in keys { cache.remove(key) }
    default: break
    }
  }
}

extension Array {
  /// Returns the elements that match a condition, and the others, in their order.
  fileprivate func partitioned(by condition: (Element) -> Bool) -> (matching: [Element], others: [Element]) {
    // Most batches have none.
    guard contains(where: condition) else { return ([], self) }
    return (filter(condition), filter { !condition($0) })
  }
}
