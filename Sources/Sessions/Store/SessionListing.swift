/// Which of the sessions that live are listed; the newest come first.
public struct SessionListing: Sendable {
  /// Where a session stands among all: by its creation, and of two at one time by its number.
  public struct Place: Sendable, Comparable {
    public let createdAt: Timestamp
    public let number: Int64

    public init(createdAt: Timestamp, number: Int64) {
      self.createdAt = createdAt
      self.number = number
    }

    public static func < (a: Place, b: Place) -> Bool { (a.createdAt, a.number) < (b.createdAt, b.number) }
  }

  /// Of this app alone; nil for those of all.
  public let app: String?
  /// Only what stands before this place, such as the last one of a page.
  public let before: Place?
  /// How many at most.
  public let limit: Int

  public init(app: String? = nil, before: Place? = nil, limit: Int) {
    self.app = app
    self.before = before
    self.limit = limit
  }

  /// Whether a session is among them, but for the limit.
  public func includes(_ session: StoredSession) -> Bool {
    (app == nil || session.app == app) && (before.map { session.place < $0 } ?? true)
  }
}

extension StoredSession {
  public var place: SessionListing.Place { .init(createdAt: createdAt, number: key.number) }
}
