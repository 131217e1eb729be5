import Navigation
import TestSupport
import Testing
import Values

@testable import Sessions
@testable import Stores

/// The rows of signals that wait for work: their limit, their order, and their end.
@Suite(.limitedConcurrency) struct SignalQueueTests {
  @Test(arguments: StoreKind.available)
  func `a queue below its limit takes one more signal, of any size`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending().advanced(.waiting(1, at: 8), .waiting(2, at: 9))
    #expect(try await test.store.insert(session, outcome: nil))
    func deliver(_ number: UInt64, size: Int, to id: UInt32 = 1) async throws -> WorkDelivery {
      let signal = QueuedSignal(delivery: SignalDelivery(number), event: [UInt8](repeating: 0, count: size))
      return try await test.store.deliver(signal, to: WorkID(id), of: session.key)
    }
    let limit = QueuedSignal.sizeLimit
    #expect(try await deliver(1, size: limit - 1) == .delivered)
    #expect(try await deliver(2, size: 3 * limit) == .delivered)
    #expect(try await deliver(3, size: 1) == .full)
    // A repetition is known, and another queue has room.
    #expect(try await deliver(2, size: 1) == .repeated)
    #expect(try await deliver(2, size: limit, to: 2) == .delivered)
    #expect(try await deliver(3, size: 1, to: 2) == .full)
    // The first signal ends, and the second one alone exceeds the limit.
    let next = session.advanced(.waiting(3, at: 8), .waiting(2, at: 9))
    #expect(try await test.store.replace(session, with: next))
    #expect(try await deliver(3, size: 1, to: 3) == .full)
    #expect(try await test.store.replace(next, with: next.advanced(.waiting(4, at: 8), .waiting(2, at: 9))))
    #expect(try await deliver(2, size: 1, to: 4) == .delivered)
    #expect(try await deliver(3, size: 1, to: 2) == .full)
  }

  @Test(arguments: StoreKind.available)
  func `signals keep their order over a restart, and repetitions are known then`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending().advanced(.waiting(1, for: "order"))
    #expect(try await test.store.insert(session, outcome: nil))
    for number in [UInt64.max, 3] {
      #expect(try await test.store.deliver(.signal(number), to: WorkID(1), of: session.key) == .delivered)
    }
    if kind.isDurable { try test.reopen() }
    #expect(try await test.store.deliver(.signal(0), to: WorkID(1), of: session.key) == .delivered)
    let lookUp = try #require(try await test.store.claim().first)
    #expect(lookUp.progress == WorkProgress.firstLookUp)
    try await test.store.settle(lookUp, adding: [.signal(8), .signal(7)], at: .current)
    if kind.isDurable { try test.reopen() }
    for number in [8, 7, UInt64.max, 3, 0] {
      #expect(try await test.store.deliver(.signal(number, size: 9), to: WorkID(1), of: session.key) == .repeated)
    }
    #expect(try await test.store.deliver(.signal(5), to: WorkID(1), of: session.key) == .delivered)
    #expect(try await test.store.takeSignals() == [session.key: [8, 7, UInt64.max, 3, 0, 5]])
    // A signal that was taken does not wait any more.
    #expect(try await test.store.deliver(.signal(3), to: WorkID(1), of: session.key) == .delivered)
  }

  @Test(arguments: StoreKind.available)
  func `signals end with their work, and with their session`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let owner = SessionOwner(name: "Ann")
    func insert(_ work: ScheduledWork..., lifetime: Int64 = 3600) async throws -> StoredSession {
      let session = StoredSession(copying: .pending(lifetime: lifetime), owner: owner, work: work)
      #expect(try await test.store.insert(session, outcome: nil))
      for item in work {
        for number in [1, 2] as [UInt64] {
          #expect(try await test.store.deliver(.signal(number), to: item.id, of: session.key) == .delivered)
        }
      }
      return session
    }
    /// The number of signals that wait, if the store has a database.
    func expect(_ count: Int) throws { #expect(try test.countQueuedSignals() == (kind.isDurable ? count : 0)) }
    let kept = try await insert(.waiting(1))
    let worked = try await insert(.waiting(1, at: 1), .waiting(2, at: 2))
    try expect(6)
    #expect(try await test.store.replace(worked, with: worked.advanced(.waiting(2, at: 2))))
    try expect(4)
    #expect(try await test.store.deliver(.signal(3), to: WorkID(1), of: worked.key) == .missing)
    for claimed in try await test.store.claim() where claimed.session == worked.key {
      try await test.store.discard(claimed)
    }
    try expect(2)
    #expect(try await test.store.deliver(.signal(3), to: WorkID(2), of: worked.key) == .missing)
    let deleted = try await insert(.waiting(1), .waiting(2, at: 2))
    #expect(try await test.store.delete(deleted, forgetAt: .current))
    try expect(2)
    let expired = try await insert(.waiting(1), lifetime: 60)
    try await test.store.sweep(now: .current + 61, tombstoneLifetime: 60)
    try expect(2)
    for session in [deleted, expired] {
      #expect(try await test.store.deliver(.signal(3), to: WorkID(1), of: session.key) == .missing)
    }
    #expect(try await test.store.endSessions(of: .owner(owner), forgetAt: .current).contains(kept.key))
    try expect(0)
    #expect(try await test.store.countWork().counts == WorkCount(pending: 0, stuck: 0))
  }

  @Test(arguments: StoreKind.available)
  func `only work that waits for signals takes one`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending(.init(1), .timer(2), .waiting(3))
    #expect(try await test.store.insert(session, outcome: nil))
    for id in [1, 2, 4] as [UInt32] {
      #expect(try await test.store.deliver(.signal(1), to: WorkID(id), of: session.key) == .missing)
    }
    #expect(try await test.store.deliver(.signal(1), to: WorkID(3), of: session.key) == .delivered)
    let claimed = try await test.store.claim().sorted { $0.id < $1.id }
    #expect(claimed.ids == [1, 2, 3])
    #expect(try claimed.map { try $0.progress?.delivery() } == [nil, nil, 1])
  }
}
