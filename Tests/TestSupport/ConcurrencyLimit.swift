internal import Foundation
internal import Synchronization
package import Testing

/// A trait that limits the number of tests that run at the same time. swift-testing starts all tests at once, and each
/// of these tests starts a store or a server with threads of its own.
package struct ConcurrencyLimit: SuiteTrait, TestTrait, TestScoping {
  // The limit of script/support/build.sh for all tests.
  private static let tests = AsyncSemaphore(count: 16)
  private static let blockingTests = AsyncSemaphore(count: 8)

  fileprivate let isBlocking: Bool
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let places = isBlocking ? Self.blockingTests : Self.tests
    await places.wait()
    defer { places.signal() }
    try await withTaskExecutorPreference(isBlocking ? ThreadPerJob.shared : nil) { try await function() }
  }
}

extension Trait where Self == ConcurrencyLimit {
  /// The limit for suites whose tests start threads.
  package static var limitedConcurrency: Self { ConcurrencyLimit(isBlocking: false) }

  /// The limit for suites whose tests block their threads. Each job runs on a new thread: Swift's pool has one thread
  /// per processor, so that a few blocking tests would stall all others.
  package static var blocking: Self { ConcurrencyLimit(isBlocking: true) }
}

/// An executor that runs every job on a new thread.
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
