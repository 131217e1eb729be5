import ExampleApps
import Foundation
import Logging
import Sessions
import Stores
import Synchronization
import Testing
import Usher

@testable import HTTPAPI
import Values

/// Metrics, logs and health checks.
@Suite struct ObservationTests {
  private let log = TestLog()
  private let readiness = Readiness()

  private func api(_ store: any SessionStore = MemoryStore(), metrics: Bool = true) throws -> API {
    var configuration = API.Configuration()
    configuration.logger = log.logger
    configuration.logsRequests = true
    configuration.servesMetrics = metrics
    configuration.readiness = readiness
    let apps = try [ExampleApps.shop, ExampleApps.bank].map { try AppDefinition($0) }
    let metered = MeteredStore(store, metrics: configuration.metrics)
    return API(
      sessions: SessionService(apps: apps, store: metered, metrics: configuration.metrics), configuration)
  }

  private func send(
    _ api: API, _ method: String, _ target: String, _ body: String = "", headers: [(String, String)] = []
  ) async -> Answer {
    let headers = headers + (body.isEmpty ? [] : [("Content-Type", "application/json")])
    return Answer(
      await api.respond(
        to: Request(method: Method(method), target: target, headers: headers, body: Array(body.utf8))))
  }

  @Test func `requests, actions and rejections are counted`() async throws {
    let api = try api()
    let path = await send(api, "POST", "/v1/sessions", #"{"app":"shop"}"#).header("Location") ?? ""
    for _ in 0..<2 { _ = await send(api, "POST", path + "/actions/buy?revision=1", #"{"product":1}"#) }
    _ = await send(api, "POST", path + "/back", "")
    _ = await send(api, "GET", "/nowhere")
    _ = await send(api, "BREW", "/nowhere")
    let text = await send(api, "GET", "/metrics").text
    for line in [
      #"usher_http_requests_total{route="/v1/sessions",method="POST",status="201"} 1"#,
      #"usher_http_requests_total{route="/v1/sessions/{id}/actions/{action}",method="POST",status="200"} 2"#,
      #"usher_http_requests_total{route="none",method="GET",status="404"} 1"#,
      #"usher_http_requests_total{route="none",method="other",status="404"} 1"#,
      #"usher_http_request_duration_seconds_count{route="/v1/sessions"} 1"#,
      #"usher_rejections_total{kind="not-found"} 2"#,
      #"usher_actions_total{app="shop",kind="create",action="create"} 1"#,
      #"usher_actions_total{app="shop",kind="action",action="buy"} 1"#,
      #"usher_actions_total{app="shop",kind="back",action="back"} 1"#,
      #"usher_actions_total{app="bank",kind="create",action="create"} 0"#,
      #"usher_store_duration_seconds_count{operation="replace"} 2"#,
    ] {
      #expect(text.contains(line + "\n"), "\(line)")
    }
    #expect(!text.contains(path.split(separator: "/").last ?? "?"))
  }

  @Test func `a session over the limit counts as a rejection, and not as a failure of the store`() async throws {
    let api = try api(MemoryStore(sessionLimit: 1))
    #expect(await send(api, "POST", "/v1/sessions", #"{"app":"shop"}"#).status == 201)
    #expect(await send(api, "POST", "/v1/sessions", #"{"app":"shop"}"#).status == 429)
    let text = await send(api, "GET", "/metrics").text
    #expect(text.contains(#"usher_store_failures_total{operation="create"} 0"# + "\n"))
    #expect(text.contains(#"usher_rejections_total{kind="limit-reached"} 1"# + "\n"))
  }

  @Test func `metrics are served on one port only`() async throws {
    #expect(await send(try api(metrics: false), "GET", "/metrics").status == 404)
    var configuration = API.Configuration()
    configuration.servesMetrics = false
    let sessions = SessionService(apps: [], store: MemoryStore())
    let admin = API.admin(sessions: sessions, configuration)
    #expect(await send(admin, "GET", "/metrics").status == 200)
    #expect(await send(admin, "GET", "/readyz").status == 200)
    #expect(await send(admin, "GET", "/v1/apps").status == 404)
  }

  @Test func `each request is logged without its URL`() async throws {
    let api = try api()
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let path = await send(api, "POST", "/v1/sessions", #"{"app":"shop"}"#).header("Location") ?? ""
    _ = await send(
      api, "GET", path + "?nope=1", headers: [("traceparent", trace), ("X-Request-Id", "a\"b")])
    let id = String(path.split(separator: "/").last ?? "?")
    #expect(!log.text.contains(id))
    let last = try #require(log.lines.last)
    #expect(last["route"].string == "/v1/sessions/{id}")
    #expect(last["status"].int == 400)
    #expect(last["requestId"].string == "a\"b")
    #expect(last["traceId"].string == "0af7651916cd43dd8448eb211c80319c")
    #expect(last["parentId"].string == "b7ad6b7169203331")
    #expect(last["session"].string == SessionID(id).map { SessionKey($0).short })
    #expect(last["milliseconds"].double != nil)
  }

  @Test(arguments: [
    "", "00", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
    "00-00000000000000000000000000000000-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
    "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333-01",
  ])
  func `a malformed traceparent is ignored`(header: String) { #expect(TraceParent(header) == nil) }

  @Test func `a traceparent of a later version is accepted`() {
    #expect(TraceParent("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more")?.parentID == "b7ad6b7169203331")
  }

  @Test func `a draining service is not ready, and still serves requests`() async throws {
    let api = try api()
    #expect(await send(api, "GET", "/readyz?verbose").json["checks"][0]["status"].string == "passed")
    readiness.drain()
    #expect(await send(api, "GET", "/readyz").status == 503)
    let verbose = await send(api, "GET", "/readyz?verbose")
    #expect(verbose.json["checks"][0]["status"].string == "failed")
    #expect(verbose.json["checks"][1]["status"].string == "passed")
    #expect(await send(api, "GET", "/livez").status == 200)
    #expect(await send(api, "POST", "/v1/sessions", #"{"app":"shop"}"#).status == 201)
  }

  @Test func `a service whose session file was deleted is not ready, and reports the reason`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "usher-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "sessions.sqlite")
    let store = try SQLiteStore(path: file.path)
    defer { store.close() }
    let api = try api(store)
    try FileManager.default.removeItem(at: file)
    let answer = await send(api, "GET", "/readyz?verbose")
    #expect(answer.status == 503 && answer.json["checks"][1]["status"].string == "failed")
    #expect(answer.json["checks"][1]["reason"].string?.contains("deleted, moved or replaced") == true)
    // The response does not reveal the path.
    #expect(!answer.text.contains("sessions.sqlite"))
    #expect(await send(api, "POST", "/v1/sessions", #"{"app":"shop"}"#).status == 503)
  }
}

/// The frequency and the timeout of readiness probes.
@Suite struct StoreProbeTests {
  /// A store whose readiness probes a test can stall and fail.
  private final class ProbedStore: SessionStore {
    private let inner = MemoryStore()
    private let state = Mutex<(count: Int, isStalled: Bool, waiting: [CheckedContinuation<Void, Never>])>(
      (0, false, []))
    private let failure = Mutex<StoreError?>(nil)

    let isShared = false
    var probes: Int { state.withLock { $0.count } }

    func stall() { state.withLock { $0.isStalled = true } }
    func fail(_ error: StoreError?) { failure.withLock { $0 = error } }

    func resume() {
      let waiting = state.withLock { state in
        state.isStalled = false
        defer { state.waiting = [] }
        return state.waiting
      }
      for probe in waiting { probe.resume() }
    }

    func checkReady() async throws(StoreError) {
      await withCheckedContinuation { probe in
        let isResumed = state.withLock { state in
          state.count += 1
          if state.isStalled { state.waiting.append(probe) }
          return !state.isStalled
        }
        if isResumed { probe.resume() }
      }
      if let failure = failure.withLock({ $0 }) { throw failure }
    }

    func insert(_ session: StoredSession, outcome: CreationOutcome?) throws(StoreError) -> Bool {
      try inner.insert(session, outcome: outcome)
    }
    func load(_ key: SessionKey) -> SessionLookup { inner.load(key) }
    func replace(
      _ session: StoredSession, with next: StoredSession,
      then completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) {
      inner.replace(session, with: next, then: completion)
    }
    func delete(_ session: StoredSession, forgetAt: Timestamp) -> Bool { inner.delete(session, forgetAt: forgetAt) }
    func creation(for key: IdempotencyDigest) -> CreationLookup { inner.creation(for: key) }
    func list(_ sessions: SessionList, limit: Int) -> [ListedSession] { inner.list(sessions, limit: limit) }
    func endSessions(of group: SessionGroup, forgetAt: Timestamp) -> [SessionKey] {
      inner.endSessions(of: group, forgetAt: forgetAt)
    }
    func keep(_ definitions: [KeptDefinition], at now: Timestamp) { inner.keep(definitions, at: now) }
    func definition(_ digest: DefinitionDigest) -> KeptDefinition? { inner.definition(digest) }
    func definitions() -> [ListedDefinition] { inner.definitions() }
    func removeDefinitions(unusedSince time: Timestamp) -> Int { inner.removeDefinitions(unusedSince: time) }
    func purge() { inner.purge() }
    func count() -> SessionCount { inner.count() }
    func count(of owner: SessionOwner, upTo limit: Int) -> Int { inner.count(of: owner, upTo: limit) }
    func sweep(now: Timestamp, tombstoneLifetime: Int64) { inner.sweep(now: now, tombstoneLifetime: tombstoneLifetime) }
    func claimWork(_ search: WorkSearch) -> [ClaimedWork] { inner.claimWork(search) }
    func renew(_ lease: Duration, of work: ClaimedWork, at now: Timestamp) -> Bool {
      inner.renew(lease, of: work, at: now)
    }
    func report(_ report: WorkReport, on work: ClaimedWork, at now: Timestamp) -> Bool {
      inner.report(report, on: work, at: now)
    }
    func discard(_ work: ClaimedWork) { inner.discard(work) }
    func deliver(
      _ signal: QueuedSignal, to work: WorkID, of session: SessionKey, at now: Timestamp
    ) -> WorkDelivery {
      inner.deliver(signal, to: work, of: session, at: now)
    }
    func deliver(_ signal: KeyedSignal, at now: Timestamp) -> KeyedDelivery { inner.deliver(signal, at: now) }
    func heldSignals(for key: SignalKey, at now: Timestamp) -> [QueuedSignal] { inner.heldSignals(for: key, at: now) }
    func settle(_ work: ClaimedWork, adding held: [QueuedSignal], at now: Timestamp) {
      inner.settle(work, adding: held, at: now)
    }
    func work(of session: SessionKey) -> [WorkStatus] { inner.work(of: session) }
    func retry(_ work: WorkID, of session: SessionKey, with event: [UInt8]?, at now: Timestamp) -> Bool {
      inner.retry(work, of: session, with: event, at: now)
    }
    func secret() -> [UInt8] { inner.secret() }
    func countWork() -> WorkCount { inner.countWork() }
    func close() {}
  }

  private let store = ProbedStore()

  @Test func `concurrent requests and those shortly after share one probe`() async {
    let probe = StoreProbe(interval: .seconds(600), timeout: .seconds(600))
    store.stall()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 { group.addTask { await probe.result(of: store).failure == nil } }
      group.addTask {
        while store.probes == 0 { await Task.yield() }
        store.resume()
        return true
      }
      for await isReady in group { #expect(isReady) }
    }
    for _ in 0..<100 { #expect(await probe.result(of: store).failure == nil) }
    #expect(store.probes == 1)
  }

  @Test func `the store is probed at most once a second`() async {
    let probe = StoreProbe()
    let start = ContinuousClock.now
    for _ in 0..<10_000 { _ = await probe.result(of: store) }
    let seconds = start.duration(to: .now) / .seconds(1)
    #expect(Double(store.probes) <= seconds + 1)
  }

  @Test func `a probe that times out fails for all requests, and no other starts until the store responds`() async {
    let probe = StoreProbe(interval: .zero, timeout: .milliseconds(20))
    store.stall()
    for _ in 0..<50 {
      let result = await probe.result(of: store)
      #expect(result.failure == .unavailable("The store has not answered for 0.02 seconds."))
      #expect(result.duration == .milliseconds(20))
    }
    #expect(store.probes == 1)
    store.resume()
    // The first response belongs to the probe that timed out, and is outdated by then.
    while await probe.result(of: store).failure != nil {}
    #expect(store.probes >= 2)
  }

  @Test func `a probe reports a failure and the recovery`() async {
    let probe = StoreProbe(interval: .zero, timeout: .seconds(600))
    for failure in [StoreError.unavailable("The disk is full."), nil, .unavailable("It is away."), nil] {
      store.fail(failure)
      #expect(await probe.result(of: store).failure == failure)
    }
    #expect(store.probes == 4)
  }
}
