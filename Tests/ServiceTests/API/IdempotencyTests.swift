import TestSupport
import Testing

/// Requests with an `Idempotency-Key`.
@Suite(.limitedConcurrency) struct IdempotencyTests {
  let service: TestService

  init() throws { service = try TestService(.inProcess) }

  private func create(_ key: String, _ body: String = #"{"app":"shop"}"#) async throws -> Answer {
    try await service.send("POST", "/v1/sessions", body, headers: ["Idempotency-Key": key])
  }

  @Test func `a creation with a key happens once`() async throws {
    let (first, again) = (try await create("k1"), try await create("\"k1\""))
    #expect(first.status == 201 && again.status == 201)
    #expect(first.json == again.json)
    #expect(again.header("Location") == first.header("Location"))
    #expect(again.header("Idempotency-Replayed") == "true")
    #expect(try await service.send("GET", first.header("Location")!).status == 200)
  }

  @Test func `a creation that is replayed after a hand-over is read-only`() async throws {
    let created = try await create("k1")
    let path = try #require(created.header("Location"))
    let link = try #require(try await service.send("POST", path + "/hand-over").json["href"].string)
    #expect(try await create("k1").json == created.json)
    let taken = try await service.send("POST", link)
    let again = try await create("k1")
    #expect(again.status == 201 && again.header("Location") == path && again.header("Idempotency-Replayed") == "true")
    #expect(again.json["session", "access"].string == "read" && again.header("ETag") == "\"1-read\"")
    #expect(again.json["session", "revision"].int == 1 && again.json["links", "handOver"].isNull)
    #expect(again.json["actions"].array.allSatisfy { $0["enabled"].bool == false })
    #expect(taken.json["session", "access"].string == "act")
  }

  @Test func `a form with a key besides the header is rejected`() async throws {
    let answer = try await service.send(
      "POST", "/v1/sessions", "app=shop&key=field",
      headers: ["Idempotency-Key": "header", "Content-Type": "application/x-www-form-urlencoded"])
    #expect(answer.status == 400 && answer.json["detail"].string?.contains("both") == true)
  }

