import Synchronization

/// The answers of all connections that are suspended.
///
/// The connection inserts its answer once it is suspended, and removes it when it sends the answer or ends, which it does only after
/// it was resumed. So once `close` is over and its answers are settled, no connection is suspended any more.
final class PendingAnswers: Sendable {
  private struct Item {
    let answer: PendingAnswer
    let began: MonotonicTime
    let deadline: MonotonicTime
  }

  private struct State {
    var answers: [ObjectIdentifier: Item] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.answers.count } }

  /// False once closed: the caller then settles the answer itself.
  func insert(_ answer: PendingAnswer, for patience: Int64) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      let now = MonotonicTime.now
      state.answers[ObjectIdentifier(answer)] = Item(answer: answer, began: now, deadline: now + patience)
      return true
    }
  }

  /// - Returns: since when it was suspended; nil where it was not.
  @discardableResult
  func remove(_ answer: PendingAnswer) -> MonotonicTime? {
    state.withLock { $0.answers.removeValue(forKey: ObjectIdentifier(answer))?.began }
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
