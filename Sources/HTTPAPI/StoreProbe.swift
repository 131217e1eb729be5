internal import Sessions
internal import Synchronization

/// Asks a store whether it can be read and written, at most once an interval, and shares the answer among all callers: a probe of a
/// durable store costs a commit, and anybody may ask.
final class StoreProbe: Sendable {
  struct Result: Sendable {
    /// Nil where the store is ready.
    let failure: StoreError?
    /// How long the store took; where it did not answer, how long the probe waited for it.
    let duration: Duration
  }

  private struct State {
    /// When the latest probe began.
    var began: ContinuousClock.Instant?
    /// Whether the store has yet to answer the latest probe.
    var isUnderWay = false
    /// The result of the latest probe; nil until the store has answered or `timeout` has passed.
    var result: Result?
    var waiting: [UnsafeContinuation<Result, Never>] = []
  }

  private let interval: Duration
  private let timeout: Duration
  private let state = Mutex(State())

  /// - Parameters:
  ///   - interval: from the beginning of one probe to that of the next.
  ///   - timeout: how long callers wait for the store. Orchestrators give a health check one second, from which the connection takes
  ///     its part.
  init(interval: Duration = .seconds(1), timeout: Duration = .milliseconds(900)) {
    self.interval = interval
    self.timeout = timeout
  }

  /// The result of the latest probe, or of a new one if that is due. A store that does not answer is asked nothing more until it does.
  func result(of store: any SessionStore) async -> Result {
    await withUnsafeContinuation { caller in
      let (known, due) = state.withLock { state -> (Result?, ContinuousClock.Instant?) in
        let now = ContinuousClock.now
        let isDue = !state.isUnderWay && state.began.map { $0.duration(to: now) >= interval } ?? true
        if isDue { (state.began, state.isUnderWay, state.result) = (now, true, nil) }
        if state.result == nil { state.waiting.append(caller) }
        return (state.result, isDue ? now : nil)
      }
      if let known { caller.resume(returning: known) }
      if let due { begin(store, at: due) }
    }
  }

  private func begin(_ store: any SessionStore, at start: ContinuousClock.Instant) {
    let timer = Task {
      guard (try? await Task.sleep(for: timeout)) != nil else { return }
      let sentence = "The store has not answered for \(timeout)."
      settle(Result(failure: .unavailable(sentence), duration: timeout), of: start)
    }
    Task {
      var failure: StoreError?
      do throws(StoreError) { try await store.checkReady() } catch { failure = error }
      timer.cancel()
      settle(Result(failure: failure, duration: start.duration(to: .now)), of: start, isAnswer: true)
    }
  }

  private func settle(_ result: Result, of start: ContinuousClock.Instant, isAnswer: Bool = false) {
    let callers = state.withLock { state -> [UnsafeContinuation<Result, Never>] in
      // The timer may be late: the store has answered, or the next probe has begun.
      guard state.began == start, state.isUnderWay else { return [] }
      if isAnswer { state.isUnderWay = false }
      state.result = result
      defer { state.waiting = [] }
      return state.waiting
    }
    for caller in callers { caller.resume(returning: result) }
  }
}
