internal import Navigation

/// The group of pending work that shares a limit: all events, or the effects that use the same HTTP services or have the
/// same name. A queue that is full delays no other.
public struct WorkQueue: Sendable, Hashable {
  /// The names of the services or the name of the effect; empty for events.
  public let name: String

  /// Timers, signals, and outcomes that wait to be applied. Events need nothing from outside.
  public static let events = WorkQueue(name: "")

  public init(name: String) { self.name = name }

  init(_ effect: EffectDefinition) { self.init(name: effect.queue) }
}

/// The due work that a process can take on now.
public enum WorkSlots: Sendable, Equatable {
  /// The maximum number of events.
  case events(Int)
  /// The maximum number of effects, and that of one queue, which the taken ones count towards.
  case effects(Int, ofQueue: Int, taken: [WorkQueue: Int] = [:])

  /// The maximum number of pieces to claim.
  public var count: Int {
    switch self {
    case .events(let count), .effects(let count, _, _): count
    }
  }

  /// Returns the maximum number of pieces of a queue to claim.
  public func count(of queue: WorkQueue) -> Int {
    switch self {
    case .events(let count): count
    case .effects(let count, let countOfQueue, let taken): max(0, min(count, countOfQueue - taken[queue, default: 0]))
    }
  }
}
