import Synchronization

/// A queue in which requests wait, and whether more requests come than pass it in time.
///
/// Late requests alone are no overload: a burst makes some requests late, but not all of them for long (Nichols and Jacobson,
/// "Controlling Queue Delay", ACM Queue 10, 2012), and where all are late, the next one still waits no longer than the requests ahead
/// of it take to pass (Little's law).
final class RequestQueue: Sendable {
  /// Nanoseconds in which a request is to pass the queue.
  static let target: Int64 = 100_000_000
  /// Nanoseconds for which every request has to be late before the queue can be overloaded.
  private static let latePeriod: Int64 = 50_000_000

  private enum Phase { case normal, late, overloaded }

  private struct State {
    var phase = Phase.normal
    /// The number of the period in which requests and clients are counted, and its start.
    var period = 0
    var start = MonotonicTime(nanoseconds: 0)
    /// Requests that have passed within the period.
    var passed = 0
    /// Connections with a request within the period.
    var clients = 0
  }

  private let patience: Int64
  private let floor: Int
  private let state = Mutex(State())
  private let watched = Atomic(false)
  private let overloadLimit = Atomic(Int.max)

  /// - Parameters:
  ///   - patience: nanoseconds after which a request is late.
  ///   - floor: requests that may always wait.
  init(patience: Int64, floor: Int) {
    self.patience = patience
    self.floor = floor
  }

  /// Whether requests are late, so that each of them is to be looked at.
  var isWatched: Bool { watched.load(ordering: .relaxed) }

  /// The requests that may wait: while the queue is overloaded, as many as pass it within the target.
  var limit: Int { overloadLimit.load(ordering: .relaxed) }

  var isOverloaded: Bool { limit < .max }

  /// Counts a connection that has a request, once in each period.
  ///
  /// - Parameter visit: the last period in which this connection had one.
  func arrive(_ visit: inout Int) {
    state.withLock { state in
      guard visit != state.period else { return }
      visit = state.period
      state.clients += 1
    }
  }

  /// Counts a request that has waited and goes on.
  ///
  /// - Parameters:
  ///   - waited: nanoseconds, or nil if the request waited for another one of its client, which says nothing about the queue.
  ///   - waiting: returns how many requests are in the queue.
  func pass(after waited: Int64?, at now: MonotonicTime, waiting: () -> Int) {
    state.withLock { state in
      switch state.phase {
      case .normal:
        guard let waited, waited > patience else { return }
        begin(.late, at: now, &state)
      case .late:
        guard waited ?? .max > patience else { return begin(.normal, at: now, &state) }
        if now.nanoseconds - state.start.nanoseconds >= Self.latePeriod {
          let limit = limit(state, at: now)
          // Twice as many, because the rate of so short a time is a rough one.
          begin(waiting() > 2 * limit ? .overloaded : .late, at: now, &state, limit: limit)
        }
      case .overloaded:
        review(at: now, waiting, &state)
      }
      state.passed += 1
    }
  }

  /// Ends an overload once the requests that pass are enough for one of each client, and within the target for those that wait.
  func review(at now: MonotonicTime, waiting: () -> Int) {
    state.withLock { state in
      if state.phase == .overloaded { review(at: now, waiting, &state) }
    }
  }

  /// Ends an overload, because no request waits.
  func reset(at now: MonotonicTime) {
    state.withLock { begin(.normal, at: now, &$0) }
  }

  private func review(at now: MonotonicTime, _ waiting: () -> Int, _ state: inout State) {
    guard now.nanoseconds - state.start.nanoseconds >= Self.target else { return }
    let limit = limit(state, at: now)
    let isOver = state.clients <= state.passed && waiting() <= limit
    begin(isOver ? .normal : .overloaded, at: now, &state, limit: limit)
  }

  /// How many requests pass within the target, at the rate of the period.
  private func limit(_ state: State, at now: MonotonicTime) -> Int {
    max(floor, Int(Int64(state.passed) * Self.target / max(1, now.nanoseconds - state.start.nanoseconds)))
  }

  private func begin(_ phase: Phase, at now: MonotonicTime, _ state: inout State, limit: Int = .max) {
    state = State(phase: phase, period: state.period + 1, start: now)
    watched.store(phase != .normal, ordering: .relaxed)
    overloadLimit.store(phase == .overloaded ? limit : .max, ordering: .relaxed)
  }
}
