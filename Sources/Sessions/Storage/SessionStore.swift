public import Navigation
public import Values

/// A store of sessions, used by all requests of a process and, if it is shared, by several processes.
///
/// ## The contract
///
/// - **Single source of truth.** The service keeps no session between two requests. A store may cache sessions.
/// - **Optimistic concurrency.** A write names the session that it replaces, and succeeds only if the stored session
///   still has the same ``StoredSession/version``. Of several writers that start from one version, exactly one
///   succeeds, and the others write nothing. A store must not lock a session between calls.
/// - **Atomicity.** Each method that writes does so completely or not at all.
/// - **Durability.** When a method returns, its write is as durable as the store promises. When it throws
///   ``StoreError/unavailable(_:)``, the write may have been done. The client's retry of the request reveals it.
/// - **Tombstones.** ``delete(_:forgetAt:)`` replaces a session by a tombstone, and so does
///   ``sweep(now:tombstoneLifetime:)`` with an expired one. A tombstone has the session's key and owner, and no
///   content.
/// - **Expiry.** The service checks the expiry of the sessions that it loads. Until it is swept, an expired session is
///   loaded, listed and counted like any other.
/// - **Threads.** Every method may be called concurrently from any thread, and none of them blocks the calling thread,
///   except ``close()``.
/// - **Opacity.** A store keeps the key, owner, app, times and version of a session, and its ``StoredSession/content``,
///   which it does not interpret. A store may keep the ``StoredSession/parts`` of the content in rows of their own. A
///   store within the process may keep the `StoredSession` itself.
/// - **Measurements.** A store does not measure its operations. `MeteredStore` wraps a store and does.
///
/// `StoreContractTests` checks the contract on every store.
public protocol SessionStore: WorkStore, DefinitionStore, AnyObject {
  /// Whether other processes may write to the store, so that a cached session may be outdated.
  var isShared: Bool { get }

  /// Adds a session and, if the client sent an idempotency key, the outcome of its creation. Session and outcome are
  /// written together or not at all.
  ///
  /// - Returns: false, without writing, if the session's key or the outcome's key is taken, or the session's definition
  ///   is not kept. A tombstone takes its key too.
  /// - Throws: `StoreError.full` if the store holds its maximum number of sessions.
  func insert(_ session: StoredSession, outcome: CreationOutcome?) async throws(StoreError) -> Bool

  /// Returns the current session, its tombstone, or `unknown`.
  ///
  /// - Throws: `StoreError.unreadable` if the session is stored and cannot be decoded.
  func load(_ key: SessionKey) async throws(StoreError) -> SessionLookup

  /// Returns sessions in the order of their keys, if that costs less than a ``load(_:)`` of each. Nil for a session
  /// that has to be loaded.
  func loadTogether(_ keys: [SessionKey]) async -> [StoredSession?]

  /// Returns a session that the store has in memory; nil if ``load(_:)`` has to look for it.
  ///
  /// - Parameter freshness: `recent` permits a session that another process may have replaced since.
  func loadFromMemory(_ key: SessionKey, _ freshness: Freshness) -> SessionLookup?

  /// Replaces a loaded session with its successor.
  ///
  /// - Parameter completion: receives the result once, on any thread: false, if nothing was written because the session
  ///   has been replaced or deleted since it was loaded, or its new definition is not kept.
  func replace(
    _ session: StoredSession, with next: StoredSession,
    then completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void)

  /// Replaces a loaded session in a store that writes without waiting; nil in any other store, which has then written
  /// nothing.
  func replaceInMemory(_ session: StoredSession, with next: StoredSession) -> Bool?

  /// Replaces a loaded session, and the outcome of its creation, with tombstones.
  ///
  /// - Parameter forgetAt: the time from which ``sweep(now:tombstoneLifetime:)`` may remove the tombstones.
  /// - Returns: false, without writing, if the session has been replaced or deleted since it was loaded.
  func delete(_ session: StoredSession, forgetAt: Timestamp) async throws(StoreError) -> Bool

