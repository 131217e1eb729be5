internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Moves what was written from SQLite's log to the file now and then, so that the log stays short.
///
/// A thread of its own does most of that while others write. What came meanwhile the writer moves itself, because only when
/// nothing is left the log starts anew.
final class SQLiteCheckpoints: Sendable {
  /// Pages in the log that are worth it: 16 MiB.
  private static let pageLimit = 4096
  /// Pages from which on writing waits for those who read the log.
  private static let urgentLimit = 16 * pageLimit

  private enum Stage: UInt8, AtomicRepresentable {
    case waiting
    /// The thread is at it.
    case moving
    /// The thread has moved most; the rest is the writer's.
    case moved
  }

  private let file: SQLiteFile
  private let log: @Sendable (String) -> Void
  private let pages = Atomic<Int>(0)
  /// Where the next move begins; grows while readers keep the log from starting anew.
  private let threshold = Atomic<Int>(pageLimit)
  private let stage = Atomic<Stage>(.waiting)
  private let isStopped = Atomic<Bool>(false)
  private let wake = DispatchSemaphore(value: 0)
  private let stopped = DispatchSemaphore(value: 0)

  init(_ file: SQLiteFile, log: @escaping @Sendable (String) -> Void) {
    self.file = file
    self.log = log
  }

  func start() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    file.pool.unsafeReentrantWrite { connection in
      _ = sqlite3_wal_hook(
        connection.sqliteConnection,
        { context, _, _, pages in
          let checkpoints = Unmanaged<SQLiteCheckpoints>.fromOpaque(context!).takeUnretainedValue()
          checkpoints.pages.store(Int(pages), ordering: .relaxed)
          return SQLITE_OK
        }, context)
    }
    Thread.start("usher.checkpoint") { [self] in
      while true {
        wake.wait()
        if isStopped.load(ordering: .acquiring) { break }
        report { try file.checkpoints.inDatabase { _ = try $0.checkpoint(.passive) } }
        stage.store(.moved, ordering: .releasing)
      }
      stopped.signal()
    }
  }

  func stop() {
    isStopped.store(true, ordering: .releasing)
    wake.signal()
    stopped.wait()
  }

  /// To be called by the writer after each commit, outside of its transaction.
  func committed() {
    let count = pages.load(ordering: .relaxed)
    switch stage.load(ordering: .acquiring) {
    case .waiting:
      if count < Self.pageLimit { threshold.store(Self.pageLimit, ordering: .relaxed) }
      guard count >= threshold.load(ordering: .relaxed) else { return }
      stage.store(.moving, ordering: .relaxed)
      wake.signal()
    case .moving:
      break
    case .moved:
      report {
        try file.pool.writeWithoutTransaction { connection in
          _ = try connection.checkpoint(count >= Self.urgentLimit ? .restart : .passive)
        }
      }
      threshold.store(count + Self.pageLimit, ordering: .relaxed)
      stage.store(.waiting, ordering: .relaxed)
    }
  }

  private func report(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      log("The session file's log could not be moved: \(SQLiteFile.sentence(error))")
    }
  }
}
