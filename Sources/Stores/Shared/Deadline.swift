/// A moment by which something has to be over, on a clock that nobody sets.
typealias Deadline = ContinuousClock.Instant

extension Deadline {
  var hasPassed: Bool { self < .now }

  /// As `poll` takes it: rounded up; 0 once it has passed.
  var remainingMilliseconds: Int32 {
    Int32(clamping: max(0, Int((Deadline.now.duration(to: self) / .milliseconds(1)).rounded(.up))))
  }
}
