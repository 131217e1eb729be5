public import Navigation

/// The reason why an event cannot occur in a test session.
public enum TestSessionError: Error, Equatable, CustomStringConvertible {
  /// No effect, timer or signal of this name is pending.
  case notPending(String)
  /// The session cannot take the event of this name for now.
  case blocked(String, BackgroundObstacle)
  /// The session rejects the outcome that a fake has given to the effect of this name. In production, the outcome would
  /// be stuck.
  case stuck(String, Rejection)
  /// The outcomes of fakes request effects, or timers schedule themselves, without an end. The name is that of the last
  /// effect or timer.
  case endless(String)
  /// This machine has no time zone of this name.
  case unknownTimeZone(String)

  public var description: String {
    switch self {
    case .notPending(let name): "Nothing of the name \(name) is pending."
    case .blocked(let name, let obstacle): "The event \(name) waits. \(obstacle)"
    case .stuck(let name, let rejection): "The session rejects the outcome of the effect \(name): \(rejection)"
    case .endless(let name):
      "More than \(TestSession.maximumOutcomes) events have occurred in one step, the last one of \(name). Does it request "
        + "itself again? Remove a fake, and complete its effects by hand."
    case .unknownTimeZone(let name): "This machine has no time zone \(name)."
    }
  }
}
