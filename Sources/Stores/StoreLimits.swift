internal import Sessions
internal import Synchronization

/// The numbers of sessions and tombstones that a store keeps.
public struct StoreLimits: Sendable {
  /// The maximum number of stored sessions, expired ones included until a sweep removes them. If nil, the limit is
  /// ``MemoryStore/standardLimit`` in memory and the available disk space in a database.
  public var sessions: Int?
  /// The maximum number of a database's sessions that are cached in memory.
  public var cachedSessions = 16_384
  /// The maximum number of tombstones. While an ended session has a tombstone, requests learn that the session has
  /// ended.
  ///
  /// A store above the limit removes the tombstones that are due first: a store in memory at once, a database with each
  /// sweep.
  public var tombstones = 262_144

  public init() {}

  /// The maximum number of rows that a sweep changes in one transaction. Small, so that actions do not wait long for
  /// the sweep.
  static let sweepBatch = 200
}

/// The number of sessions in a store, which enforces ``StoreLimits/sessions``.
final class SessionQuota: Sendable {
  /// The maximum number of sessions, or nil for no limit. Without a limit the count is meaningless.
  let limit: Int?
  private let count: Atomic<Int>

  init(limit: Int?, count: Int = 0) {
    self.limit = limit
    self.count = Atomic(count)
  }

  /// Makes room for a session that is about to be created.
  ///
  /// - Throws: ``StoreError/full(limit:)`` if the limit has been reached.
  func reserve() throws(StoreError) {
    guard let limit, count.wrappingAdd(1, ordering: .relaxed).newValue > limit else { return }
    release(1)
    throw .full(limit: limit)
  }

  /// Makes room again for sessions that have ended or were not created.
  func release(_ sessions: Int) { count.wrappingSubtract(sessions, ordering: .relaxed) }

  /// Corrects the count for sessions that other processes have created or ended.
  func set(_ count: Int) { self.count.store(count, ordering: .relaxed) }
}
