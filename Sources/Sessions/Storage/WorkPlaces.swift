internal import Navigation

/// The group of pending work that shares a limit: all events, or the effects that use the same HTTP services or have the
/// same name. A lane that is full delays no other.
public struct WorkLane: Sendable, Hashable {
  /// The names of the services or the name of the effect; empty for events.
  public let name: String

  /// Timers, signals, and outcomes that wait to be applied. They need nothing from outside.
  public static let events = WorkLane(name: "")

  public init(name: String) { self.name = name }

  init(_ effect: EffectDefinition) { self.init(name: effect.lane) }
}

/// The places that a process has for due work.
public enum WorkPlaces: Sendable, Equatable {
  case events(Int)
  case effects(EffectPlaces)

  /// The maximum number of pieces to claim.
  public var count: Int {
    switch self {
    case .events(let count): count
    case .effects(let places): places.count
    }
  }

  /// Returns the maximum number of pieces of a lane to claim.
  public func count(of lane: WorkLane) -> Int {
    switch self {
    case .events(let count): count
    case .effects(let places): places.count(of: lane)
    }
  }
}

/// The places for effects.
public struct EffectPlaces: Sendable, Equatable {
  /// The number of free places.
  public var count: Int
  /// The number of places of a lane, of which ``taken`` are not free.
  public var countOfLane: Int
  /// The numbers of effects in progress.
  public var taken: [WorkLane: Int]

  public init(count: Int, ofLane countOfLane: Int, taken: [WorkLane: Int] = [:]) {
    self.count = count
    self.countOfLane = countOfLane
    self.taken = taken
  }

  /// Returns the number of free places of a lane.
  func count(of lane: WorkLane) -> Int { max(0, min(count, countOfLane - taken[lane, default: 0])) }
}
