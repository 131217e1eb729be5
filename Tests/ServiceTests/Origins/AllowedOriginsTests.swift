import Console
import HTTPAPI
import MicroHTTP
import Sessions
import Stores
import Testing

/// What pages of other origins may do from a browser.
@Suite(.limitedConcurrency) struct `Allowed origins` {
  private let app = "https://app.example"

  private func service(_ origins: String...) throws -> TestService {
    let allowed = try origins.isEmpty ? AllowedOrigins.none : #require(AllowedOrigins(origins))
    return try TestService { $0.allowedOrigins = allowed }
  }

  private func names(_ answer: Answer, _ header: String) -> Set<String> {
    Set((answer.header(header) ?? "").split(separator: ",").map { $0.filter { $0 != " " } })
  }

  private func preflight(_ path: String, _ method: String = "POST", _ origin: String? = nil) -> (
    String, String, [String: String]
  ) {
    ("OPTIONS", path, ["Origin": origin ?? app, "Access-Control-Request-Method": method])
  }

  @Test func `are told what they may send, before they do`() async throws {
    let service = try service("http://localhost:3000", app)
    for (path, methods) in [
      ("/v1/sessions", ["POST"]), ("/v1/sessions/x", ["GET", "HEAD", "DELETE"]), ("/v1/sessions/x/actions/y", ["POST"]),
      ("/v1/sessions/x/events", ["GET", "HEAD"]), ("/usher.js", ["GET", "HEAD"]),
    ] {
      let (method, target, headers) = preflight(path)
      let answer = try await service.send(method, target, headers: headers)
      #expect(answer.status == 204 && answer.header("Access-Control-Allow-Origin") == app, "\(path)")
      #expect(names(answer, "Access-Control-Allow-Methods") == Set(methods + ["OPTIONS"]))
      for name in [
        "Content-Type", "Authorization", "If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID",
        "X-Request-Id",
        "traceparent",
      ] {
        #expect(names(answer, "Access-Control-Allow-Headers").contains(name), "\(name)")
      }
      #expect(answer.header("Access-Control-Max-Age").flatMap { Int($0) } ?? 0 > 0)
      #expect(answer.header("Vary") == "Origin" && answer.header("Access-Control-Allow-Credentials") == nil)
    }
  }

