internal import Dispatch
internal import Sessions
internal import Values

/// The threads that read a session file.
final class SQLiteReader: Sendable {
  /// The number of threads, and therefore of concurrent reads from disk.
  static let threadCount = 4

  private typealias Job = @Sendable (SQLiteConnection) -> Void

  private let file: SQLiteFile
  private let queue = JobQueue<Job>()
  private let threads = DispatchGroup()

  init(_ file: SQLiteFile) { self.file = file }

  func start() {
    for connection in file.readers {
      threads.startThread("usher.reader") { [self] in while let job = queue.dequeue() { job(connection) } }
    }
  }

  /// Refuses new reads, and blocks until the pending ones are done.
  func stop() {
    queue.close()
    threads.wait()
  }

  /// Returns what `body` reads, as of one commit.
  func read<R: Sendable>(_ body: @escaping @Sendable (SQLiteConnection) throws -> R) async throws(StoreError) -> R {
    try await awaitAnswer { completion in
      let isOpen = queue.enqueue { [self] connection in completion(result(of: body, connection)) }
      if !isOpen { completion(.failure(SQLiteFile.closed)) }
    }
  }

  private func result<R>(
    of body: (SQLiteConnection) throws -> R, _ connection: SQLiteConnection
  ) -> Result<R, StoreError> {
    if let message = file.displacement { return .failure(.displaced(message)) }
    do {
      return .success(try connection.snapshot { try body(connection) })
    } catch let error as ValueError {
      return .failure(.undecodable(error, in: "The session file"))
    } catch {
      return .failure(SQLiteFile.storeError(error, "The session file cannot be read"))
    }
  }
}
