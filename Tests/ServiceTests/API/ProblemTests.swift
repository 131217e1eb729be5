import HTTPAPI
import MicroHTTP
import TestSupport
import Testing

/// Every type of problem, in process and over a socket.
@Suite(.limitedConcurrency) struct ProblemTests {
  typealias Transport = TestService.Transport

  private func expect(
    _ answer: Answer, _ status: Int, _ slug: String, _ members: Set<String> = [],
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(answer.status == status, sourceLocation: location)
    #expect(answer.problem == slug, sourceLocation: location)
    #expect(answer.header("Content-Type") == "application/problem+json", sourceLocation: location)
    #expect(answer.header("X-Request-Id") == answer.json["requestId"].string, sourceLocation: location)
    #expect(answer.json["status"].int == status, sourceLocation: location)
    let common: Set<String> = ["type", "title", "status", "detail", "instance", "requestId"]
    #expect(answer.json.keys == common.union(members), sourceLocation: location)
  }

  @Test(arguments: Transport.allCases) func `invalid-json`(transport: Transport) async throws {
    let service = try TestService(transport)
    let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
    for body in ["{", "nope", #"{"app":"shop","app":"bank"}"#, "{\"app\":\(deep)}", "\u{FEFF}{}", "{} {}"] {
      expect(try await service.send("POST", "/v1/sessions", body), 400, "invalid-json")
    }
  }

