import HTTPAPI
import MicroHTTP
import Navigation
import Sessions
import Stores
import Testing
import Values

/// Stored sessions of an earlier version of their app.
@Suite struct OutdatedSessionTests {
  private let store = MemoryStore(unpackedLimit: 0)

  /// Returns an API that hosts one version of the kiosk, or no app.
  private func api(hosting app: App?) throws -> API {
    let apps = try app.map { [try AppDefinition($0)] } ?? []
    return API(sessions: SessionService(apps: apps, store: store))
  }

  private func send(_ method: MicroHTTP.Method, _ target: String, _ body: String = "", to api: API) async -> Answer {
    let headers = [("Content-Type", "application/json")]
    return Answer(
      await api.respond(to: Request(method: method, target: target, headers: headers, body: Array(body.utf8))))
  }

  private func startSession() async throws -> String {
    let old = try api(hosting: App("kiosk", title: "Kiosk") { Kiosk<OldWelcome>() })
    let created = await send(.post, "/v1/sessions", #"{"app":"kiosk"}"#, to: old)
    let path = try #require(created.header("Location"))
    #expect(await send(.post, path + "/actions/greet", #"{"guest":"Ada"}"#, to: old).status == 200)
    return path
  }

  @Test func `a migration continues a session with the new version`() async throws {
    let path = try await startSession()
    let new = try api(hosting: App("kiosk", title: "Kiosk", version: 2) { Kiosk<NewWelcome>() })
    let view = await send(.get, path, to: new)
    #expect(view.status == 200)
    #expect(view.json["screen", "data"] == JSON(["guests": ["Ada"]]))
    #expect(view.json["session", "revision"].int == 2)
    let next = await send(.post, path + "/actions/greet?revision=2", #"{"guest":"Bob"}"#, to: new)
    #expect(next.json["screen", "data"] == JSON(["guests": ["Bob"]]))
    // A retry of an action that the old version performed is still recognized.
    let retry = await send(.post, path + "/actions/greet?revision=2", #"{"guest":"Bob"}"#, to: new)
    #expect(retry.header("Idempotency-Replayed") == "true")
  }

  @Test(arguments: [true, false])
  func `a session without a migration reports the reason, and is kept`(isHosted: Bool) async throws {
    let path = try await startSession()
    let new = try api(hosting: isHosted ? App("kiosk", title: "Kiosk", version: 2) { Kiosk<Lobby>() } : nil)
    for (method, part, body) in [
      (Method.get, "", ""), (.get, "/tree", ""), (.post, "/back", ""), (.post, "/actions/greet", #"{"guest":"Eve"}"#),
      (.post, "/actions/greet?revision=1", #"{"guest":"Ada"}"#), (.post, "/open", #"{"link":"/"}"#),
    ] {
      let answer = await send(method, path + part, body, to: new)
      #expect(answer.status == 409)
      #expect(answer.problem == "session-outdated")
      #expect(answer.json["reason"].string?.isEmpty == false)
      #expect(answer.json["session", "app"].string == "kiosk")
      #expect(answer.json["session", "revision"].int == 2)
      #expect(answer.json["session", "status"].string == "outdated")
    }
    #expect(await send(.get, path + "/history", to: new).json["entries"].array.count == 2)
    let old = try api(hosting: App("kiosk", title: "Kiosk") { Kiosk<OldWelcome>() })
    #expect(await send(.get, path, to: old).json["screen", "data"] == JSON(["guest": "Ada"]))
    #expect(await send(.delete, path, to: new).status == 204)
    #expect(await send(.get, path, to: new).problem == "session-expired")
  }
}

private struct Greet: Action {
  static let name = "greet"
  static let title: Text = "Greet"
  @Field("Guest") var guest: String
}

private protocol Welcome: Screen {
  init(guest: String)
}

extension Welcome {
  fileprivate static var title: Title<Self> { "Welcome" }
  fileprivate static var actions: [any Action.Type] { [Greet.self] }
}

private struct OldWelcome: Welcome {
  static let name = "welcome"
  var guest: String
}

private struct NewWelcome: Welcome {
  static let name = "welcome"
  static let version = 2
  static let migrations = [Migration<Self>(version: 1) { NewWelcome(guest: $0["guest"]?.text ?? "") }]
  var guests: [String]

  init(guest: String) { guests = [guest] }
}

/// A screen instead of the welcome, without a migration.
private struct Lobby: Welcome {
  static let name = "lobby"

  init(guest: String) {}
}

private struct Kiosk<Front: Welcome>: Coordinator {
  static var name: String { "kiosk" }

  func start(_ nav: inout Navigator<Self>) { nav.push(Front(guest: "")) }

  static var wiring: Wiring<Self> {
    Wiring<Self>().shows(Front.self).on(Greet.self) { _, event, nav in nav.replaceTop(Front(guest: event.guest)) }
  }
}
