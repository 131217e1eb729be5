import ExampleApps
import Foundation
import HTTPAPI
import MicroHTTP
import Navigation
import Sessions
import Stores
import Testing

/// A request that needs no waiting is answered at once, and only a request that loads something has a task.
@Suite struct WaitingTests {
  private func api(_ store: any SessionStore) throws -> API {
    API(sessions: SessionService(apps: try ExampleApps.all.map { try AppDefinition($0) }, store: store))
  }

  private func request(_ method: Method, _ target: String, _ body: String = "") -> Request {
    Request(
      method: method, target: target, headers: [("Host", "localhost"), ("Content-Type", "application/json")],
      body: Array(body.utf8))
  }

  /// Creates a session of `pages`, and returns its target.
  private func session(_ api: API) async throws -> String {
    let created = await api.respond(to: request(.post, "/v1/sessions", #"{"app": "pages"}"#))
    return try #require(created.headers.first { "\($0.name)" == "Location" }?.value)
  }

  @Test func `memory: actions, navigation and views need no waiting`() async throws {
    let api = try api(MemoryStore())
    let session = try await session(api)
    let requests = [
      request(.post, "\(session)/actions/next"), request(.post, "\(session)/back"), request(.get, session),
    ]
    for request in requests {
      guard case .response(let response) = api.reply(to: request) else {
        Issue.record("\(request.method.name) \(request.target) waits")
        continue
      }
      #expect(response.status == 200)
    }
  }

  @Test func `SQLite: only writes wait`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try SQLiteStore(path: folder.appending(path: "sessions.sqlite").path)
    defer { store.close() }
    let api = try api(store)
    let session = try await session(api)
    guard case .response(let view) = api.reply(to: request(.get, session)) else {
      Issue.record("A cached session waits")
      return
    }
    #expect(view.status == 200)
    let write = api.reply(to: request(.post, "\(session)/actions/next"))
    guard case .callback = write else {
      Issue.record("A write does not wait for a callback")
      return
    }
    #expect(await write.response.status == 200)
  }

  @Test func `a refusal needs no waiting`() throws {
    guard case .response(let response) = try api(MemoryStore()).reply(to: request(.get, "/nowhere")) else {
      Issue.record("A refusal waits")
      return
    }
    #expect(response.status == 404)
  }
}
