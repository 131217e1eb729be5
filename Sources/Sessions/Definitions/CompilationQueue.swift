internal import Dispatch
internal import Synchronization

/// Compiles definitions away from the threads of requests, the smallest first.
///
/// Two are compiled at a time, so that a large one delays no smaller one, and other cores are left to requests.
final class CompilationQueue: Sendable {
  private static let width = 2

  private struct Job {
    let size: Int
    let work: @Sendable () -> Void
  }

  private struct State {
    var waiting: [Job] = []
    var runningCount = 0
  }

  private let state = Mutex(State())

  var waitingCount: Int { state.withLock { $0.waiting.count } }
  var runningCount: Int { state.withLock { $0.runningCount } }

  /// - Parameter size: the size of the files in bytes, to which the time of a compilation is proportional.
  func run<Result: Sendable>(size: Int, _ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      let isStart = state.withLock { state in
        state.waiting.append(Job(size: size) { continuation.resume(returning: work()) })
        guard state.runningCount < Self.width else { return false }
        state.runningCount += 1
        return true
      }
      if isStart { DispatchQueue.global().async { while let job = self.next() { job.work() } } }
    }
  }

  /// Returns the smallest job. Without one, the thread ends.
  private func next() -> Job? {
    state.withLock { state in
      guard let index = state.waiting.indices.min(by: { state.waiting[$0].size < state.waiting[$1].size }) else {
        state.runningCount -= 1
        return nil
      }
      return state.waiting.remove(at: index)
    }
  }
}
