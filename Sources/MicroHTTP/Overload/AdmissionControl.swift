import CMicroHTTPD
import Synchronization

/// The part of the server that sheds load by refusing requests while more arrive than it can answer in time.
///
/// A request waits in two queues: in its socket, until a polling thread reads it, and suspended, while its handler
/// awaits something. Each queue has its own detector, because the requests that skip the second queue say nothing about
/// its delay.
final class AdmissionControl: Sendable {
  /// Nanoseconds after which a request is late in its socket, short enough for a refusal to arrive within 50 ms.
  private static let socketDelayLimit: Int64 = 10_000_000
  /// While no request is late, one of this many is sampled: each sample costs a system call for the time in the socket.
  private static let samplingInterval = 8

  /// The last measurement period of each queue that counted a connection.
  struct Periods {
    fileprivate var sockets = 0
    fileprivate var handlers = 0
  }

  private let sockets: OverloadDetector
  private let handlers: OverloadDetector
  private let arrivals = Atomic(0)
  private let threshold: Int

  /// - Parameter threshold: the number of waiting requests, and the number of connections, below which the
  ///   server sheds no load.
  init(threshold: Int) {
    self.threshold = threshold
    sockets = OverloadDetector(delayLimit: Self.socketDelayLimit, minimumLimit: threshold)
    handlers = OverloadDetector(delayLimit: OverloadDetector.targetDelay, minimumLimit: threshold)
  }

  /// Returns whether to shed a complete request because of its delay in the socket.
  ///
  /// - Parameters:
  ///   - idleSince: the end of the previous request on the same connection.
  ///   - unread: returns the number of sockets with an unread request.
  func shedsArrival(
    on socket: Int32, idleSince: MonotonicTime, _ periods: inout Periods, among connections: Int, unread: () -> Int
  ) -> Bool {
    let isAlert = sockets.isAlert
    guard isAlert || arrivals.wrappingAdd(1, ordering: .relaxed).newValue % Self.samplingInterval == 0 else {
      return false
    }
    let now = MonotonicTime.now
    let inSocket = Int64(cmhd_milliseconds_since_data(socket)) * 1_000_000
    let delay = inSocket <= now.nanoseconds - idleSince.nanoseconds ? inSocket : nil
    if isAlert {
      sockets.countConnection(&periods.sockets)
      sockets.review(at: now, queueLength: unread)
    }
    if sockets.isOverloaded, connections > threshold, let delay, delay > Self.socketDelayLimit { return true }
    sockets.countDeparture(after: delay, at: now, queueLength: unread)
    return false
  }

  /// Returns whether to shed a request because too many are suspended.
  func shedsSuspension(_ periods: inout Periods, suspended: () -> Int) -> Bool {
    guard handlers.isAlert else { return false }
    let count = suspended()
    guard count > 0 else {
      handlers.reset(at: .now)
      return false
    }
    handlers.countConnection(&periods.handlers)
    return count >= handlers.limit
  }

  /// Counts a suspended request that has its response.
  func suspensionEnded(after delay: Int64, at now: MonotonicTime, suspended: () -> Int) {
    handlers.countDeparture(after: delay, at: now, queueLength: suspended)
  }
}
