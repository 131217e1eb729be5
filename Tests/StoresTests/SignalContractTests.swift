import Navigation
import TestSupport
import Testing
import Values

@testable import Sessions
@testable import Stores

/// The contract of every store about signals: the queue of each piece of work, and signals under a key.
@Suite(.limitedConcurrency) struct SignalContractTests {
  /// Inserts a session that waits, and has looked up held signals.
  private func insert(_ work: ScheduledWork..., into test: TestStore) async throws -> StoredSession {
    let session = StoredSession.pending().advanced(work: work)
    #expect(try await test.store.insert(session, outcome: nil))
    guard work.contains(where: { $0.key != nil }) else { return session }
    for claimed in try await test.store.claim() { try await test.store.settle(claimed, adding: [], at: .current) }
    return session
  }

  /// The delivery of the first signal that waits for the first piece of work of a session.
  private func first(of session: StoredSession, _ test: TestStore) async throws -> UInt64? {
    try await test.store.work(of: session.key).first?.progress?.delivery()
  }

  @Test(arguments: StoreKind.available)
  func `signals wait in the order of their arrival, and each write that applies one removes it`(
    kind: StoreKind
  ) async throws {
    let test = try TestStore(kind)
    let session = try await insert(.waiting(1, at: 8), .waiting(2, at: 9), into: test)
    #expect(try await test.store.countWork().counts == WorkCount(pending: 0, stuck: 0))
    let future = Timestamp.current + 1_000_000
    #expect(try await test.store.claim(at: future, lease: .seconds(1), limit: 10) == [])
    for number in [5, 6, 7] as [UInt64] {
      #expect(try await test.store.deliver(.signal(number), to: WorkID(2), of: session.key) == .delivered)
      #expect(try await test.store.deliver(.signal(number), to: WorkID(2), of: session.key) == .repeated)
    }
    #expect(try await test.store.countWork().counts == WorkCount(pending: 1, stuck: 0))
    if kind.isDurable { try test.reopen() }
    var (current, id) = (session, UInt32(2))
    for number in 5...8 as ClosedRange<UInt64> {
      let claimed = try await test.store.claim()
      #expect(claimed.ids == [id] && claimed[0].attempts == 0 && claimed[0].claims == 1)
      #expect(try claimed[0].progress?.delivery() == number)
      // One arrives while the first is applied.
      if id == 2 { #expect(try await test.store.deliver(.signal(8), to: WorkID(2), of: session.key) == .delivered) }
      let next = current.advanced(.waiting(1, at: 8), .waiting(id + 1, at: 9))
      #expect(try await test.store.replace(current, with: next))
      #expect(try await test.store.deliver(.signal(9), to: WorkID(id), of: session.key) == .missing)
      #expect(try await test.live(session.key).work == next.work)
      (current, id) = (next, id + 1)
    }
    #expect(try await test.store.claim() == [])
    #expect(try await test.store.countWork().counts == WorkCount(pending: 0, stuck: 0))
    #expect(try await test.store.deliver(.signal(9), to: WorkID(id), of: session.key) == .delivered)
    #expect(try await test.store.delete(current, forgetAt: test.now))
    #expect(try await test.store.deliver(.signal(9), to: WorkID(1), of: session.key) == .missing)
    #expect(try await test.store.deliver(.signal(9), to: WorkID(1), of: SessionKey(.random())) == .missing)
    #expect(try await test.store.countWork().counts == WorkCount(pending: 0, stuck: 0))
  }

  @Test(arguments: StoreKind.available)
  func `a queue takes no further signal at its limit`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = try await insert(.waiting(1), into: test)
    for number in [1, 2, 3] as [UInt64] {
      #expect(try await test.store.deliver(.signal(number, size: 30_000), to: WorkID(1), of: session.key) == .delivered)
    }
    #expect(try await test.store.deliver(.signal(4), to: WorkID(1), of: session.key) == .full)
    #expect(
      try await test.store.deliver(.signal(2, size: 30_000), to: WorkID(1), of: session.key) == .repeated)
    #expect(try await test.store.replace(session, with: session.advanced(.waiting(2))))
    #expect(try await test.store.deliver(.signal(4), to: WorkID(2), of: session.key) == .delivered)
    #expect(try await test.store.takeSignals() == [session.key: [2, 3, 4]])
  }

  @Test(arguments: StoreKind.available)
  func `a report keeps the signals, and an operator can retry them`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = try await insert(.waiting(1), into: test)
    #expect(try await test.store.deliver(.signal(1), to: WorkID(1), of: session.key) == .delivered)
    let claimed = try #require(try await test.store.claim().first)
    #expect(try await test.store.deliver(.signal(2), to: WorkID(1), of: session.key) == .delivered)
    #expect(try await test.store.report(claimed, pause: nil))
    #expect(try await test.store.deliver(.signal(3), to: WorkID(1), of: session.key) == .delivered)
    #expect(try await test.store.countWork().counts == WorkCount(pending: 0, stuck: 1))
    #expect(try await test.store.claim() == [])
    #expect(try await test.store.retry(WorkID(1), of: session.key, with: nil, at: .current))
    #expect(try await test.store.takeSignals() == [session.key: [1, 2, 3]])
  }

  @Test(arguments: StoreKind.available)
  func `work is settled by the holder of its lease`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending().advanced(.waiting(1, for: "order"))
    #expect(try await test.store.insert(session, outcome: nil))
    // It is due at once, to look for held signals.
    let first = try #require(try await test.store.claim().first)
    #expect(first.progress == WorkProgress.firstLookUp)
    #expect(try await test.store.deliver(.signal(1), to: WorkID(1), of: session.key) == .delivered)
    try await test.store.settle(first, adding: [], at: .current)
    #expect(try await test.store.countWork().counts == WorkCount(pending: 1, stuck: 0))
    #expect(try await test.store.deliver(.signal(2), to: WorkID(1), of: session.key) == .delivered)
    let second = try #require(try await test.store.claim().first)
    try await test.store.settle(first, adding: [.signal(3)], at: .current)
    #expect(try await self.first(of: session, test) == 1)
    try await test.store.settle(second, adding: [], at: .current)
    let third = try #require(try await test.store.claim().first)
    #expect(try third.progress?.delivery() == 2)
    try await test.store.settle(second, adding: [], at: .current)
    #expect(try await self.first(of: session, test) == 2)
    try await test.store.settle(third, adding: [], at: .current)
    #expect(try await self.first(of: session, test) == nil)
  }

  @Test(arguments: StoreKind.available)
  func `of two signals with one id that wait the first counts, whatever their bodies`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = try await insert(.waiting(1, for: "order"), into: test)
    let id: UInt64 = 0xFEDC_BA98_7654_3210
    #expect(try await test.store.deliver(.signal(id), to: WorkID(1), of: session.key) == .delivered)
    #expect(try await test.store.deliver(.signal(id, size: 9), to: WorkID(1), of: session.key) == .repeated)
    let keyed = KeyedSignal(
      key: SignalKey("order", of: "paid", in: "shop"), signal: .signal(id, size: 5), hold: nil)
    _ = try await test.store.deliver(keyed, at: .current)
    #expect(try await test.store.takeSignals() == [session.key: [id]])
  }

  @Test(arguments: StoreKind.available)
  func `signals that replace a look-up come before those that have arrived since, however many`(
    kind: StoreKind
  ) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending().advanced(.waiting(1, for: "order"))
    #expect(try await test.store.insert(session, outcome: nil))
    let lookUp = try #require(try await test.store.claim().first)
    #expect(try await test.store.deliver(.signal(3, size: 70_000), to: WorkID(1), of: session.key) == .delivered)
    #expect(try await test.store.deliver(.signal(4), to: WorkID(1), of: session.key) == .full)
    try await test.store.settle(lookUp, adding: [.signal(1), .signal(2)], at: .current)
    #expect(try await test.store.takeSignals() == [session.key: [1, 2, 3]])
  }

  @Test(arguments: StoreKind.available)
  func `a signal under a key reaches all work that waits for it, and a repetition none`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let other = try await insert(.waiting(1, for: "other"), into: test)
    var receivers: [StoredSession] = []
    for _ in 0..<3 { receivers.append(try await insert(.waiting(1, for: "order"), into: test)) }
    #expect(try await test.store.deliver(1, for: "order") == .delivered(3))
    #expect(try await test.store.deliver(1, for: "order") == .repeated(3))
    #expect(try await test.store.deliver(2, for: "order") == .delivered(3))
    for session in receivers { #expect(try await first(of: session, test) == 1) }
    #expect(try await first(of: other, test) == nil)
    // The key stays with the work when a signal is applied, and ends with it.
    #expect(try await test.store.replace(receivers[0], with: receivers[0].advanced(.waiting(2, for: "order"))))
    #expect(try await test.store.replace(receivers[1], with: receivers[1].advanced()))
    #expect(try await test.store.delete(receivers[2], forgetAt: test.now))
    if kind.isDurable { try test.reopen() }
    #expect(try await test.store.deliver(2, for: "order") == .repeated(3))
    #expect(try await test.store.deliver(3, for: "order") == .delivered(1))
    #expect(try await test.store.takeSignals() == [receivers[0].key: [2, 3]])
  }

  @Test(arguments: StoreKind.available)
  func `a signal that reaches nobody is forgotten, unless it is held`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    #expect(try await test.store.deliver(1, for: "order") == .delivered(0))
    #expect(try await test.store.deliver(1, for: "order") == .delivered(0))
    #expect(try await test.store.held(for: "order") == [])
    #expect(try await test.store.deliver(2, for: "order", hold: .seconds(600)) == .delivered(0))
    #expect(try await test.store.deliver(3, for: "order", hold: .milliseconds(600)) == .delivered(0))
    #expect(try await test.store.deliver(2, for: "order", hold: .seconds(600)) == .repeated(0))
    #expect(try await test.store.held(for: "other") == [])
    try await Task.sleep(for: .milliseconds(700))
    if kind.isDurable { try test.reopen() }
    #expect(try await test.store.held(for: "order") == [.signal(2)])
    #expect(try await test.store.countWork().heldSignals == 2)
    // A sweep removes the content of signals that are not held any more, and recognises their repetitions still.
    try await test.store.sweep(now: .current, tombstoneLifetime: 60)
    #expect(try await test.store.countWork().heldSignals == 1)
    #expect(try await test.store.deliver(3, for: "order", hold: .seconds(600)) == .repeated(0))
    let session = try await insert(.waiting(1, for: "order"), into: test)
    #expect(try await test.store.deliver(1, for: "order") == .delivered(1))
    #expect(try await test.store.takeSignals() == [session.key: [1]])
  }

  @Test(arguments: StoreKind.available)
  func `a sweep forgets signals after a day`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    #expect(try await test.store.deliver(1, for: "order", hold: .seconds(600)) == .delivered(0))
    try await test.store.sweep(now: .current, tombstoneLifetime: 60)
    #expect(try await test.store.deliver(1, for: "order") == .repeated(0))
    let tomorrow = Timestamp.current + KeyedSignal.memory
    // A shared store asks the clock of its database.
    if kind == .postgres { try test.execute(sqlite: "", postgres: "UPDATE usher_signal SET forget_at = 0") }
    try await test.store.sweep(now: tomorrow, tombstoneLifetime: 60)
    #expect(try await test.store.held(for: "order") == [])
    #expect(try await test.store.deliver(1, for: "order") == .delivered(0))
  }

  @Test(arguments: StoreKind.available)
  func `held signals have a limit in bytes under a key, and in all`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let store = test.store
    #expect(try await store.deliver(1, for: "order", hold: .seconds(600), size: 40_000) == .delivered(0))
    #expect(try await store.deliver(2, for: "order", hold: .seconds(600), size: 40_000) == .delivered(0))
    #expect(try await store.deliver(3, for: "order", hold: .seconds(600)) == .full)
    #expect(try await store.deliver(1, for: "order", hold: .seconds(600)) == .repeated(0))
    #expect(try await store.deliver(3, for: "order") == .delivered(0))
    let size = 4 << 20
    for number in 0..<UInt64(KeyedSignal.holdSizeLimit / size) {
      #expect(try await store.deliver(number, for: "key \(number)", hold: .seconds(600), size: size) == .delivered(0))
    }
    #expect(try await store.deliver(1, for: "last", hold: .seconds(600)) == .full)
    #expect(try await store.held(for: "last") == [])
  }

  @Test(arguments: StoreKind.available)
  func `a signal reaches all receivers or none`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    var sessions: [StoredSession] = []
    for _ in 0..<3 { sessions.append(try await insert(.waiting(1, for: "order"), into: test)) }
    #expect(
      try await test.store.deliver(.signal(1, size: 70_000), to: WorkID(1), of: sessions[1].key) == .delivered)
    #expect(try await test.store.deliver(2, for: "order") == .full)
    #expect(try await test.store.deliver(9, for: "order", hold: .seconds(600)) == .full)
    #expect(try await test.store.held(for: "order") == [])
    #expect(try await first(of: sessions[0], test) == nil)
    #expect(try await test.store.replace(sessions[1], with: sessions[1].advanced(.waiting(2, for: "order"))))
    #expect(try await test.store.deliver(2, for: "order") == .delivered(3))

    let store = test.store
    for number in 0..<KeyedSignal.receiverLimit + 1 {
      _ = try await store.insert(.pending().advanced(.waiting(1, for: "crowd")), outcome: nil)
      if number == KeyedSignal.receiverLimit - 1 {
        #expect(try await store.deliver(1, for: "crowd") == .delivered(KeyedSignal.receiverLimit))
      }
    }
    #expect(try await store.deliver(2, for: "crowd") == .tooMany)
    #expect(try await store.deliver(3, for: "crowd", hold: .seconds(600)) == .tooMany)
    #expect(try await store.held(for: "crowd") == [])
  }

  @Test(arguments: StoreKind.available)
  func `no signal is lost or doubled while others are applied`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = try await insert(.waiting(1, for: "order"), into: test)
    let store = test.store
    // Another process receives a half of the signals, if the store may be shared.
    let other = kind == .postgres ? try test.location.open() : store
    defer { if kind == .postgres { other.close() } }
    let applied = try await withThrowingTaskGroup(of: [UInt64].self) { group in
      for sender in 0..<4 as Range<UInt64> {
        group.addTask {
          for number in 0..<25 as Range<UInt64> {
            let receiver = sender % 2 == 0 ? store : other
            let delivery = try await receiver.deliver(sender << 8 | number, for: "order")
            #expect(delivery == .delivered(1))
          }
          return []
        }
      }
      group.addTask {
        var (current, id, applied) = (session, UInt32(1), [UInt64]())
        for _ in 0..<20_000 where applied.count < 100 {
          guard let claimed = try await store.claim().first else {
            try await Task.sleep(for: .milliseconds(1))
            continue
          }
          guard let first = try claimed.progress?.delivery() else {
            try await store.settle(claimed, adding: [], at: .current)
            continue
          }
          // A claim from before the last write has an id that is gone.
          guard claimed.id == WorkID(id) else { continue }
          let next = current.advanced(.waiting(id + 1, for: "order"))
          #expect(try await store.replace(current, with: next))
          applied.append(first)
          (current, id) = (next, id + 1)
        }
        return applied
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(applied.count == 100 && Set(applied).count == 100)
    for sender in 0..<4 as Range<UInt64> {
      let own = applied.filter { $0 >> 8 == sender }
      #expect(own == own.sorted())
    }
    #expect(try await store.countWork().counts == WorkCount(pending: 0, stuck: 0))
    #expect(try test.countQueuedSignals() == 0)
  }

  @Test(arguments: StoreKind.available)
  func `a held signal reaches work that begins to wait at the same time`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let store = test.store
    for round in 0..<60 as Range<UInt64> {
      let key = "order \(round)"
      let session = StoredSession.pending().advanced(.waiting(1, for: key))
      async let delivered = store.deliver(round, for: key, hold: .seconds(600))
      _ = try await store.insert(session, outcome: nil)
      let held = try await store.held(for: key)
      _ = try await delivered
      let queued = try await store.takeSignals()
      #expect(held == [.signal(round)] || queued == [session.key: [round]])
    }
  }
}
