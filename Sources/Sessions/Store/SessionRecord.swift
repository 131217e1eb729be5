/// A session as a store keeps it.
public struct SessionRecord: Sendable, Equatable {
  public let key: SessionKey
  /// The name of its app.
  public let app: String
  public let createdAt: Timestamp
  public let expiresAt: Timestamp
  /// The language that the client asked for at creation (BCP 47), if it did.
  public let locale: String?
  /// The revision of `navigation`.
  public var revision: UInt64
  public var navigation: StoredNavigation

  public init(
    key: SessionKey, app: String, createdAt: Timestamp, expiresAt: Timestamp, locale: String?, revision: UInt64,
    navigation: StoredNavigation
  ) {
    self.key = key
    self.app = app
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.locale = locale
    self.revision = revision
    self.navigation = navigation
  }
}