  @Test func `another payload with the same key is a conflict`() async throws {
    _ = try await create("k1")
    let answer = try await create("k1", #"{"app":"bank"}"#)
    #expect(answer.status == 422)
    #expect(answer.problem == "idempotency-conflict")
  }

  @Test func `the same value in other bytes is a conflict`() async throws {
    _ = try await create("k1")
    #expect(try await create("k1", #"{"app": "shop"}"#).problem == "idempotency-conflict")
  }

  @Test func `a refused request does not use its key up`() async throws {
    #expect(try await create("k1", #"{"app":"nope"}"#).problem == "unknown-app")
    #expect(try await create("k1").status == 201)
    let visitor = try await service.start("shop")
    let buy = visitor.path + "/actions/buy"
    let headers = ["Idempotency-Key": "k2"]
    #expect(try await service.send("POST", buy, #"{"product":7}"#, headers: headers).problem == "invalid-input")
    let bought = try await service.send("POST", buy, #"{"product":1}"#, headers: headers)
    #expect(bought.status == 200 && bought.header("Idempotency-Replayed") == nil)
  }

  @Test func `the original view of an action is replayed after the session has advanced`() async throws {
    let visitor = try await service.start("pages")
    let headers = ["Idempotency-Key": "k"]
    let first = try await service.send("POST", visitor.path + "/actions/next", headers: headers)
    try await visitor.act("third")
    let again = try await service.send("POST", visitor.path + "/actions/next", headers: headers)
    #expect(again.status == 200)
    #expect(again.json == first.json)
    #expect(again.header("ETag") == "\"2\"")
    #expect(try await service.send("POST", visitor.path + "/back", headers: headers).problem == "idempotency-conflict")
  }

  @Test func `the key is checked before the revision`() async throws {
    let visitor = try await service.start("pages")
    let target = visitor.path + "/actions/next?revision=1"
    _ = try await service.send("POST", target, headers: ["Idempotency-Key": "k"])
    try await visitor.act("third")
    let again = try await service.send("POST", target, headers: ["Idempotency-Key": "k"])
    #expect(again.json["session", "revision"].int == 2)
  }

  @Test func `the revision is not part of the request, in the query or in If-Match`() async throws {
    let visitor = try await service.start("shop")
    let target = visitor.path + "/tabs/learn"
    func select(_ query: String, _ tag: String? = nil) async throws -> Answer {
      var headers = ["Idempotency-Key": "k"]
      headers["If-Match"] = tag
      return try await service.send("POST", target + query, headers: headers)
    }
    #expect(try await select("?revision=1").header("Idempotency-Replayed") == nil)
    for again in [try await select(""), try await select("?revision=7"), try await select("", "\"9\"")] {
      #expect(again.header("Idempotency-Replayed") == "true")
      #expect(again.json["session", "revision"].int == 2)
    }
  }

  @Test func `a retry claims its key`() async throws {
    let visitor = try await service.start("shop")
    let target = visitor.path + "/actions/buy?revision=1"
    _ = try await service.send("POST", target, #"{"product":1}"#)
    let retry = try await service.send("POST", target, #"{"product":1}"#, headers: ["Idempotency-Key": "k"])
    #expect(retry.header("Idempotency-Replayed") == "true")
    let other = try await service.send("POST", target, #"{"product":2}"#, headers: ["Idempotency-Key": "k"])
    #expect(other.problem == "idempotency-conflict")
  }

  @Test(arguments: ["ended", "expired"])
  func `requests to an ended or expired session are not replayed`(end: String) async throws {
    let created = try await create("k1", #"{"app":"pages","ttl":60}"#)
    let visitor = try Visitor(service, created)
    let next = visitor.path + "/actions/next"
    _ = try await service.send("POST", next, headers: ["Idempotency-Key": "k2"])
    if end == "ended" {
      _ = try await service.send("DELETE", visitor.path)
    } else {
      service.clock.advance(seconds: 60)
    }
    #expect(try await service.send("POST", next, headers: ["Idempotency-Key": "k2"]).problem == "session-expired")
    #expect(try await create("k1", #"{"app":"pages","ttl":60}"#).problem == "session-expired")
  }

  @Test func `the last 64 keys of a session are kept, regardless of the limit of sessions`() async throws {
    let service = try TestService(.inProcess, sessionLimit: 1)
    let visitor = try await service.start("shop")
    func select(_ number: Int) async throws -> Answer {
      let target = visitor.path + "/tabs/learn"
      return try await service.send("POST", target, headers: ["Idempotency-Key": "k\(number)"])
    }
    for number in 1...70 { #expect(try await select(number).status == 200) }
    #expect(try await select(7).header("Idempotency-Replayed") == "true")
    #expect(try await select(6).header("Idempotency-Replayed") == nil)
  }

  @Test func `keys of live sessions outlast any number of ended sessions`() async throws {
    let service = try TestService(.inProcess, sessionLimit: 2)
    func create(_ key: String) async throws -> Answer {
      try await service.send("POST", "/v1/sessions", #"{"app":"pages"}"#, headers: ["Idempotency-Key": key])
    }
    let first = try await create("first")
    for number in 0..<3000 {
      let path = try #require(try await create("\(number)").header("Location"))
      #expect(try await service.send("DELETE", path).status == 204)
    }
    #expect(try await create("first").json == first.json)
    #expect(try await create("2999").problem == "session-expired")
    #expect(try await create("0").header("Idempotency-Replayed") == nil)
  }

  @Test func `concurrent clients with one key create one session, even the last within the limit`() async throws {
    for _ in 0..<20 {
      let service = try TestService(.socket, sessionLimit: 1)
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 {
          group.addTask {
            try await service.send(
              "POST", "/v1/sessions", #"{"app":"pages"}"#, headers: ["Idempotency-Key": "same"]
            ).status
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses == Array(repeating: 201, count: 8))
    }
  }

  @Test func `a rejected request does not claim its key`() async throws {
    let visitor = try await service.start("shop")
    let headers = ["Idempotency-Key": "k"]
    let target = visitor.path + "/actions/buy"
    #expect(try await service.send("POST", target, #"{"product":9}"#, headers: headers).status == 422)
    #expect(try await service.send("POST", target, #"{"product":1}"#, headers: headers).status == 200)
  }

  @Test func `a key can be used for another request after 24 hours`() async throws {
    let first = try await create("k1")
    service.clock.advance(seconds: 86_399)
    #expect(try await create("k1").json["session", "id"] == first.json["session", "id"])
    service.clock.advance(seconds: 1)
    #expect(try await create("k1", #"{"app":"bank"}"#).status == 201)
  }

  @Test func `each session has its own keys`() async throws {
    let (one, other) = (try await service.start("pages"), try await service.start("pages"))
    for visitor in [one, other] {
      let answer = try await service.send("POST", visitor.path + "/actions/next", headers: ["Idempotency-Key": "k"])
      #expect(answer.header("Idempotency-Replayed") == nil)
    }
  }

  @Test(arguments: ["", "\"", "\"\"", "a\"b", "a, b", "\"a\", \"b\"", String(repeating: "k", count: 256)])
  func `a malformed key is rejected with 400`(key: String) async throws {
    #expect(try await create(key).problem == "invalid-request")
  }

  @Test func `concurrent requests with one key return one session ID`() async throws {
    let service = try TestService(.socket)
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let answer = try await service.send(
            "POST", "/v1/sessions", #"{"app":"pages"}"#, headers: ["Idempotency-Key": "same"])
          return try #require(answer.json["session", "id"].string)
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
  }
}
