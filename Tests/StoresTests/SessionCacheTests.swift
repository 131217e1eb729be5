import Navigation
import Testing
import Values

@testable import Sessions
@testable import Stores

/// The cache of sessions in front of a durable store.
@Suite struct SessionCacheTests {
  private func session(_ bytes: Int, key: SessionKey = SessionKey(.random())) -> StoredSession {
    let at = Timestamp(milliseconds: 0)
    let entry = JournalEntry(
      revision: 1, at: at, kind: .create, name: "create",
      input: .object([("text", Value(String(repeating: "x", count: bytes)))]), screen: "home")
    return StoredSession(
      key: key, app: "shop", createdAt: at, expiresAt: at + 60, locale: nil, revision: 1,
      navigation: .packed(SplitBytes([])), journal: Journal(entry))
  }

  @Test(arguments: [10, 4_000, 60_000])
  func `a cache holds as many sessions as its limit, and fewer if they are large`(bytes: Int) {
    let cache = SessionCache(limit: 160)
    let sessions = (0..<2000).map { _ in session(bytes) }
    for session in sessions { cache.insert(written: session) }
    let kept = sessions.filter { cache.session($0.key) != nil }
    let size = kept.reduce(0) { $0 + $1.approximateSize }
    #expect(kept.count <= 160)
    #expect(size <= 160 * 16 * 1024)
    #expect(kept.count >= min(120, 160 * 16 * 1024 / sessions[0].approximateSize / 2))
  }

  @Test func `a cache keeps the most recently used session`() {
    let cache = SessionCache(limit: 160)
    let favourite = session(10)
    cache.insert(written: favourite)
    for _ in 0..<5000 {
      #expect(cache.session(favourite.key) === favourite)
      cache.insert(written: session(10))
    }
    #expect(cache.session(favourite.key) === favourite)
    cache.remove(favourite.key)
    #expect(cache.session(favourite.key) == nil)
  }

  @Test func `a write of a session that is not in the cache is not cached`() {
    let cache = SessionCache(limit: 16)
    let key = SessionKey(.random())
    let (old, new) = (session(10, key: key), session(20, key: key))
    let before = cache.generation(for: key)
    cache.update(written: new)
    #expect(cache.session(key) == nil)
    cache.insert(read: old, since: before)
    #expect(cache.session(key) == nil)
    cache.insert(read: old, since: cache.generation(for: key))
    cache.update(written: new)
    #expect(cache.session(key) === new)
  }

  @Test func `a read from before the last write is ignored`() {
    let cache = SessionCache(limit: 160)
    let key = SessionKey(.random())
    let (old, new) = (session(10, key: key), session(20, key: key))
    let before = cache.generation(for: key)
    cache.insert(written: new)
    cache.insert(read: old, since: before)
    #expect(cache.session(key) === new)
    let later = cache.generation(for: key)
    cache.remove(key)
    cache.insert(read: old, since: later)
    #expect(cache.session(key) == nil)
    cache.insert(read: old, since: cache.generation(for: key))
    #expect(cache.session(key) === old)
  }
}
