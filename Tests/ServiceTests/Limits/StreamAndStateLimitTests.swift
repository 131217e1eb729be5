import Access
import MicroHTTP
import Testing
import Usher

@testable import HTTPAPI

/// The limit of event streams per client.
@Suite struct StreamLimitTests {
  private func service() throws -> TestService {
    try TestService {
      $0.streamsPerClient = 2
      $0.trustedProxies = TrustedProxies(["127.0.0.1"].compactMap { AddressRange($0) })
    }
  }

  private func session(_ service: TestService) async throws -> String {
    try #require(try await service.send("POST", "/v1/sessions", #"{"app":"shop"}"#).header("Location"))
  }

  /// Opens a stream, which stays open as long as the exchange exists.
  private func openStream(
    _ path: String, on service: TestService, from client: String, _ method: String = "GET"
  ) throws -> RawExchange {
    try RawExchange(
      service.address, ["\(method) \(path)/events HTTP/1.1", "Host: x", "X-Forwarded-For: \(client)"])
  }

  /// Opens a stream, and retries until the slot of a stream that has ended is free.
  private func openStreamEventually(_ path: String, on service: TestService, from client: String) async throws
    -> RawExchange
  {
    let end = ContinuousClock.now + .seconds(30)
    while true {
      let exchange = try openStream(path, on: service, from: client)
      if exchange.status == 200 || ContinuousClock.now > end { return exchange }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  @Test func `one more stream of a client is rejected, and other clients are not affected`() async throws {
    let service = try service()
    let path = try await session(service)
    let open = try ["203.0.113.1", "198.51.100.7, 203.0.113.1", "203.0.113.2"].map {
      try openStream(path, on: service, from: $0)
    }
    #expect(open.map(\.status) == [200, 200, 200])
    for invented in ["203.0.113.1", "198.51.100.8, 203.0.113.1"] {
      let headers = ["X-Forwarded-For": invented, "Accept": "text/event-stream"]
      let refused = try await service.send("GET", path + "/events", headers: headers)
      #expect(refused.status == 429 && refused.problem == "limit-reached" && refused.header("Retry-After") == "10")
      #expect(
        refused.json["detail"].string
          == "The client has reached the limit of 2 event streams (--max-streams-per-client).")
    }
    // Other requests of the client succeed.
    #expect(try await service.send("GET", path, headers: ["X-Forwarded-For": "203.0.113.1"]).status == 200)
    #expect(try openStream(path, on: service, from: "203.0.113.2").status == 200)
    withExtendedLifetime(open) {}
  }

  @Test func `addresses of one IPv6 /64 network share a limit`() async throws {
    let service = try service()
    let path = try await session(service)
    let open = try ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1"].map {
      try openStream(path, on: service, from: $0)
    }
    #expect(open.map(\.status) == [200, 200, 429, 200])
  }

  @Test func `a stream that has ended, or whose client has disconnected, frees its slot`() async throws {
    let service = try service()
    let path = try await session(service)
    for _ in 0..<3 {
      let open = try await openStreamEventually(path, on: service, from: "203.0.113.1")
      #expect(open.status == 200)
    }
    let other = try await session(service)
    let ended = try [other, other].map { try openStream($0, on: service, from: "203.0.113.2") }
    #expect(ended.map(\.status) == [200, 200])
    #expect(try openStream(path, on: service, from: "203.0.113.2").status == 429)
    #expect(try await service.send("DELETE", other).status == 204)
    #expect(try await openStreamEventually(path, on: service, from: "203.0.113.2").status == 200)
  }

  @Test func `only requests that become a stream count`() async throws {
    let service = try service()
    let path = try await session(service)
    for _ in 0..<3 {
      #expect(try openStream("/v1/sessions/x", on: service, from: "203.0.113.1").status == 404)
      #expect(try openStream(path, on: service, from: "203.0.113.1", "HEAD").status == 200)
      #expect(try openStream(path, on: service, from: "203.0.113.1", "POST").status == 405)
    }
    let open = try (0..<3).map { _ in try openStream(path, on: service, from: "203.0.113.1") }
    #expect(open.map(\.status) == [200, 200, 429])
  }

  @Test func `each principal has its own limit, regardless of its address`() async throws {
    let service = try GuardedService(anonymous: [.create, .act]) { $0.streamsPerClient = 1 }
    let path = try #require(try await service.send("POST", "/v1/sessions", #"{"app":"shop"}"#).header("Location"))
    let clients: [[(String, String)]] = [
      [("Authorization", "Bearer \(service.token(.act))")],
      [("Authorization", "Bearer \(service.token([.create, .act]))")], [],
    ]
    for status in [200, 429] {
      for headers in clients {
        #expect(await service.ask(.get, path + "/events", headers: headers).status == status)
      }
    }
  }
}

/// The limit of a session's state.
@Suite struct StateLimitTests {
  private struct Pile: Screen {
    static let name = "pile"
    static let title: Title<Self> = "Pile"
    static let actions: [any Action.Type] = [Add.self, Clear.self]
    var count = 0
  }

  private struct Add: Action {
    static let name = "add"
    static let title: Text = "Add"
    @Field("Text") var text: String
  }

  private struct Clear: Action {
    static let name = "clear"
    static let title: Text = "Clear"
  }

  private struct Heap: Coordinator {
    static let name = "heap"
    var texts: [String] = []

    func start(_ nav: inout Navigator<Self>) { nav.push(Pile()) }

    static let wiring = Wiring<Self>()
      .shows(Pile.self) { me, pile in pile.count = me.texts.count }
      .on(Add.self) { me, event, _ in me.texts.append(event.text) }
      .on(Clear.self) { me, _, _ in me.texts = [] }
  }

  /// - Parameter isPacked: whether the store packs every state, as databases do.
  @Test(arguments: [false, true])
  func `an action that makes the state too large is rejected, and the session can shrink`(isPacked: Bool) async throws {
    var settings = SessionService.Settings()
    settings.stateLimit = 16_384
    let apps = [try AppDefinition(App("heap", title: "Heap") { Heap() })]
    let api = API(
      sessions: SessionService(
        apps: apps, store: MemoryStore(unpackedLimit: isPacked ? 0 : 4096), settings: settings))
    func post(_ path: String, _ body: String) async -> Answer {
      Answer(
        await api.respond(
          to: Request(
            method: .post, target: path, headers: [("Content-Type", "application/json")], body: Array(body.utf8))))
    }
    let path = try #require(await post("/v1/sessions", #"{"app":"heap"}"#).header("Location"))
    let text = String(repeating: "x", count: 1000)
    var refused: Answer?
    for _ in 0..<64 where refused == nil {
      let answer = await post(path + "/actions/add", "{\"text\":\"\(text)\"}")
      if answer.status != 200 { refused = answer }
    }
    #expect(refused?.status == 429)
    #expect(refused?.problem == "limit-reached")
    #expect(refused?.json["detail"].string == "A session takes at most 16384 bytes.")
    let cleared = await post(path + "/actions/clear", "")
    #expect(cleared.status == 200)
    // The size of a state in memory is checked at every 16th revision.
    let count = try #require(cleared.json["session"]["revision"].int) - 2
    #expect((15...(isPacked ? 16 : 32)).contains(count))
    #expect(await post(path + "/actions/add", "{\"text\":\"\(text)\"}").status == 200)
  }
}
