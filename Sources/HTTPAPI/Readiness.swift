internal import Sessions
internal import Synchronization

/// Whether load balancers should send requests to the service. The service also serves the requests that arrive while
/// it is not ready.
///
/// All APIs of one store share one instance, and therefore the probes of the store.
public final class Readiness: Sendable {
  let storeProbe: StoreProbe
  private let draining = Atomic(false)

  public convenience init() { self.init(storeProbe: StoreProbe()) }

  init(storeProbe: StoreProbe) { self.storeProbe = storeProbe }

  public var isDraining: Bool { draining.load(ordering: .relaxed) }

  /// Makes `/readyz` report that the service is not ready.
  public func drain() { draining.store(true, ordering: .relaxed) }
}

/// Checks whether a store can be read and written, at most once per interval, and shares the result among all callers.
///
/// A probe of a durable store costs a commit, and any client may request `/readyz`.
final class StoreProbe: Sendable {
  struct Result: Sendable {
    /// The failure; nil if the store is ready.
    let failure: StoreError?
    /// The time that the store took to answer or, if it did not answer, the time that the probe waited.
    let duration: Duration
  }

  private struct State {
    /// The start of the latest probe.
    var began: ContinuousClock.Instant?
    /// Whether the store has not answered the latest probe yet.
    var isPending = false
    /// The result of the latest probe; nil until the store has answered or the timeout has passed.
    var result: Result?
    var callers: [UnsafeContinuation<Result, Never>] = []
  }

  private let interval: Duration
  private let timeout: Duration
  private let state = Mutex(State())

  /// - Parameters:
  ///   - interval: the minimum time between the starts of two probes.
  ///   - timeout: the time that callers wait for the store. Orchestrators often limit a health check to one second,
  ///     including the time for the connection.
  init(interval: Duration = .seconds(1), timeout: Duration = .milliseconds(900)) {
    self.interval = interval
    self.timeout = timeout
  }

  /// Returns the result of the latest probe, or of a new one if it is due. A store that does not answer is not probed
  /// again until it does.
  func result(of store: any SessionStore) async -> Result {
    await withUnsafeContinuation { caller in
      let (known, due) = state.withLock { state -> (Result?, ContinuousClock.Instant?) in
        let now = ContinuousClock.now
        let isDue = !state.isPending && state.began.map { $0.duration(to: now) >= interval } ?? true
        if isDue { (state.began, state.isPending, state.result) = (now, true, nil) }
        if state.result == nil { state.callers.append(caller) }
        return (state.result, isDue ? now : nil)
      }
      if let known { caller.resume(returning: known) }
      if let due { begin(store, at: due) }
    }
  }

  private func begin(_ store: any SessionStore, at start: ContinuousClock.Instant) {
    let timer = Task {
      guard (try? await Task.sleep(for: timeout)) != nil else { return }
      settle(Result(failure: .unavailable("The store has not answered for \(timeout)."), duration: timeout), of: start)
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
      // A late timer: the store has answered, or the next probe has started.
      guard state.began == start, state.isPending else { return [] }
      if isAnswer { state.isPending = false }
      state.result = result
      defer { state.callers = [] }
      return state.callers
    }
    for caller in callers { caller.resume(returning: result) }
  }
}
