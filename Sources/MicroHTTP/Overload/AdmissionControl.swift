import CMicroHTTPD
import Synchronization

/// Decides which requests are refused while more come than can be answered in time.
///
/// A request waits in two queues: in its socket, until a polling thread reads it, and suspended, until its handler has what it awaits. Each
/// queue is judged by its own requests, because those that need not wait in the second one say nothing about it.
final class Admission: Sendable {
  /// Nanoseconds that a request may wait in its socket; few enough for a refusal to be there within 50 ms.
  private static let socketPatience: Int64 = 10_000_000
  /// Of so many requests one is looked at while none is late: the system is asked for the time that it has waited.
  private static let sampling = 8

  /// The periods of the queues in which a connection had its last request.
  struct Visits {
    fileprivate var sockets = 0
    fileprivate var handlers = 0
  }

  private let sockets: RequestQueue
  private let handlers: RequestQueue
  private let arrivals = Atomic(0)
  private let floor: Int

  /// - Parameter floor: requests that may always wait, and connections among which none is refused.
  init(floor: Int) {
    self.floor = floor
    sockets = RequestQueue(patience: Self.socketPatience, floor: floor)
    handlers = RequestQueue(patience: RequestQueue.target, floor: floor)
  }

  /// Whether a request that has been read is refused because of the time that it has waited in its socket.
  ///
  /// - Parameters:
  ///   - free: since when its connection has had no other request.
  ///   - unread: returns how many sockets have a request that has not been read.
  func refusesArrival(
    on socket: Int32, since free: MonotonicTime, _ visits: inout Visits, among connections: Int, unread: () -> Int
  ) -> Bool {
    let isWatched = sockets.isWatched
    guard isWatched || arrivals.wrappingAdd(1, ordering: .relaxed).newValue % Self.sampling == 0 else { return false }
    let now = MonotonicTime.now
    let inSocket = Int64(cmhd_milliseconds_since_data(socket)) * 1_000_000
    let waited = inSocket <= now.nanoseconds - free.nanoseconds ? inSocket : nil
    if isWatched {
      sockets.arrive(&visits.sockets)
      sockets.review(at: now, waiting: unread)
    }
    if sockets.isOverloaded, connections > floor, let waited, waited > Self.socketPatience { return true }
    sockets.pass(after: waited, at: now, waiting: unread)
    return false
  }

  /// Whether a request is refused because too many are suspended.
  func refusesSuspension(_ visits: inout Visits, suspended: () -> Int) -> Bool {
    guard handlers.isWatched else { return false }
    let count = suspended()
    guard count > 0 else {
      handlers.reset(at: .now)
      return false
    }
    handlers.arrive(&visits.handlers)
    return count >= handlers.limit
  }

  /// Counts a suspended request that is answered.
  func answered(after waited: Int64, at now: MonotonicTime, suspended: () -> Int) {
    handlers.pass(after: waited, at: now, waiting: suspended)
  }
}
