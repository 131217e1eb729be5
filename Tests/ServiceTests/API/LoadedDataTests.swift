import HTTPAPI
import Navigation
import Sessions
import TestApps
import TestSupport
import Testing

/// Data that effects load for screens, from the action that shows a screen to every representation of it.
@Suite(.limitedConcurrency) struct LoadedDataTests {
  private func cashier(_ bank: ScriptedBank, _ log: TestLog = TestLog()) async throws -> Visitor {
    try await TestService(.socket, apps: [Cashier.app(bank)]) { $0.logger = log.logger }.start("cashier")
  }

  private func problems(_ view: JSON) -> [String] { view["screen", "problems"].strings("field") }

  private func get(_ visitor: Visitor, as type: String = "application/json") async throws -> Answer {
    try await visitor.service.send("GET", visitor.path, headers: ["Accept": type])
  }

  /// Shows the rates, and returns the view once nothing is under way.
  private func showRates(_ visitor: Visitor) async throws -> JSON {
    try await visitor.service.send("POST", visitor.path + "/actions/rates", headers: ["Prefer": "wait=20"]).json
  }

  @Test func `a screen comes at once, and its data with Prefer wait`() async throws {
    let bank = ScriptedBank(.wait(.milliseconds(300)))
    let visitor = try await cashier(bank)
    try await visitor.act("rates")
    #expect(visitor.screen == "rates")
    #expect(visitor.view["screen", "data", "rate"].isNull)
    #expect(visitor.view["screen", "loading"].array.map(\.string) == ["rate"])
    #expect(visitor.view["session", "pending"].strings("name") == ["fetch-rate"])
    let view = try await visitor.service.send("GET", visitor.path, headers: ["Prefer": "wait=20"]).json
    #expect(view["screen", "data", "rate"].string == "late receipt")
    // The second rate depends on the first.
    #expect(view["screen", "data", "next"].string == "receipt 112")
    #expect(view["screen", "loading"].array.isEmpty)
    #expect(bank.calls.map(\.amount) == [10, 112])
  }

  @Test func `data that cannot be loaded is a problem with a retry in every representation`() async throws {
    let bank = ScriptedBank(.error, .error)
    let visitor = try await cashier(bank)
    let view = try await showRates(visitor)
    #expect(problems(view) == ["rate"])
    let contract = Contract(document: try await visitor.service.send("GET", "/openapi.json").json)
    contract.check(try await get(visitor), "GET", "/v1/sessions/{id}")
    let problem = view["screen", "problems"][0]
    #expect(problem["title"].string == "This could not be loaded.")
    #expect(problem["retry", "method"].string == "POST")
    let page = try await get(visitor, as: "text/html").text
    #expect(page.contains("<p>This could not be loaded.</p>") && page.contains("/reload/rate?revision="))
    let text = try await get(visitor, as: "text/plain").text
    #expect(text.contains("(X) This could not be loaded.\n") && text.contains("  r1  Try again\n"))
    let siren = try await get(visitor, as: "application/vnd.siren+json").json
    #expect(siren["actions"].strings("name").contains("reload-rate"))
    let href = try #require(problem["retry", "href"].string)
    let failed = try await visitor.service.send("POST", href, headers: ["Prefer": "wait=20"]).json
    #expect(problems(failed) == ["rate"])
    // The same request again is a retry, and loads nothing.
    let again = try await visitor.service.send("POST", href)
    #expect(again.header("Idempotency-Replayed") == "true" && bank.calls.count == 2)
    let next = try #require(failed["screen", "problems"][0]["retry", "href"].string)
    let loaded = try await visitor.service.send("POST", next, headers: ["Prefer": "wait=20"]).json
    #expect(loaded["screen", "data", "rate"].string == "receipt 10")
    #expect(problems(loaded) == [])
    let late = try await visitor.service.send("POST", visitor.path + "/reload/rate")
    #expect(late.status == 409 && late.json["type"].string == "/problems/action-unavailable")
    let history = try await visitor.service.send("GET", visitor.path + "/history").json["entries"]
    #expect(history.strings("kind").count { $0 == "reload" } == 2)
  }

  @Test func `data that the session cannot take is a problem, and its reason is logged`() async throws {
    // An output has at most 512 KiB, and the state of a session 1 MiB.
    let large = ["a", "b"].map { ScriptedBank.Answer.receipt(String(repeating: $0, count: 524_280)) }
    let log = TestLog()
    let visitor = try await cashier(ScriptedBank(large), log)
    #expect(problems(try await showRates(visitor)) == ["next"])
    let reasons = log.lines.compactMap { $0["message"].string }
    #expect(reasons.count == 1 && reasons[0].contains("fetch-rate failed, work "), "\(reasons)")
  }

  @Test func `new choices make an action stale, and a value that was never offered is invalid`() async throws {
    let visitor = try await cashier(ScriptedBank(.receipt("a"), .wait(.seconds(2))))
    try await visitor.act("rates")
    #expect(visitor.action("pick")["enabled"].bool == false)
    #expect(visitor.action("pick")["reason"].string == "There is nothing to choose from.")
    var view = try await get(visitor).json
    for _ in 0..<3000 where view["screen", "data", "rate"].isNull { view = try await get(visitor).json }
    let pick = JSON.first(of: view["actions"], named: "pick")
    #expect(pick["input", "properties", "rate", "enum"].array.map(\.string) == ["a"])
    let href = try #require(pick["href"].string)
    #expect(try await visitor.service.send("POST", href, #"{"rate": "b"}"#).problem == "invalid-input")
    view = try await visitor.service.send("GET", visitor.path, headers: ["Prefer": "wait=20"]).json
    #expect(view["screen", "data", "next"].string == "late receipt")
    let stale = try await visitor.service.send("POST", href, #"{"rate": "a"}"#)
    #expect(stale.status == 409 && stale.problem == "stale-revision")
    #expect(try await visitor.attempt("/actions/pick", #"{"rate": "late receipt"}"#).status == 200)
  }

  @Test func `a client that may only read sees the problem without a retry`() async throws {
    let visitor = try await cashier(ScriptedBank(.error))
    _ = try await showRates(visitor)
    let offer = try await visitor.service.send("POST", visitor.path + "/hand-over").json["href"].string
    let code = try #require(offer?.split(separator: "/").last)
    #expect(try await visitor.service.send("POST", "/v1/hand-overs/\(code)").status == 201)
    let view = try await get(visitor).json
    #expect(problems(view) == ["rate"] && view["screen", "problems"][0]["retry"].isNull)
    #expect(!(try await get(visitor, as: "text/html").text.contains("/reload/")))
  }

  @Test func `many sessions that show the same data call the backend once`() async throws {
    let bank = ScriptedBank(.wait(.milliseconds(500)))
    let service = try await cashier(bank).service
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<100 {
        group.addTask {
          let visitor = try await service.start("cashier")
          _ = try await showRates(visitor)
          return try await get(visitor).json["screen", "data", "rate"].string
        }
      }
      for try await rate in group { #expect(rate == "late receipt") }
    }
    #expect(bank.calls.map(\.amount) == [10, 112])
    #expect(Set(bank.calls.map(\.key)).count == 2)
    let metrics = try await service.send("GET", "/metrics").text
    #expect(metrics.contains("usher_effect_outcomes_shared_total 198\n"))
  }
}
