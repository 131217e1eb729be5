/// Where a session stands among all: by its creation, and of those made at one time by its number.
public struct SessionPlace: Sendable, Comparable {
  public let createdAt: Timestamp
  public let number: Int64

  public init(createdAt: Timestamp, number: Int64) {
    self.createdAt = createdAt
    self.number = number
  }

  /// After every session.
  public static let end = SessionPlace(createdAt: Timestamp(milliseconds: .max), number: .max)

  public static func < (a: SessionPlace, b: SessionPlace) -> Bool {
    (a.createdAt, a.number) < (b.createdAt, b.number)
  }
}

extension StoredSession {
  public var place: SessionPlace { SessionPlace(createdAt: createdAt, number: key.number) }
}
