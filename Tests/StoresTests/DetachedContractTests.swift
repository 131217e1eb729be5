import Navigation
import TestSupport
import Testing
import Values

@testable import Sessions
@testable import Stores

/// The contract of every store about detached effects, which outlive their sessions.
@Suite(.limitedConcurrency) struct DetachedContractTests {
  private let ann = SessionOwner(name: "ann")

  /// A detached effect that is due, or a compensation.
  private func detached(_ id: UInt32, of session: StoredSession, isCompensation: Bool = false) -> ScheduledWork {
    let content = DetachedWork(session: session.key, app: "shop", locale: "de", effect: [UInt8(id), 0, 255])
    return ScheduledWork(
      id: WorkID(id), dueAt: isCompensation ? .never : .current, queue: WorkQueue(name: "pay"),
      detached: content.encoded)
  }

  private func session(of owner: SessionOwner? = nil) -> StoredSession {
    StoredSession(copying: .pending(), owner: owner)
  }

  private func effects(_ claimed: [ClaimedWork]) throws -> [[UInt8]?] {
    try claimed.sorted { $0.id < $1.id }.map { try $0.detached.map { try DetachedWork(encoded: $0).effect } }
  }

  @Test(arguments: StoreKind.available)
  func `a detached effect is stored with a write of its session, and outlives the session`(kind: StoreKind) async throws
  {
    let test = try TestStore(kind)
    let first = session()
    let session = StoredSession(copying: first, detached: [detached(1, of: first)])
    #expect(try await test.store.insert(session, outcome: nil))
    let second = StoredSession(copying: session.advanced(), detached: [detached(2, of: first)])
    #expect(try await test.store.replace(session, with: second))
    // A write that fails, and one without detached effects, add none.
    let late = StoredSession(copying: session.advanced(), detached: [detached(3, of: first)])
    #expect(try await test.store.replace(session, with: late) == false)
    let third = second.advanced()
    #expect(try await test.store.replace(second, with: third))
    #expect(try await test.store.countWork().counts == WorkCount(pending: 2, stuck: 0))
    #expect(try await test.store.delete(third, forgetAt: test.now))
    if kind.isDurable { try test.reopen() }
    let claimed = try await test.store.claim()
    #expect(try effects(claimed) == [[1, 0, 255], [2, 0, 255]])
    #expect(claimed.allSatisfy { $0.session == session.key && $0.claims == 1 && $0.progress == nil })
    #expect(try await test.store.report(claimed[0]))
    let again = try await test.store.claim()
    #expect(again.map(\.attempts) == [1] && again[0].detached == claimed[0].detached)
    for work in [again[0], claimed[1]] { try await test.store.discard(work) }
    #expect(try await test.store.countWork().counts == WorkCount(pending: 0, stuck: 0))
  }

  /// The ends of a session before the outcome of an effect.
  enum End: CaseIterable { case request, deletion, expiry }

  @Test(arguments: StoreKind.available, End.allCases)
  func `a compensation is due when its session or coordinator ends`(kind: StoreKind, end: End) async throws {
    let test = try TestStore(kind)
    let first = session()
    let session = first.advanced(.init(1, in: 3_600_000), detached(2, of: first, isCompensation: true))
    #expect(try await test.store.insert(session, outcome: nil))
    #expect(try await test.store.claim() == [])
    #expect(try await test.store.countWork().counts == WorkCount(pending: 1, stuck: 0))
    if kind.isDurable { try test.reopen() }
    let stored = try await test.live(session.key)
    #expect(stored.work == session.work)
    switch end {
    case .request:
      let next = StoredSession(copying: stored.advanced(), detached: [detached(2, of: first)])
      #expect(try await test.store.replace(stored, with: next))
    case .deletion: #expect(try await test.store.delete(stored, forgetAt: test.now))
    case .expiry: try await test.store.sweep(now: session.expiresAt, tombstoneLifetime: 60)
    }
    #expect(try effects(try await test.store.claim()) == [[2, 0, 255]])
    #expect(try await test.store.countWork().counts == WorkCount(pending: 1, stuck: 0))
  }

  @Test(arguments: StoreKind.available)
  func `a compensation is gone after the outcome`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let first = session()
    let session = first.advanced(.init(1, in: 3_600_000), detached(2, of: first, isCompensation: true))
    #expect(try await test.store.insert(session, outcome: nil))
    let next = session.advanced()
    #expect(try await test.store.replace(session, with: next))
    #expect(try await test.store.delete(next, forgetAt: test.now))
    #expect(try await test.store.claim() == [])
    #expect(try await test.store.countWork().counts == WorkCount(pending: 0, stuck: 0))
  }

  @Test(arguments: StoreKind.available)
  func `the erasure of an owner removes the detached effects of living and of ended sessions`(
    kind: StoreKind
  ) async throws {
    let test = try TestStore(kind)
    for (number, owner) in [ann, SessionOwner(name: "bob"), ann, nil].enumerated() {
      let first = session(of: owner)
      let session = StoredSession(
        copying: first.advanced(.init(8, in: 3_600_000), detached(9, of: first, isCompensation: true)),
        detached: [detached(UInt32(number) + 1, of: first)])
      #expect(try await test.store.insert(session, outcome: nil))
      if number == 2 { #expect(try await test.store.delete(session, forgetAt: test.now + 60)) }
    }
    // The tombstone of the ended session is gone as well.
    try await test.store.sweep(now: test.now + 61, tombstoneLifetime: 60)
    #expect(try await test.store.endSessions(of: .owner(ann), forgetAt: test.now + 60).count == 1)
    #expect(try effects(try await test.store.claim()) == [[2, 0, 255], [4, 0, 255]])
    #expect(try await test.store.countWork().counts == WorkCount(pending: 4, stuck: 0))
  }

  @Test func `malformed content is an error`() throws {
    let bytes = detached(1, of: session()).detached ?? []
    #expect(try DetachedWork(encoded: bytes).locale == "de")
    for size in bytes.indices {
      #expect(throws: ValueError.self) { try DetachedWork(encoded: Array(bytes[..<size])) }
    }
  }
}
