import CoreMetrics
import Foundation
import Navigation
import Observability
import Stores
import Synchronization
import TestSupport
import Testing
import Values

@testable import Sessions

/// Many timers that are due at once, on every store. `script/bench` measures how late they are.
@Suite(.limitedConcurrency) struct TimerBurstTests {
  @Test(arguments: StoreKind.available)
  func `each timer fires once, while its session and others act`(kind: StoreKind) async throws {
    // A small cache, so that sessions have to be read.
    let test = try TestStore(kind, cacheLimit: 16)
    let service = SessionService(
      apps: [try AppDefinition(App("kettle", title: "Kettle") { Kettle() })], store: test.store)
    var ids: [SessionID] = []
    for _ in 0..<300 { ids.append(try await service.create(.init(app: "kettle")).snapshot.id) }
    let ended = try await service.create(.init(app: "kettle")).snapshot.id
    try await service.delete(ended)
    let metrics = PrometheusRegistry()
    let runner = WorkRunner(service, metrics: metrics) { Issue.record("\($0)") }
    let running = Task { await runner.run() }
    try await withThrowingTaskGroup { group in
      for part in 0..<4 {
        group.addTask { [ids] in
          for id in ids[(part * 75)..<(part * 75 + 75)] {
            _ = try await service.perform(.init(.action(name: "look", input: .emptyObject)), on: id)
          }
        }
      }
      try await group.waitForAll()
    }
    try await waitUntilIdle(runner, test.store)
    for id in ids {
      let snapshot = try await service.snapshot(id)
      #expect(snapshot.session.revision == 3)
      #expect(snapshot.visible.data["boiled"]?.int == 1)
      #expect(snapshot.visible.data["looks"]?.int == 1)
    }
    #expect(try await test.store.countWork().counts == WorkCount(pending: 0, stuck: 0))
    #expect(runner.count == 0)
    #expect(metrics.text().contains("usher_timer_lateness_seconds_count 300\n"))
    running.cancel()
    await running.value
  }

  @Test(arguments: StoreKind.available)
  func `the work of a version of an app is not claimed by a process that has an earlier one`(kind: StoreKind)
    async throws
  {
    let test = try TestStore(kind)
    let app = App("kettle", title: "Kettle", version: 3) { Kettle() }
    let service = SessionService(apps: [try AppDefinition(app)], store: test.store)
    let key = try await service.create(.init(app: "kettle")).snapshot.session.key
    #expect(try await test.store.claim(["kettle": 2]) == [])
    #expect(try await test.store.claim(["kettle": 3]).map(\.session) == [key])
  }

