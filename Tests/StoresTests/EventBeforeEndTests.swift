import CoreMetrics
import Navigation
import TestSupport
import Testing
import Values

@testable import Sessions

/// Events that are scheduled for a time before the end of their session. Tests cannot move the clock of PostgreSQL, which
/// decides what is due there.
@Suite(.limitedConcurrency) struct EventBeforeEndTests {
  private struct Service {
    let test: TestStore
    let sessions: SessionService
    private let runner: WorkRunner
    private let running: Task<Void, Never>

    init(_ test: TestStore, life: Bool = true) throws {
      self.test = test
      let app = App("lease", title: "Lease") { Lease() }
      sessions = SessionService(
        apps: [try AppDefinition(life ? app.life(idle: .seconds(6400), most: .seconds(20_000)) : app)],
        store: test.store, clock: TimeSource { test.now })
      let runner = WorkRunner(sessions, metrics: NOOPMetricsHandler.instance) { Issue.record("\($0)") }
      self.runner = runner
      running = Task { await runner.run() }
    }

    func begin(ttl: Int64? = nil) async throws -> SessionID {
      try await sessions.create(.init(app: "lease", timeToLive: ttl)).snapshot.id
    }

    /// Moves the time, and returns the number of reminders once the runner has looked.
    func reminders(of id: SessionID, afterSeconds seconds: Int64) async throws -> Int? {
      test.advance(seconds: seconds)
      runner.wakeUp()
      // Work that is due is claimed, and is due later or gone afterwards.
      let key = SessionKey(id)
      let isLookedAt = try await eventually {
        try await test.store.work(of: key).allSatisfy { $0.dueAt > test.now } && runner.count == 0
      }
      #expect(isLookedAt)
      return try await sessions.snapshot(id).visible.data["reminders"]?.int.map { Int($0) }
    }

    func stay(_ id: SessionID) async throws {
      _ = try await sessions.perform(IntentRequest(.action(name: "stay", input: .emptyObject)), on: id)
    }

    func stop() async {
      running.cancel()
      await running.value
    }
  }

  @Test(arguments: StoreKind.available.filter { $0 != .postgres })
  func `an event occurs before the end, and again before the end to which a session is extended`(
    kind: StoreKind
  ) async throws {
    let service = try Service(TestStore(kind))
    // The session expires after 6,500 seconds, and the event is due 1,000 seconds before.
    let id = try await service.begin()
    #expect(try await service.reminders(of: id, afterSeconds: 3000) == 0)
    try await service.stay(id)
    // The end has moved from 6,500 to 9,500 seconds.
    #expect(try await service.reminders(of: id, afterSeconds: 2600) == 0)
    #expect(try await service.reminders(of: id, afterSeconds: 2900) == 1)
    let revision = try await service.sessions.snapshot(id).session.revision
    // The event extends nothing, and occurs once for each end.
    #expect(try await service.reminders(of: id, afterSeconds: 100) == 1)
    #expect(try await service.sessions.snapshot(id).session.revision == revision)
    // Extended at 8,600 seconds until 15,100.
    _ = try await service.sessions.extend(id)
    #expect(try await service.reminders(of: id, afterSeconds: 1000) == 1)
    #expect(try await service.reminders(of: id, afterSeconds: 4499) == 1)
    #expect(try await service.reminders(of: id, afterSeconds: 1) == 2)
    await service.stop()
  }

  @Test(arguments: StoreKind.available.filter { $0 != .postgres })
  func `an event before a fixed end occurs, unless it is scheduled too late`(kind: StoreKind) async throws {
    let service = try Service(TestStore(kind))
    let (id, short) = (try await service.begin(ttl: 4000), try await service.begin(ttl: 1000))
    #expect(try await service.reminders(of: short, afterSeconds: 999) == 0)
    #expect(try await service.reminders(of: id, afterSeconds: 2000) == 0)
    #expect(try await service.reminders(of: id, afterSeconds: 1) == 1)
    await service.stop()
  }

  @Test(arguments: [StoreKind.sqlite])
  func `an event survives a restart, and needs no declared life`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    var service = try Service(test, life: false)
    let id = try await service.begin()
    #expect(try await service.reminders(of: id, afterSeconds: 10) == 0)
    await service.stop()
    try test.reopen()
    service = try Service(test, life: false)
    #expect(try await service.reminders(of: id, afterSeconds: 85_380) == 0)
    #expect(try await service.reminders(of: id, afterSeconds: 10) == 1)
    await service.stop()
  }

  @Test(arguments: StoreKind.available)
  func `an event that is early waits without an error`(kind: StoreKind) async throws {
    let service = try Service(TestStore(kind))
    let id = try await service.begin()
    #expect(try await service.reminders(of: id, afterSeconds: 0) == 0)
    let work = try await service.test.store.work(of: SessionKey(id))
    #expect(work.map(\.error) == [nil] && work.map(\.progress) == [nil])
    #expect(try await service.sessions.snapshot(id).session.revision == 1)
    await service.stop()
  }

  private struct Page: Screen {
    static let name = "page"
    static let title: Title<Self> = "Page"
    static let actions: [any Action.Type] = [Stay.self]
    var reminders = 0
  }

  private struct Stay: Action {
    static let name = "stay"
    static let title: Text = "Stay"
  }

  private struct Reminder: TimedEvent { static let name = "reminder" }

  private struct Lease: Coordinator {
    static let name = "lease"
    var reminders = 0

    static let wiring = Wiring<Self>()
      .shows(Page.self) { me, page in page.reminders = me.reminders }
      .on(Stay.self) { _, _, _ in }
      .on(timer: Reminder.self) { me, _, nav in
        me.reminders += 1
        nav.schedule(Reminder(), beforeEnd: .seconds(1000))
      }

    func start(_ nav: inout Navigator<Self>) {
      nav.push(Page())
      nav.schedule(Reminder(), beforeEnd: .seconds(1000))
    }
  }
}
