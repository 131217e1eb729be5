import Navigation
import TestSupport
import Testing
import Values

@testable import Sessions
@testable import Stores

/// The contract of every store.
@Suite(.limitedConcurrency) struct StoreContractTests {
  /// A journal entry of a back intent.
  private func entry(_ revision: UInt64, _ at: Timestamp) -> JournalEntry {
    JournalEntry(revision: revision, at: at, kind: .back, name: "back", input: .emptyObject, screen: "home")
  }

  /// The session's next revision, with unchanged navigation.
  private func next(_ session: StoredSession, outcome: StoredOutcome? = nil) -> StoredSession {
    session.advanced(
      to: session.navigation, by: entry(session.revision + 1, session.createdAt), keeping: 64, outcome: outcome)
  }

  @Test(arguments: StoreKind.available)
  func `a store loads the session that was inserted or replaced`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = try await test.create("bank").session
    #expect(try await test.live(session.key) == session)
    let next = next(session)
    #expect(try await test.store.replace(session, with: next))
    #expect(try await test.live(session.key) == next)
    if kind.isDurable {
      try test.reopen()
      #expect(try await test.live(session.key) == next)
    }
  }

  @Test(arguments: StoreKind.available)
  func `nothing changes if the session is unknown, replaced or deleted`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let key = SessionKey(.random())
    #expect(try await test.store.load(key) == .unknown)
    #expect(try await test.creation("k") == nil)
    let session = try await test.create().session
    #expect(try await test.store.delete(next(session), forgetAt: test.now) == false)
    #expect(try await test.live(session.key) == session)
    _ = try await test.store.delete(session, forgetAt: test.now + 60)
    #expect(try await test.store.delete(session, forgetAt: test.now + 60) == false)
    #expect(try await test.store.replace(session, with: next(session)) == false)
  }

  @Test(arguments: StoreKind.available)
  func `one session is inserted for a key, even after its end`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = try await test.create().session
    #expect(try await test.store.insert(session, outcome: nil) == false)
    _ = try await test.store.delete(session, forgetAt: test.now + 60)
    #expect(try await test.store.insert(session, outcome: nil) == false)
  }

  @Test(arguments: StoreKind.available)
  func `one of many concurrent replacements succeeds`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    var session = try await test.create().session
    for _ in 0..<20 {
      let old = session
      let successes = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<16 { group.addTask { try await test.store.replace(old, with: self.next(old)) } }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(successes == 1)
      session = try await test.live(session.key)
      #expect(session.revision == old.revision + 1)
    }
    #expect(session.journal.entries(after: 0, limit: 100, keeping: 64).map(\.revision) == Array(1...21))
  }

  @Test(arguments: StoreKind.available)
  func `an outcome is stored together with its session`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = try await test.create().session
    let outcome = StoredOutcome(
      key: IdempotencyDigest("k", of: session.key), fingerprint: Digest256(ofParts: [[1]]), revision: 2,
      packed: session.navigation.packed, storedAt: test.now, expiresAt: test.now + 60)
    #expect(try await test.store.replace(session, with: next(session, outcome: outcome)))
    // A second replacement of the same version fails even if it only adds an outcome, because it would drop the first
    // outcome.
    let advanced = try await test.live(session.key)
    let other = StoredOutcome(
      key: IdempotencyDigest("other", of: session.key), fingerprint: outcome.fingerprint, revision: 2,
      packed: outcome.packed, storedAt: test.now, expiresAt: test.now + 60)
    #expect(try await test.store.replace(advanced, with: advanced.recording(other)))
    #expect(try await test.store.replace(advanced, with: next(advanced)) == false)
    if kind.isDurable { try test.reopen() }
    let kept = try await test.live(session.key)
    #expect(kept.revision == 2)
    #expect(kept.outcomes.outcome(for: outcome.key, at: test.now)?.packed == outcome.packed)
    #expect(kept.outcomes.outcome(for: other.key, at: test.now)?.revision == 2)
    #expect(kept.outcomes.outcome(for: other.key, at: test.now + 60) == nil)
  }

  @Test(arguments: StoreKind.available)
  func `one creation is stored for an idempotency key until the key expires`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let first = try await test.create(key: "k").session
    let stored = try #require(try await test.creation("k"))
    #expect(stored.session == first)
    let other = try await test.create().session
    let rival = CreationOutcome(
      key: stored.key, fingerprint: stored.fingerprint, sealedID: stored.sealedID,
      session: StoredSession(
        key: SessionKey(.random()), app: other.app, createdAt: other.createdAt, expiresAt: other.expiresAt,
        locale: "vi", revision: 1, navigation: other.navigation, journal: other.journal),
      storedAt: test.now, expiresAt: test.now + 60)
    #expect(try await test.store.insert(rival.session, outcome: rival) == false)
    #expect(try await test.store.load(rival.session.key) == .unknown)
    if kind.isDurable { try test.reopen() }
    #expect(try await test.creation("k")?.session == first)
    // An expired key can be used again.
    test.advance(seconds: 86_400)
    let later = CreationOutcome(
      key: rival.key, fingerprint: rival.fingerprint, sealedID: rival.sealedID, session: rival.session,
      storedAt: test.now, expiresAt: test.now + 60)
    if !kind.isDurable { try await test.store.sweep(now: test.now, tombstoneLifetime: 60) }
    #expect(try await test.store.insert(later.session, outcome: later))
    #expect(try await test.creation("k")?.session == later.session)
    #expect(try await test.live(later.session.key).locale == "vi")
  }

  @Test(arguments: StoreKind.available)
  func `live sessions are listed, the newest first`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    #expect(try await test.store.list(.before(.end), limit: 10) == [])
    var sessions: [StoredSession] = []
    for number in 0..<30 {
      sessions.append(try await test.create(number % 3 == 0 ? "bank" : "shop").session)
      // Sessions that were created at the same time are in the order of their numbers.
      if number % 5 == 0 { test.advance(seconds: 1) }
    }
    _ = try await test.store.delete(sessions[7], forgetAt: test.now + 60)
    let changed = next(sessions[3])
    #expect(try await test.store.replace(sessions[3], with: changed))
    sessions[3] = changed
    sessions.remove(at: 7)
    sessions.sort { ListedSession($0).cursor > ListedSession($1).cursor }
    #expect(try await test.store.list(.before(.end), limit: 100) == sessions.map { ListedSession($0) })
    var pages: [ListedSession] = []
    while true {
      let page = try await test.store.list(.before(pages.last?.cursor ?? .end), limit: 7)
      if page.isEmpty { break }
      #expect(page.count <= 7)
      pages += page
    }
    #expect(pages == sessions.map { ListedSession($0) })
  }

  @Test(arguments: StoreKind.available)
  func `live sessions are listed by a range of numbers`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    var sessions: [StoredSession] = []
    for _ in 0..<20 { sessions.append(try await test.create("shop").session) }
    _ = try await test.store.delete(sessions.removeLast(), forgetAt: test.now + 60)
    sessions.sort { $0.key.number < $1.key.number }
    for session in sessions {
      let prefix = try #require(SessionKeyPrefix(session.key.short))
      let found = try await test.store.list(.numbered(prefix.numbers), limit: 10)
      #expect(found.contains(ListedSession(session)) && found.allSatisfy { prefix.matches($0.key) })
      #expect(
        try await test.store.list(.numbered(session.key.number...session.key.number), limit: 10) == [
          ListedSession(session)
        ])
    }
    #expect(
      try await test.store.list(.numbered(Int64.min...Int64.max), limit: 100) == sessions.map { ListedSession($0) })
    #expect(
      try await test.store.list(.numbered(Int64.min...Int64.max), limit: 5)
        == sessions.prefix(5).map { ListedSession($0) })
    #expect(
      try await test.store.list(.numbered(sessions[2].key.number...sessions[4].key.number), limit: 5)
        == sessions[2...4].map { ListedSession($0) })
  }

  @Test(arguments: StoreKind.available)
  func `a store is ready until it is closed, and then fails`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try await test.store.checkReady()
    guard kind.isDurable else { return }
    test.store.close()
    await #expect(throws: StoreError.self) { try await test.store.checkReady() }
    await #expect(throws: SessionError.self) { _ = try await test.create() }
  }
}

extension TestStore {
  /// Loads a session, and fails if it is not live.
  func live(_ key: SessionKey) async throws -> StoredSession {
    guard case .live(let session) = try await store.load(key) else { throw SessionError.unknownSession }
    return session
  }

  /// The stored creation under an idempotency key, or nil if there is none to replay.
  func creation(_ key: String) async throws -> CreationOutcome? {
    guard case .live(let outcome) = try await store.creation(for: IdempotencyDigest(key, creationBy: nil)) else {
      return nil
    }
    return outcome
  }
}