  /// Returns the outcome of a creation, its tombstone, or `unknown`. The tombstone lives as long as that of the
  /// session.
  func creation(for key: IdempotencyDigest) async throws(StoreError) -> CreationLookup

  /// Returns the first sessions of a list. The list includes sessions that cannot be decoded, and no tombstones.
  func list(_ sessions: SessionList, limit: Int) async throws(StoreError) -> [ListedSession]

  /// Returns the number of sessions. The cost may grow with that number.
  func count() async throws(StoreError) -> SessionCount

  /// Returns the number of an owner's sessions, or `limit` if there are more.
  func count(of owner: SessionOwner, upTo limit: Int) async throws(StoreError) -> Int

  /// Replaces some sessions of a group, in any version, with tombstones, as ``delete(_:forgetAt:)`` does.
  ///
  /// A session that is replaced at the same time may stay.
  ///
  /// - Returns: the keys of the sessions that have ended.
  func endSessions(of group: SessionGroup, forgetAt: Timestamp) async throws(StoreError) -> [SessionKey]

  /// Overwrites the content of ended sessions wherever the store's files still have it. Other operations may have to
  /// wait meanwhile.
  func purge() async throws(StoreError)

  /// Replaces expired sessions with tombstones, and removes old tombstones and the outcomes of expired idempotency
  /// keys.
  ///
  /// If the tombstones exceed the store's limit, the sweep also removes the oldest ones.
  ///
  /// - Parameter tombstoneLifetime: the seconds from a session's expiry to the removal of its tombstone.
  func sweep(now: Timestamp, tombstoneLifetime: Int64) async throws(StoreError)

  /// The changes that other processes make to watched sessions, as far as they are announced.
  ///
  /// Changes arrive soon, but may be lost. The stream has one reader, and ends when the store closes.
  var changes: AsyncStream<SessionChange> { get }

  /// Adds sessions to ``changes`` until a time. Watching a session again extends the time.
  func watch(_ keys: [SessionKey], until: Timestamp) async throws(StoreError)

  /// Returns 32 random bytes, the same ones as long as the store exists.
  func secret() async throws(StoreError) -> [UInt8]

  /// Checks that the store can be read and written now.
  ///
  /// - Throws: the reason why it cannot.
  func checkReady() async throws(StoreError)

  /// Completes all pending operations and closes the store. Blocks meanwhile.
  ///
  /// Callers must not start operations afterwards. A store may refuse them.
  func close()
}

extension SessionStore {
  /// Replaces a loaded session with its successor.
  ///
  /// - Returns: false, without writing, if the session has been replaced or deleted since it was loaded.
  public func replace(_ session: StoredSession, with next: StoredSession) async throws(StoreError) -> Bool {
    try await awaitAnswer { replace(session, with: next, then: $0) }
  }

  // A store has nothing in memory unless it says so.

  public func loadTogether(_ keys: [SessionKey]) async -> [StoredSession?] { keys.map { _ in nil } }

  public func loadFromMemory(_ key: SessionKey, _ freshness: Freshness) -> SessionLookup? { nil }

  public func replaceInMemory(_ session: StoredSession, with next: StoredSession) -> Bool? { nil }

  // A store that is not shared announces no changes.

  public var changes: AsyncStream<SessionChange> { AsyncStream { $0.finish() } }

  public func watch(_ keys: [SessionKey], until: Timestamp) async throws(StoreError) {}
}

/// Waits for the answer of a store.
///
/// - Parameter begin: begins the operation with the function that receives the answer once.
@inlinable
package func awaitAnswer<Answer: Sendable>(
  _ begin: (_ completion: @escaping @Sendable (Result<Answer, StoreError>) -> Void) -> Void
) async throws(StoreError) -> Answer {
  try await withUnsafeContinuation { (answered: UnsafeContinuation<Result<Answer, StoreError>, Never>) in
    begin { answered.resume(returning: $0) }
  }.get()
}