  @Test func `are told of what is not there as well`() async throws {
    let service = try service(app)
    let unknown = preflight("/nowhere")
    let missing = try await service.send(unknown.0, unknown.1, headers: unknown.2)
    #expect(missing.status == 404 && missing.problem == "not-found")
    #expect(
      missing.header("Access-Control-Allow-Origin") == app && missing.header("Access-Control-Allow-Methods") == nil)
    // A method that the path does not have is not among those that it has.
    let brew = preflight("/v1/sessions", "BREW")
    let known = try await service.send(brew.0, brew.1, headers: brew.2)
    #expect(known.status == 204 && names(known, "Access-Control-Allow-Methods") == ["POST", "OPTIONS"])
    // No preflight.
    let plain = try await service.send("OPTIONS", "/v1/sessions", headers: ["Origin": app])
    #expect(plain.status == 204 && plain.header("Allow") == "POST, OPTIONS")
    #expect(plain.header("Access-Control-Allow-Methods") == nil && plain.header("Access-Control-Expose-Headers") != nil)
  }

  @Test func `read answers, problems and refusals`() async throws {
    let service = try service(app)
    let json = ["Origin": app, "Sec-Fetch-Site": "cross-site"]
    let created = try await service.send("POST", "/v1/sessions", #"{"app":"shop"}"#, headers: json)
    let path = try #require(created.header("Location"))
    for (method, target, body, status) in [
      ("GET", path, nil, 200), ("POST", path + "/actions/buy", #"{"product":9}"#, 422), ("GET", "/nowhere", nil, 404),
      ("PUT", "/v1/sessions", nil, 405), ("GET", "/livez", nil, 200), ("GET", "/usher.js", nil, 200),
      ("POST", "/v1/sessions", String(repeating: " ", count: 70_000), 413),
    ] as [(String, String, String?, Int)] {
      let answer = try await service.send(method, target, body, headers: json)
      #expect(answer.status == status && answer.header("Access-Control-Allow-Origin") == app, "\(method) \(target)")
      for name in [
        "ETag", "Location", "Retry-After", "RateLimit", "RateLimit-Policy", "Idempotency-Replayed", "X-Request-Id",
      ] {
        #expect(names(answer, "Access-Control-Expose-Headers").contains(name), "\(name)")
      }
      #expect(answer.header("Vary") == "Origin" && answer.header("Access-Control-Allow-Credentials") == nil)
    }
    // An event stream, and what the server refuses before anything is routed.
    for (lines, status) in [
      (["GET \(path)/events HTTP/1.1"], "200"), (["GET / HTTP/1.1", "Host: y"], "400"),
    ] {
      let head = try RawExchange.head(service, lines + ["Origin: \(app)", "Host: x"])
      #expect(head.first?.contains(status) == true && head.contains("Access-Control-Allow-Origin: \(app)"), "\(head)")
    }
  }

  @Test(arguments: [
    "null", "https://evil.example", "http://app.example", "https://app.example:8443",
    "https://app.example.evil.example",
    "https://app.example/", "HTTPS://APP.EXAMPLE", "https://app.example https://app.example", "x",
  ])
  func `are no others`(origin: String) async throws {
    let service = try service(app)
    let (method, target, headers) = preflight("/v1/sessions", "POST", origin)
    let asked = try await service.send(method, target, headers: headers)
    let sent = try await service.send("POST", "/v1/sessions", #"{"app":"shop"}"#, headers: ["Origin": origin])
    // It is carried out as before; the browser keeps the answer to itself.
    #expect(asked.status == 204 && sent.status == 201)
    for answer in [asked, sent] {
      #expect(answer.header("Vary") == "Origin")
      for name in ["Origin", "Methods", "Headers"] { #expect(answer.header("Access-Control-Allow-\(name)") == nil) }
    }
  }

  @Test func `are all but null, where all are allowed`() async throws {
    let service = try service("*")
    for origin in [app, "http://localhost:3000", "capacitor://localhost"] {
      let answer = try await service.send("GET", "/v1/apps", headers: ["Origin": origin])
      #expect(answer.header("Access-Control-Allow-Origin") == origin && answer.header("Vary") == "Origin")
    }
    for origin in ["null", "x", "https://app.example/", "*"] {
      let answer = try await service.send("GET", "/v1/apps", headers: ["Origin": origin])
      #expect(answer.header("Access-Control-Allow-Origin") == nil, "\(origin)")
    }
    #expect(try await service.send("GET", "/v1/apps").header("Vary") == "Origin")
  }

  @Test func `are none unless they are set`() async throws {
    let service = try service()
    for (method, target, headers) in [preflight("/v1/sessions"), ("GET", "/v1/apps", ["Origin": app])] {
      let answer = try await service.send(method, target, headers: headers)
      #expect(answer.status < 300 && answer.header("Vary") == nil)
      for name in ["Allow-Origin", "Allow-Methods", "Expose-Headers"] {
        #expect(answer.header("Access-Control-\(name)") == nil)
      }
    }
  }

  @Test func `send JSON, and no forms`() async throws {
    let service = try service(app)
    for headers in [["Origin": app], ["Origin": app, "Sec-Fetch-Site": "cross-site"]] {
      #expect(try await service.send("POST", "/v1/sessions", #"{"app":"shop"}"#, headers: headers).status == 201)
      let form = try await service.submit("/v1/sessions", ["app": "shop"], headers: headers)
      #expect(form.status == 403 && form.header("Access-Control-Allow-Origin") == app)
    }
  }

  @Test func `are not for the console nor for the operator's port`() async throws {
    var configuration = API.Configuration()
    configuration.allowedOrigins = try #require(AllowedOrigins(["*"]))
    let sessions = SessionService(apps: [], store: MemoryStore())
    let handlers: [(any Handler, String)] = [
      (Console(sessions: sessions, host: "127.0.0.1", configuration), "/console"),
      (API.admin(sessions: sessions, configuration), "/metrics"),
    ]
    for (handler, target) in handlers {
      let headers = [("Host", "127.0.0.1"), ("Origin", app)]
      let answer = Answer(await handler.respond(to: Request(method: .get, target: target, headers: headers)))
      #expect(
        answer.status == 200 && answer.header("Vary") == nil && answer.header("Access-Control-Allow-Origin") == nil)
    }
  }

  @Test(arguments: [
    [], ["https://app.example/"], ["https://app.example/path"], ["app.example"], ["null"],
    ["*", "https://app.example"], ["*", "*"],
    ["https://app.example", ""], ["https://*.example"],
  ])
  func `are no lists of anything else`(texts: [String]) { #expect((AllowedOrigins(texts) == nil) == !texts.isEmpty) }
}
