import CMicroHTTPD
import Synchronization

/// Decides which requests are served where more come than can be, so that those that are served do not wait for long.
///
/// A request waits in two places: in its socket, until the polling thread has time for it, and suspended, until what its handler awaits
/// is there. In each it is watched whether everybody has waited for too long for a while, which a burst does not bring about
/// (Nichols and Jacobson, "Controlling Queue Delay", ACM Queue 10, 2012). From then on the socket's latecomers are refused, and no
/// more are suspended than were answered within the time that waiting may take.
final class Admission: Sendable {
  /// Nanoseconds that a request may wait in its socket while more come than can be served.
  private static let socketTarget: Int64 = 20_000_000
  /// Nanoseconds that a handler may wait then.
  private static let handlerTarget: Int64 = 100_000_000
  /// One request of so many is looked at while all is well.
  private static let sampling = 8
  /// Suspended requests that there may be in any case.
  private static let floor = 16

  private struct State {
    var sockets = Window(length: 50_000_000)
    var handlers = Window(length: handlerTarget)
  }

  private let state = Mutex(State())
  private let arrivals = Atomic(0)
  private let isShedding = Atomic(false)
  private let suspensionLimit = Atomic(Int.max)

  /// Whether a request that has just been read is to be refused.
  func refusesArrival(on socket: Int32) -> Bool {
    let isShedding = isShedding.load(ordering: .relaxed)
    guard isShedding || arrivals.wrappingAdd(1, ordering: .relaxed).newValue % Self.sampling == 0 else { return false }
    let waited = Int64(cmhd_milliseconds_since_data(socket)) * 1_000_000
    state.withLock { state in
      if let window = state.sockets.add(waited, at: .now) {
        // It goes on until nobody was late: in between, as many would come at once as have been kept away.
        self.isShedding.store(
          window.least > Self.socketTarget || isShedding && window.most > Self.socketTarget, ordering: .relaxed)
      }
    }
    return isShedding && waited > Self.socketTarget
  }

  /// Whether one more request may be suspended where there are so many already.
  func refusesSuspension(_ count: Int) -> Bool { count > suspensionLimit.load(ordering: .relaxed) }

  /// A suspended request was answered.
  func answered(after waited: Int64) {
    state.withLock { state in
      guard let window = state.handlers.add(waited, at: .now) else { return }
      let limit = suspensionLimit.load(ordering: .relaxed)
      if window.least > Self.handlerTarget {
        suspensionLimit.store(max(Self.floor, window.count), ordering: .relaxed)
      } else if limit < .max / 2 {
        suspensionLimit.store(limit > 1 << 20 ? .max : limit + max(Self.floor, limit / 8), ordering: .relaxed)
      }
    }
  }
}

/// What was seen within a time.
private struct Window {
  let length: Int64
  private var end = MonotonicTime(nanoseconds: 0)
  private(set) var least = Int64.max
  private(set) var most = Int64.min
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
    most = max(most, value)
    count += 1
    return over
  }
}
