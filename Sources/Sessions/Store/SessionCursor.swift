/// A place in the list of all sessions, which are in the order of their creation; those made at one time are in the order of their
/// numbers.
public struct SessionCursor: Sendable, Comparable {
  public let createdAt: Timestamp
  public let number: Int64

  public init(createdAt: Timestamp, number: Int64) {
    self.createdAt = createdAt
    self.number = number
  }

  /// After every session.
  public static let end = SessionCursor(createdAt: Timestamp(milliseconds: .max), number: .max)

  public static func < (a: SessionCursor, b: SessionCursor) -> Bool {
    (a.createdAt, a.number) < (b.createdAt, b.number)
  }
}
