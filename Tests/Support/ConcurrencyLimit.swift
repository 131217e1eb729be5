import Foundation
import Synchronization
import Testing

/// Runs few tests at a time. swift-testing begins all that there are at once, and each of these has a store or a server of its own
/// with threads of its own.
struct ConcurrencyLimit: SuiteTrait, TestTrait, TestScoping {
  private static let tests = AsyncSemaphore(count: 8)
  private static let blockingTests = AsyncSemaphore(count: 4)

  fileprivate let isBlocking: Bool
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let places = isBlocking ? Self.blockingTests : Self.tests
    await places.wait()
    defer { places.signal() }
    try await withTaskExecutorPreference(isBlocking ? ThreadPerJob.shared : nil) { try await function() }
  }
}

extension Trait where Self == ConcurrencyLimit {
  /// For suites whose tests start threads.
  static var limitedConcurrency: Self { ConcurrencyLimit(isBlocking: false) }

  /// For suites whose tests block their threads. Swift's own pool has as many threads as there are processors: two such tests would
  /// keep every handler and every other test waiting for theirs.
  static var blocking: Self { ConcurrencyLimit(isBlocking: true) }
}

/// Runs every job on a new thread.
private final class ThreadPerJob: TaskExecutor {
  static let shared = ThreadPerJob()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }.start()
  }
}

private final class AsyncSemaphore: Sendable {
  private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

  init(count: Int) { state = Mutex((count, [])) }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func signal() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
