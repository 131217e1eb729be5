import Foundation
import HTTPAPI
import Navigation
import Sessions
import TestSupport
import Testing
import UsherClient
import Values

/// The reports to people and operators about an event that an app cannot handle.
@Suite(.limitedConcurrency) struct StuckEventViewTests {
  private let payments = Payments()
  private let log = TestLog()

  private func start() async throws -> Visitor {
    let service = try TestService(.socket, apps: [PayPoint.app(payments)]) { [log] in $0.logger = log.logger }
    let visitor = try await service.start("pay-point")
    try await visitor.act("await")
    #expect(try await eventually { try await view(visitor)["session", "pending"].array.isEmpty && payments.count == 1 })
    return visitor
  }

  private func view(_ visitor: Visitor) async throws -> JSON {
    try await visitor.service.send("GET", visitor.path).json
  }

  private func pay(_ amount: Int, _ visitor: Visitor) async throws {
    let answer = try await visitor.service.send("POST", payments.path, #"{"amount": \#(amount)}"#)
    #expect(answer.json["status"].string == "accepted")
  }

  /// Makes a signal stuck, and returns the view that tells of it.
  private func fail(_ visitor: Visitor) async throws -> JSON {
    try await visitor.act("open-till", #"{"isOpen": false}"#)
    try await pay(97, visitor)
    #expect(try await eventually { try await !view(visitor)["session", "problems"].array.isEmpty })
    return try await view(visitor)
  }

  @Test func `a view tells of a stuck event, and offers to try it again`() async throws {
    let visitor = try await start()
    #expect(visitor.view["session", "problems"].array.isEmpty)
    let failed = try await fail(visitor)
    #expect(failed["session", "revision"].int == visitor.revision! + 1)
    let problem = try #require(failed["session", "problems"].array.first)
    #expect(problem["title"].string == "Something went wrong. Try again, or start again.")
    let (method, retry) = (problem["retry", "method"].string, try #require(problem["retry", "href"].string))
    #expect(method == "POST" && retry == "\(visitor.path)/retry/\(problem["id"].int ?? 0)")
    let history = try await visitor.service.send("GET", visitor.path + "/history").json["entries"].array
    #expect(history.last?["kind"].string == "stuck" && history.last?["action"].string == "paid")
    // It fails again, and tells nothing new.
    let again = try await visitor.service.send("POST", retry)
    #expect(again.status == 200 && again.json["session", "problems"].array.count == 1)
    #expect(again.json["session", "revision"].int == failed["session", "revision"].int)
    try await visitor.act("open-till", #"{"isOpen": true}"#)
    let done = try await visitor.service.send("POST", retry)
    #expect(done.status == 200 && done.json["session", "problems"].array.isEmpty)
    #expect(done.json["screen", "data", "amounts"].array.map(\.int) == [97])
    // A repetition of the request changes nothing.
    let repeated = try await visitor.service.send("POST", retry)
    #expect(repeated.status == 200)
    #expect(repeated.json["session", "revision"].int == done.json["session", "revision"].int)
    for path in ["/retry/x", "/retry/-1"] { #expect(try await visitor.attempt(path).status == 404) }
  }

  @Test func `a page, a text and Siren tell of a stuck event, too`() async throws {
    let visitor = try await start()
    let failed = try await fail(visitor)
    let retry = try #require(failed["session", "problems"].array.first?["retry", "href"].string)
    func get(_ type: String) async throws -> Answer {
      try await visitor.service.send("GET", visitor.path, headers: ["Accept": type])
    }
    let title = try #require(failed["session", "problems"].array.first?["title"].string)
    let page = try await get("text/html").text
    #expect(page.contains(title) && page.contains("action=\"\(retry)\"") && page.contains("action=\"/v1/sessions\""))
    // Without work under way, a page need not look for changes as often.
    #expect(failed["session", "pending"].array.isEmpty)
    let text = try await get("text/plain").text
    #expect(text.contains("(X) \(title)") && text.contains("  r1  "))
    let actions = try await get("application/vnd.siren+json").json["actions"].array
    #expect(actions.contains { $0["href"].string == retry && $0["title"].string == title })
    let pressed = try await visitor.service.send(
      "POST", retry, "", headers: ["Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"])
    #expect([200, 303].contains(pressed.status))
  }

  @Test func `a client tries a stuck event again`() async throws {
    let visitor = try await start()
    let id = Int64(try #require(try await fail(visitor)["session", "problems"].array.first?["id"].int))
    let session = try await UsherService(visitor.service.address).resume(visitor.path)
    let problem = try #require(await session.view.session.problems.first)
    #expect(problem.id == id && problem.title.hasPrefix("Something went wrong."))
    await #expect(throws: UsherError.self) { try await session.retry(id + 1) }
    try await session.act("open-till", ["isOpen": true])
    #expect(try await session.retry(id).session.problems.isEmpty)
  }

  @Test func `an effect whose outcome is stuck is not under way, and no client waits for it`() async throws {
    let visitor = try await start()
    try await visitor.act("echo", #"{"form": "broken"}"#)
    #expect(try await eventually { try await view(visitor)["session", "problems"].array.count == 1 })
    #expect(try await view(visitor)["session", "pending"].array.isEmpty)
    #expect(try await visitor.service.sessions.store.countWork().stuck == 1)
    let answer = try await visitor.service.send("GET", visitor.path, headers: ["Prefer": "wait=20"])
    #expect(answer.header("Preference-Applied") == "wait=20" && answer.json["session", "problems"].array.count == 1)
  }

  @Test func `an earlier view does not tell of an event that became stuck later`() async throws {
    let visitor = try await start()
    try await visitor.act("open-till", #"{"isOpen": false}"#)
    let request = ["Idempotency-Key": UUID().uuidString]
    let path = visitor.path + "/actions/await-order"
    let first = try await visitor.service.send("POST", path, #"{"order": "one"}"#, headers: request)
    try await pay(97, visitor)
    #expect(try await eventually { try await !view(visitor)["session", "problems"].array.isEmpty })
    let replay = try await visitor.service.send("POST", path, #"{"order": "one"}"#, headers: request)
    #expect(replay.header("Idempotency-Replayed") == "true" && replay.text == first.text)
  }

  @Test func `a device that has handed its session over sees a stuck event, and cannot try it again`() async throws {
    let visitor = try await start()
    let retry = try #require(try await fail(visitor)["session", "problems"].array.first?["retry", "href"].string)
    let offer = try await visitor.service.send("POST", visitor.path + "/hand-over").json["href"].string
    let taken = try await visitor.service.send("POST", try #require(offer))
    #expect(taken.status == 201 && taken.json["session", "problems"].array.count == 1)
    let problem = try #require(try await view(visitor)["session", "problems"].array.first)
    #expect(problem["title"].string != nil && problem["retry", "href"].string == nil)
    let refused = try await visitor.service.send("POST", retry)
    #expect(refused.status == 403 && refused.problem == "read-only")
  }

  @Test func `the log tells of a stuck event as an error, with its location`() async throws {
    let visitor = try await start()
    _ = try await fail(visitor)
    let line = try #require(log.lines.first { $0["level"].string == "error" })
    #expect(line["app"].string == "pay-point" && line["coordinator"].string == "pay-point")
    #expect(line["event"].string == "paid" && line["work"].string?.contains("/") == true)
    let message = try #require(line["message"].string)
    #expect(message.hasPrefix("The event pay-point › pay-point › paid is stuck, work "))
    #expect(message.contains("9 of 1 screens cannot be popped"))
  }

  @Test func `later events of a coordinator go on after 15 minutes`() async throws {
    let visitor = try await start()
    try await visitor.act("await-order", #"{"order": "one"}"#)
    _ = try await fail(visitor)
    let sessions = visitor.service.sessions
    let key = SessionKey(try #require(visitor.view["session", "id"].string.flatMap { SessionID($0) }))
    _ = try await sessions.receive(
      ["amount": 5], of: "paid", to: "pay-point", under: "one", hold: nil, as: SignalDelivery(1)
    ) { _ in true }
    func isHeldBack() async throws -> Bool {
      try await sessions.work(of: key).contains { $0.wait?.reason == .behindStuckEvent && $0.dueAt > sessions.now }
    }
    #expect(try await eventually { try await isHeldBack() })
    visitor.service.clock.advance(seconds: 899)
    #expect(try await eventually { try await isHeldBack() })
    #expect(try await view(visitor)["screen", "data", "amounts"].array.isEmpty)
    visitor.service.clock.advance(seconds: 2)
    #expect(try await eventually { try await view(visitor)["screen", "data", "amounts"].array.map(\.int) == [5] })
    #expect(try await view(visitor)["session", "problems"].array.count == 1)
    #expect(try await sessions.store.countWork().stuck == 1)
  }

  @Test func `an event that a guard keeps back for long is told once, and counted`() async throws {
    let visitor = try await start()
    try await visitor.act("open-till", #"{"isOpen": false}"#)
    try await pay(99, visitor)
    let sessions = visitor.service.sessions
    let key = SessionKey(try #require(visitor.view["session", "id"].string.flatMap { SessionID($0) }))
    func waits(_ reason: EventWait.Reason) async throws -> Bool {
      try await sessions.work(of: key).contains { $0.wait?.reason == reason && $0.dueAt > sessions.now }
    }
    #expect(try await eventually { try await waits(.blocked) })
    #expect(try await sessions.store.countWork().blocked == 0)
    for _ in 0..<3 {
      visitor.service.clock.advance(seconds: 901)
      #expect(try await eventually { try await waits(.blockedForLong) })
    }
    #expect(try await sessions.store.countWork().blocked == 1)
    let lines = log.lines.filter { $0["message"].string?.contains("has waited for") == true }
    #expect(lines.map { $0["level"].string } == ["warning"] && lines.map { $0["event"].string } == ["paid"])
    try await visitor.act("open-till", #"{"isOpen": true}"#)
    #expect(try await eventually { try await view(visitor)["screen", "name"].string == "thanks" })
    #expect(try await sessions.store.countWork().blocked == 0)
  }
}
