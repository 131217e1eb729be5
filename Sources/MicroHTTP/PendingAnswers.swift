import Synchronization

/// The answers of all connections that were suspended.
///
/// An answer is removed only after it was settled, so once `close` is over and its answers are settled, no
/// connection is suspended any more.
final class PendingAnswers: Sendable {
  private struct State {
    var answers: [ObjectIdentifier: (answer: PendingAnswer, deadline: MonotonicTime)] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  /// False once closed: the caller then settles the answer itself.
  func insert(_ answer: PendingAnswer, deadline: MonotonicTime) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.answers[ObjectIdentifier(answer)] = (answer, deadline)
      return true
    }
  }

  func remove(_ answer: PendingAnswer) {
    state.withLock { _ = $0.answers.removeValue(forKey: ObjectIdentifier(answer)) }
  }

  /// The answers whose deadline has passed.
  func overdue(at now: MonotonicTime) -> [PendingAnswer] {
    state.withLock { state in state.answers.values.filter { $0.deadline < now }.map(\.answer) }
  }

  /// All answers; no more are accepted.
  func close() -> [PendingAnswer] {
    state.withLock { state in
      state.isClosed = true
      return state.answers.values.map(\.answer)
    }
  }
}
