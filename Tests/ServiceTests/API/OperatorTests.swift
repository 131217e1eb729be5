import Console
import HTTPAPI
import MicroHTTP
import Navigation
import Sessions
import TestApps
import TestSupport
import Testing
import Values

/// Decisions of operators about pending work, in the console.
@Suite(.limitedConcurrency) struct OperatorTests {
  private func console(of visitor: Visitor) -> Console {
    Console(sessions: visitor.service.sessions, host: "127.0.0.1")
  }

  private func page(of visitor: Visitor) throws -> String {
    "/console/sessions/\(SessionKey(try #require(visitor.view["session", "id"].string.flatMap { SessionID($0) })).hexadecimal)"
  }

  private func show(_ visitor: Visitor) async throws -> Answer {
    let request = Request(method: .get, target: try page(of: visitor), headers: [("Host", "127.0.0.1")], body: [])
    return Answer(await console(of: visitor).respond(to: request))
  }

  /// Presses a button of the console.
  private func press(_ button: String, of work: Int, _ visitor: Visitor, site: String = "same-origin") async throws
    -> Answer
  {
    let headers = [
      ("Host", "127.0.0.1"), ("Content-Type", "application/x-www-form-urlencoded"), ("Sec-Fetch-Site", site),
    ]
    let target = "\(try page(of: visitor))/work/\(work)/\(button)"
    return Answer(
      await console(of: visitor).respond(to: Request(method: .post, target: target, headers: headers, body: [])))
  }

  private func screen(_ visitor: Visitor) async throws -> String? {
    try await visitor.service.send("GET", visitor.path).json["screen", "name"].string
  }

