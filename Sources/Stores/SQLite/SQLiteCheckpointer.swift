internal import Dispatch
internal import Synchronization

/// The thread that moves committed pages from SQLite's write-ahead log (WAL) to the session file, so that the log stays
/// short.
///
/// The thread moves most pages while the writer goes on. The writer moves the pages that were committed meanwhile,
/// because SQLite restarts the log only when all its pages have been moved.
final class SQLiteCheckpointer: Sendable {
  /// The pages in the log that start a checkpoint: 16 MiB.
  private static let pageLimit = 4096
  /// The pages in the log above which the writer waits for the log's readers.
  private static let urgentLimit = 16 * pageLimit

  private enum Stage: UInt8, AtomicRepresentable {
    /// No checkpoint is in progress.
    case idle
    /// The thread moves pages.
    case moving
    /// The thread has moved most pages. The writer has to move the rest.
    case moved
  }

  private let file: SQLiteFile
  private let log: @Sendable (String) -> Void
  private let pages = Atomic<Int>(0)
  /// The pages that start the next checkpoint. The number grows while readers keep SQLite from restarting the log.
  private let threshold = Atomic<Int>(pageLimit)
  private let stage = Atomic<Stage>(.idle)
  /// A job for each checkpoint that is due.
  private let queue = JobQueue<Void>()
  private let thread = DispatchGroup()

  init(_ file: SQLiteFile, log: @escaping @Sendable (String) -> Void) {
    self.file = file
    self.log = log
  }

  func start() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    file.writer.observeLog(context) { context, _, _, pages in
      let checkpointer = Unmanaged<SQLiteCheckpointer>.fromOpaque(context!).takeUnretainedValue()
      checkpointer.pages.store(Int(pages), ordering: .relaxed)
      return 0
    }
    thread.startThread("usher.checkpoint") { [self] in
      while queue.dequeue() != nil {
        logFailure { try file.checkpoints.checkpoint(.passive) }
        stage.store(.moved, ordering: .releasing)
      }
    }
  }

  /// Stops the thread, and blocks until it has ended.
  func stop() {
    queue.close()
    thread.wait()
  }

  /// Starts or completes a checkpoint if one is due. The writer calls this after each commit, outside of a transaction.
  func didCommit() {
    let count = pages.load(ordering: .relaxed)
    switch stage.load(ordering: .acquiring) {
    case .idle:
      if count < Self.pageLimit { threshold.store(Self.pageLimit, ordering: .relaxed) }
      guard count >= threshold.load(ordering: .relaxed) else { return }
      stage.store(.moving, ordering: .relaxed)
      _ = queue.enqueue(())
    case .moving:
      break
    case .moved:
      logFailure { try file.writer.checkpoint(count >= Self.urgentLimit ? .restart : .passive) }
      threshold.store(count + Self.pageLimit, ordering: .relaxed)
      stage.store(.idle, ordering: .relaxed)
    }
  }

  private func logFailure(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      log(file.checkpointFailure(error))
    }
  }
}
