import CoreMetrics
import Foundation
import Navigation
import Observability
import Synchronization
import TestSupport
import Testing
import Values

@testable import Sessions
@testable import Stores

/// Events whose handler fails, on every store: what holds later events back, and for how long.
@Suite(.limitedConcurrency) struct StuckEventTests {
  /// A coordinator with three timers. The first one fails until the coordinator is mended.
  private struct Relay: Coordinator {
    static let name = "relay"
    var isMended = false
    var passed: [Int] = []

    struct Baton: TimedEvent {
      static let name = "baton"
      var number: Int
    }

    struct Track: Screen {
      static let name = "track"
      static let title: Title<Self> = "Track"
      static let actions: [any Action.Type] = [Mend.self]
    }

    struct Mend: Action {
      static let name = "mend"
      static let title: Text = "Mend"
    }

    static let wiring = Wiring<Self>()
      .shows(Track.self)
      .on(Mend.self) { me, _, _ in me.isMended = true }
      .on(timer: Baton.self) { me, baton, nav in
        if baton.number == 1, !me.isMended { return nav.pop(9) }
        me.passed.append(baton.number)
      }

    func start(_ nav: inout Navigator<Self>) {
      nav.push(Track())
      for number in 1...3 { nav.schedule(Baton(number: number), after: .zero, key: "\(number)") }
    }
  }

  private func service(_ test: TestStore, setAsideAfter time: Duration) throws -> SessionService {
    var settings = SessionService.Settings()
    settings.setAsideAfter = time
    return SessionService(
      apps: [try AppDefinition(App("relay", title: "Relay") { Relay() })], store: test.store, settings: settings)
  }

  /// Runs the work of a service until a condition holds, for at most 30 seconds.
  private func run(
    _ service: SessionService, metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    until condition: () async throws -> Bool
  ) async throws {
    var settings = WorkRunner.Settings()
    settings.interval = .milliseconds(5)
    let runner = WorkRunner(service, settings, metrics: metrics) { _ in }
    let running = Task { await runner.run() }
    var count = 0
    while try await !condition(), count < 3000 {
      count += 1
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(count < 3000)
    running.cancel()
    await running.value
  }

  private func passed(_ id: SessionID, _ service: SessionService) async throws -> Value? {
    try await service.snapshot(id).state.nodes[0].state.encoding["passed"]
  }

  private func isHeldBack(_ statuses: [WorkStatus]) -> Bool {
    statuses.map(\.wait?.reason) == [.stuck, .behindStuckEvent, .behindStuckEvent]
  }

  @Test(arguments: StoreKind.available)
  func `a stuck event holds later ones of its coordinator back until it is set aside`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    var service = try service(test, setAsideAfter: .seconds(3600))
    let id = try await service.create(.init(app: "relay")).snapshot.id
    let key = SessionKey(id)
    try await run(service) { isHeldBack(try await service.work(of: key)) }
    #expect(try await passed(id, service) == [])
    if kind.isDurable { try test.reopen() }
    service = try self.service(test, setAsideAfter: .milliseconds(1))
    let later = service
    #expect(isHeldBack(try await later.work(of: key)))
    try await run(later) { try await passed(id, later) == [2, 3] }
    let statuses = try await later.work(of: key)
    #expect(statuses.map(\.wait?.reason) == [.stuck] && statuses.map(\.isStuck) == [true])
    #expect(try await test.store.countWork().counts == WorkCount(pending: 0, stuck: 1))
    // The event is kept, and can still be tried again.
    _ = try await later.perform(.init(.action(name: "mend", input: .emptyObject)), on: id)
    #expect(try await later.retry(statuses[0].id, of: key))
    try await run(later) { try await passed(id, later) == [2, 3, 1] }
    #expect(try await later.work(of: key).isEmpty)
  }

  @Test(arguments: StoreKind.available)
  func `clients are told of a stuck event once, until it is applied, through restarts too`(kind: StoreKind) async throws
  {
    let test = try TestStore(kind)
    var service = try service(test, setAsideAfter: .seconds(3600))
    let created = try await service.create(.init(app: "relay")).snapshot
    let (id, key) = (created.id, created.session.key)
    #expect(created.stuckEvents.isEmpty)
    try await run(service) { isHeldBack(try await service.work(of: key)) }
    if kind.isDurable { try test.reopen() }
    service = try self.service(test, setAsideAfter: .seconds(3600))
    let later = service
    let work = try #require(try await later.work(of: key).first?.id)
    let told = try await later.snapshot(id)
    #expect(told.stuckEvents == [work] && told.session.revision == 2)
    #expect(told.session.journal.entries(after: 1).map(\.kind) == [.stuck])
    #expect(told.session.journal.entries(after: 1).map(\.name) == ["baton"])
    // The same event fails again.
    let failures = Mutex(0)
    #expect(try await later.retry(work, of: key))
    try await run(later) {
      failures.withLock { $0 += 1 }
      return try await later.work(of: key).first?.isStuck == true
    }
    #expect(try await later.snapshot(id).session.revision == 2)
    _ = try await later.perform(.init(.action(name: "mend", input: .emptyObject)), on: id)
    #expect(try await later.snapshot(id).stuckEvents == [work])
    #expect(try await later.retry(work, of: key))
    try await run(later) { try await passed(id, later) == [1, 2, 3] }
    let after = try await later.snapshot(id)
    #expect(after.stuckEvents.isEmpty && after.session.stuck.isEmpty)
  }