/// The freshness that a caller requires of a session in memory.
public enum Freshness: Sendable {
  /// The session as it is stored now.
  case current
  /// Possibly an outdated session from a cache. The caller is about to replace it, and the replacement of an outdated
  /// session fails.
  case recent
}

/// The result of loading a session.
public enum SessionLookup: Sendable, Equatable {
  case live(StoredSession)
  /// A tombstone: the session was deleted, or swept after it had expired.
  case gone(owner: SessionOwner?)
  case unknown
}

/// The numbers of sessions in a store.
public struct SessionCount: Sendable, Equatable {
  /// Sessions that have no tombstone, including expired ones that await the next sweep.
  public let stored: Int
  /// Stored sessions that this process also has in memory.
  public let live: Int

  public init(stored: Int, live: Int) {
    self.stored = stored
    self.live = live
  }
}

/// A write by another process.
public struct SessionChange: Sendable {
  public let key: SessionKey
  /// The version that was written; nil if the session was deleted.
  public let version: SessionVersion?

  public init(key: SessionKey, version: SessionVersion?) {
    self.key = key
    self.version = version
  }
}

/// The failure of a store. The texts are sentences for the operator, and may contain paths and host names.
public enum StoreError: Error, Sendable, Equatable {
  /// The store holds its maximum number of sessions (`--max-sessions`).
  case full(limit: Int)
  /// The store cannot be reached or written.
  case unavailable(String)
  /// Stored data cannot be decoded: it is damaged, or was written by a newer version of this service.
  case unreadable(String)
  /// The store's file was deleted, moved or replaced while it was open. Writes to it would be lost.
  case displaced(String)

  /// The failure as a sentence for the operator.
  public var sentence: String {
    switch self {
    case .full(let limit): "The store has reached its limit of \(limit) sessions (--max-sessions)."
    case .unavailable(let sentence), .unreadable(let sentence), .displaced(let sentence): sentence
    }
  }

  /// Whether the same operation may succeed later.
  var mayPass: Bool {
    switch self {
    case .unavailable, .displaced: true
    case .full, .unreadable: false
    }
  }
}

/// The sessions that end together.
public enum SessionGroup: Sendable {
  case owner(SessionOwner)
  case definition(DefinitionDigest)
}

/// A list of sessions, with its order.
public enum SessionList: Sendable {
  /// The sessions that were created before a cursor, newest first.
  case before(SessionCursor)
  /// The sessions whose ``SessionKey/number`` is in a range, in the order of the numbers.
  case numbered(ClosedRange<Int64>)
}

/// An entry of a list of sessions, which may be a session that cannot be decoded.
public struct ListedSession: Sendable, Equatable {
  public let key: SessionKey
  /// The name of the session's app.
  public let app: String
  public let createdAt: Timestamp
  public let expiresAt: Timestamp
  /// Nil if the stored content cannot be decoded: it is damaged, or was written by a newer version of this service.
  public let session: StoredSession?

  /// - Parameters:
  ///   - content: the stored form; see ``StoredSession/content``.
  ///   - parts: the parts that the content lacks.
  public init(
    key: SessionKey, owner: SessionOwner?, app: String, createdAt: Timestamp, expiresAt: Timestamp,
    version: SessionVersion, content: [UInt8], parts: [SessionPart] = []
  ) {
    self.key = key
    self.app = app
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    session = try? StoredSession(
      key: key, owner: owner, app: app, createdAt: createdAt, expiresAt: expiresAt, version: version,
      content: content, parts: parts)
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

/// A position in the list of all sessions, which is ordered by creation time and then by ``SessionKey/number``.
public struct SessionCursor: Sendable, Comparable {
  public let createdAt: Timestamp
  public let number: Int64

  public init(createdAt: Timestamp, number: Int64) {
    self.createdAt = createdAt
    self.number = number
  }

  /// The position after all sessions.
  public static let end = SessionCursor(createdAt: Timestamp(milliseconds: .max), number: .max)

  public static func < (a: SessionCursor, b: SessionCursor) -> Bool {
    (a.createdAt, a.number) < (b.createdAt, b.number)
  }
}
