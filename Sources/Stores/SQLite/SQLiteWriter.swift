internal import CoreMetrics
internal import Foundation
internal import GRDB
internal import Observability
internal import Sessions

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
      file.close()
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
    let result = Result { try file.pool.writeWithoutTransaction { try write(jobs, $0) } }
    switch result {
    case .success(let results):
      commitSize.record(jobs.count)
      for (job, result) in zip(jobs, results) { job.done.resume(returning: .success(result)) }
      checkpoints.committed()
    case .failure(let error):
      let reason = "The session file cannot be written: \(SQLiteFile.sentence(error))"
      log(reason)
      for job in jobs { job.done.resume(returning: .failure(.unavailable(reason))) }
    }
  }

  /// Writes a batch and waits for the disk. Where it throws, nothing was written.
  private func write(_ jobs: [SQLiteJob], _ connection: Database) throws -> [Int] {
    try connection.beginTransaction(.immediate)
    do {
      let batch = SQLiteBatch(statements: SQLiteStatements(connection: connection))
      var results: [Int] = []
      results.reserveCapacity(jobs.count)
      for job in jobs { results.append(try batch.write(job.write)) }
      try connection.commit()
      for (job, result) in zip(jobs, results) { keep(job.write, result) }
      return results
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
