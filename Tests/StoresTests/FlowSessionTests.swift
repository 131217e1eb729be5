import CoreMetrics
import Synchronization
import TestApps
import TestSupport
import Testing
import Values

@testable import Navigation
@testable import Sessions
@testable import Stores

/// The life of sessions of flows, on every store.
@Suite(.limitedConcurrency) struct FlowSessionTests {
  /// A process: a service with a current definition, on a store.
  struct Process {
    let service: SessionService

    init(_ test: TestStore, on store: (any SessionStore)? = nil, compile: @escaping DefinitionCompiler = Errand.compile)
    {
      service = SessionService(
        apps: [], flows: FlowCompilation(compiler: compile), store: store ?? test.store,
        clock: TimeSource { test.now })
    }

    func install(_ source: DefinitionSource) throws {
      let app = try #require(service.registry.compilation).definition(from: source)
      service.registry.update(installing: [.init(app, from: source)])
    }

    func create() async throws -> Snapshot { try await service.create(.init(app: "errand")).snapshot }

    @discardableResult
    func act(_ action: String, _ id: SessionID, at revision: UInt64? = nil) async throws -> Snapshot {
      try await service.perform(.init(.action(name: action, input: .emptyObject), revision: revision), on: id).snapshot
    }

    /// The data of the visible screen: `Hello 1`.
    func shown(_ id: SessionID) async throws -> String { try await service.snapshot(id).words }

    func kinds(_ id: SessionID) async throws -> [JournalEntry.Kind] {
      try await service.history(id, after: 0, limit: 100).map(\.kind)
    }
  }

  private let first = Errand.source("app: errand", "greeting: Hello")
  private let second = Errand.source("app: errand", "version: 2", "greeting: Ahoy")
  private let carrying = Errand.source("app: errand", "version: 2", "greeting: Ahoy", "carry: 1")

