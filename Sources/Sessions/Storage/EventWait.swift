public import Values

/// The reason why the event of a piece of work is not applied yet, and the time since when.
public struct EventWait: Sendable, Equatable {
  /// The raw values are stored.
  public enum Reason: Int64, Sendable {
    /// A guard, or a full queue of prompts, keeps the event back.
    case blocked = 1
    /// The same for so long that the log has told it.
    case blockedForLong = 2
    /// An earlier event of the same coordinator is stuck.
    case behindStuckEvent = 3
    /// The handler of the event has failed or refused it.
    case stuck = 4

    fileprivate var isBlocked: Bool { self == .blocked || self == .blockedForLong }
  }

  public let reason: Reason
  public let since: Timestamp

  public init(_ reason: Reason, since: Timestamp) {
    self.reason = reason
    self.since = since
  }

  /// Creates the wait from the columns of a row; nil if they are empty.
  public init?(reason: Int64?, since: Int64?) {
    guard let reason = reason.flatMap({ Reason(rawValue: $0) }), let since else { return nil }
    self.init(reason, since: Timestamp(milliseconds: since))
  }

  /// Returns the wait for a reason, which goes on since its beginning if the event waits for that reason already.
  static func next(_ reason: Reason, after earlier: EventWait?, at now: Timestamp) -> EventWait {
    guard let earlier, earlier.reason == reason || earlier.reason.isBlocked && reason.isBlocked else {
      return EventWait(reason, since: now)
    }
    return EventWait(reason, since: earlier.since)
  }

  func isOlder(than age: Duration, at now: Timestamp) -> Bool { since + age <= now }
}
