/// Where sessions live. A store has the only truth about them: whatever serves a request keeps nothing between two.
///
/// Writers are told apart by the revision they started from, never by a lock: of two that start from one revision exactly
/// one commits. Every method may be called from several threads at once.
public protocol SessionStore: Sendable {
  /// Whether calls wait for a disk or a network, so that they must not run on a thread that polls connections.
  var mayBlock: Bool { get }

  /// Adds a session with the first entry of its journal, and with the outcome of the request, all or nothing.
  func insert(
    _ record: SessionRecord, _ entry: JournalEntry, outcome: StoredOutcome?
  ) throws(StoreError) -> StoreResult

  /// The session, or what is remembered of it.
  func load(_ key: SessionKey) throws(StoreError) -> StoredSession

  /// Replaces the navigation of a session, if it is still at the revision before `record.revision`; with the journal entry
  /// and the outcome, all or nothing.
  func commit(
    _ record: SessionRecord, _ entry: JournalEntry, outcome: StoredOutcome?
  ) throws(StoreError) -> StoreResult

  /// Keeps the outcome of a request that changed nothing, because it was a retry. `conflict` where its session is gone.
  func remember(_ outcome: StoredOutcome) throws(StoreError) -> StoreResult

  /// The entries of the journal after a revision, oldest first, at most `limit`. Old ones may have been dropped.
  func journal(of key: SessionKey, after revision: UInt64, limit: Int) throws(StoreError) -> [JournalEntry]

  /// The entry that led to a revision, if it is still kept. At least the last 16 are.
  func journalEntry(of key: SessionKey, at revision: UInt64) throws(StoreError) -> JournalEntry?

  /// Ends a session: it is remembered as gone until `forgetAt`. False where there was none.
  func delete(_ key: SessionKey, forgetAt: Timestamp) throws(StoreError) -> Bool

  /// The outcome that was stored under a key. Those about a session end with it; at least its last one is kept.
  func outcome(for key: OutcomeKey) throws(StoreError) -> StoredOutcome?

  /// Drops what is over at this moment: the content of expired sessions, what was to be forgotten, and old outcomes.
  ///
  /// - Parameter memory: for how many seconds an expired session is remembered as such.
  func sweep(now: Timestamp, memory: Int64) throws(StoreError)

  /// Throws where the store cannot be reached.
  func checkReachable() throws(StoreError)
}

/// What a store knows of a session.
public enum StoredSession: Sendable, Equatable {
  case live(SessionRecord)
  /// Deleted, or swept after it expired, and still remembered.
  case gone
  case unknown
}

/// What became of an `insert` or a `commit`.
public enum StoreResult: Sendable, Equatable {
  case committed
  /// The session has moved on (`commit`), or its key is taken (`insert`). Nothing was written.
  case conflict
  /// An outcome is stored under the same key already. Nothing was written.
  case duplicateOutcome
}

public enum StoreError: Error, Sendable, Equatable {
  /// The store holds as many sessions as it is configured for.
  case full(limit: Int)
  /// The store cannot be reached or is broken; the sentence is for the operator.
  case unavailable(String)
}