  @Test(arguments: StoreKind.available)
  func `a session keeps the definition that it began with`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let process = Process(test)
    try process.install(first)
    let old = try await process.create()
    #expect(old.session.definition == first.digest)
    try process.install(second)
    let new = try await process.create()
    #expect(try await process.act("walk", old.id).words == "Hello 1")
    #expect(try await process.act("walk", new.id).words == "Ahoy 1")
    process.service.registry.update(withdrawing: ["errand"])
    await #expect(throws: SessionError.self) { try await process.create() }
    #expect(try await process.act("walk", old.id).words == "Hello 2")
    #expect(process.service.apps.isEmpty)
    #expect(try await process.kinds(old.id) == [.create, .action, .action])
  }

  @Test(arguments: StoreKind.available.filter(\.isDurable))
  func `another process without the files serves the sessions`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let process = Process(test)
    try process.install(first)
    let id = try await process.create().id
    try await process.act("remind", id)
    try test.reopen()
    let other = Process(test)
    try other.install(second)
    #expect(try await other.shown(id) == "Hello 0")
    #expect(try await other.act("walk", id).words == "Hello 1")
    let summary = try await other.service.summary(SessionKey(id))
    #expect(summary.status == .active)
    #expect(try other.service.inspect(summary, at: 1).shown.get().words == "Hello 0")
    #expect(try await other.service.search(.init(app: "errand"), limit: 9).sessions.map(\.status) == [.active])
  }

  @Test(arguments: StoreKind.available)
  func `a definition that is unknown or faulty makes its sessions outdated`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let process = Process(test)
    try process.install(first)
    let id = try await process.create().id
    // A session in memory holds its definition.
    if kind.isDurable { try test.reopen() }
    let faulty = first.digest
    let strict = Process(test) { source, limits in
      if source.digest == faulty { throw Errand.Fault(description: "flow.yaml:1:1: error: No.") }
      return try Errand.compile(source, limits)
    }
    guard kind != .memory else { return }
    // The session does not fall back to the current definition.
    try strict.install(second)
    for _ in 0..<2 {
      let error = await #expect(throws: SessionError.self) { try await strict.shown(id) }
      guard case .outdated(_, .faultyDefinition(_, let digest, _))? = error else { throw try #require(error) }
      #expect(digest == first.digest)
      #expect(error?.operatorDescription.contains("flow.yaml:1:1: error: No.") == true)
    }
    #expect(try await strict.service.summary(SessionKey(id)).status == .outdated)
    #expect(try await strict.service.history(id, after: 0, limit: 9).count == 1)
    let none = SessionService(apps: [], store: test.store, clock: TimeSource { test.now })
    await #expect { try await none.snapshot(id) } throws: { error in
      if case SessionError.outdated(_, .flowsNotHosted("errand")) = error { true } else { false }
    }
    // It can still be ended.
    try await strict.service.delete(id)
  }

  @Test func `of many requests at the same time one compiles a definition`() async throws {
    let test = try TestStore(.sqlite)
    let process = Process(test)
    let source = Errand.source("app: errand", "greeting: once")
    try process.install(source)
    var ids: [SessionID] = []
    for _ in 0..<20 { ids.append(try await process.create().id) }
    try test.reopen()
    let other = Process(test)
    let before = Errand.compilations.withLock { $0[source.digest] ?? 0 }
    try await withThrowingTaskGroup { group in
      for id in ids { group.addTask { try await other.act("walk", id) } }
      try await group.waitForAll()
    }
    #expect(Errand.compilations.withLock { $0[source.digest] } == before + 1)
  }

  @Test(arguments: StoreKind.available)
  func `a timer and a detached effect of a session use its definition`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let process = Process(test)
    let greeting = "Report \(kind)"
    try process.install(Errand.source("app: errand", "greeting: \(greeting)"))
    let id = try await process.create().id
    try await process.act("remind", id)
    try await process.act("report", id)
    if kind.isDurable { try test.reopen() }
    // Without the files.
    let other = Process(test)
    if kind.isDurable { try other.install(second) }
    let service = kind.isDurable ? other.service : process.service
    try await runWork(of: service) { SendReport.reports.withLock { $0.contains(greeting) } }
    test.advance(seconds: 61)
    guard kind != .postgres else { return }
    try await runWork(of: service) { (try? await service.snapshot(id).words) == "\(greeting) 100" }
  }

  /// Runs the work of a service until a condition holds. A machine that stands still takes no polls.
  private func runWork(of service: SessionService, until condition: () async -> Bool) async throws {
    var settings = WorkRunner.Settings()
    settings.interval = .milliseconds(5)
    let runner = WorkRunner(service, settings, metrics: NOOPMetricsHandler.instance) { _ in }
    let task = Task { await runner.run() }
    var polls = 4000
    while await !condition() {
      polls -= 1
      try #require(polls > 0)
      try await Task.sleep(for: .milliseconds(5))
    }
    task.cancel()
    await task.value
  }

  @Test(arguments: StoreKind.available)
  func `a session moves to a definition that carries its version`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let process = Process(test)
    try process.install(first)
    let id = try await process.create().id
    let waiting = try await process.create().id
    let reminded = try await process.act("remind", waiting)
    try process.install(carrying)
    let seen = try await process.service.snapshot(id)
    #expect(seen.session.definition == carrying.digest && seen.session.revision == 2 && seen.app.version == 2)
    #expect(try await process.kinds(id) == [.create, .carry])
    #expect(try await process.act("walk", id).words == "Ahoy 1")
    // The client has seen the offer of another definition.
    let offer = try #require(reminded.offer(of: "/actions/walk"))
    let request = IntentRequest(.action(name: "walk", input: .emptyObject), revision: 2, offer: offer)
    await #expect { try await process.service.perform(request, on: waiting) } throws: { error in
      if case SessionError.stale(let snapshot) = error { snapshot.session.revision == 3 } else { false }
    }
    let moved = try await process.act("walk", waiting, at: 3)
    #expect(moved.session.definition == carrying.digest && moved.session.revision == 4)
    #expect(moved.state.work.count == 1 && moved.session.work?.count == 1)
    #expect(try await process.service.work(of: SessionKey(waiting)).count == 1)
    #expect(try await test.store.definitions().map(\.sessions).sorted() == [0, 2])
    if kind.isDurable { try test.reopen() }
    #expect(try await Process(test).shown(waiting) == "Ahoy 1")
  }

  @Test(arguments: StoreKind.available)
  func `an event that is stuck is tried again by the definition that a session moves to`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let process = Process(test)
    try process.install(Errand.source("app: errand", "greeting: Broken"))
    let id = try await process.create().id
    try await process.act("remind", id)
    test.advance(seconds: 61)
    let service = process.service
    try await runWork(of: service) { (try? await service.work(of: SessionKey(id)))?.first?.isStuck == true }
    try process.install(carrying)
    #expect(try await process.shown(id) == "Broken 0")
    try await runWork(of: service) { (try? await service.snapshot(id).words) == "Ahoy 100" }
    #expect(try await service.work(of: SessionKey(id)).isEmpty)
  }

  @Test func `the runner looks for the work of a session as soon as it has moved`() async throws {
    let test = try TestStore(.memory)
    let process = Process(test)
    try process.install(first)
    let id = try await process.create().id
    try await process.act("remind", id)
    let (loop, wakeUps) = (WakeUps(), Lines())
    process.service.runner.set([loop], ChangedSessions())
    let listening = Task { for await _ in loop.stream { wakeUps.add("look") } }
    try process.install(carrying)
    #expect(try await process.service.snapshot(id).session.definition == carrying.digest)
    #expect(await eventually { !wakeUps.all.isEmpty })
    listening.cancel()
  }

  @Test func `a session stays where no version is carried, or the version is not higher`() async throws {
    let test = try TestStore(.idle)
    let process = Process(test)
    try process.install(second)
    let id = try await process.create().id
    let lower = Errand.source("app: errand", "version: 1", "carry: 2")
    let same = Errand.source("app: errand", "version: 2", "carry: 2")
    let other = Errand.source("app: errand", "version: 3", "carry: 1")
    for source in [lower, same, other] {
      try process.install(source)
      let snapshot = try await process.act("walk", id)
      #expect(snapshot.session.definition == second.digest)
    }
    #expect(try await process.kinds(id) == [.create, .action, .action, .action])
  }

  @Test func `a session that does not fit stays, and is reported once`() async throws {
    let test = try TestStore(.sqlite)
    let log = Lines()
    let service = SessionService(
      apps: [], flows: FlowCompilation(log: { log.add($0) }, compiler: Errand.compile), store: test.store,
      clock: TimeSource { test.now })
    let compilation = try #require(service.registry.compilation)
    service.registry.update(installing: [.init(try compilation.definition(from: first), from: first)])
    let ids = [
      try await service.create(.init(app: "errand")).snapshot.id,
      try await service.create(.init(app: "errand")).snapshot.id,
    ]
    let short = Errand.source("app: errand", "version: 2", "carry: 1", "street: no")
    service.registry.update(installing: [.init(try compilation.definition(from: short), from: short)])
    for id in ids {
      #expect(try await service.snapshot(id).words == "Hello 0")
      let request = IntentRequest(.action(name: "walk", input: .emptyObject), revision: 1)
      #expect(try await service.perform(request, on: id).snapshot.words == "Hello 1")
    }
    #expect(log.all.count == 1)
    #expect(log.all.first?.contains("The app has no screen street") == true, "\(log.all)")
  }

  @Test(arguments: StoreKind.available)
  func `retiring a definition ends its sessions`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let process = Process(test)
    try process.install(first)
    var ids: [SessionID] = []
    for _ in 0..<3 { ids.append(try await process.create().id) }
    try process.install(second)
    let kept = try await process.create().id
    #expect(try await process.service.retire(first.digest) == 3)
    #expect(try await process.service.retire(first.digest) == 0)
    for id in ids {
      await #expect { try await process.shown(id) } throws: { error in
        if case SessionError.expired = error { true } else { false }
      }
    }
    #expect(try await process.shown(kept) == "Ahoy 0")
  }

  @Test func `the sweep keeps current definitions and removes the others after an hour`() async throws {
    let test = try TestStore(.sqlite)
    let process = Process(test)
    try process.install(first)
    try await process.service.sweep()
    try process.install(second)
    test.advance(seconds: 3000)
    try await process.service.sweep()
    #expect(try await process.service.definitions().map(\.digest) == [first.digest, second.digest])
    test.advance(seconds: 3000)
    try await process.service.sweep()
    #expect(try await process.service.definitions().map(\.digest) == [second.digest])
    test.advance(seconds: 10_000)
    try await process.service.sweep()
    #expect(try await process.service.definitions().map(\.digest) == [second.digest])
    // A session may begin with a definition that the sweep of another process has removed.
    process.service.registry.update(withdrawing: ["errand"])
    test.advance(seconds: 10_000)
    try await process.service.sweep()
    #expect(try await process.service.definitions().isEmpty)
    try process.install(second)
    #expect(try await process.create().session.definition == second.digest)
  }
}

/// Lines of a log.
private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

extension Snapshot {
  /// The greeting and the number of steps that the screen has.
  fileprivate var words: String {
    guard case .screen(_, let value)? = state.visibleEntry?.content,
      let street = try? value.encoding.decode(Street.self)
    else { return "" }
    return "\(street.greeting) \(street.steps)"
  }
}
