import ExampleApps
import Foundation
import Logging
import Synchronization
import Testing
import Usher

@testable import HTTPAPI

/// Metrics, logs and health checks.
@Suite struct ObservationTests {
  /// The lines of a log.
  private final class LogLines: Sendable {
    private let text = Mutex("")

    var objects: [[String: Any]] {
      text.withLock { $0 }.split(separator: "\n").compactMap {
        try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
    }
    var raw: String { text.withLock { $0 } }

    func write(_ line: [UInt8]) { text.withLock { $0 += String(decoding: line, as: UTF8.self) } }
  }

  private let lines = LogLines()
  private let readiness = Readiness()

  private func api(_ store: any SessionStore = MemoryStore(), metrics: Bool = true) throws -> API {
    var configuration = API.Configuration()
    configuration.logger = Logger(label: "test") { [lines] _ in JSONLogHandler(level: .info) { lines.write($0) } }
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
    #expect(!lines.raw.contains(id))
    let last = try #require(lines.objects.last)
    #expect(last["route"] as? String == "/v1/sessions/{id}")
    #expect(last["status"] as? Int == 400)
    #expect(last["requestId"] as? String == "a\"b")
    #expect(last["traceId"] as? String == "0af7651916cd43dd8448eb211c80319c")
    #expect(last["parentId"] as? String == "b7ad6b7169203331")
    #expect(last["session"] as? String == SessionID(id).map { SessionKey($0).short })
    #expect(last["milliseconds"] is Double)
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
