import ExampleApps
import Console
import HTTPAPI
import MicroHTTP
import Navigation
import Sessions
import Stores
import Values

/// A console for one test, with a memory store and a clock that only the test advances.
final class TestConsole {
  let clock = TestClock()
  let store = MemoryStore(unpackedLimit: 0)
  let service: SessionService
  private let console: Console

  init() throws {
    service = Self.service(try ExampleApps.all.map { try AppDefinition($0) }, store, clock)
    console = Console(sessions: service, host: "127.0.0.1")
  }

  private init(_ service: SessionService, host: String, publicURL: String?) {
    self.service = service
    var configuration = API.Configuration()
    configuration.publicURL = publicURL
    console = Console(sessions: service, host: host, configuration)
  }

  private static func service(_ apps: [AppDefinition], _ store: MemoryStore, _ clock: TestClock) -> SessionService {
    SessionService(apps: apps, store: store, clock: TimeSource { clock.now })
  }

  /// Returns a console on the same store that hosts these apps.
  func other(
    _ apps: [App]? = nil, host: String = "127.0.0.1", publicURL: String? = nil
  ) throws -> TestConsole {
    let definitions = try apps.map { try $0.map { try AppDefinition($0) } } ?? service.apps
    return TestConsole(Self.service(definitions, store, clock), host: host, publicURL: publicURL)
  }

  func get(_ target: String, _ headers: [(String, String)] = []) async -> Answer {
    Answer(await console.respond(to: Request(method: .get, target: target, headers: headers, body: [])))
  }

  func find(_ text: String, _ headers: [(String, String)] = []) async -> Answer {
    let type = ("Content-Type", "application/x-www-form-urlencoded")
    let body = Array("session=\(percentEncoded(text))".utf8)
    return Answer(
      await console.respond(
        to: Request(method: .post, target: "/console/find", headers: [type] + headers, body: body)))
  }

  func start(_ app: String, _ intents: Intent...) async throws -> SessionID {
    let id = try await service.create(CreateRequest(app: app)).snapshot.id
    for intent in intents { try await act(id, intent) }
    return id
  }

  /// Starts a session of the gallery, and leads it to its last prompt.
  func startFarewell() async throws -> SessionID {
    try await start(
      "gallery", .action(name: "fields", input: .emptyObject),
      .action(name: "send", input: ["name": "Ann", "guests": 2, "size": "small", "news": false]), .back, .back,
      .action(name: "leave", input: .emptyObject))
  }

  func act(_ id: SessionID, _ intent: Intent) async throws {
    _ = try await service.perform(IntentRequest(intent), on: id)
  }

  func path(_ id: SessionID) -> String { "/console/sessions/\(SessionKey(id).hexadecimal)" }
}

/// The contents of a page of the console.
extension Answer {
  /// The short keys of the listed sessions, in their order.
  var listed: [String] { text.matches(of: /<code>([0-9a-f]{8})<\/code><\/a>/).map { String($0.1) } }

  /// Returns the target of the link with this title, or nil.
  func link(_ title: String) -> String? {
    text.matches(of: /<a [^>]*href="([^"]+)"[^>]*>([^<]+)<\/a>/).first { $0.2 == title }
      .map { String($0.1).replacing("&amp;", with: "&") }
  }

  func count(of part: String) -> Int { text.ranges(of: part).count }
}
