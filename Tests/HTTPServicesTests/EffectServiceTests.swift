import HTTPServices
import Navigation
import Sessions
import Stores
import TestSupport
import Testing
import Values

/// Effects that call an HTTP service, from the session to the outcome.
@Suite(.limitedConcurrency) struct EffectServiceTests {
  private let servers = Servers()

  /// Runs an effect in a session of its own, and returns the screen that shows its outcome.
  private func outcome<E: ServiceCall>(of effect: E.Type, _ host: TestHost) async throws -> Value {
    let app = try AppDefinition(App("caller", title: "Caller") { Caller<E>() })
    let sessions = SessionService(apps: [app], store: MemoryStore(sessionLimit: 10))
    var settings = WorkRunner.Settings()
    settings.interval = .milliseconds(5)
    let runner = WorkRunner(sessions, settings, resources: host.directory, metrics: host.metrics) { _ in }
    let running = Task { await runner.run() }
    let id = try await sessions.create(CreateRequest(app: "caller")).snapshot.id
    let isDone = await eventually { (try? await sessions.snapshot(id).visible.screen.name) == "outcome" }
    #expect(isDone)
    running.cancel()
    await running.value
    #expect(host.endpoint.count == 0)
    return try await sessions.snapshot(id).visible.data
  }

  @Test func `an effect is repeated with its key until the service is available`() async throws {
    let server = try servers.start { connection in
      try connection.answer(503)
      try connection.answer(503, headers: "Retry-After: 0\r\n")
      try connection.answer(200, #"{"price": 7}"#)
    }
    let data = try await outcome(of: FetchQuote.self, TestHost(server.address))
    #expect(data["price"]?.int == 7)
    #expect(server.accepted == 1 && server.heads.count == 3)
    let keys = server.heads.map { head in head.split(separator: "\r\n").first { $0.hasPrefix("Idempotency-Key: ") } }
    #expect(Set(keys).count == 1 && keys[0]?.utf8.count == "Idempotency-Key: ".utf8.count + 43)
  }

  @Test func `an effect fails with the last failure`() async throws {
    let server = try servers.start { connection in while true { try connection.answer(502, #"{"why": 1}"#) } }
    let data = try await outcome(of: FetchQuote.self, TestHost(server.address))
    #expect(server.heads.count == 3)
    #expect(data["failure"]?["status"]?.int == 502)
    #expect(data["failure"]?["body"] == ["why": 1])
  }

  @Test func `the timeout of the policy ends a transfer without a response`() async throws {
    let server = try servers.start { $0.waitForClose() }
    let data = try await outcome(of: ImpatientQuote.self, TestHost(server.address))
    #expect(data["failure"]?["reason"]?.text == "timeout")
    #expect(await eventually { server.open == 0 })
  }

  @Test func `an effect reaches only services that it declares`() async throws {
    let server = try servers.start { try $0.answer(200) }
    let data = try await outcome(of: StrayQuote.self, TestHost(server.address))
    #expect(
      data["failure"]?["detail"]?.text
        == "The effect stray-quote does not declare the HTTP service shop. Add it to httpServices.")
    #expect(data["failure"]?["mayHaveHappened"]?.bool == false)
    #expect(server.accepted == 0)
  }
}

protocol ServiceCall: Effect where Output == Quote, Services == NoServices {
  init()
}

extension ServiceCall {
  func run(_ context: EffectContext<Self>) async throws -> Quote { try await context.service("shop").get("/quote") }
}

struct Quote: Codable {
  var price: Int
}

private struct FetchQuote: ServiceCall {
  static let name = "fetch-quote"
  static let policy = EffectPolicy(timeout: .seconds(60), attempts: 3, pause: .milliseconds(1))
  static let httpServices = ["shop"]
}

private struct ImpatientQuote: ServiceCall {
  static let name = "impatient-quote"
  static let policy = EffectPolicy(timeout: .milliseconds(100), attempts: 1)
  static let httpServices = ["shop"]
}

private struct StrayQuote: ServiceCall {
  static let name = "stray-quote"
}

private struct Caller<Call: ServiceCall>: Coordinator {
  static var name: String { "caller" }

  func start(_ nav: inout Navigator<Self>) {
    nav.push(Calling())
    nav.perform(Call())
  }

  static var wiring: Wiring<Self> {
    Wiring<Self>()
      .shows(Calling.self)
      .shows(Outcome.self)
      .performs(
        Call.self, done: { _, quote, nav in nav.replaceTop(Outcome(price: quote.price)) },
        failed: { _, failure, nav in nav.replaceTop(Outcome(failure: failure)) })
  }
}

private struct Calling: Screen {
  static let name = "calling"
  static let title: Title<Self> = "Calling"
}

private struct Outcome: Screen {
  static let name = "outcome"
  static let title: Title<Self> = "Outcome"
  var price: Int?
  var failure: EffectFailure?
}
