internal import Synchronization

/// Meters by their labels: those of the apps in Swift, and those of flows, which are made when they are first needed,
/// because definitions change while the process runs.
final class Meters<Labels: Hashable & Sendable, Meter: Sendable>: Sendable {
  /// The maximum number of meters of flows. Each edit of a file may bring new names.
  private static var limit: Int { 4096 }

  private let make: @Sendable (Labels) -> Meter
  private let known: [Labels: Meter]
  private let added = Mutex<[Labels: Meter]>([:])

  /// - Parameter known: the labels of the apps in Swift.
  init(_ known: [Labels], make: @escaping @Sendable (Labels) -> Meter) {
    self.make = make
    self.known = Dictionary(known.map { ($0, make($0)) }) { first, _ in first }
  }

  /// Returns a meter; nil beyond the limit.
  subscript(labels: Labels) -> Meter? {
    if let meter = known[labels] { return meter }
    return added.withLock { added in
      if let meter = added[labels] { return meter }
      guard added.count < Self.limit else { return nil }
      let meter = make(labels)
      added[labels] = meter
      return meter
    }
  }
}
