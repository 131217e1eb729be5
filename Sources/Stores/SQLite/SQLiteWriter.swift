internal import CoreMetrics
internal import Dispatch
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

  /// The kinds of changes, in the order in which a batch applies them.
  enum Kind: CaseIterable {
    /// First, in a transaction with other claims: those of events write nothing, and need not wait for the disk.
    case claim
    case write
    /// Last, after the file was rewritten outside of a transaction.
    case purge
  }

  /// A change, and the function that receives its answer. The job is an object, because a batch passes it on several
  /// times.
  private final class Job: Sendable {
    let kind: Kind
    /// Applies the change, and returns the function that passes its answer on.
    ///
    /// - Parameter damage: the error of a damaged page that the change has met alone, in a transaction that was undone.
    let apply: @Sendable (_ batch: SQLiteBatch, _ damage: (any Error)?) throws -> () -> Void
    let fail: @Sendable (StoreError) -> Void

    init<Answer: Sendable>(
      _ kind: Kind, _ change: @escaping @Sendable (SQLiteBatch) throws -> Answer,
      _ rowByRow: @escaping @Sendable (SQLiteBatch, any Error) throws -> Answer,
      _ completion: @escaping @Sendable (Result<Answer, StoreError>) -> Void
    ) {
      self.kind = kind
      apply = { batch, damage in
        let answer = if let damage { try rowByRow(batch, damage) } else { try change(batch) }
        return { completion(.success(answer)) }
      }
      fail = { completion(.failure($0)) }
    }
  }

  private let file: SQLiteFile
  private let cache: SessionCache
  private let queue = JobQueue<Job>()
  private let checkpointer: SQLiteCheckpointer
  private let thread = DispatchGroup()
  private let commitSize: Recorder
  private let log: @Sendable (String) -> Void
  /// Whether the log has told the operator that the file is not at its path.
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
    thread.startThread("usher.writer") { [self] in
      let batch = SQLiteBatch(file.writer, cache)
      do {
        // The leases of an earlier process, because only one process at a time works on the file.
        try batch.connection.run("UPDATE work SET lease = 0, due_at = 0 WHERE lease <> 0")
      } catch {
        // The leases end by themselves.
        log(Self.failure(error).sentence)
      }
      while let jobs = queue.dequeueBatch(timeout: Self.gatheringTime, gathering: { min($0, Self.gatheringLimit) }) {
        commit(jobs, batch)
      }
      checkpointer.stop()
      file.close(log)
    }
  }

  /// Refuses new changes, commits the pending ones, and closes the file. Blocks until that is done.
  func stop() {
    queue.close()
    thread.wait()
  }

  /// Commits a change, and returns its answer once it is durable.
  ///
  /// - Parameters:
  ///   - change: applies the change in a transaction, which others may share.
  ///   - rowByRow: applies the change in transactions of its own after it has met a damaged page, whose rows stay as they
  ///     are. Throws the error if that is not possible.
  func write<Answer: Sendable>(
    _ change: @escaping @Sendable (SQLiteBatch) throws -> Answer, as kind: Kind = .write,
    rowByRow: @escaping @Sendable (SQLiteBatch, any Error) throws -> Answer = { _, damage in throw damage }
  ) async throws(StoreError) -> Answer {
    try await awaitAnswer { write(change, as: kind, rowByRow: rowByRow, then: $0) }
  }

  /// Commits a change, and passes its answer to `completion` once it is durable.
  func write<Answer: Sendable>(
    _ change: @escaping @Sendable (SQLiteBatch) throws -> Answer, as kind: Kind = .write,
    rowByRow: @escaping @Sendable (SQLiteBatch, any Error) throws -> Answer = { _, damage in throw damage },
    then completion: @escaping @Sendable (Result<Answer, StoreError>) -> Void
  ) {
    if !queue.enqueue(Job(kind, change, rowByRow, completion)) { completion(.failure(SQLiteFile.closed)) }
  }

  private func commit(_ jobs: [Job], _ batch: SQLiteBatch) {
    if let message = file.displacement {
      if !wasDisplaced.exchange(true, ordering: .relaxed) { log(message) }
      for job in jobs { job.fail(.displaced(message)) }
      return
    }
    if wasDisplaced.exchange(false, ordering: .relaxed) {
      log("The session file is back in its place. Writes succeed again.")
    }
    for kind in Kind.allCases {
      let jobs = jobs.filter { $0.kind == kind }
      if jobs.isEmpty { continue }
      complete(jobs) {
        guard kind == .purge else { return try writeDurably(jobs[...], batch) }
        try rewriteFile()
        return try jobs.map { try $0.apply(batch, nil) }
      }
    }
  }

  /// Passes the answers of a batch to its callers.
  private func complete(_ jobs: [Job], by body: () throws -> [() -> Void]) {
    switch Result(catching: body) {
    case .success(let answers):
      commitSize.record(jobs.count)
      for answer in answers { answer() }
      checkpointer.didCommit()
    case .failure(let error):
      let failure = Self.failure(error)
      log(failure.sentence)
      for job in jobs { job.fail(failure) }
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

  /// Commits a batch. Claims of effects, signals and the secret are on disk afterwards, with the writes before them:
  /// the effects of claimed work must not be visible to the outside if a power failure undoes the write that requested
  /// the work.
  private func writeDurably(_ jobs: ArraySlice<Job>, _ batch: SQLiteBatch) throws -> [() -> Void] {
    batch.mustBeDurable = false
    let answers = try write(jobs, batch)
    if batch.mustBeDurable, !file.syncsCommits { try file.syncLog() }
    return answers
  }

  /// Commits a batch. If one of its changes meets a damaged page, commits each half by itself, and so on, so that only
  /// that change fails. If this throws any other error, a part of the batch may have been committed.
  private func write(_ jobs: ArraySlice<Job>, _ batch: SQLiteBatch) throws -> [() -> Void] {
    do {
      return try batch.transaction { try jobs.map { try $0.apply(batch, nil) } }
    } catch  where SQLiteFile.isCorruption(error) {
      if jobs.count > 1 {
        let middle = jobs.startIndex + jobs.count / 2
        return try write(jobs[..<middle], batch) + write(jobs[middle...], batch)
      }
      return try jobs.map { job in
        do {
          return try job.apply(batch, error)
        } catch  where SQLiteFile.isCorruption(error) {
          return { job.fail(Self.failure(error)) }
        }
      }
    }
  }
}