  @Test func `a new stuck event raises the gauge at once, and one that fails again does not`() async throws {
    let test = try TestStore(.memory)
    let metrics = PrometheusRegistry()
    let service = SessionService(
      apps: [try AppDefinition(App("relay", title: "Relay") { Relay() })], store: test.store, metrics: metrics)
    let key = try await service.create(.init(app: "relay")).snapshot.session.key
    try await run(service, metrics: metrics) { isHeldBack(try await service.work(of: key)) }
    #expect(metrics.text().contains("usher_work_stuck 1\n"))
    let work = try #require(try await service.work(of: key).first)
    #expect(try await service.retry(work.id, of: key))
    try await run(service, metrics: metrics) { try await service.work(of: key).first?.isStuck == true }
    #expect(metrics.text().contains("usher_work_stuck 1\n"))
  }

  @Test(arguments: StoreKind.available)
  func `the reason why an event waits is stored with its time, and ends with the event`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = StoredSession.pending(.init(1), .init(2), .waiting(3))
    #expect(try await test.store.insert(session, outcome: nil))
    #expect(try await test.store.deliver(.signal(1), to: WorkID(3), of: session.key) == .delivered)
    let time = Timestamp(milliseconds: 1_795_176_000_123)
    let waits = [
      EventWait(.stuck, since: time), EventWait(.behindStuckEvent, since: time),
      EventWait(.blockedForLong, since: time),
    ]
    for (work, wait) in zip(try await test.store.claim().sorted(by: { $0.id < $1.id }), waits) {
      #expect(work.wait == nil)
      let pause: Duration? = wait.reason == .stuck ? nil : .zero
      let report = WorkReport(pause: pause, attempts: 0, error: "It waits.", wait: wait)
      #expect(try await test.store.report(report, on: work, at: .current))
    }
    if kind.isDurable { try test.reopen() }
    #expect(try await test.store.work(of: session.key).map(\.wait) == waits)
    #expect(try await test.store.countWork().blocked == 1)
    #expect(try await test.store.retry(WorkID(1), of: session.key, with: nil, at: .current))
    let again = try await test.store.claimSoon().sorted { $0.id < $1.id }
    #expect(again.map(\.wait) == waits)
    // A report of another kind, and the end of a signal, end the wait.
    #expect(try await test.store.report(again[0]))
    try await test.store.settle(again[2], adding: [], at: .current)
    #expect(try await test.store.work(of: session.key).map(\.wait) == [nil, waits[1], nil])
    #expect(try await test.store.countWork().blocked == 0)
  }

  @Test func `a stuck event holds back later events, which then go on in their order`() async throws {
    let service = try service(TestStore(.memory), setAsideAfter: .zero)
    let work = try await service.create(.init(app: "relay")).snapshot.state.work
    try #require(work.count == 3)
    let (time, event) = (Timestamp(milliseconds: 1_000_000), WorkProgress.event(.due(work[0].id)).encoded)
    func status(_ index: Int, _ reason: EventWait.Reason, since seconds: Int64) -> WorkStatus {
      WorkStatus(
        id: work[index].id, attempts: 0, error: "It waits.", dueAt: reason == .stuck ? .never : time, progress: event,
        wait: EventWait(reason, since: time + seconds))
    }
    func siblings(of index: Int, _ statuses: WorkStatus..., at seconds: Int64) -> EventSiblings {
      let others = work.filter { $0.id != work[index].id }
      return EventSiblings(of: work[index], others, statuses, at: time + seconds, setAsideAfter: .seconds(900))
    }
    let stuck = status(0, .stuck, since: 0)
    // The second event came after the third one.
    let (second, third) = (status(1, .behindStuckEvent, since: 5), status(2, .behindStuckEvent, since: 1))
    let held = siblings(of: 1, stuck, at: 899)
    #expect(held.delay(of: .due(work[1].id)) == .some(time + 900))
    #expect(held.delay(of: .dropped(work[1].id, nil)) == nil)
    #expect(siblings(of: 1, stuck, second, third, at: 900).delay(of: .due(work[1].id)) == .some(nil))
    let first = siblings(of: 2, stuck, second, third, at: 900)
    #expect(first.delay(of: .due(work[2].id)) == nil && first.waiting == [work[1].id])
    #expect(siblings(of: 0, stuck, second, third, at: 900).waiting == [work[2].id, work[1].id])
    // An event that is tried again still comes first.
    let retried = WorkStatus(
      id: work[0].id, attempts: 0, error: "It waits.", dueAt: time, progress: event, wait: stuck.wait)
    #expect(siblings(of: 1, retried, second, at: 1).delay(of: .due(work[1].id)) == .some(time + 900))
    // The event itself came before.
    #expect(siblings(of: 1, stuck, status(1, .blocked, since: 0), at: 1).delay(of: .due(work[1].id)) == nil)
  }

  @Test func `a reason why an event waits goes on since its beginning`() {
    let (begin, now) = (Timestamp(milliseconds: 1), Timestamp(milliseconds: 9))
    #expect(EventWait.next(.stuck, after: nil, at: now) == EventWait(.stuck, since: now))
    #expect(
      EventWait.next(.stuck, after: EventWait(.stuck, since: begin), at: now) == EventWait(.stuck, since: begin))
    #expect(
      EventWait.next(.stuck, after: EventWait(.blocked, since: begin), at: now) == EventWait(.stuck, since: now))
    #expect(
      EventWait.next(.blocked, after: EventWait(.blockedForLong, since: begin), at: now)
        == EventWait(.blocked, since: begin))
  }
}
