/// Where sessions live. A store has the only truth about them: whatever serves a request keeps nothing between two.
///
/// Writers are told apart by the version of what they replace, never by a lock: of two that start from one version exactly
/// one gets through. What a method says was written lasts, as long as the store promises. Where it throws `unavailable`, a write
/// may have been done, which a retry of the request finds out.
/// Every method may be called from several threads at once. None of them blocks the calling thread.
public protocol SessionStore: Sendable {
  /// Whether other processes write to it as well, so that a session may be newer there than what is at hand here.
  var isShared: Bool { get }

  /// Adds a session, and what to replay where its creation is asked for again, all or nothing. False where its key or that of
  /// the outcome is taken already: nothing was written.
  func insert(_ session: StoredSession, outcome: CreationOutcome?) async throws(StoreError) -> Bool

  /// The session, or what is remembered of it.
  func load(_ key: SessionKey, _ reading: Reading) async throws(StoreError) -> SessionLookup

  /// Replaces a session that was loaded with one that was made from it. False where it has been replaced or has ended since:
  /// nothing was written.
  func replace(_ session: StoredSession, with next: StoredSession) async throws(StoreError) -> Bool

  /// Ends a session that was loaded: it is remembered as gone until `forgetAt`. False where it has been replaced or has ended since.
  func delete(_ session: StoredSession, forgetAt: Timestamp) async throws(StoreError) -> Bool

  /// The outcome of a creation, or its tombstone. A store keeps the tombstone for as long as that of the session.
  func creation(for key: OutcomeKey) async throws(StoreError) -> CreationLookup

  /// The newest of the sessions that were created before this place, the newest first. Those that have ended are not among them;
  /// those that have expired and are not swept are.
  func list(before cursor: SessionCursor, limit: Int) async throws(StoreError) -> [ListedSession]

  /// The same sessions as far as their keys have these numbers, in the order of the numbers.
  func list(numbered: ClosedRange<Int64>, limit: Int) async throws(StoreError) -> [ListedSession]

  /// How many sessions there are; what that takes grows with their number.
  func count() async throws(StoreError) -> SessionCount

  /// How many sessions somebody has, those that have expired and are not swept included; `limit` where there are more.
  func count(of owner: SessionOwner, upTo limit: Int) async throws(StoreError) -> Int

  /// Drops what is over at this moment: the content of expired sessions, what was to be forgotten, and old outcomes. Of the ended
  /// sessions it forgets those that exceed the store's limit as well, the oldest first.
  ///
  /// - Parameter memory: for how many seconds an expired session is remembered as such.
  func sweep(now: Timestamp, memory: Int64) async throws(StoreError)

  /// What others have changed of the sessions that are watched: soon, and most likely all of it. For one reader.
  var changes: AsyncStream<SessionChange> { get }

  /// Has ``changes`` tell of these sessions until then.
  func watch(_ keys: [SessionKey], until: Timestamp) async throws(StoreError)

  /// Throws where the store cannot be read or written now.
  func checkReady() async throws(StoreError)

  /// Finishes what was asked for, and blocks meanwhile. Afterwards nothing may be asked for, or is refused.
  func close()
}

/// Nobody else writes to a store that is not shared.
extension SessionStore {
  public var changes: AsyncStream<SessionChange> { AsyncStream { $0.finish() } }

  public func watch(_ keys: [SessionKey], until: Timestamp) async throws(StoreError) {}
}

/// How many sessions a store has.
public struct SessionCount: Sendable, Equatable {
  /// Those that have not ended; one that has expired counts until it is swept.
  public let stored: Int
  /// Those of them that this process has in memory.
  public let live: Int

  public init(stored: Int, live: Int) {
    self.stored = stored
    self.live = live
  }
}

/// Something that was written by another process.
public struct SessionChange: Sendable {
  public let key: SessionKey
  /// What was written; nil where the session was ended.
  public let version: SessionVersion?

  public init(key: SessionKey, version: SessionVersion?) {
    self.key = key
    self.version = version
  }
}

/// How new a session has to be.
public enum Reading: Sendable {
  /// As it is now.
  case current
  /// As it was a while ago will do, because it is about to be replaced: that fails where there is a newer one.
  case recent
}

/// What a store knows of a session.
public enum SessionLookup: Sendable, Equatable {
  case live(StoredSession)
  /// Deleted, or swept after it expired, and still remembered.
  case gone(owner: SessionOwner?)
  case unknown
}

public enum StoreError: Error, Sendable, Equatable {
  /// The store holds as many sessions as it is configured for.
  case full(limit: Int)
  /// The store cannot be reached or cannot be written; the sentence is for the operator.
  case unavailable(String)
  /// What is stored cannot be read: it is damaged, or of a newer version of this service. The sentence is for the operator.
  case unreadable(String)
  /// The store's file was deleted, moved or replaced while it is open: what would be written would be lost. The sentence is for the
  /// operator.
  case displaced(String)
}

extension StoreError {
  /// For the operator.
  public var sentence: String {
    switch self {
    case .full(let limit): "The store holds its limit of \(limit) sessions."
    case .unavailable(let sentence), .unreadable(let sentence), .displaced(let sentence): sentence
    }
  }
}
