import CMicroHTTPD
import Synchronization

/// Decides which requests are served where more come than can be, so that those that are served do not wait for long.
///
/// A request waits in two places: in its socket, until the polling thread has time for it, and suspended, until what its handler awaits
/// is there. In each it is watched whether everybody has waited for too long for a while, which a burst does not bring about
/// (Nichols and Jacobson, "Controlling Queue Delay", ACM Queue 10, 2012). From then on the socket's latecomers are refused, and no
/// more are suspended than were answered within the time that waiting may take.
final class Admission: Sendable {
  /// Nanoseconds that everybody waits in the sockets where more come than can be served.
  private static let socketTarget: Int64 = 20_000_000
  /// Nanoseconds after which a request is refused then: few enough for the answer to be there within 50 ms.
  private static let socketLimit: Int64 = 10_000_000
  /// Nanoseconds for which everybody has to be late, or nobody.
  private static let socketInterval: Int64 = 50_000_000
  /// Nanoseconds that a handler may wait where more come than can be served.
  private static let handlerTarget: Int64 = 100_000_000
  /// One request of so many is looked at while all is well.
  private static let sampling = 8

  private struct State {
    var sockets = Run()
    var handlers = Window(length: handlerTarget)
  }

  private let floor: Int
  private let state = Mutex(State())
  private let arrivals = Atomic(0)
  private let isShedding = Atomic(false)
  private let suspensionLimit = Atomic(Int.max)

  /// - Parameter floor: connections, and suspended requests, among which nobody is refused.
  init(floor: Int) { self.floor = floor }

  /// Whether a request that has just been read is to be refused.
  ///
  /// - Parameter free: since when its connection has had no other request: what was sent before that waits for its own client.
  func refusesArrival(on socket: Int32, since free: MonotonicTime, among connections: Int) -> Bool {
    let isShedding = isShedding.load(ordering: .relaxed)
    guard isShedding || arrivals.wrappingAdd(1, ordering: .relaxed).newValue % Self.sampling == 0 else { return false }
    let now = MonotonicTime.now
    let inSocket = Int64(cmhd_milliseconds_since_data(socket)) * 1_000_000
    let waited = min(inSocket, now.nanoseconds - free.nanoseconds)
    let isLate = waited > (isShedding ? Self.socketLimit : Self.socketTarget)
    // That a request is served right behind another one of its connection tells nothing of the others.
    guard isLate || waited == inSocket else { return false }
    state.withLock { state in
      // It goes on until nobody was late: in between, as many would come at once as have been kept away.
      if state.sockets.add(isLate, at: now) > Self.socketInterval { self.isShedding.store(isLate, ordering: .relaxed) }
    }
    return isShedding && isLate && connections > floor
  }

  /// Whether no more requests are to be suspended where there are so many already.
  func refusesSuspension(_ count: @autoclosure () -> Int) -> Bool {
    let limit = suspensionLimit.load(ordering: .relaxed)
    return limit < .max && count() >= limit
  }

  /// A suspended request was answered.
  func answered(after waited: Int64) {
    state.withLock { state in
      guard let window = state.handlers.add(waited, at: .now) else { return }
      let limit = suspensionLimit.load(ordering: .relaxed)
      if window.least > Self.handlerTarget {
        suspensionLimit.store(max(floor, window.count), ordering: .relaxed)
      } else if limit < .max / 2 {
        suspensionLimit.store(limit > 1 << 20 ? .max : limit + limit / 8, ordering: .relaxed)
      }
    }
  }
}

/// What was the same each time when it was last looked at.
private struct Run {
  private var value = false
  private var start = MonotonicTime(nanoseconds: 0)

  /// Adds what is seen now.
  ///
  /// - Returns: for how many nanoseconds it has been so.
  mutating func add(_ value: Bool, at now: MonotonicTime) -> Int64 {
    if value != self.value {
      self.value = value
      start = now
    }
    return now.nanoseconds - start.nanoseconds
  }
}

/// What was seen within a time.
private struct Window {
  let length: Int64
  private var end = MonotonicTime(nanoseconds: 0)
  private(set) var least = Int64.max
  private(set) var count = 0

  init(length: Int64) { self.length = length }

  /// Adds a value; what was seen before, if its time is over. A single value tells nothing of everybody.
  mutating func add(_ value: Int64, at now: MonotonicTime) -> Window? {
    var over: Window?
    if end < now, count != 1 {
      if count > 0 { over = self }
      self = Window(length: length)
      end = now + length
    }
    least = min(least, value)
    count += 1
    return over
  }
}
