import Navigation
import TestSupport
import Testing
import Values

@testable import Sessions
@testable import Stores

/// The contract of every store about expiry, tombstones and limits.
@Suite(.limitedConcurrency) struct StoreRetentionTests {
  @Test(arguments: StoreKind.available)
  func `the tombstones of deleted and expired sessions are kept until they are due`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let (deleted, expired) = (try await test.create().session, try await test.create(ttl: 60).session)
    let living = try await test.create(ttl: 3600).session
    #expect(try await test.store.delete(deleted, forgetAt: test.now + 90))
    #expect(try await test.store.delete(deleted, forgetAt: test.now + 900) == false)
    test.advance(seconds: 60)
    try await test.store.sweep(now: test.now, tombstoneLifetime: 120)
    for key in [deleted.key, expired.key] { #expect(try await test.store.load(key) == .gone(owner: nil)) }
    if kind.isDurable { try test.reopen() }
    for key in [deleted.key, expired.key] { #expect(try await test.store.load(key) == .gone(owner: nil)) }
    test.advance(seconds: 30)
    try await test.store.sweep(now: test.now, tombstoneLifetime: 120)
    #expect(try await test.store.load(deleted.key) == .unknown)
    #expect(try await test.store.load(expired.key) == .gone(owner: nil))
    test.advance(seconds: 90)
    try await test.store.sweep(now: test.now, tombstoneLifetime: 120)
    #expect(try await test.store.load(expired.key) == .unknown)
    #expect(try await test.live(living.key) == living)
  }

  @Test(arguments: StoreKind.available)
  func `any number of sessions is swept at once`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = test.service
    var keys: [SessionKey] = []
    // The slowest store serves this number of concurrent clients within their timeouts.
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
    for key in keys { #expect(try await test.store.load(key) == .gone(owner: nil)) }
    #expect(try await test.creation("k7") == nil)
    test.advance(seconds: 86_400)
    try await test.store.sweep(now: test.now, tombstoneLifetime: 86_400)
    for key in keys { #expect(try await test.store.load(key) == .unknown) }
  }

  @Test(arguments: StoreKind.available)
  func `more sessions than the limit are refused`(kind: StoreKind) async throws {
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

  /// Returns the keys that have a tombstone, and the number of creations under the idempotency keys `k0`, `k1` and so
  /// on.
  private func retained(
    _ keys: [SessionKey], in test: TestStore
  ) async throws -> (ended: [SessionKey], outcomes: Int) {
    var ended: [SessionKey] = []
    for key in keys { if case .gone = try await test.store.load(key) { ended.append(key) } }
    var outcomes = 0
    for index in keys.indices {
      let key = IdempotencyDigest("k\(index)", creationBy: nil)
      if case .unknown = try await test.store.creation(for: key) { continue }
      outcomes += 1
    }
    return (ended, outcomes)
  }

  @Test(arguments: StoreKind.available, ["deleted", "expired"])
  func `the number of tombstones is limited, and the newest are kept`(kind: StoreKind, how: String) async throws {
    let test = try TestStore(kind, tombstoneLimit: 256)
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
    let (ended, outcomes) = try await retained(keys + [living.key], in: test)
    // In memory, each shard has a limit of its own. The tombstones there are not exactly the newest ones.
    #expect(ended.count <= 256 && ended.count > 128)
    #expect(!kind.isDurable || ended == Array(keys.suffix(256)))
    #expect(outcomes == ended.count + 1)
    #expect(try await test.live(living.key) == living)
  }

  @Test(arguments: StoreKind.available)
  func `the creation of an ended session is reduced to the fingerprint of its request`(kind: StoreKind) async throws {
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
        Issue.record("The creation is complete or missing.")
        continue
      }
      #expect(fingerprint == Idempotency(key: key, request: [Array("pages".utf8)]).fingerprint)
      #expect(expiresAt > test.now)
    }
    guard case .live(let outcome) = try await test.store.creation(for: IdempotencyDigest("living", creationBy: nil))
    else {
      Issue.record("The creation of the live session is missing.")
      return
    }
    #expect(outcome.session == living)
    // The key of an ended session does not create another session.
    await #expect(throws: SessionError.self) { _ = try await test.create("pages", key: "deleted") }
    _ = expired
  }
}
