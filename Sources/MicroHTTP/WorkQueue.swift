import Synchronization

/// Requests that wait for a worker thread, at most `limit` of them.
final class WorkQueue: Sendable {
  private struct State {
    var answers: [PendingAnswer?] = []
    var next = 0
    var reserved = 0
    var isClosed = false
  }

  private let limit: Int
  private let state = Mutex(State())
  private let available = Semaphore()

  init(limit: Int) {
    self.limit = limit
  }

  /// Keeps a place for a job to come; false when there is none. The connection is suspended in between, because the
  /// work may be done before `put` returns.
  func reserve() -> Bool {
    state.withLock { state in
      guard !state.isClosed, state.answers.count - state.next + state.reserved < limit else { return false }
      state.reserved += 1
      return true
    }
  }

  /// Fills the place that `reserve` kept.
  func put(_ answer: PendingAnswer) {
    state.withLock { state in
      state.reserved -= 1
      state.answers.append(answer)
    }
    available.signal()
  }

  /// Gives back the place that `reserve` kept.
  func giveBack() {
    state.withLock { $0.reserved -= 1 }
  }

  /// The next request, waiting for one; nil once the queue is closed.
  func take() -> PendingAnswer? {
    available.wait()
    return state.withLock { state in
      guard !state.isClosed, state.next < state.answers.count else { return nil }
      let answer = state.answers[state.next]
      state.answers[state.next] = nil
      state.next += 1
      if state.next == state.answers.count || state.next >= 1024 {
        state.answers.removeFirst(state.next)
        state.next = 0
      }
      return answer
    }
  }

  /// Ends every `take`, of which there are at most `takers` at once, and drops the requests that are left.
  func close(takers: Int) {
    state.withLock { state in
      state.isClosed = true
      state.answers = []
      state.next = 0
    }
    for _ in 0..<takers { available.signal() }
  }
}
