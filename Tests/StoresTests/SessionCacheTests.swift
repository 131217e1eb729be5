import Navigation
import Testing
import Values

@testable import Sessions
@testable import Stores

@Suite struct `The sessions at hand` {
  private func session(_ bytes: Int, key: SessionKey = SessionKey(.random())) -> StoredSession {
    let at = Timestamp(milliseconds: 0)
    let entry = JournalEntry(
      revision: 1, at: at, kind: .create, name: "create",
      input: .object([("text", Value(String(repeating: "x", count: bytes)))]), screen: "home")
    return StoredSession(
      key: key, app: "shop", createdAt: at, expiresAt: at + 60, locale: nil, revision: 1,
      navigation: .packed([]), journal: Journal(entry))
  }

  @Test(arguments: [10, 4_000, 60_000]) func `are as many as asked for, and fewer where they are large`(bytes: Int) {
    let cache = SessionCache(limit: 160)
    let sessions = (0..<2000).map { _ in session(bytes) }
    for session in sessions { cache.keep(session) }
    let kept = sessions.filter { cache.session($0.key) != nil }
    let size = kept.reduce(0) { $0 + $1.approximateSize }
    #expect(kept.count <= 160)
    #expect(size <= 160 * 16 * 1024)
    #expect(kept.count >= min(120, 160 * 16 * 1024 / sessions[0].approximateSize / 2))
  }

  @Test func `are the ones that were used last`() {
    let cache = SessionCache(limit: 160)
    let favourite = session(10)
    cache.keep(favourite)
    for _ in 0..<5000 {
      #expect(cache.session(favourite.key) === favourite)
      cache.keep(session(10))
    }
    #expect(cache.session(favourite.key) === favourite)
    cache.drop(favourite.key)
    #expect(cache.session(favourite.key) == nil)
  }

  @Test func `are not replaced by a read from before the last write`() {
    let cache = SessionCache(limit: 160)
    let key = SessionKey(.random())
    let (old, new) = (session(10, key: key), session(20, key: key))
    let changes = cache.changes(around: key)
    cache.keep(new)
    cache.keep(read: old, since: changes)
    #expect(cache.session(key) === new)
    let later = cache.changes(around: key)
    cache.drop(key)
    cache.keep(read: old, since: later)
    #expect(cache.session(key) == nil)
    cache.keep(read: old, since: cache.changes(around: key))
    #expect(cache.session(key) === old)
  }
}