  /// Charges a card at a bank that is busy, and returns the id of the effect.
  private func charge(_ visitor: Visitor) async throws -> Int {
    try await visitor.act("charge", #"{"amount": 5, "asks": false}"#)
    #expect(try await eventually { try await show(visitor).text.contains("The bank is busy.") })
    return try #require(visitor.view["session", "pending"].array.first?["id"].int)
  }

  @Test func `an effect that waits after an error is tried again at once`() async throws {
    let visitor = try await TestService(.socket, apps: [Cashier.app(ScriptedBank(.retry))]).start("cashier")
    let work = try await charge(visitor)
    let page = try await show(visitor)
    // Open pages poll by the tag, which changes with each error.
    #expect(page.header("ETag")?.contains(".\(work).1") == true)
    let text = page.text
    #expect(text.contains("work/\(work)/retry") && text.contains("work/\(work)/give-up") && !text.contains(">stuck<"))
    #expect(try await press("retry", of: work, visitor).status == 303)
    #expect(try await eventually { try await screen(visitor) == "paid" })
    #expect(try await press("retry", of: work, visitor).status == 409)
  }

  @Test func `an effect that is given up has failed`() async throws {
    let visitor = try await TestService(.socket, apps: [Cashier.app(ScriptedBank(.retry))]).start("cashier")
    let work = try await charge(visitor)
    #expect(try await press("give-up", of: work, visitor).status == 303)
    #expect(try await eventually { try await screen(visitor) == "not-paid" })
    let view = try await visitor.service.send("GET", visitor.path).json
    #expect(view["screen", "data", "failures"].array.map(\.string) == ["givenUp"])
    #expect(view["screen", "data", "mayBePaid"].bool == true)
  }

  @Test func `an effect that several operators give up at once has failed, and its coordinator learns of it`()
    async throws
  {
    for _ in 0..<20 {
      let visitor = try await TestService(.socket, apps: [Cashier.app(ScriptedBank(.retry))]).start("cashier")
      let work = WorkID(UInt32(try await charge(visitor)))
      let sessions = visitor.service.sessions
      let key = SessionKey(try #require(visitor.view["session", "id"].string.flatMap { SessionID($0) }))
      let decisions = await withTaskGroup(of: Bool?.self) { group in
        for _ in 0..<8 { group.addTask { try? await sessions.giveUp(work, of: key) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(decisions.contains(true) && !decisions.contains(nil))
      #expect(try await eventually { try await screen(visitor) == "not-paid" })
      guard try await screen(visitor) == "not-paid" else { return }
    }
  }

  @Test func `a stuck signal can be tried again, and given up`() async throws {
    let payments = Payments()
    let visitor = try await TestService(.socket, apps: [PayPoint.app(payments)]).start("pay-point")
    try await visitor.act("await")
    // An outcome that came after the stuck signal would wait behind it.
    #expect(try await eventually { try await !isPending(visitor) })
    func pay(_ amount: Int) async throws -> String? {
      try await visitor.service.send("POST", payments.path, #"{"amount": \#(amount)}"#).json["status"].string
    }
    #expect(try await pay(98) == "accepted")
    #expect(try await eventually { try await show(visitor).text.contains(">stuck<") })
    #expect(try await visitor.service.sessions.store.countWork().stuck == 1)
    let work = try #require(try await stuckWork(visitor))
    #expect(try await press("retry", of: work, visitor).status == 303)
    #expect(try await eventually { try await stuckWork(visitor) == work })
    let revision = try await visitor.service.send("GET", visitor.path).json["session", "revision"].int
    #expect(try await press("give-up", of: work, visitor).status == 303)
    #expect(try await pay(98) == "repeated")
    #expect(try await pay(3) == "accepted")
    #expect(
      try await eventually {
        let view = try await visitor.service.send("GET", visitor.path).json
        return view["screen", "data", "amounts"].array.map(\.int) == [3]
          && view["session", "revision"].int == revision! + 2
      })
    #expect(try await visitor.service.sessions.store.countWork() == WorkCount(pending: 0, stuck: 0))
    let history = try await visitor.service.send("GET", visitor.path + "/history").json["entries"].array
    #expect(history.filter { $0["kind"].string == "signal" }.count == 2)
  }

  @Test func `events of a coordinator wait behind a stuck one, and those of others do not`() async throws {
    let payments = Payments()
    let visitor = try await TestService(.socket, apps: [PayPoint.app(payments)]).start("pay-point")
    func open(_ action: String) async throws -> String {
      let count = payments.count
      try await visitor.act(action)
      #expect(await eventually { payments.count == count + 1 })
      return payments.path
    }
    func send(_ amount: Int, to path: String) async throws {
      let answer = try await visitor.service.send("POST", path, #"{"amount": \#(amount)}"#)
      #expect(answer.json["status"].string == "accepted")
    }
    func session() async throws -> JSON { try await visitor.service.send("GET", visitor.path).json }
    for order in ["second", "first"] { try await visitor.act("await-order", #"{"order": "\#(order)"}"#) }
    let payment = try await open("await")
    #expect(try await eventually { try await !isPending(visitor) })
    try await send(98, to: payment)
    #expect(try await eventually { try await stuckWork(visitor) != nil })
    for (number, order) in ["first", "second"].enumerated() {
      _ = try await visitor.service.sessions.receive(
        ["amount": Value(number + 1)], of: "paid", to: "pay-point", under: order, hold: nil,
        as: SignalDelivery(UInt64(number))
      ) { _ in true }
      #expect(try await eventually { try await eventsBehind(visitor) == number + 1 })
      visitor.service.clock.advance(seconds: 1)
    }
    _ = try await open("request")
    #expect(try await eventually { try await eventsBehind(visitor) == 3 })
    // A sale is another coordinator, and its result is not an event.
    try await send(7, to: try await open("sell"))
    #expect(try await eventually { try await session()["screen", "data", "amounts"].array.map(\.int) == [7] })
    #expect(try await session()["session", "pending"].array.map { $0["name"].string } == ["request-payment"])
    let stuck = try #require(try await stuckWork(visitor))
    #expect(try await press("give-up", of: stuck, visitor).status == 303)
    #expect(try await eventually { try await !isPending(visitor) })
    #expect(try await eventually { try await session()["screen", "data", "amounts"].array.map(\.int) == [7, 1, 2] })
    #expect(try await visitor.service.sessions.store.countWork() == WorkCount(pending: 0, stuck: 0))
  }

  private func isPending(_ visitor: Visitor) async throws -> Bool {
    try await !visitor.service.send("GET", visitor.path).json["session", "pending"].array.isEmpty
  }

  private func eventsBehind(_ visitor: Visitor) async throws -> Int {
    try await show(visitor).text.split(separator: "behind a stuck event of its coordinator.").count - 1
  }

  private func stuckWork(_ visitor: Visitor) async throws -> Int? {
    let key = SessionKey(try #require(visitor.view["session", "id"].string.flatMap { SessionID($0) }))
    return try await visitor.service.sessions.store.work(of: key).first(where: \.isStuck).map { Int($0.id.rawValue) }
  }

  @Test func `other work, and forms of other sites, are refused`() async throws {
    let visitor = try await TestService(.socket, apps: [Cashier.app(ScriptedBank(.retry))]).start("cashier")
    let work = try await charge(visitor)
    for id in [0, work + 50, Int(UInt32.max) + 1] {
      for button in ["retry", "give-up"] { #expect(try await press(button, of: id, visitor).status == 409) }
    }
    #expect(try await press("retry", of: work, visitor, site: "cross-site").status == 403)
    #expect(try await screen(visitor) == "charging")
  }
}
