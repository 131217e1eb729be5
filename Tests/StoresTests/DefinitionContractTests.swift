import Navigation
import TestApps
import TestSupport
import Testing
import Values

@testable import Sessions
@testable import Stores

/// The contract of every store about the definitions of flows.
@Suite(.limitedConcurrency) struct DefinitionContractTests {
  private func kept(_ source: DefinitionSource, version: Int = 1) -> KeptDefinition {
    KeptDefinition(digest: source.digest, app: "errand", version: version, source: source.encoded())
  }

  /// A session with a definition. Its state is that of another app, which stores do not read.
  private func session(
    _ definition: DefinitionDigest?, key: SessionKey? = nil, detached: [ScheduledWork] = []
  ) -> StoredSession {
    let other = StoredSession.pending()
    return StoredSession(
      key: key ?? other.key, app: "errand", createdAt: other.createdAt, expiresAt: other.expiresAt, locale: nil,
      revision: 1,
      navigation: other.navigation, journal: other.journal, work: other.work, detached: detached,
      definition: definition)
  }

  private let old = Errand.source("app: errand", "greeting: Hi")
  private let new = Errand.source("app: errand", "greeting: Hello")

  @Test(arguments: StoreKind.available)
  func `a store keeps definitions with the time of their last use`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    #expect(try await test.store.definition(old.digest) == nil)
    #expect(try await test.store.definitions().isEmpty)
    let since = test.now
    try await test.store.keep([kept(old, version: 7)], at: since)
    test.advance(seconds: 10)
    try await test.store.keep([kept(old, version: 7), kept(new)], at: test.now)
    if kind.isDurable { try test.reopen() }
    #expect(try await test.store.definition(old.digest) == kept(old, version: 7))
    let found = try #require(try await test.store.definition(new.digest))
    #expect(try DefinitionSource(decoding: found.source) == new)
    let listed = try await test.store.definitions()
    #expect(listed.map(\.digest) == [old.digest, new.digest] && listed.map(\.version) == [7, 1])
    #expect(listed.map(\.keptSince) == [since, test.now] && listed.map(\.usedAt) == [test.now, test.now])
    #expect(listed.map(\.app) == ["errand", "errand"] && listed.map(\.sessions) == [0, 0])
  }

  @Test(arguments: StoreKind.available)
  func `a session is written only if its definition is kept`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = session(old.digest)
    let outcome = CreationOutcome(
      key: IdempotencyDigest("k", creationBy: nil), fingerprint: Digest256(ofParts: []),
      sealedID: SealedSessionID(.random(), under: "k"), session: session, storedAt: test.now,
      expiresAt: test.now + 60)
    #expect(try await test.store.insert(session, outcome: nil) == false)
    #expect(try await test.store.insert(session, outcome: outcome) == false)
    #expect(try await test.store.load(session.key) == .unknown)
    // The key is still free.
    #expect(try await test.creation("k") == nil)
    try await test.store.keep([kept(old)], at: test.now)
    #expect(try await test.store.insert(session, outcome: outcome))
    if kind.isDurable { try test.reopen() }
    #expect(try await test.live(session.key).definition == old.digest)
    #expect(try await test.live(session.key) == session)
    let next = session.advanced(
      to: session.navigation,
      by: .init(
        revision: 2, at: test.now, kind: .carry, name: "carry", input: .emptyObject, screen: "door"),
      keeping: 64, definition: new.digest)
    #expect(try await test.store.replace(session, with: next) == false)
    #expect(try await test.live(session.key).definition == old.digest)
    try await test.store.keep([kept(new)], at: test.now)
    #expect(try await test.store.replace(session, with: next))
    #expect(try await test.store.replace(session, with: next) == false)
    if kind.isDurable { try test.reopen() }
    #expect(try await test.live(session.key).definition == new.digest)
    #expect(try await test.store.definitions().map(\.sessions).sorted() == [0, 1])
  }

  @Test(arguments: StoreKind.available)
  func `a definition is removed once nothing needs it and no process uses it`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try await test.store.keep([kept(old), kept(new)], at: test.now)
    let session = session(old.digest)
    #expect(try await test.store.insert(session, outcome: nil))
    #expect(try await test.store.removeDefinitions(unusedSince: test.now) == 0)
    test.advance(seconds: 60)
    try await test.store.keep([kept(new)], at: test.now)
    // One has a session, the other is in use.
    #expect(try await test.store.removeDefinitions(unusedSince: test.now) == 0)
    #expect(try await test.store.definitions().map(\.sessions).reduce(0, +) == 1)
    #expect(try await test.store.delete(session, forgetAt: test.now + 60))
    #expect(try await test.store.removeDefinitions(unusedSince: test.now) == 1)
    #expect(try await test.store.definitions().map(\.digest) == [new.digest])
    #expect(try await test.store.removeDefinitions(unusedSince: test.now + 1) == 1)
    #expect(try await test.store.definitions().isEmpty)
  }

  @Test(arguments: StoreKind.available)
  func `an expired session needs its definition until it is swept`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try await test.store.keep([kept(old)], at: test.now)
    let session = session(old.digest)
    #expect(try await test.store.insert(session, outcome: nil))
    #expect(try await test.store.removeDefinitions(unusedSince: test.now + 1) == 0)
    try await test.store.sweep(now: session.expiresAt, tombstoneLifetime: 60)
    #expect(try await test.store.removeDefinitions(unusedSince: test.now + 1) == 1)
  }

  @Test(arguments: StoreKind.available)
  func `a detached effect needs its definition after the end of its session`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try await test.store.keep([kept(old)], at: test.now)
    let key = SessionKey(.random())
    let content = DetachedWork(
      session: key, app: "errand", definition: old.digest, locale: nil, effect: [1])
    #expect(try DetachedWork(encoded: content.encoded).definition == old.digest)
    let work = ScheduledWork(id: WorkID(9), dueAt: .current, queue: WorkQueue(name: "pay"), detached: content.encoded)
    let session = session(old.digest, key: key, detached: [work])
    #expect(try await test.store.insert(session, outcome: nil))
    #expect(try await test.store.delete(session, forgetAt: test.now))
    #expect(try await test.store.removeDefinitions(unusedSince: test.now + 1) == 0)
    #expect(try await test.store.claim(["errand": 9]).isEmpty)
    let claimed = try await test.store.claim([StoredSession.anyFlow: .max])
    try #require(claimed.count == 1)
    try await test.store.discard(claimed[0])
    #expect(try await test.store.removeDefinitions(unusedSince: test.now + 1) == 1)
  }

  @Test(arguments: StoreKind.available)
  func `the sessions of a definition end in batches, and no others`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try await test.store.keep([kept(old), kept(new)], at: test.now)
    let others = [session(new.digest), session(nil)]
    for session in others { #expect(try await test.store.insert(session, outcome: nil)) }
    var keys: Set<SessionKey> = []
    for _ in 0..<5 {
      let session = session(old.digest)
      #expect(try await test.store.insert(session, outcome: nil))
      keys.insert(session.key)
    }
    var ended: [SessionKey] = []
    while true {
      let batch = try await test.store.endSessions(of: .definition(old.digest), forgetAt: test.now + 60)
      if batch.isEmpty { break }
      ended += batch
    }
    #expect(Set(ended) == keys && ended.count == 5)
    for key in keys { #expect(try await test.store.load(key) == .gone(owner: nil)) }
    for session in others { #expect(try await test.live(session.key) == session) }
    #expect(try await test.store.removeDefinitions(unusedSince: test.now + 1) == 1)
  }

  @Test(arguments: StoreKind.available)
  func `no session is left without its definition while definitions are removed`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let (store, now, kept, digest) = (test.store, test.now, kept(old), old.digest)
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<25 {
            let session = session(digest)
            while try await !store.insert(session, outcome: nil) { try await store.keep([kept], at: now) }
            #expect(try await store.definition(digest) != nil)
            #expect(try await store.delete(session, forgetAt: now))
          }
        }
      }
      group.addTask {
        for _ in 0..<100 { _ = try await store.removeDefinitions(unusedSince: now + 1) }
      }
      try await group.waitForAll()
    }
    #expect(try await store.definitions().allSatisfy { $0.sessions == 0 })
  }
}
