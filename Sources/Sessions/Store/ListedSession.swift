/// A session in a list, which may be one that cannot be read.
public struct ListedSession: Sendable, Equatable {
  public let key: SessionKey
  /// The name of its app.
  public let app: String
  public let createdAt: Timestamp
  public let expiresAt: Timestamp
  /// Nil where what is stored cannot be read: it is damaged, or of a newer version of this service.
  public let session: StoredSession?

  /// - Parameter content: what a store on disk keeps of it; see ``StoredSession/content``.
  public init(
    key: SessionKey, owner: SessionOwner?, app: String, createdAt: Timestamp, expiresAt: Timestamp,
    version: SessionVersion, content: [UInt8]
  ) {
    self.key = key
    self.app = app
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    session = try? StoredSession(
      key: key, owner: owner, app: app, createdAt: createdAt, expiresAt: expiresAt, version: version,
      content: content)
  }

  public init(_ session: StoredSession) {
    key = session.key
    app = session.app
    createdAt = session.createdAt
    expiresAt = session.expiresAt
    self.session = session
  }

  public var cursor: SessionCursor { SessionCursor(createdAt: createdAt, number: key.number) }
}
