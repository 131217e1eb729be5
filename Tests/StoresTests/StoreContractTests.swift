import Navigation
import Testing
import Values

@testable import Sessions
@testable import Stores

/// What every store keeps to, by itself.
@Suite(.limitedConcurrency) struct `A store` {
  private func entry(_ revision: UInt64, _ at: Timestamp) -> JournalEntry {
    JournalEntry(revision: revision, at: at, kind: .back, name: "back", input: .emptyObject, screen: "home")
  }

  private func next(_ session: StoredSession, outcome: StoredOutcome? = nil) -> StoredSession {
    session.advanced(
      to: session.navigation, by: entry(session.revision + 1, session.createdAt), keeping: 64, outcome: outcome)
  }

  private func live(_ key: SessionKey, in test: TestStore) async throws -> StoredSession {
    guard case .live(let session) = try await test.store.load(key, .current) else {
      throw SessionError.unknownSession
    }
    return session
  }

  @Test(arguments: StoreKind.available) func `gives back what it was given`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = try await test.create("bank").session
    #expect(try await live(session.key, in: test) == session)
    let next = next(session)
    #expect(try await test.store.replace(session, with: next))
    #expect(try await live(session.key, in: test) == next)
    if kind.isDurable {
      try test.reopen()
      #expect(try await live(session.key, in: test) == next)
    }
  }

  @Test(arguments: StoreKind.available) func `knows nothing of what it was not given`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let key = SessionKey(.random())
    #expect(try await test.store.load(key, .current) == .unknown)
    #expect(try await test.creation("k") == nil)
    let session = try await test.create().session
    #expect(try await test.store.delete(next(session), forgetAt: test.now) == false)
    #expect(try await live(session.key, in: test) == session)
    _ = try await test.store.delete(session, forgetAt: test.now + 60)
    #expect(try await test.store.delete(session, forgetAt: test.now + 60) == false)
    #expect(try await test.store.replace(session, with: next(session)) == false)
  }

  @Test(arguments: StoreKind.available) func `takes a key once`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = try await test.create().session
    #expect(try await test.store.insert(session, outcome: nil) == false)
    _ = try await test.store.delete(session, forgetAt: test.now + 60)
    #expect(try await test.store.insert(session, outcome: nil) == false)
  }

  @Test(arguments: StoreKind.available) func `lets one of many through from one version`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    var session = try await test.create().session
    for _ in 0..<20 {
      let old = session
      let through = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<16 { group.addTask { try await test.store.replace(old, with: self.next(old)) } }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(through == 1)
      session = try await live(session.key, in: test)
      #expect(session.revision == old.revision + 1)
    }
    #expect(session.journal.entries(after: 0, limit: 100, keeping: 64).map(\.revision) == Array(1...21))
  }

  @Test(arguments: StoreKind.available) func `keeps an outcome with what it belongs to`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = try await test.create().session
    let outcome = StoredOutcome(
      key: IdempotencyDigest("k", of: session.key), fingerprint: Digest256(ofParts: [[1]]), revision: 2,
      packed: session.navigation.packed, storedAt: test.now, expiresAt: test.now + 60)
    #expect(try await test.store.replace(session, with: next(session, outcome: outcome)))
    // Of two that only add an outcome the second is refused as well: it would drop the first.
    let advanced = try await live(session.key, in: test)
    let other = StoredOutcome(
      key: IdempotencyDigest("other", of: session.key), fingerprint: outcome.fingerprint, revision: 2,
      packed: outcome.packed, storedAt: test.now, expiresAt: test.now + 60)
    #expect(try await test.store.replace(advanced, with: advanced.recording(other)))
    #expect(try await test.store.replace(advanced, with: next(advanced)) == false)
    if kind.isDurable { try test.reopen() }
    let kept = try await live(session.key, in: test)
    #expect(kept.revision == 2)
    #expect(kept.outcomes.outcome(for: outcome.key, at: test.now)?.packed == outcome.packed)
    #expect(kept.outcomes.outcome(for: other.key, at: test.now)?.revision == 2)
    #expect(kept.outcomes.outcome(for: other.key, at: test.now + 60) == nil)
  }

  @Test(arguments: StoreKind.available) func `takes one creation a key`(kind: StoreKind) async throws {
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
    #expect(try await test.store.load(rival.session.key, .current) == .unknown)
    if kind.isDurable { try test.reopen() }
    #expect(try await test.creation("k")?.session == first)
    // From its end on the key is as good as new.
    test.advance(seconds: 86_400)
    let later = CreationOutcome(
      key: rival.key, fingerprint: rival.fingerprint, sealedID: rival.sealedID, session: rival.session,
      storedAt: test.now, expiresAt: test.now + 60)
    if kind == .memory { try await test.store.sweep(now: test.now, tombstoneLifetime: 60) }
    #expect(try await test.store.insert(later.session, outcome: later))
    #expect(try await test.creation("k")?.session == later.session)
    #expect(try await live(later.session.key, in: test).locale == "vi")
  }

  @Test(arguments: StoreKind.available) func `remembers what has ended`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let (deleted, expired) = (try await test.create().session, try await test.create(ttl: 60).session)
    let living = try await test.create(ttl: 3600).session
    #expect(try await test.store.delete(deleted, forgetAt: test.now + 90))
    #expect(try await test.store.delete(deleted, forgetAt: test.now + 900) == false)
    test.advance(seconds: 60)
    try await test.store.sweep(now: test.now, tombstoneLifetime: 120)
    for key in [deleted.key, expired.key] { #expect(try await test.store.load(key, .current) == .gone(owner: nil)) }
    if kind.isDurable { try test.reopen() }
    for key in [deleted.key, expired.key] { #expect(try await test.store.load(key, .current) == .gone(owner: nil)) }
    test.advance(seconds: 30)
    try await test.store.sweep(now: test.now, tombstoneLifetime: 120)
    #expect(try await test.store.load(deleted.key, .current) == .unknown)
    #expect(try await test.store.load(expired.key, .current) == .gone(owner: nil))
    test.advance(seconds: 90)
    try await test.store.sweep(now: test.now, tombstoneLifetime: 120)
    #expect(try await test.store.load(expired.key, .current) == .unknown)
    #expect(try await live(living.key, in: test) == living)
  }

  @Test(arguments: StoreKind.available) func `lists what lives, the newest first`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    #expect(try await test.store.list(before: .end, limit: 10) == [])
    var made: [StoredSession] = []
    for number in 0..<30 {
      made.append(try await test.create(number % 3 == 0 ? "bank" : "shop").session)
      // Of some that are made at one time the number decides.
      if number % 5 == 0 { test.advance(seconds: 1) }
    }
    _ = try await test.store.delete(made[7], forgetAt: test.now + 60)
    let changed = next(made[3])
    #expect(try await test.store.replace(made[3], with: changed))
    made[3] = changed
    made.remove(at: 7)
    made.sort { ListedSession($0).cursor > ListedSession($1).cursor }
    #expect(try await test.store.list(before: .end, limit: 100) == made.map { ListedSession($0) })
    var pages: [ListedSession] = []
    while true {
      let page = try await test.store.list(before: pages.last?.cursor ?? .end, limit: 7)
      if page.isEmpty { break }
      #expect(page.count <= 7)
      pages += page
    }
    #expect(pages == made.map { ListedSession($0) })
  }

  @Test(arguments: StoreKind.available) func `finds what lives by its number`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    var made: [StoredSession] = []
    for _ in 0..<20 { made.append(try await test.create("shop").session) }
    _ = try await test.store.delete(made.removeLast(), forgetAt: test.now + 60)
    made.sort { $0.key.number < $1.key.number }
    for session in made {
      let prefix = try #require(SessionKeyPrefix(session.key.short))
      let found = try await test.store.list(numbered: prefix.numbers, limit: 10)
      #expect(found.contains(ListedSession(session)) && found.allSatisfy { prefix.matches($0.key) })
      #expect(
        try await test.store.list(numbered: session.key.number...session.key.number, limit: 10) == [
          ListedSession(session)
        ])
    }
    #expect(try await test.store.list(numbered: Int64.min...Int64.max, limit: 100) == made.map { ListedSession($0) })
    #expect(
      try await test.store.list(numbered: Int64.min...Int64.max, limit: 5) == made.prefix(5).map { ListedSession($0) })
    #expect(
      try await test.store.list(numbered: made[2].key.number...made[4].key.number, limit: 5)
        == made[2...4].map { ListedSession($0) })
  }

  @Test(arguments: StoreKind.available) func `sweeps any number at once`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = test.service
    var keys: [SessionKey] = []
    // As few clients as any store answers before they give up.
    for round in 0..<20 {
      keys += try await withThrowingTaskGroup(of: SessionKey.self) { group in
        for client in 0..<50 {
          let idempotency = Idempotency(key: "k\(round * 50 + client)", request: [])
          group.addTask {
            try await service.create(.init(app: "pages", timeToLive: 5, idempotency: idempotency)).snapshot.session.key
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    test.advance(seconds: 86_400)
    try await test.store.sweep(now: test.now, tombstoneLifetime: 86_400)
    for key in keys { #expect(try await test.store.load(key, .current) == .gone(owner: nil)) }
    #expect(try await test.creation("k7") == nil)
    test.advance(seconds: 86_400)
    try await test.store.sweep(now: test.now, tombstoneLifetime: 86_400)
    for key in keys { #expect(try await test.store.load(key, .current) == .unknown) }
  }

  @Test(arguments: StoreKind.available) func `holds as many sessions as it may`(kind: StoreKind) async throws {
    let test = try TestStore(kind, sessionLimit: 2)
    let first = try await test.create(ttl: 60).session
    _ = try await test.create()
    await #expect(throws: SessionError.self) { _ = try await test.create() }
    _ = try await test.store.delete(first, forgetAt: test.now + 60)
    _ = try await test.create(ttl: 60)
    await #expect(throws: SessionError.self) { _ = try await test.create() }
    if kind.isDurable {
      try test.reopen()
      await #expect(throws: SessionError.self) { _ = try await test.create() }
    }
    test.advance(seconds: 60)
    try await test.store.sweep(now: test.now, tombstoneLifetime: 60)
    _ = try await test.create()
    await #expect(throws: SessionError.self) { _ = try await test.create() }
  }

  /// What is remembered of those: ended sessions, and outcomes of creations.
  private func remembered(
    _ keys: [SessionKey], in test: TestStore
  ) async throws -> (ended: [SessionKey], outcomes: Int) {
    var ended: [SessionKey] = []
    for key in keys { if case .gone = try await test.store.load(key, .current) { ended.append(key) } }
    var outcomes = 0
    for place in keys.indices {
      if case .unknown = try await test.store.creation(for: IdempotencyDigest("k\(place)", creationBy: nil)) {
        continue
      }
      outcomes += 1
    }
    return (ended, outcomes)
  }

  @Test(arguments: StoreKind.available, ["deleted", "expired"])
  func `remembers a limited number of what has ended, the newest`(kind: StoreKind, how: String) async throws {
    let test = try TestStore(kind, endedLimit: 256)
    var keys: [SessionKey] = []
    for number in 0..<600 {
      let session = try await test.create("pages", key: "k\(number)", ttl: how == "expired" ? 60 : nil).session
      keys.append(session.key)
      if how == "deleted" { #expect(try await test.store.delete(session, forgetAt: test.now + 86_400)) }
      test.advance(seconds: 1)
    }
    let living = try await test.create("pages", key: "k\(keys.count)").session
    if how == "expired" { test.advance(seconds: 60) }
    try await test.store.sweep(now: test.now, tombstoneLifetime: 86_400)
    let (ended, outcomes) = try await remembered(keys + [living.key], in: test)
    // In memory each of many parts forgets by itself, so that they are not exactly the newest there.
    #expect(ended.count <= 256 && ended.count > 128)
    #expect(kind == .memory || ended == Array(keys.suffix(256)))
    #expect(outcomes == ended.count + 1)
    #expect(try await live(living.key, in: test) == living)
  }

  @Test(arguments: StoreKind.available) func `keeps nothing of a creation whose session has ended but its request`(
    kind: StoreKind
  ) async throws {
    let test = try TestStore(kind)
    let (deleted, expired) = (
      try await test.create("pages", key: "deleted").session,
      try await test.create("pages", key: "expired", ttl: 60).session
    )
    let living = try await test.create("pages", key: "living").session
    #expect(try await test.store.delete(deleted, forgetAt: test.now + 86_400))
    test.advance(seconds: 60)
    try await test.store.sweep(now: test.now, tombstoneLifetime: 86_400)
    if kind.isDurable { try test.reopen() }
    for key in ["deleted", "expired"] {
      guard
        case .gone(let fingerprint, let expiresAt) = try await test.store.creation(
          for: IdempotencyDigest(key, creationBy: nil))
      else {
        Issue.record("It is kept whole, or forgotten.")
        continue
      }
      #expect(fingerprint == Idempotency(key: key, request: [Array("pages".utf8)]).fingerprint)
      #expect(expiresAt > test.now)
    }
    guard case .live(let outcome) = try await test.store.creation(for: IdempotencyDigest("living", creationBy: nil))
    else {
      Issue.record("It is not replayed.")
      return
    }
    #expect(outcome.session == living)
    // The key of a session that is over says so, and does not create another one; another request under it is a conflict.
    await #expect(throws: SessionError.self) { _ = try await test.create("pages", key: "deleted") }
    _ = expired
  }

  @Test(arguments: StoreKind.available) func `is ready, and refuses once it is closed`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try await test.store.checkReady()
    guard kind.isDurable else { return }
    test.store.close()
    await #expect(throws: StoreError.self) { try await test.store.checkReady() }
    await #expect(throws: SessionError.self) { _ = try await test.create() }
  }
}

extension TestStore {
  /// What is replayed under the key; nil where nothing is.
  func creation(_ key: String) async throws -> CreationOutcome? {
    guard case .live(let outcome) = try await store.creation(for: IdempotencyDigest(key, creationBy: nil)) else {
      return nil
    }
    return outcome
  }
}
