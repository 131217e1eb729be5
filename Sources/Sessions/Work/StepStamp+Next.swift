internal import Navigation
internal import Synchronization
internal import Values

extension StepStamp {
  /// The number of stamps of this process, from a random start. Most steps do not use their seed, and a random number
  /// for each would cost a system call.
  private static let count = Atomic<UInt64>(.random(in: 0 ... .max))

  /// Returns the stamp of a step: no two steps have the same seed, even if one of them is in a restored backup.
  static func next(at time: Timestamp) -> StepStamp {
    // 0 stands for a step that uses no seed.
    StepStamp(time: time, seed: max(count.wrappingAdd(1, ordering: .relaxed).newValue, 1))
  }
}
