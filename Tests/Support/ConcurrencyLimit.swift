import Synchronization
import Testing

/// Runs few tests at a time. swift-testing begins all that there are at once, and each of these has a store or a server of its own
/// with threads of its own.
struct ConcurrencyLimit: SuiteTrait, TestTrait, TestScoping {
  private static let tests = AsyncSemaphore(count: 8)

  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Self.tests.wait()
    defer { Self.tests.signal() }
    try await function()
  }
}

extension Trait where Self == ConcurrencyLimit {
  /// For suites whose tests start threads.
  static var limitedConcurrency: Self { ConcurrencyLimit() }
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
