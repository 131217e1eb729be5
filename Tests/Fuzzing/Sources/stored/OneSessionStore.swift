import Sessions
import Synchronization

/// A store that has one session, under any key.
final class OneSessionStore: SessionStore {
  private let session = Mutex<StoredSession?>(nil)

  func put(_ session: StoredSession) { self.session.withLock { $0 = session } }

  var isShared: Bool { false }

  func load(_ key: SessionKey, _ freshness: Freshness) async throws(StoreError) -> SessionLookup {
    session.withLock { $0.map { .live($0) } ?? .unknown }
  }

  func replace(_ session: StoredSession, with next: StoredSession) async throws(StoreError) -> Bool {
    put(next)
    return true
  }

  func insert(_ session: StoredSession, outcome: CreationOutcome?) async throws(StoreError) -> Bool { false }
  func delete(_ session: StoredSession, forgetAt: Timestamp) async throws(StoreError) -> Bool { false }
  func creation(for key: IdempotencyDigest) async throws(StoreError) -> CreationLookup { .unknown }
  func list(before cursor: SessionCursor, limit: Int) async throws(StoreError) -> [ListedSession] { [] }
  func list(numbered: ClosedRange<Int64>, limit: Int) async throws(StoreError) -> [ListedSession] { [] }
  func count() async throws(StoreError) -> SessionCount { SessionCount(stored: 1, live: 1) }
  func count(of owner: SessionOwner, upTo limit: Int) async throws(StoreError) -> Int { 0 }
  func sweep(now: Timestamp, tombstoneLifetime: Int64) async throws(StoreError) {}
  func checkReady() async throws(StoreError) {}
  func close() {}
}
