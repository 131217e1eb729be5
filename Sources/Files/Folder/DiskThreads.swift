internal import Stores

extension BlockingThreads {
  /// The threads of a store that waits for a disk.
  static func forFiles() -> BlockingThreads { BlockingThreads("usher.files", count: 4) }

  /// Returns the result of a job that waits for a disk.
  func run<R: Sendable>(
    _ job: @escaping @Sendable () throws(FileStoreError) -> R
  ) async throws(FileStoreError) -> R {
    try await withUnsafeContinuation { (answered: UnsafeContinuation<Result<R, FileStoreError>, Never>) in
      let isOpen = add { answered.resume(returning: Result(catching: job)) }
      if !isOpen { answered.resume(returning: .failure(.closed)) }
    }.get()
  }
}