  @Test(arguments: StoreKind.available)
  func `a process that was stopped past its lease attempts no effect`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let calls = Calls()
    let app = try AppDefinition(App("caller", title: "Caller", services: calls) { Caller() })
    let service = SessionService(apps: [app], store: test.store)
    _ = try await service.create(.init(app: "caller"))
    let claimed = try #require(try await test.store.claim(["caller": 1]).first)
    let lost = ClaimedWork(
      session: claimed.session, id: claimed.id, queue: claimed.queue, lease: claimed.lease ^ 1, attempts: 0, claims: 1,
      progress: nil)
    let runner = WorkRunner(service, metrics: NOOPMetricsHandler.instance) { Issue.record("\($0)") }
    runner.inProgress.withLock { $0.add([lost], since: .now - .seconds(5)) }
    await runner.complete(lost, of: nil)
    #expect(calls.count.load(ordering: .relaxed) == 0)
    // A lease that is held is renewed.
    runner.inProgress.withLock { $0.add([claimed], since: .now - .seconds(5)) }
    await runner.complete(claimed, of: nil)
    #expect(calls.count.load(ordering: .relaxed) == 1)
    #expect(try await test.store.countWork().pending == 0 && runner.count == 0)
  }

  private final class Calls: Sendable { let count = Atomic(0) }

  private struct Call: Effect {
    typealias Services = Calls
    static let name = "call"

    func run(_ context: EffectContext<Self>) async throws -> Nothing {
      context.services.count.add(1, ordering: .relaxed)
      return Nothing()
    }
  }

  private struct Caller: Coordinator {
    typealias Services = Calls
    static let name = "caller"
    static let wiring = Wiring<Self>().shows(Stove.self).on(Look.self) { _, _, _ in }
      .performs(Call.self, done: { _, _, _ in }, failed: { _, _, _ in })

    func start(_ nav: inout Navigator<Self>) {
      nav.push(Stove())
      nav.perform(Call())
    }
  }

  @Test func `a count that fails delays the next one by five minutes at most`() {
    func pause(after seconds: Int, _ isCounted: Bool) -> Duration {
      SessionGauges.pause(.seconds(15), after: .seconds(seconds), isCounted: isCounted)
    }
    #expect(pause(after: 20, false) == .seconds(300) && pause(after: 0, false) == .seconds(15))
    #expect(pause(after: 1, true) == .seconds(100) && pause(after: 0, true) == .seconds(15))
  }

  /// Waits until no work is due or in progress, for at most 30 seconds.
  private func waitUntilIdle(_ runner: WorkRunner, _ store: any SessionStore) async throws {
    for _ in 0..<3000 where try await store.countWork().pending > 0 || runner.count > 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  private func gate(_ test: TestStore) async throws -> (SessionService, Snapshot) {
    let service = SessionService(
      apps: [try AppDefinition(App("gate", title: "Gate") { Gate() })], store: test.store)
    return (service, try await service.create(.init(app: "gate")).snapshot)
  }

  @Test(arguments: StoreKind.available)
  func `events that wait for a guard are applied in their order once it passes`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let (service, created) = try await gate(test)
    let key = created.session.key
    // Longer than the test, so that no pause ends by itself.
    var settings = WorkRunner.Settings()
    settings.interval = .seconds(600)
    let runner = WorkRunner(service, settings, metrics: NOOPMetricsHandler.instance) { Issue.record("\($0)") }
    let running = Task { await runner.run() }
    // Returns the statuses once all events pause, and the pause of the first one ends after a time.
    func waitForPauses(after end: Timestamp = .current) async throws -> [WorkStatus] {
      for _ in 0..<3000 {
        let statuses = try await service.work(of: key)
        let arePausing = statuses.allSatisfy { $0.error != nil && $0.dueAt > .current }
        if runner.count == 0, arePausing, let first = statuses.first, first.dueAt > end { return statuses }
        try await Task.sleep(for: .milliseconds(10))
      }
      return []
    }
    let first = try #require(try await waitForPauses().first)
    try await Task.sleep(for: .milliseconds(20))
    #expect(try await service.retry(first.id, of: key))
    let statuses = try await waitForPauses(after: first.dueAt)
    #expect(statuses.count == 3)
    // The pause of the first event is the last to end.
    #expect(statuses.allSatisfy { $0.dueAt <= statuses[0].dueAt })
    _ = try await service.perform(.init(.action(name: "open", input: .emptyObject)), on: created.id)
    try await waitUntilIdle(runner, test.store)
    let passed = try await service.snapshot(created.id).state.nodes[0].state.encoding["passed"]
    #expect(passed == [1, 2, 3])
    running.cancel()
    await running.value
  }

  @Test(arguments: StoreKind.available)
  func `an event that was tried while its session changed is tried again at once`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let (service, created) = try await gate(test)
    let (key, version) = (created.session.key, created.session.version)
    let claimed = try await test.store.claim(["gate": 1])
    for work in claimed { #expect(try await test.store.report(work, pause: .seconds(600))) }
    let work = try #require(claimed.first?.id)
    await service.retry(work, of: key, ifChangedSince: version)
    #expect(try await test.store.claim(["gate": 1]) == [])
    await service.retry(work, of: key, ifChangedSince: version.next())
    #expect(try await test.store.claim(["gate": 1]).map(\.id) == [work])
  }

  @Test(arguments: StoreKind.available)
  func `clients that act without a pause do not keep events from their session`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = SessionService(
      apps: [try AppDefinition(App("kettle", title: "Kettle") { Kettle() })], store: test.store)
    let id = try await service.create(.init(app: "kettle")).snapshot.id
    let runner = WorkRunner(service, metrics: NOOPMetricsHandler.instance) { Issue.record("\($0)") }
    let running = Task { await runner.run() }
    // Each client stops when it sees the event, and at the latest after so many actions.
    let mostLooks = 1000
    let looks = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for number in 1...mostLooks {
            let result = try await service.perform(.init(.action(name: "look", input: .emptyObject)), on: id)
            if result.snapshot.visible.data["boiled"]?.int == 1 { return number }
            // The requests of real clients leave the threads of tasks to others.
            await Task.yield()
          }
          return mostLooks
        }
      }
      return try await group.reduce(0, max)
    }
    #expect(looks < mostLooks)
    running.cancel()
    await running.value
  }

  @Test(arguments: StoreKind.available)
  func `the timers of a coordinator fire in the order in which they are due`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = SessionService(
      apps: [try AppDefinition(App("egg-timer", title: "Egg timer") { EggTimer() })], store: test.store)
    let id = try await service.create(.init(app: "egg-timer")).snapshot.id
    // All are due when the runner starts, and are claimed together.
    try await Task.sleep(for: .milliseconds(100))
    let runner = WorkRunner(service, metrics: NOOPMetricsHandler.instance) { Issue.record("\($0)") }
    let running = Task { await runner.run() }
    try await waitUntilIdle(runner, test.store)
    let fired = try await service.snapshot(id).state.nodes[0].state.encoding["fired"]?.decode([Int64].self)
    #expect(fired == EggTimer.minutes.sorted())
    running.cancel()
    await running.value
  }

  @Test(arguments: StoreKind.available)
  func `an event during which an earlier process has crashed waits for an operator`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = SessionService(
      apps: [try AppDefinition(App("kettle", title: "Kettle") { Kettle() })], store: test.store)
    let (first, second) = (
      try await service.create(.init(app: "kettle")).snapshot,
      try await service.create(.init(app: "kettle")).snapshot
    )
    let work = try #require(first.state.work.first)
    var settings = WorkRunner.Settings()
    let path = test.folder.appending(path: "crash").path
    settings.crashFile = path
    let third = try await service.create(.init(app: "kettle")).snapshot
    let crashed = [first, third].map { CrashedEvent(session: $0.session.key, work: work.id).encoded }
    try Data(crashed.joined()).write(to: URL(filePath: path))
    let log = Mutex<[String]>([])
    let runner = WorkRunner(service, settings, metrics: NOOPMetricsHandler.instance) { line in
      log.withLock { $0.append(line) }
    }
    let running = Task { await runner.run() }
    try await waitUntilIdle(runner, test.store)
    #expect(try await service.snapshot(second.id).visible.data["boiled"]?.int == 1)
    #expect(try await service.snapshot(first.id).visible.data["boiled"]?.int == 0)
    let stuck = try await test.store.work(of: first.session.key).filter(\.isStuck)
    #expect(stuck.map(\.id) == [work.id] && stuck[0].error?.hasPrefix("The app crashed") == true)
    #expect(try await test.store.work(of: third.session.key).map(\.isStuck) == [true])
    #expect(log.withLock { $0 }.count == 2)
    #expect(!FileManager.default.fileExists(atPath: path))
    // An operator may try it again.
    #expect(try await test.store.retry(work.id, of: first.session.key, with: nil, at: .current))
    try await waitUntilIdle(runner, test.store)
    #expect(try await service.snapshot(first.id).visible.data["boiled"]?.int == 1)
    running.cancel()
    await running.value
  }

  @Test func `while the store fails the log says so once, and once when it is back`() async throws {
    let file = try TemporarySessionFile()
    let store = try file.open()
    defer { store.close() }
    let service = SessionService(
      apps: [try AppDefinition(App("kettle", title: "Kettle") { Kettle() })], store: store)
    let log = Mutex<[String]>([])
    var settings = WorkRunner.Settings()
    settings.interval = .milliseconds(10)
    let runner = WorkRunner(service, settings, metrics: NOOPMetricsHandler.instance) { line in
      log.withLock { $0.append(line) }
    }
    let running = Task { await runner.run() }
    try FileManager.default.moveItem(atPath: file.path, toPath: file.path + "-away")
    for _ in 0..<3000 where log.withLock(\.isEmpty) { try await Task.sleep(for: .milliseconds(10)) }
    try await Task.sleep(for: .milliseconds(200))
    try FileManager.default.moveItem(atPath: file.path + "-away", toPath: file.path)
    for _ in 0..<3000 where log.withLock(\.count) < 2 { try await Task.sleep(for: .milliseconds(10)) }
    running.cancel()
    await running.value
    let lines = log.withLock { $0 }
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("Cannot query due work. ") == true)
    #expect(lines.last == "Due work can be looked up again.")
  }

  @Test(arguments: [[], [1, 2], [UInt8](repeating: 0, count: 37)])
  func `a file of crashed events may end anywhere`(content: [UInt8]) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "usher-crash-\(UUID().uuidString)").path
    defer { CrashedEvent.remove(path: path) }
    #expect(CrashedEvent.all(path: path).isEmpty)
    try Data(content).write(to: URL(filePath: path))
    #expect(CrashedEvent.all(path: path).count == content.count / 36)
  }

  @Test(arguments: StoreKind.available)
  func `sessions that are read together are those of their keys`(kind: StoreKind) async throws {
    let test = try TestStore(kind, cacheLimit: 16)
    var sessions: [StoredSession?] = []
    var keys: [SessionKey] = []
    for number in 0..<60 {
      let created = try await test.create(number % 2 == 0 ? "shop" : "pages")
      if number % 7 == 0 { try await test.service.delete(created.id) }
      sessions.append(number % 7 == 0 ? nil : created.session)
      keys.append(created.session.key)
      if number % 9 == 0 {
        sessions.append(nil)
        keys.append(SessionKey(.random()))
      }
    }
    for (found, expected) in zip(await test.store.loadTogether(keys), sessions) {
      // A store may leave each session to be loaded by itself.
      if let found { #expect(found == expected) }
    }
    let found = await test.store.loadTogether(keys).filter { $0 != nil }.count
    #expect(found == (kind.isDurable ? sessions.filter { $0 != nil }.count : 0))
    #expect(await test.store.loadTogether([]).isEmpty)
  }

  private struct Done: TimedEvent {
    static let name = "done"
    var minutes: Int64
  }

  private struct EggTimer: Coordinator {
    static let name = "egg-timer"
    static let minutes: [Int64] = [7, 3, 12, 1, 9, 5, 11, 2, 8, 4, 10, 6]
    var fired: [Int64] = []

    static let wiring = Wiring<Self>()
      .shows(Stove.self)
      .on(Look.self) { _, _, _ in }
      .on(timer: Done.self) { me, done, _ in me.fired.append(done.minutes) }

    func start(_ nav: inout Navigator<Self>) {
      nav.push(Stove())
      for minutes in Self.minutes {
        nav.schedule(Done(minutes: minutes), after: .milliseconds(minutes), key: "\(minutes)")
      }
    }
  }

  private struct Boiled: TimedEvent { static let name = "boiled" }

  private struct Look: Action {
    static let name = "look"
    static let title: Text = "Look"
  }

  private struct Stove: Screen {
    static let name = "stove"
    static let title: Title<Self> = "Stove"
    static let actions: [any Action.Type] = [Look.self]
    var boiled = 0
    var looks = 0
  }

  private struct Kettle: Coordinator {
    static let name = "kettle"
    var boiled = 0
    var looks = 0

    static let wiring = Wiring<Self>()
      .shows(Stove.self) { me, screen in
        screen.boiled = me.boiled
        screen.looks = me.looks
      }
      .on(Look.self) { me, _, _ in me.looks += 1 }
      .on(timer: Boiled.self) { me, _, _ in me.boiled += 1 }

    func start(_ nav: inout Navigator<Self>) {
      nav.push(Stove())
      nav.schedule(Boiled(), after: .zero)
    }
  }

  /// A gate through which events pass once it is open.
  private struct Gate: Coordinator {
    static let name = "gate"
    var isOpen = false
    var passed: [Int] = []

    struct Arrival: TimedEvent {
      static let name = "arrival"
      var number: Int
    }

    struct Outside: Screen {
      static let name = "outside"
      static let title: Title<Self> = "Outside"
      static let actions: [any Action.Type] = [Open.self]
    }

    struct Inside: Screen {
      static let name = "inside"
      static let title: Title<Self> = "Inside"
    }

    struct Open: Action {
      static let name = "open"
      static let title: Text = "Open"
    }

    static let wiring = Wiring<Self>()
      .shows(Outside.self)
      .shows(Inside.self)
      .guards(screen: Inside.self, until: { $0.isOpen }, otherwise: { _, _ in })
      .on(Open.self) { me, _, _ in me.isOpen = true }
      .on(timer: Arrival.self) { me, arrival, nav in
        me.passed.append(arrival.number)
        nav.push(Inside())
      }

    func start(_ nav: inout Navigator<Self>) {
      nav.push(Outside())
      for number in 1...3 { nav.schedule(Arrival(number: number), after: .zero, key: "\(number)") }
    }
  }
}
