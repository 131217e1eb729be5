import Synchronization

/// A detector of overload, which measures whether more requests arrive at a queue than leave it in time.
///
/// Late requests alone are not an overload. A burst makes some requests late, but not all of them for long (Nichols and
/// Jacobson, "Controlling Queue Delay", ACM Queue 10, 2012). And even while all are late, the next request waits no
/// longer than the requests ahead of it take to leave (Little's law).
final class OverloadDetector: Sendable {
  /// Nanoseconds within which a request is to leave the queue.
  static let targetDelay: Int64 = 100_000_000
  /// Nanoseconds for which every request has to be late before the queue can be overloaded.
  private static let latePeriod: Int64 = 50_000_000

  private enum Phase { case normal, late, overloaded }

  private struct State {
    var phase = Phase.normal
    /// The number of the current measurement period, and its start.
    var period = 0
    var start = MonotonicTime(nanoseconds: 0)
    /// Requests that left the queue within the period.
    var departures = 0
    /// Connections with a request within the period.
    var connections = 0
  }

  private let delayLimit: Int64
  private let minimumLimit: Int
  private let state = Mutex(State())
  private let alert = Atomic(false)
  private let overloadLimit = Atomic(Int.max)

  /// - Parameters:
  ///   - delayLimit: nanoseconds after which a request is late.
  ///   - minimumLimit: the number of requests that may always wait.
  init(delayLimit: Int64, minimumLimit: Int) {
    self.delayLimit = delayLimit
    self.minimumLimit = minimumLimit
  }

  /// Whether requests are late, so that every request has to be measured.
  var isAlert: Bool { alert.load(ordering: .relaxed) }

  /// The number of requests that may wait: during an overload, as many as leave the queue within the target delay.
  var limit: Int { overloadLimit.load(ordering: .relaxed) }

  var isOverloaded: Bool { limit < .max }

  /// Counts a connection that has a request, once in each period.
  ///
  /// - Parameter lastPeriod: the last period that counted this connection.
  func countConnection(_ lastPeriod: inout Int) {
    state.withLock { state in
      guard lastPeriod != state.period else { return }
      lastPeriod = state.period
      state.connections += 1
    }
  }

  /// Counts a request that leaves the queue.
  ///
  /// - Parameters:
  ///   - delay: nanoseconds in the queue, or nil if the request waited for another one of its connection, which says
  ///     nothing about the queue.
  ///   - queueLength: returns the number of requests in the queue.
  func countDeparture(after delay: Int64?, at now: MonotonicTime, queueLength: () -> Int) {
    state.withLock { state in
      switch state.phase {
      case .normal:
        guard let delay, delay > delayLimit else { return }
        begin(.late, at: now, &state)
      case .late:
        guard delay ?? .max > delayLimit else { return begin(.normal, at: now, &state) }
        if now.nanoseconds - state.start.nanoseconds >= Self.latePeriod {
          let limit = limit(state, at: now)
          // Twice the limit, because the rate of so short a period is a rough estimate.
          begin(queueLength() > 2 * limit ? .overloaded : .late, at: now, &state, limit: limit)
        }
      case .overloaded:
        review(at: now, queueLength, &state)
      }
      state.departures += 1
    }
  }

  /// Ends an overload once enough requests leave the queue for each connection to have one, or no more connections have
  /// requests than may always wait, and the waiting ones can leave within the target delay. Without the second condition
  /// a few late requests, each of which is refused, would never end it.
  func review(at now: MonotonicTime, queueLength: () -> Int) {
    state.withLock { state in
      if state.phase == .overloaded { review(at: now, queueLength, &state) }
    }
  }

  /// Ends an overload, because the queue is empty.
  func reset(at now: MonotonicTime) {
    state.withLock { begin(.normal, at: now, &$0) }
  }

  private func review(at now: MonotonicTime, _ queueLength: () -> Int, _ state: inout State) {
    guard now.nanoseconds - state.start.nanoseconds >= Self.targetDelay else { return }
    let limit = limit(state, at: now)
    let isOver = state.connections <= max(state.departures, minimumLimit) && queueLength() <= limit
    begin(isOver ? .normal : .overloaded, at: now, &state, limit: limit)
  }

  /// The number of requests that leave within the target delay, at the rate of the period.
  private func limit(_ state: State, at now: MonotonicTime) -> Int {
    let elapsed = max(1, now.nanoseconds - state.start.nanoseconds)
    return max(minimumLimit, Int(Int64(state.departures) * Self.targetDelay / elapsed))
  }

  private func begin(_ phase: Phase, at now: MonotonicTime, _ state: inout State, limit: Int = .max) {
    state = State(phase: phase, period: state.period + 1, start: now)
    alert.store(phase != .normal, ordering: .relaxed)
    overloadLimit.store(phase == .overloaded ? limit : .max, ordering: .relaxed)
  }
}
