import Navigation
import TestSupport
import Testing
import Values

@testable import Sessions
@testable import Stores

/// The contract of every store about the pending work of sessions.
@Suite(.limitedConcurrency) struct WorkContractTests {
  @Test(arguments: StoreKind.available)
  func `the count has the earliest due time`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    #expect(try await test.store.countWork().dueSince == nil)
    let session = StoredSession.pending(.init(1, in: -5000), .init(2, in: -1000), .waiting(3), .waiting(4, for: "k"))
    #expect(try await test.store.insert(session, outcome: nil))
    let dueSince = try #require(try await test.store.countWork().dueSince)
    #expect(abs(Timestamp.current.milliseconds - 5000 - dueSince.milliseconds) < 30_000)
    #expect(dueSince.milliseconds < Timestamp.current.milliseconds - 1000)
  }

  @Test(arguments: StoreKind.available)
  func `work is stored with its session, and changes and ends with it`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending(.init(1), .init(2, in: 3_600_000))
    #expect(try await test.store.insert(session, outcome: nil))
    #expect(try await test.store.countWork().counts == WorkCount(pending: 2, stuck: 0))
    let first = try await test.store.claim()
    #expect(
      first.map { [$0.attempts, $0.claims] } == [[0, 1]] && first.ids == [1] && first[0].session == session.key
        && first[0].lease > 0 && first[0].progress == nil)

    let next = session.advanced(try #require(session.work?[1]), .init(3))
    #expect(try await test.store.replace(session, with: next))
    #expect(try await test.store.countWork().counts == WorkCount(pending: 2, stuck: 0))
    #expect(try await test.store.claim().ids == [3])
    #expect(try await test.store.report(first[0]) == false)
    #expect(try await test.live(session.key).work == next.work)

    #expect(try await test.store.delete(next, forgetAt: test.now))
    #expect(try await test.store.countWork().counts == WorkCount(pending: 0, stuck: 0))
  }

  @Test(arguments: StoreKind.available)
  func `a session can have no work, then some, and then none`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = try await test.create("shop").session.packed()
    let busy = session.advanced(.init(1), .init(2))
    #expect(try await test.store.replace(session, with: busy))
    #expect(Set(try await test.store.claim().ids) == [1, 2])
    let idle = busy.advanced()
    #expect(try await test.store.replace(busy, with: idle))
    #expect(try await test.store.countWork().pending == 0)
    #expect(try await test.store.replace(idle, with: idle.advanced(.init(3))))
    #expect(try await test.store.claim().ids == [3])
  }

  @Test(arguments: StoreKind.available)
  func `a sweep removes the work of expired sessions`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let (expired, living) = (StoredSession.pending(.init(1), lifetime: 60), StoredSession.pending(.init(2)))
    for session in [expired, living] { #expect(try await test.store.insert(session, outcome: nil)) }
    try await test.store.sweep(now: expired.expiresAt, tombstoneLifetime: 60)
    #expect(try await test.store.countWork().pending == 1)
    #expect(try await test.store.claim().ids == [2])
  }

  @Test(arguments: StoreKind.available)
  func `a session that is created under an idempotency key has its work`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    _ = try await test.create(key: "k")
    let other = try #require(try await test.creation("k"))
    func creation(_ session: StoredSession, _ key: String) -> CreationOutcome {
      CreationOutcome(
        key: IdempotencyDigest(key, creationBy: nil), fingerprint: other.fingerprint, sealedID: other.sealedID,
        session: session, storedAt: test.now, expiresAt: test.now + 60)
    }
    let (refused, created) = (StoredSession.pending(.init(1)), StoredSession.pending(.init(2)))
    #expect(try await test.store.insert(refused, outcome: creation(refused, "k")) == false)
    #expect(try await test.store.insert(created, outcome: creation(created, "new")))
    #expect(try await test.store.claim().ids == [2])
    #expect(try await test.store.countWork().pending == 1)
  }

  @Test(arguments: StoreKind.available)
  func `a write that fails adds and removes no work`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending(.init(1))
    #expect(try await test.store.insert(session, outcome: nil))
    #expect(try await test.store.insert(StoredSession(copying: session, work: [.init(2)]), outcome: nil) == false)
    let (next, late) = (session.advanced(.init(1), .init(3)), session.advanced(.init(4)))
    #expect(try await test.store.replace(session, with: next))
    #expect(try await test.store.replace(session, with: late) == false)
    #expect(try await test.store.delete(late, forgetAt: test.now) == false)
    #expect(Set(try await test.store.claim().ids) == [1, 3])
    #expect(try await test.store.countWork().pending == 2)
  }

  @Test(arguments: StoreKind.available)
  func `work is claimed once it is due, and never early`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending(.init(1, in: 500), .init(2, in: 600_000))
    #expect(try await test.store.insert(session, outcome: nil))
    let claimed = try await test.store.claimSoon()
    #expect(Timestamp.current >= session.work![0].dueAt)
    #expect(claimed.ids == [1])
    // The same id with another time is new work.
    let next = session.advanced(.init(1, in: 400))
    #expect(try await test.store.replace(session, with: next))
    #expect(try await test.store.renew(claimed[0], .zero) == false)
    let again = try await test.store.claimSoon()
    #expect(Timestamp.current >= next.work![0].dueAt)
    #expect(again.ids == [1] && again[0].claims == 1)
  }

  @Test(arguments: StoreKind.available)
  func `the longest due work is claimed first, up to the limit`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending(
      .init(4, in: 60), .init(5, in: 20), .init(1, in: 80), .init(2, in: 40), .init(3, in: 100))
    #expect(try await test.store.insert(session, outcome: nil))
    try await Task.sleep(for: .milliseconds(300))
    #expect(try await test.store.claim(limit: 2).ids == [5, 2])
    #expect(try await test.store.claim(limit: 2).ids == [4, 1])
    #expect(try await test.store.claim(limit: 2).ids == [3])
    #expect(try await test.store.claim(limit: 2).ids == [])
  }

  @Test(arguments: StoreKind.available)
  func `events and the effects of each queue are claimed for their own slots`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending(
      .init(1, in: -90, queue: "slow"), .init(2, in: -80, queue: "slow"), .init(3, in: -70, queue: "slow"),
      .init(4, in: -60, queue: "fast, \"{quick}\"\\"), .init(5, in: -50, queue: "fast, \"{quick}\"\\"),
      .init(6, in: -40, queue: "zz"), .timer(7, in: -30), .timer(8, in: -20))
    #expect(try await test.store.insert(session, outcome: nil))
    func claim(_ slots: WorkSlots) async throws -> [ClaimedWork] {
      try await test.store.claimWork(
        WorkSearch(apps: ["shop": 1], slots: slots, now: .current, lease: .seconds(60)))
    }
    let (slow, fast) = (WorkQueue(name: "slow"), WorkQueue(name: "fast, \"{quick}\"\\"))
    let full = try await claim(.effects(9, ofQueue: 2, taken: [slow: 2, fast: 1]))
    #expect(full.ids == [4, 6] && full.map(\.queue) == [fast, WorkQueue(name: "zz")])
    // The queue with the longest due work comes first.
    #expect(try await claim(.effects(1, ofQueue: 2)).ids == [1])
    #expect(try await claim(.events(1)).map(\.queue) == [.events])
    let effects = try await claim(.effects(9, ofQueue: 9, taken: [slow: 3, fast: 9]))
    #expect(effects.ids == [2, 3] && effects.map(\.queue) == [slow, slow])
    #expect(try await claim(.events(9)).ids == [8])
    #expect(try await claim(.effects(9, ofQueue: 9)).ids == [5])
  }

  @Test(arguments: StoreKind.available)
  func `an effect whose event waits is an event`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending(.init(1), .init(2), .init(3))
    #expect(try await test.store.insert(session, outcome: nil))
    let claimed = try await test.store.claim().sorted { $0.id < $1.id }
    let event = WorkProgress.event(.done(WorkID(1), .null)).encoded
    #expect(try await test.store.report(claimed[0], progress: event))
    #expect(try await test.store.report(claimed[1], progress: WorkProgress.uncertain.encoded))
    #expect(try await test.store.report(claimed[2], pause: nil))
    let dropped = WorkProgress.event(.dropped(WorkID(3), nil)).encoded
    #expect(try await test.store.retry(WorkID(3), of: session.key, with: dropped, at: .current))
    if kind.isDurable { try test.reopen() }
    let again = try await test.store.claim().sorted { $0.id < $1.id }
    #expect(again.map(\.queue) == [.events, claimed[1].queue, .events])
    #expect(again.map(\.progress) == [event, WorkProgress.uncertain.encoded, dropped])
  }

  @Test(arguments: StoreKind.available)
  func `concurrent claims are disjoint`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    for _ in 0..<50 {
      let session = StoredSession.pending()
      let busy = session.advanced(work: (0..<10).map { ScheduledWork($0) })
      #expect(try await test.store.insert(session, outcome: nil))
      #expect(try await test.store.replace(session, with: busy))
    }
    var stores = [test.store]
    if kind == .postgres { for _ in 0..<3 { stores.append(try test.location.open()) } }
    defer { for store in stores.dropFirst() { store.close() } }
    let claimed = try await withThrowingTaskGroup(of: [ClaimedWork].self) { [stores] group in
      for claimer in 0..<16 {
        group.addTask {
          var claimed: [ClaimedWork] = []
          // So many claims would suffice for one claimer.
          for _ in 0..<100 {
            let next = try await stores[claimer % stores.count].claim(limit: 7)
            if next.isEmpty { break }
            claimed += next
          }
          return claimed
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(claimed.count == 500 && claimed.allSatisfy { $0.claims == 1 })
    #expect(Dictionary(grouping: claimed, by: \.session).values.allSatisfy { Set($0.ids) == Set(0..<10) })
    #expect(Set(claimed.map(\.lease)).count == 500)
    #expect(try await test.store.countWork().counts == WorkCount(pending: 500, stuck: 0))
  }

  @Test(arguments: StoreKind.available)
  func `work whose lease expires is claimed again, and its former holder reports nothing`(
    kind: StoreKind
  ) async throws {
    let test = try TestStore(kind)
    #expect(try await test.store.insert(.pending(.init(1)), outcome: nil))
    let begin = Timestamp.current
    let lost = try await test.store.claim(lease: .milliseconds(400))
    #expect(lost.map(\.claims) == [1])
    let held = try await test.store.claimSoon(lease: .milliseconds(500))
    #expect(Timestamp.current >= begin + .milliseconds(400))
    #expect(held.map(\.claims) == [2] && held[0].lease != lost[0].lease)
    #expect(try await test.store.report(lost[0], pause: nil, progress: [1]) == false)
    #expect(try await test.store.renew(lost[0], .seconds(600)) == false)
    try await test.store.discard(lost[0])
    #expect(try await test.store.countWork().counts == WorkCount(pending: 1, stuck: 0))
    let last = try await test.store.claimSoon()
    #expect(last.map { [$0.attempts, $0.claims] } == [[0, 3]] && last[0].progress == nil)
    #expect(try await test.store.report(last[0]))
    #expect(try await test.store.report(last[0]) == false)
    #expect(try await test.store.claim().map { [$0.attempts, $0.claims] } == [[1, 1]])
  }

  @Test(arguments: StoreKind.available)
  func `a renewed lease begins anew`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    #expect(try await test.store.insert(.pending(.init(1)), outcome: nil))
    let work = try await test.store.claim(lease: .milliseconds(300))
    #expect(try await test.store.renew(work[0], .seconds(600)))
    try await Task.sleep(for: .milliseconds(400))
    #expect(try await test.store.claim() == [])
    #expect(try await test.store.renew(work[0], .milliseconds(1)))
    #expect(try await test.store.claimSoon().map(\.claims) == [2])
  }

  @Test(arguments: StoreKind.available)
  func `reported work is due after its pause`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    #expect(try await test.store.insert(.pending(.init(1)), outcome: nil))
    let begin = Timestamp.current
    #expect(try await test.store.report(try #require(try await test.store.claim().first), pause: .milliseconds(400)))
    let again = try await test.store.claimSoon()
    #expect(Timestamp.current >= begin + .milliseconds(400))
    #expect(again.map { [$0.attempts, $0.claims] } == [[1, 1]])
    #expect(try await test.store.report(again[0], pause: .seconds(Int64.max)))
    #expect(try await test.store.claim() == [])
  }

  @Test(arguments: StoreKind.available)
  func `stuck work is counted, and never claimed`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending(.init(1), .init(2, in: 600_000))
    #expect(try await test.store.insert(session, outcome: nil))
    let work = try #require(try await test.store.claim().first)
    let error = "\0" + String(repeating: "é", count: 2000)
    #expect(try await test.store.report(WorkReport(pause: nil, attempts: 2, error: error), on: work, at: .current))
    #expect(try await test.store.countWork().counts == WorkCount(pending: 1, stuck: 1))
    let future = Timestamp.current + 100
    #expect(try await test.store.claim(at: future, lease: .seconds(1), limit: 10) == [])
    if kind.isDurable { try test.reopen() }
    #expect(try await test.store.countWork().counts == WorkCount(pending: 1, stuck: 1))
    #expect(try await test.store.replace(session, with: session.advanced()))
    #expect(try await test.store.countWork().counts == WorkCount(pending: 0, stuck: 0))
  }

  @Test(arguments: StoreKind.available)
  func `work, leases and events outlast the process`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending(.init(1), .init(2), .init(3, in: 600_000))
    #expect(try await test.store.insert(session, outcome: nil))
    let work = try await test.store.claim().sorted { $0.id.rawValue < $1.id.rawValue }
    #expect(try await test.store.report(work[1], progress: [1, 0, 255]))
    if kind.isDurable { try test.reopen() }
    #expect(try await test.live(session.key).work == session.work)
    let again = try await test.store.claim()
    // A session file belongs to one process, and the leases on it end with that process.
    let endsLeases = kind == .sqlite
    #expect(again.ids.sorted() == (endsLeases ? [1, 2] : [2]))
    let second = try #require(again.first { $0.id == WorkID(2) })
    #expect(second.progress == [1, 0, 255] && second.attempts == 1 && second.claims == 1)
    #expect(try await test.store.report(second))
    // A report without a progress keeps it.
    #expect(try await test.store.claim().map(\.progress) == [[1, 0, 255]])
    if !endsLeases {
      #expect(try await test.store.report(work[0]))
      #expect(try await test.store.claim().ids == [1])
    }
    #expect(try await test.store.countWork().counts == WorkCount(pending: 3, stuck: 0))
  }

  @Test(arguments: StoreKind.available)
  func `work after an error can be retried, and given an event`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending(.init(1), .init(2), .init(3, in: 600_000), .waiting(4))
    #expect(try await test.store.insert(session, outcome: nil))
    for id in 1...4 as ClosedRange<UInt32> {
      #expect(try await test.store.retry(WorkID(id), of: session.key, with: nil, at: .current) == false)
    }
    let work = try await test.store.claim().sorted { $0.id < $1.id }
    #expect(try await test.store.report(work[0], pause: .seconds(600)))
    let stuck = WorkReport(pause: nil, attempts: 0, error: "It is refused.", progress: [9])
    #expect(try await test.store.report(stuck, on: work[1], at: .current))
    if kind.isDurable { try test.reopen() }
    let statuses = try await test.store.work(of: session.key)
    #expect(statuses.map(\.id.rawValue) == [1, 2, 3, 4])
    #expect(statuses.map(\.error) == ["The service is away.", "It is refused.", nil, nil])
    #expect(statuses.map(\.attempts) == [1, 0, 0, 0] && statuses.map(\.isStuck) == [false, true, false, false])
    #expect(statuses.map(\.progress) == [nil, [9], nil, nil])
    var leased: ClaimedWork?
    for id in [3, 4] as [UInt32] {
      #expect(try await test.store.retry(WorkID(id), of: session.key, with: [7], at: .current) == false)
    }
    for id in [1, 2] as [UInt32] {
      #expect(try await test.store.retry(WorkID(id), of: session.key, with: nil, at: .current))
      leased = try await test.store.claim().first
      #expect(leased?.id == WorkID(id))
      // A lease protects work from operators, too.
      #expect(try await test.store.retry(WorkID(id), of: session.key, with: nil, at: .current) == false)
    }
    for isLeased in [true, false] {
      #expect(try await test.store.retry(WorkID(2), of: session.key, with: [7], at: .current) != isLeased)
      if isLeased { #expect(try await test.store.report(try #require(leased), pause: .seconds(600), progress: [9])) }
    }
    let given = try await test.store.claim()
    #expect(given.map(\.progress) == [[7]] && given.map(\.claims) == [1])
    #expect(try await test.store.work(of: SessionKey(.random())) == [])
  }

  @Test(arguments: StoreKind.available)
  func `a store has one secret`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let secrets = try await withThrowingTaskGroup(of: [UInt8].self) { [store = test.store] group in
      for _ in 0..<4 { group.addTask { try await store.secret() } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(secrets.count == 1)
    #expect(secrets.first?.count == 32)
    if kind.isDurable { try test.reopen() }
    #expect(try await [test.store.secret()] == Array(secrets) || !kind.isDurable)
    let other = try TestStore(kind)
    #expect(try await other.store.secret() != secrets.first)
  }

  @Test(arguments: StoreKind.available)
  func `only work of the given apps is claimed`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    for (id, app) in [(1, "bank"), (2, "shop"), (3, "pages")] as [(UInt32, String)] {
      #expect(try await test.store.insert(.pending(.init(id), app: app), outcome: nil))
    }
    #expect(try await test.store.claim([:]) == [])
    #expect(try await test.store.claim(limit: 1).ids == [2])
    #expect(try await test.store.claim() == [])
    #expect(Set(try await test.store.claim(["pages": 1, "bank": 1, "shop": 1]).ids) == [1, 3])
  }

  @Test(arguments: StoreKind.available)
  func `work has the trace of its request`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let trace = "0af7651916cd43dd8448eb211c80319c-01"
    let created = StepTrace.with(trace) { StoredSession.pending(.init(1), .timer(2)) }
    #expect(try await test.store.insert(created, outcome: nil))
    if kind.isDurable { try test.reopen() }
    #expect(try await test.store.claim().map(\.trace) == [trace, trace])
    let next = created.advanced(work: created.work! + [.init(3)])
    #expect(try await test.store.replace(created, with: next))
    #expect(try await test.store.claim().map(\.trace) == [nil])
  }

  @Test(arguments: StoreKind.available)
  func `work of a later version of an app is left to the processes that have it`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let dueAt = Timestamp.current
    let work = [1, 2, 3].map { ScheduledWork(id: WorkID(UInt32($0)), version: $0, dueAt: dueAt) }
    let session = StoredSession.pending().advanced(work: [])
    #expect(try await test.store.insert(session, outcome: nil))
    // A version is that of one write.
    var latest = session
    for work in work {
      let next = latest.advanced(work: (latest.work ?? []) + [work])
      #expect(try await test.store.replace(latest, with: next))
      latest = next
    }
    #expect(try await test.store.claim(["shop": 0, "bank": 3]) == [])
    #expect(try await test.store.claim(["shop": 2]).ids.sorted() == [1, 2])
    #expect(try await test.store.claim(["shop": 2, "bank": 3]) == [])
    #expect(try await test.store.claim(["shop": 4]).ids == [3])

    // The work of the later version is overdue by a minute.
    let overdue = ScheduledWork(id: WorkID(4), version: 3, dueAt: Timestamp(milliseconds: dueAt.milliseconds - 61_000))
    #expect(try await test.store.replace(latest, with: latest.advanced(work: latest.work! + [overdue])))
    #expect(try await test.store.claim(["bank": 9]) == [])
    #expect(try await test.store.claim(["shop": 2]).ids == [4])
  }

  @Test(arguments: StoreKind.available)
  func `the holder of a lease can discard the work`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    #expect(try await test.store.insert(.pending(.init(1)), outcome: nil))
    let work = try await test.store.claim(lease: .milliseconds(1))
    #expect(work.count == 1)
    try await test.store.discard(try #require(try await test.store.claimSoon().first))
    #expect(try await test.store.countWork().pending == 0)
    #expect(try await test.store.report(work[0]) == false)
  }

  @Test(arguments: StoreKind.available.filter(\.isDurable))
  func `rows without a session are removed when they are due`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let (living, deleted) = (StoredSession.pending(.init(1)), StoredSession.pending())
    for session in [living, deleted] { #expect(try await test.store.insert(session, outcome: nil)) }
    #expect(try await test.store.delete(deleted, forgetAt: test.now + 600))
    let rows = """
      (session, id, app, queue, due_at) VALUES (7, 2, 'shop', 'pay', 0), (\(deleted.key.number), 3, 'shop', 'pay', 0)
      """
    try test.execute(sqlite: "INSERT INTO work \(rows)", postgres: "INSERT INTO usher_work \(rows)")
    #expect(try await test.store.countWork().pending == 3)
    #expect(try await test.store.claim(limit: 2) == [])
    #expect(try await test.store.countWork().pending == 1)
    #expect(try await test.store.claim().ids == [1])
  }
}
