internal import CoreMetrics
internal import Foundation
internal import GRDB
internal import Observability
internal import Sessions
internal import Synchronization

/// The thread that writes a session file. What comes while it commits is committed next, all at once: so the wait for the disk
/// is shared by as many as wait for it.
final class SQLiteWriter: Sendable {
  /// Changes in one transaction at most.
  private static let batchLimit = 512
  /// Nanoseconds that the first change of a batch waits for as many as there were lately: as long as one wait for the disk.
  private static let patience = 500_000

  private let file: SQLiteFile
  private let cache: SessionCache
  private let queue = JobQueue<SQLiteJob>()
  private let checkpoints: SQLiteCheckpoints
  private let ended = DispatchSemaphore(value: 0)
  private let commitSize: Recorder
  private let log: @Sendable (String) -> Void
  /// Whether the operator was told that the file is not in its place.
  private let wasDisplaced = Atomic(false)

  init(
    _ file: SQLiteFile, cache: SessionCache, metrics: any MetricsFactory, log: @escaping @Sendable (String) -> Void
  ) {
    commitSize = metrics.histogram(.commitSize)
    self.file = file
    self.cache = cache
    self.log = log
    checkpoints = SQLiteCheckpoints(file, log: log)
  }

  /// Begins to write; returns at once.
  func start() {
    checkpoints.start()
    Thread.start("usher.writer") { [self] in
      var sizes = (last: 1, before: 1)
      // Of the clients that wait, half come together in the next batch while the other half is answered.
      while let jobs = queue.take(
        atMost: Self.batchLimit, gathering: (sizes.last + sizes.before) / 2, patience: Self.patience)
      {
        sizes = (jobs.count, sizes.last)
        commit(jobs)
      }
      checkpoints.stop()
      file.close(log)
      ended.signal()
    }
  }

  /// Finishes what was asked for so far, and closes the file; everything else is refused. Blocks until it is done.
  func stop() {
    queue.close()
    ended.wait()
    ended.signal()
  }

  /// Has a change written: how many rows that were. The answer is there once it lasts.
  func write(_ change: SQLiteWrite) async throws(StoreError) -> Int {
    let result = await withUnsafeContinuation { (done: UnsafeContinuation<Result<Int, StoreError>, Never>) in
      if !queue.put(SQLiteJob(write: change, done: done)) {
        done.resume(returning: .failure(.unavailable("The session file is closed.")))
      }
    }
    return try result.get()
  }

  private func commit(_ jobs: [SQLiteJob]) {
    if let sentence = file.displacement {
      if !wasDisplaced.exchange(true, ordering: .relaxed) { log(sentence) }
      for job in jobs { job.done.resume(returning: .failure(.displaced(sentence))) }
      return
    }
    if wasDisplaced.exchange(false, ordering: .relaxed) {
      log("The session file is back where it was, and is written again.")
    }
    switch Result(catching: { try file.pool.writeWithoutTransaction { try write(jobs[...], $0) } }) {
    case .success(let results):
      commitSize.record(jobs.count)
      for (job, result) in zip(jobs, results) { job.done.resume(returning: result) }
      checkpoints.committed()
    case .failure(let error):
      let failure = SQLiteFile.storeError(error, "The session file cannot be written")
      log(failure.sentence)
      for job in jobs { job.done.resume(returning: .failure(failure)) }
    }
  }

  /// Writes a batch and waits for the disk. Where one of its changes meets a damaged page each half is written by itself, and so on,
  /// so that only that one fails. Where it throws anything else, some of the batch may have been written by then.
  private func write(_ jobs: ArraySlice<SQLiteJob>, _ connection: Database) throws -> [Result<Int, StoreError>] {
    do {
      let results = try transaction(connection) { batch in try jobs.map { try batch.write($0.write) } }
      for (job, result) in zip(jobs, results) { keep(job.write, result) }
      return results.map { .success($0) }
    } catch  where SQLiteFile.isDamage(error) {
      guard jobs.count > 1 else {
        return [try writeRows(of: jobs[jobs.startIndex].write, connection, after: error)]
      }
      let middle = jobs.startIndex + jobs.count / 2
      return try write(jobs[..<middle], connection) + write(jobs[middle...], connection)
    }
  }

  /// The same for a change of many rows: those on a damaged page stay as they are.
  private func writeRows(
    of change: SQLiteWrite, _ connection: Database, after error: any Error
  ) throws -> Result<Int, StoreError> {
    // Damaged rows are found again each time, and must not take the places of all others.
    var rows = try SQLiteBatch(connection).rows(of: change, limit: 50 * Sweeping.rowLimit)[...]
    guard !rows.isEmpty else { return .failure(SQLiteFile.storeError(error, "The session file cannot be written")) }
    var written = 0
    while written < Sweeping.rowLimit, !rows.isEmpty {
      let next = rows.prefix(Sweeping.rowLimit - written)
      written += try write(change, to: next, connection)
      rows = rows.dropFirst(next.count)
    }
    return .success(written)
  }

  private func write(_ change: SQLiteWrite, to rows: ArraySlice<Int64>, _ connection: Database) throws -> Int {
    do {
      return try transaction(connection) { batch in try rows.reduce(0) { $0 + (try batch.write(change, to: $1)) } }
    } catch  where SQLiteFile.isDamage(error) {
      guard rows.count > 1 else { return 0 }
      let middle = rows.startIndex + rows.count / 2
      return try write(change, to: rows[..<middle], connection) + write(change, to: rows[middle...], connection)
    }
  }

  /// Where it throws, nothing was written.
  private func transaction<R>(_ connection: Database, _ body: (SQLiteBatch) throws -> R) throws -> R {
    try connection.beginTransaction(.immediate)
    do {
      let result = try body(SQLiteBatch(connection))
      try connection.commit()
      return result
    } catch {
      if connection.isInsideTransaction { try? connection.rollback() }
      throw error
    }
  }

  /// Before anybody hears that it was written, the cache knows.
  private func keep(_ write: SQLiteWrite, _ rows: Int) {
    switch write {
    case .insert(let session, _): if rows == 1 { cache.keep(session) }
    case .replace(_, let next): if rows == 1 { cache.keep(next) }
    case .delete(let session, _): if rows == 1 { cache.drop(session.key) }
    case .endExpired, .forgetSessions, .forgetCreations, .probe: break
    }
  }
}