  @Test(arguments: Transport.allCases) func `invalid-request`(transport: Transport) async throws {
    let service = try TestService(transport)
    for body in [
      "[]", "{}", #"{"app":1}"#, #"{"app":"shop","ttl":"x"}"#, #"{"app":"shop","ttl":0}"#,
      #"{"app":"shop","ttl":31536001}"#, #"{"app":"shop","tll":5}"#, #"{"app":"shop","locale":"?"}"#,
      #"{"app":"shop","link":5}"#,
    ] {
      expect(try await service.send("POST", "/v1/sessions", body), 400, "invalid-request")
    }
    for target in [
      "/?a=1", "/livez?a=1", "/readyz?a=1", "/openapi.json?a=1", "/problems/not-found?a=1", "/v1/apps?a=1",
    ] {
      expect(try await service.send("GET", target), 400, "invalid-request")
    }
    let path = try await service.start("shop").path
    for target in [
      "/history?limit=0", "/history?limit=x", "/history?after=-1", "/history?foo=1", "/tree?x=1", "?a=%GG",
    ] {
      expect(try await service.send("GET", path + target), 400, "invalid-request")
    }
    expect(try await service.send("POST", path + "/back", #"{"x":1}"#), 400, "invalid-request")
    expect(try await service.send("POST", path + "/open", "{}"), 400, "invalid-request")
  }

  @Test(arguments: Transport.allCases) func `not-found`(transport: Transport) async throws {
    let service = try TestService(transport)
    for target in ["/nope", "/v1", "/v1/sessions/a/b/c/d", "/v1/apps/nope", "//", "/v1/sessions/"] {
      expect(try await service.send("GET", target), 404, "not-found")
    }
    let path = try await service.start("shop").path
    expect(try await service.send("POST", path + "/tabs/nope"), 404, "not-found")
  }

  @Test(arguments: Transport.allCases) func `unknown-app`(transport: Transport) async throws {
    let answer = try await TestService(transport).send("POST", "/v1/sessions", #"{"app":"nope"}"#)
    expect(answer, 422, "unknown-app", ["apps"])
    #expect(answer.json["apps"] == JSON(["pages", "shop", "tabs", "bank", "checkout", "gallery"]))
  }

  @Test(arguments: Transport.allCases) func `unknown-session`(transport: Transport) async throws {
    let service = try TestService(transport)
    for id in ["x", "AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAA%2F"] {
      expect(try await service.send("GET", "/v1/sessions/\(id)"), 404, "unknown-session")
      expect(try await service.send("POST", "/v1/sessions/\(id)/actions/next"), 404, "unknown-session")
    }
  }

  @Test(arguments: Transport.allCases) func `session-expired`(transport: Transport) async throws {
    let service = try TestService(transport)
    let (deleted, expired) = (try await service.start("shop"), try await service.start("shop", #","ttl":60"#))
    #expect(try await service.send("DELETE", deleted.path).status == 204)
    expect(try await service.send("GET", deleted.path), 410, "session-expired")
    expect(try await service.send("DELETE", deleted.path), 410, "session-expired")
    service.clock.advance(seconds: 59)
    #expect(try await service.send("GET", expired.path).status == 200)
    service.clock.advance(seconds: 1)
    for part in ["", "/tree", "/history"] {
      expect(try await service.send("GET", expired.path + part), 410, "session-expired", ["app"])
    }
    let action = try await service.send("POST", expired.path + "/actions/buy", #"{"product":1}"#)
    expect(action, 410, "session-expired", ["app"])
    service.clock.advance(seconds: 86_400)
    expect(try await service.send("GET", expired.path), 404, "unknown-session")
  }

  @Test(arguments: Transport.allCases) func `unknown-action`(transport: Transport) async throws {
    expect(try await TestService(transport).start("shop").attempt("/actions/nope"), 404, "unknown-action")
  }

  @Test(arguments: Transport.allCases) func `action-unavailable`(transport: Transport) async throws {
    let visitor = try await TestService(transport).start("shop")
    for part in ["/actions/pay", "/back", "/dismiss"] {
      let answer = try await visitor.attempt(part)
      expect(answer, 409, "action-unavailable", ["reason", "view"])
      #expect(answer.json["view", "session", "revision"].int == 1)
    }
  }

  @Test(arguments: Transport.allCases) func `invalid-input`(transport: Transport) async throws {
    let visitor = try await TestService(transport).start("shop")
    let answer = try await visitor.attempt("/actions/buy", #"{"product":7}"#)
    expect(answer, 422, "invalid-input", ["errors"])
    #expect(answer.json["errors"][0].keys == ["pointer", "keyword", "detail"])
    expect(try await visitor.attempt("/actions/buy", "[1]"), 422, "invalid-input", ["errors"])
  }

  @Test(arguments: Transport.allCases) func `invalid-link`(transport: Transport) async throws {
    let service = try TestService(transport)
    let visitor = try await service.start("bank")
    for link in ["/nope", "accounts/a1", "", "/accounts/a9", "/accounts/%GG", "/accounts"] {
      expect(try await visitor.attempt("/open", #"{"link":"\#(link)"}"#), 422, "invalid-link", ["step"])
    }
    expect(
      try await service.send("POST", "/v1/sessions", #"{"app":"bank","link":"/nope"}"#), 422, "invalid-link", ["step"])
    #expect(try await service.send("GET", visitor.path).json["session", "revision"].int == 1)
  }

  @Test(arguments: Transport.allCases) func `method-not-allowed`(transport: Transport) async throws {
    let service = try TestService(transport)
    for (method, target, allow) in [
      ("PUT", "/v1/sessions", "POST, OPTIONS"), ("POST", "/v1/apps", "GET, HEAD, OPTIONS"),
      ("PATCH", "/v1/sessions/x", "GET, HEAD, DELETE, OPTIONS"), ("GET", "/v1/sessions/x/back", "POST, OPTIONS"),
    ] {
      let answer = try await service.send(method, target)
      expect(answer, 405, "method-not-allowed")
      #expect(answer.header("Allow") == allow)
    }
  }

  @Test(arguments: Transport.allCases) func `not-acceptable`(transport: Transport) async throws {
    let service = try TestService(transport)
    for accept in ["text/css", "application/json;q=0", "image/*", "application/*;q=0"] {
      expect(try await service.send("GET", "/v1/apps", headers: ["Accept": accept]), 406, "not-acceptable")
    }
    for accept in ["", "*/*", "application/*", "text/html, application/json;q=0.5", "Application/JSON"] {
      #expect(try await service.send("GET", "/v1/apps", headers: ["Accept": accept]).status == 200)
    }
  }

  @Test(arguments: Transport.allCases) func `unsupported-media-type`(transport: Transport) async throws {
    let service = try TestService(transport)
    let body = #"{"app":"shop"}"#
    for type in ["text/plain", "application/x-www-form-urlencoded", "application/xml"] {
      let answer = try await service.send("POST", "/v1/sessions", body, headers: ["Content-Type": type])
      expect(answer, 415, "unsupported-media-type")
    }
    for type in ["application/json; charset=utf-8", "application/vnd.x+json", "APPLICATION/JSON"] {
      #expect(try await service.send("POST", "/v1/sessions", body, headers: ["Content-Type": type]).status == 201)
    }
  }

  @Test(arguments: Transport.allCases)
  func `a body with a content coding is refused with its name`(transport: Transport) async throws {
    let service = try TestService(transport)
    func send(_ coding: String, type: String = "application/json") async throws -> Answer {
      let body = type == "application/json" ? #"{"app":"shop"}"# : "app=shop"
      return try await service.send(
        "POST", "/v1/sessions", body, headers: ["Content-Encoding": coding, "Content-Type": type])
    }
    for (coding, name) in [("gzip", "gzip"), ("identity, BR", "br"), ("deflate , gzip", "deflate")] {
      for type in ["application/json", "application/x-www-form-urlencoded"] {
        let answer = try await send(coding, type: type)
        expect(answer, 415, "unsupported-media-type")
        #expect(
          answer.json["detail"].string
            == "The body has the content coding \(name). Send it without Content-Encoding.")
      }
    }
    for coding in ["identity", "Identity, identity"] { #expect(try await send(coding).status == 201) }
  }

  @Test func `too-large`() async throws {
    let service = try TestService(.socket)
    let body = #"{"app":"\#(String(repeating: "x", count: 65_600))"}"#
    let answer = try await service.send("POST", "/v1/sessions", body, headers: ["X-Request-Id": "mine"])
    expect(answer, 413, "too-large")
    #expect(answer.json["instance"].string == "/v1/sessions")
    #expect(answer.json["requestId"].string == "mine")
    #expect(answer.header("X-Request-Id") == "mine")
  }

  @Test(arguments: Transport.allCases) func `limit-reached`(transport: Transport) async throws {
    let service = try TestService(transport, sessionLimit: 2, depth: 2)
    let visitor = try await service.start("shop")
    let second = try await service.start("shop").act("create-account")
    let answer = try await service.send("POST", "/v1/sessions", #"{"app":"shop"}"#)
    expect(answer, 429, "limit-reached")
    #expect(answer.header("Retry-After") != nil)
    expect(try await second.attempt("/actions/next", #"{"name":"Ada"}"#), 429, "limit-reached")
    #expect(try await service.send("DELETE", visitor.path).status == 204)
    #expect(try await service.send("POST", "/v1/sessions", #"{"app":"shop"}"#).status == 201)
  }

  @Test func `overloaded, if more requests are in flight than the limit`() async throws {
    let service = try TestService(inFlightLimit: 0)
    for (method, target) in [("GET", "/livez"), ("POST", "/v1/sessions")] {
      let answer = try await service.send(method, target, method == "POST" ? #"{"app":"shop"}"# : nil)
      expect(answer, 503, "overloaded")
      #expect(answer.header("Retry-After").flatMap { Int($0) } ?? 0 >= 1)
    }
  }

  @Test(arguments: [Refusal.overloaded, .draining, .timedOut])
  func `overloaded, for every refusal of the server`(refusal: Refusal) throws {
    let answer = Answer(try TestService(.inProcess).api.refuse(refusal, of: Request(method: .get, target: "/")))
    expect(answer, 503, "overloaded")
    #expect(answer.header("Retry-After").flatMap { Int($0) } ?? 0 >= 1)
  }
}
