internal import Synchronization

/// Meters of flows, which are made when they are first needed, because definitions change while the process runs.
final class FlowMeters<Key: Hashable & Sendable, Meter: Sendable>: Sendable {
  /// The maximum number of meters. Each edit of a file may bring new names.
  private let limit: Int
  private let make: @Sendable (Key) -> Meter
  private let meters = Mutex<[Key: Meter]>([:])

  init(limit: Int = 4096, make: @escaping @Sendable (Key) -> Meter) {
    self.limit = limit
    self.make = make
  }

  /// Returns a meter; nil beyond the limit.
  subscript(key: Key) -> Meter? {
    meters.withLock { meters in
      if let known = meters[key] { return known }
      guard meters.count < limit else { return nil }
      let meter = make(key)
      meters[key] = meter
      return meter
    }
  }
}
