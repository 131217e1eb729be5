import Console
import MicroHTTP
import Sessions
import Stores
import TestSupport
import Testing

@testable import HTTPAPI

/// The parsing and comparison of origins.
@Suite struct OriginTests {
  @Test(arguments: [
    ("https://app.example", "https://app.example"), ("HTTPS://App.Example", "https://app.example"),
    ("https://app.example:443", "https://app.example"), ("http://app.example:80", "http://app.example"),
    ("http://app.example:443", "http://app.example:443"), ("http://localhost:3000", "http://localhost:3000"),
    ("http://[::1]:8080", "http://[::1]:8080"), ("https://[2001:DB8::1]", "https://[2001:db8::1]"),
    ("capacitor://localhost", "capacitor://localhost"), ("http://127.0.0.1:0080", "http://127.0.0.1"),
  ])
  func `an origin is normalized to the form that browsers send`(text: String, normalized: String) {
    #expect(Origin(text)?.description == normalized)
  }

  @Test(arguments: [
    "", "null", "*", "app.example", "//app.example", "://app.example", "https://", "https:app.example",
    "https://app.example/", "https://app.example/a", "https://app.example?q", "https://app.example#f",
    "https://me@app.example", "https://app.example:", "https://app.example:x", "https://app.example:65536",
    "https://app.example:-1", "https://app.example:80:80", "https://*.example", "https://a b", " https://app.example",
    "https://app.example ", "https://app.example, https://b.example", "1http://a", "ht tp://a", "https://[::1",
    "https://::1",
    "https://[::1]x", "https://[1.2.3.4]", "https://zoë.example", "https://\u{212A}.example", "https://a\n.example",
    "https://" + String(repeating: "a", count: 256),
  ])
  func `an invalid origin is rejected`(text: String) { #expect(Origin(text) == nil) }

  @Test func `an origin is compared with the host of a request`() throws {
    let origin = try #require(Origin("https://app.example"))
    for host in ["app.example", "APP.example", "app.example:443"] { #expect(origin.isAt(host), "\(host)") }
    for host in ["app.example:80", "app.example.evil", "evil.app.example", "", "app.example/", "x@app.example"] {
      #expect(!origin.isAt(host), "\(host)")
    }
  }
}

/// The access of pages of other origins (CORS).
@Suite(.limitedConcurrency) struct AllowedOriginsTests {
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

  @Test func `a preflight response lists the permitted methods and headers`() async throws {
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
      #expect(names(answer, "Vary").contains("Origin") && answer.header("Access-Control-Allow-Credentials") == nil)
    }
  }

  @Test func `a preflight request for an unknown path or method is answered`() async throws {
    let service = try service(app)
    let unknown = preflight("/nowhere")
    let missing = try await service.send(unknown.0, unknown.1, headers: unknown.2)
    #expect(missing.status == 404 && missing.problem == "not-found")
    #expect(
      missing.header("Access-Control-Allow-Origin") == app && missing.header("Access-Control-Allow-Methods") == nil)
    // An unknown method is not listed.
    let brew = preflight("/v1/sessions", "BREW")
    let known = try await service.send(brew.0, brew.1, headers: brew.2)
    #expect(known.status == 204 && names(known, "Access-Control-Allow-Methods") == ["POST", "OPTIONS"])
    // An OPTIONS request that is not a preflight.
    let plain = try await service.send("OPTIONS", "/v1/sessions", headers: ["Origin": app])
    #expect(plain.status == 204 && plain.header("Allow") == "POST, OPTIONS")
    #expect(plain.header("Access-Control-Allow-Methods") == nil && plain.header("Access-Control-Expose-Headers") != nil)
  }

  @Test func `an allowed origin can read responses, problems and refusals`() async throws {
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
      #expect(names(answer, "Vary").contains("Origin") && answer.header("Access-Control-Allow-Credentials") == nil)
    }
    // An event stream, and a request that the server refuses before routing.
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
  func `another origin cannot read responses`(origin: String) async throws {
    let service = try service(app)
    let (method, target, headers) = preflight("/v1/sessions", "POST", origin)
    let asked = try await service.send(method, target, headers: headers)
    let sent = try await service.send("POST", "/v1/sessions", #"{"app":"shop"}"#, headers: ["Origin": origin])
    // The request is performed, but the browser withholds the response from the page.
    #expect(asked.status == 204 && sent.status == 201)
    for answer in [asked, sent] {
      #expect(names(answer, "Vary").contains("Origin"))
      for name in ["Origin", "Methods", "Headers"] { #expect(answer.header("Access-Control-Allow-\(name)") == nil) }
    }
  }

  @Test func `the wildcard allows all origins except null`() async throws {
    let service = try service("*")
    for origin in [app, "http://localhost:3000", "capacitor://localhost"] {
      let answer = try await service.send("GET", "/v1/apps", headers: ["Origin": origin])
      #expect(answer.header("Access-Control-Allow-Origin") == origin && names(answer, "Vary").contains("Origin"))
    }
    for origin in ["null", "x", "https://app.example/", "*"] {
      let answer = try await service.send("GET", "/v1/apps", headers: ["Origin": origin])
      #expect(answer.header("Access-Control-Allow-Origin") == nil, "\(origin)")
    }
    #expect(names(try await service.send("GET", "/v1/apps"), "Vary").contains("Origin"))
  }

  @Test func `no origin is allowed by default`() async throws {
    let service = try service()
    for (method, target, headers) in [preflight("/v1/sessions"), ("GET", "/v1/apps", ["Origin": app])] {
      let answer = try await service.send(method, target, headers: headers)
      #expect(answer.status < 300 && !names(answer, "Vary").contains("Origin"))
      for name in ["Allow-Origin", "Allow-Methods", "Expose-Headers"] {
        #expect(answer.header("Access-Control-\(name)") == nil)
      }
    }
  }

  @Test func `an allowed origin can send JSON, but no forms`() async throws {
    let service = try service(app)
    for headers in [["Origin": app], ["Origin": app, "Sec-Fetch-Site": "cross-site"]] {
      #expect(try await service.send("POST", "/v1/sessions", #"{"app":"shop"}"#, headers: headers).status == 201)
      let form = try await service.submit("/v1/sessions", ["app": "shop"], headers: headers)
      #expect(form.status == 403 && form.header("Access-Control-Allow-Origin") == app)
    }
  }

  @Test func `the console and the admin server allow no origin`() async throws {
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
        answer.status == 200 && !names(answer, "Vary").contains("Origin")
          && answer.header("Access-Control-Allow-Origin") == nil)
    }
  }

  @Test(arguments: [
    [], ["https://app.example/"], ["https://app.example/path"], ["app.example"], ["null"],
    ["*", "https://app.example"], ["*", "*"],
    ["https://app.example", ""], ["https://*.example"],
  ])
  func `an invalid list is rejected`(texts: [String]) { #expect((AllowedOrigins(texts) == nil) == !texts.isEmpty) }
}
