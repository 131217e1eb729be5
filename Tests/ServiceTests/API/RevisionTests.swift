import TestSupport
import Testing

/// Revisions, retries and preconditions.
@Suite(.limitedConcurrency) struct RevisionTests {
  let service: TestService

  init() throws { service = try TestService(.inProcess) }

  @Test func `an action at an outdated revision is stale, and the problem has the current view`() async throws {
    let visitor = try await service.start("pages").act("next")
    let answer = try await visitor.attempt("/actions/third?revision=1")
    #expect(answer.status == 409)
    #expect(answer.problem == "stale-revision")
    #expect(answer.json["revision"].int == 2)
    #expect(answer.json["view", "screen", "name"].string == "second")
  }

  @Test func `a repeated action for the same revision is performed once and replayed`() async throws {
    let visitor = try await service.start("shop")
    let (first, again) = (
      try await visitor.attempt("/actions/buy?revision=1", #"{"product":1}"#),
      try await visitor.attempt("/actions/buy?revision=1", #"{ "product" : 1.0 }"#)
    )
    #expect(first.status == 200 && first.header("Idempotency-Replayed") == nil)
    #expect(again.status == 200 && again.header("Idempotency-Replayed") == "true")
    #expect(first.json == again.json)
    #expect(try await visitor.attempt("/actions/buy?revision=1", #"{"product":2}"#).status == 409)
  }

  @Test func `actions, retries and the history ignore undeclared members of the input`() async throws {
    let visitor = try await service.start("shop")
    _ = try await visitor.attempt("/actions/buy?revision=1", #"{"product":1,"extra":[1,2]}"#)
    let again = try await visitor.attempt("/actions/buy?revision=1", #"{"other":null,"product":1}"#)
    #expect(again.header("Idempotency-Replayed") == "true")
    let history = try await service.send("GET", visitor.path + "/history")
    #expect(history.json["entries"].array.last?["input"] == JSON(["product": 1]))
  }

  @Test func `a retry is recognized for at least 16 transitions, and returns the current view`() async throws {
    let visitor = try await service.start("pages")
    for _ in 0..<8 { try await visitor.act("next").act("first") }
    let answer = try await visitor.attempt("/actions/next?revision=1")
    #expect(answer.header("Idempotency-Replayed") == "true")
    #expect(answer.json["session", "revision"].int == 17)
  }

  @Test func `a retried back is replayed, and is distinct from an action`() async throws {
    let visitor = try await service.start("pages").act("next").post("/back?revision=2")
    #expect(try await visitor.attempt("/back?revision=2").header("Idempotency-Replayed") == "true")
    #expect(try await visitor.attempt("/actions/first?revision=2").status == 409)
  }

  @Test func `a future revision is stale`() async throws {
    let visitor = try await service.start("pages")
    #expect(try await visitor.attempt("/actions/next?revision=9").problem == "stale-revision")
  }

  @Test(arguments: ["DELETE", "POST"])
  func `deletion and hand-over respect If-Match`(method: String) async throws {
    let visitor = try await service.start("pages").act("next")
    let path = visitor.path + (method == "POST" ? "/hand-over" : "")
    let stale = try await service.send(method, path, headers: ["If-Match": "\"1\""])
    #expect(stale.status == 412 && stale.problem == "stale-revision")
    #expect(stale.json["view", "screen", "name"].string == "second")
    #expect(try await service.send(method, path, headers: ["If-Match": "2"]).status == 400)
    #expect(try await service.send("GET", visitor.path).json["session", "revision"].int == 2)
    let accepted = try await service.send(method, path, headers: ["If-Match": "\"2\""])
    #expect(accepted.status == (method == "POST" ? 201 : 204))
  }

  @Test func `If-Match works like the query parameter, but a stale revision is 412`() async throws {
    let visitor = try await service.start("pages")
    func next(_ tag: String, query: String = "") async throws -> Answer {
      try await service.send("POST", visitor.path + "/actions/next" + query, headers: ["If-Match": tag])
    }
    #expect(try await next("\"7\"").status == 412)
    #expect(try await next("W/\"1\"").status == 412)
    #expect(try await next("\"abc\"").status == 412)
    for malformed in ["1", "W/\"", "W/1", "\"1\", \"2\""] { #expect(try await next(malformed).status == 400) }
    #expect(try await next("\"1\"", query: "?revision=2").status == 400)
    #expect(try await next("\"1\"").status == 200)
    #expect(try await next("\"1\"").header("Idempotency-Replayed") == "true")
    #expect(try await next("*").problem == "action-unavailable")
  }

  @Test func `an action without a revision is performed at the current one`() async throws {
    #expect(try await service.start("pages").act("next").act("third").revision == 3)
  }

  @Test(arguments: ["0", "-1", "01", "x", "", "1.0", "9223372036854775808"])
  func `a malformed revision is rejected with 400`(revision: String) async throws {
    let answer = try await service.start("pages").attempt("/actions/next?revision=\(revision)")
    #expect(answer.status == 400)
    #expect(answer.problem == "invalid-request")
  }

  @Test func `of concurrent writers at one revision exactly one succeeds`() async throws {
    let service = try TestService(.socket)
    for _ in 0..<20 {
      let visitor = try await service.start("shop")
      let path = visitor.path
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for product in 0...2 {
          group.addTask {
            try await service.send("POST", path + "/actions/buy?revision=1", #"{"product":\#(product)}"#).status
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }.sorted()
      }
      #expect(statuses == [200, 409, 409])
      #expect(try await service.send("GET", path).json["session", "revision"].int == 2)
    }
  }

  @Test func `the ETag is the revision, and a known view is not sent again`() async throws {
    let visitor = try await service.start("pages").act("next")
    #expect(visitor.last.header("ETag") == "\"2\"")
    for tag in ["\"2\"", "W/\"2\"", "\"1\", \"2\"", "*"] {
      let answer = try await service.send("GET", visitor.path, headers: ["If-None-Match": tag])
      #expect(answer.status == 304)
      #expect(answer.bytes.isEmpty && answer.header("Content-Type") == nil)
    }
    #expect(try await service.send("GET", visitor.path, headers: ["If-None-Match": "\"1\""]).status == 200)
  }
}
