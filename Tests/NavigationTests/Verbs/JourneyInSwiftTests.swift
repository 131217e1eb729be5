import TestApps
import Testing
import UsherTesting
import Values

@testable import Navigation

/// Journeys that are declared in Swift: their handlers, their code that reads answers, and faults of their declarations.
@Suite struct JourneyInSwiftTests {
  private static let all: Value = [
    "name": "Ann", "first": "2026-11-20", "last": "2026-11-21", "count": 1, "things": [["name": "lamp"]],
    "isTrue": true,
  ]

  private func session() throws -> TestSession { try TestSession(Claim.app) }

  private func names(in session: TestSession) -> [String] {
    session.view.stack.map { session.app.screens[$0.screen ?? 0].name }
  }

  /// Returns an answer that counts.
  private func answer(_ name: String, in session: TestSession) -> Value {
    session.state.nodes[0].state.encoding[name] ?? .null
  }

  private func fields(of session: TestSession) -> [FieldSchema] {
    session.view.actions.first { $0.definition.name == "continue" }?.input.fields ?? []
  }

  private func errors(_ input: Value, _ session: TestSession) -> [String] {
    var session = session
    do {
      try session.act("continue", input)
      return []
    } catch let rejection as Rejection {
      return rejection.reasons
    } catch {
      return ["\(error)"]
    }
  }

  // MARK: Declarations

  @Test func `a property of the new coordinator is an answer, and a page has the title of its declaration`() throws {
    var session = try session()
    #expect(session.title == "You" && fields(of: session).map(\.initial) == ["Mai", nil, false])
    #expect(fields(of: session).map(\.isRequired) == [true, false, false])
    try session.act("continue", ["name": "Ann"])
    #expect(session.title == "Dates of Ann")
  }

  @Test func `a rule about two answers is checked while both are valid`() throws {
    var session = try session()
    try session.act("continue", ["name": "Ann"])
    #expect(
      errors(["first": "2026-11-20", "last": "2026-11-19"], session) == ["last: The last day is before the first one."])
    #expect(errors(["first": "soon", "last": "2026-11-19"], session).count == 1)
    try session.act("continue", ["first": "2026-11-20", "last": "2026-11-20"])
    #expect(names(in: session).last == "count")
  }

  @Test func `the pages of as many items as an answer says follow each other`() throws {
    var session = try session()
    try session.act("continue", ["name": "Ann"])
    try session.act("continue", ["first": "2026-11-20", "last": "2026-11-20"])
    try session.act("continue", ["count": 2])
    #expect(session.title == "Thing 1 of 2")
    #expect(errors(["name": "chair"], session).count == 1)
    try session.act("continue", ["name": "amplifier"])
    #expect(names(in: session).last == "things-item-2" && fields(of: session).map(\.title.string) == ["Watts of Ann"])
    try session.act("continue", ["watts": 40])
    #expect(session.title == "Thing 2 of 2")
    try session.act("continue", ["name": "lamp"])
    try session.act("continue", ["isTrue": true])
    #expect(session.title == "Overview")
    #expect(session.view.content.first == .text("2 things"))
    #expect(session.view.content.answers.map { "\($0.label.string): \($0.value.string)" }.contains("amplifier: 40 W"))
    #expect(session.view.actions.first?.definition.title == "Claim")
  }

  @Test func `a form leaves out a question that an earlier page makes unnecessary`() throws {
    var session = try session()
    try session.act("answers", ["name": "Ann", "first": "2026-11-20", "last": "2026-11-21", "count": 0])
    #expect(fields(of: session).map(\.name) == ["reason", "isTrue"] && fields(of: session)[0].isRequired)
    try session.act("answers", ["count": 1, "things": [["name": "lamp"]]])
    #expect(fields(of: session).map(\.name) == ["isTrue"])
  }

  @Test func `an exit has no way on`() throws {
    var session = try session()
    try session.act("answers", ["name": "Nobody", "first": "2026-11-20", "last": "2026-11-20", "count": 0])
    #expect(names(in: session).last == "nothing" && session.view.actions.isEmpty)
  }

  // MARK: Pages that ask a backend, and sections

  private static let car = Permit.FindCar.Output(owner: "Ann Lee", zone: "7")

  /// Returns a session of the permit at the first page of a section.
  private func session(in section: Value) throws -> TestSession {
    var session = try TestSession(Permit.app)
    try session.act("open", ["section": section])
    return session
  }

  @Test func `the pages of a section lead back to the task list, which comes first`() throws {
    var session = try TestSession(Permit.app)
    #expect(session.title == "Your application" && session.view.content.first == .text("Answer all sections."))
    let statuses: (TestSession) -> [String] = { session in
      session.view.content.answers.map { "\($0.label.string): \($0.value.string)" }
    }
    #expect(
      statuses(session) == ["Your car: Not started", "Your permit: Not started", "Others: Not started"])
    try session.act("open", ["section": "permit"])
    #expect(names(in: session) == ["tasks", "rules"])
    try session.act("continue")
    try session.act("continue", ["kind": "year"])
    #expect(names(in: session) == ["tasks"])
    #expect(statuses(session) == ["Your car: Not started", "Your permit: Completed", "Others: Not started"])
  }

  @Test func `an effect verifies the answers of a page, and its outcome answers other questions`() throws {
    var session = try session(in: "car")
    try session.act("continue", ["plate": "B-12"])
    #expect(names(in: session).last == "plate-wait" && answer("plate", in: session).isNull)
    #expect(try session.effects(Permit.FindCar.self).count == 1)
    try session.complete(Permit.FindCar.self, with: Self.car)
    #expect(names(in: session).last == "owner" && fields(of: session).map(\.initial) == ["Ann Lee"])
    #expect(answer("plate", in: session) == "B-12" && answer("zone", in: session) == "7")
    try session.act("continue", ["owner": "Ben Roy"])
    try session.act("open", ["section": "car"])
    try session.act("continue", ["plate": "B-12"])
    #expect(names(in: session).last == "owner" && session.pendingEffects.isEmpty)
    try session.back()
    try session.act("continue", ["plate": "B-13"])
    try session.complete(Permit.FindCar.self, with: Self.car)
    #expect(answer("owner", in: session) == "Ben Roy")
  }

  @Test func `an outcome refuses the answers of a page, and people try again after any other failure`() throws {
    var session = try session(in: "car")
    try session.act("continue", ["plate": "B-12"])
    try session.fail(Permit.FindCar.self, with: EffectFailure(.status, status: 404))
    let form = try #require(session.view.actions.first { $0.definition.name == "continue" })
    #expect(names(in: session).last == "plate" && form.failures.map(\.pointer) == ["/plate"])
    #expect(answer("plate", in: session).isNull)
    try session.act("continue", ["plate": "B-13"])
    try session.fail(Permit.FindCar.self, with: EffectFailure(.status, status: 503))
    #expect(names(in: session).last == "plate-wait")
    try session.act("again")
    try session.complete(Permit.FindCar.self, with: Self.car)
    #expect(names(in: session).last == "owner")
  }

  @Test func `a page is verified only if its answers make an effect`() throws {
    var session = try session(in: "permit")
    try session.act("continue")
    try session.act("continue", ["kind": "year"])
    #expect(session.pendingEffects.isEmpty)
    try session.act("open", ["section": "permit"])
    try session.act("continue")
    try session.act("continue", ["kind": "day", "code": "K7"])
    #expect(session.title == "One minute" && session.pendingEffects == ["registry-redeem"])
    try session.complete(Permit.Redeem.self, with: Permit.Redeem.Output(discount: "Half the price"))
    #expect(names(in: session) == ["tasks"] && answer("discount", in: session) == "Half the price")
  }

  @Test func `a page asks nothing, and pages have other actions and no progress`() throws {
    var session = try session(in: "permit")
    #expect(session.title == "The rules" && session.view.content == [.facts([.init("Zone", "unknown")])])
    #expect(session.view.actions.map(\.definition.name) == ["continue", "help"])
    try session.act("help")
    #expect(names(in: session).last == "advice")
    try session.back()
    try session.act("continue")
    #expect(session.view.content.isEmpty && session.view.actions.map(\.definition.name) == ["continue"])
  }

  @Test func `the check page has other actions, too, and follows once all sections are completed`() throws {
    var session = try TestSession(Permit.app)
    try session.fake(Permit.FindCar.self) { _ in Self.car }
    try session.act("answers", ["plate": "B-12", "owner": "Ben Roy", "kind": "year", "residents": [["first": "Lin"]]])
    #expect(names(in: session).last == "check")
    #expect(session.view.content.first == .facts([.init("Discount", "none")]))
    #expect(session.view.actions.contains { $0.definition.name == "help" })
    try session.act("submit")
    let sent = try #require(try session.effects(Permit.Apply.self).first)
    #expect(sent.answers["owner"] == "Ben Roy" && sent.answers["code"]?.isNull == true)
  }

  // MARK: Handlers

  @Test func `a handler answers a question like a person, and takes a declaration away`() throws {
    var session = try session()
    try session.act("answers", Self.all)
    try session.act("submit")
    #expect(names(in: session) == ["name", "overview", "intro"] && answer("looks", in: session) == 1)
    let key = JourneyDefinition.requestKey(of: session.state.nodes[0].state.encoding)
    try session.act("look")
    #expect(answer("isTrue", in: session) == true)
    #expect(JourneyDefinition.requestKey(of: session.state.nodes[0].state.encoding) == key)
    try session.act("fill", ["name": " Lin "])
    #expect(answer("name", in: session) == "Lin" && answer("isTrue", in: session).isNull)
    #expect(JourneyDefinition.requestKey(of: session.state.nodes[0].state.encoding) != key)
    try session.act("fill", ["name": .null])
    #expect(answer("name", in: session).isNull)
    try session.act("fill", ["name": "Maximilian the First"])
    #expect(answer("name", in: session).isNull)
  }

  @Test func `a handler adds an item, which counts as soon as it is asked`() throws {
    var session = try session()
    try session.act("answers", Self.all)
    try session.act("submit")
    try session.act("lend")
    #expect(answer("things", in: session) == [["name": "lamp", "watts": .null]])
    try session.back()
    #expect(names(in: session).last == "declaration")
    try session.act("answers", ["count": 2, "isTrue": true])
    #expect(names(in: session).last == "overview" && answer("things", in: session).count == 2)
  }

  @Test func `a handler leaves the answers alone that do not count`() throws {
    var session = try session()
    try session.act("answers", Self.all)
    try session.act("change", ["question": "count"])
    try session.act("continue", ["count": 0])
    try session.act("answers", ["reason": "None", "isTrue": true])
    try session.act("submit")
    try session.act("look")
    #expect(answer("looks", in: session) == 2)
    try session.back()
    try session.act("change", ["question": "count"])
    try session.act("continue", ["count": 1])
    #expect(answer("things", in: session) == [["name": "lamp", "watts": .null]])
  }

  @Test func `the code of a guard answers a question like a person, too`() throws {
    var session = try session()
    try session.act("answers", Self.all)
    try session.act("submit")
    let key = JourneyDefinition.requestKey(of: session.state.nodes[0].state.encoding)
    try session.act("open")
    #expect(names(in: session).last == "intro")
    #expect(answer("name", in: session) == "Kim" && answer("isTrue", in: session).isNull)
    #expect(JourneyDefinition.requestKey(of: session.state.nodes[0].state.encoding) != key)
  }

  @Test func `an effect takes all answers that count after its handler, and their key`() throws {
    var session = try session()
    try session.act("answers", Self.all)
    try session.act("submit")
    let sent: (String, Value) throws -> (Value, WorkKey?) = { [session] name, input in
      var session = session
      try session.act(name, input)
      let effect = try #require(session.state.work.first { $0.effect != nil }?.effect)
      return (effect.input["answers"] ?? .null, effect.key)
    }
    let (first, key) = try sent("send", .emptyObject)
    #expect(
      first == [
        "name": "Ann", "note": .null, "isUrgent": false, "first": "2026-11-20", "last": "2026-11-21",
        "count": 1, "things": [["name": "lamp", "watts": .null]], "reason": .null, "isTrue": true,
      ])
    #expect(key?.description.hasPrefix("journey answers ") == true)
    let (same, sameKey) = try sent("send", .emptyObject)
    #expect(same == first && sameKey == key)
    let (filled, other) = try sent("fill", ["name": "Lin", "sends": true])
    #expect(filled["name"] == "Lin" && filled["isTrue"]?.isNull == true && other != key)
  }

  @Test func `cancel without a key finds effects without one, and those with the answers as they are`() throws {
    var session = try session()
    try session.act("answers", Self.all)
    try session.act("submit")
    for action in ["ask", "send", "drop"] { try session.act(action) }
    #expect(session.pendingEffects.isEmpty)
    // The answers are those before the handler.
    try session.act("send")
    try session.act("drop", ["name": "Lin"])
    #expect(answer("name", in: session) == "Lin" && session.pendingEffects.isEmpty)
    try session.act("send")
    try session.act("fill", ["name": "Kim"])
    try session.act("drop")
    #expect(session.pendingEffects == ["order"])
  }

  @Test func `an outcome of a journey may refuse a form`() throws {
    var session = try session()
    try session.fake(Claim.Order.self) { _ in Nothing() }
    try session.act("answers", Self.all)
    try session.act("submit")
    try session.act("fill", ["name": "Lin", "sends": true])
    let fill = try #require(session.view.actions.first { $0.definition.name == "fill" })
    #expect(fill.failures.map(\.pointer) == ["/name"])
  }

  @Test func `a coordinator without a journey has no answers to send`() throws {
    var session = try TestSession(Claim.silent)
    let error = try #require(throws: Rejection.self) { try session.act("send") }
    guard case .fault(let fault) = error else {
      Issue.record("\(error) is no fault")
      return
    }
    #expect(fault.cause == .noAnswers(coordinator: "silent"))
  }

  // MARK: Versions

  @Test func `another version takes the answers along, and asks again for one of another type`() throws {
    var session = try session()
    try session.act("answers", Self.all.without("things", "count").with("count", 0).with("reason", "None"))
    #expect(names(in: session) == ["name", "overview"])
    let next = try AppDefinition(Claim.next)
    var state = try next.unpack(session.app.pack(session.state))
    state = try next.perform(.action(name: "submit", input: .emptyObject), on: state)
    #expect(try next.view(of: state).screen.name == "name")
    state = try next.perform(.action(name: "continue", input: ["name": 7]), on: state)
    #expect(try next.view(of: state).screen.name == "color")
    state = try next.perform(.action(name: "continue", input: ["color": "red"]), on: state)
    #expect(try next.view(of: state).content.answers.map(\.value.string) == ["0", "7", "red"])
  }

  // MARK: Faults

  @Test func `the faults of a journey are reported with their places`() throws {
    let faults = try #require(throws: WiringFaults.self) { try AppDefinition(Claim.faulty) }.faults
    let found = faults.map { "\($0.location): \($0.fault)" }
    for (location, fault) in [
      ("faulty › first › ", WiringFault.unstoredQuestion), ("faulty › first › journey", .unstoredQuestion),
      ("faulty › first › pin", .secretQuestion), ("faulty › name", .repeatedQuestion),
      ("faulty › third", .pageWithoutQuestion), ("faulty › items › items › number", .unstoredQuestion),
    ] {
      #expect(found.contains("\(location): \(fault)"), "\(location) is not among \(found)")
    }
  }

  @Test func `the faults of sections and of pages that ask a backend are reported with their places`() throws {
    let faults = try #require(throws: WiringFaults.self) { try AppDefinition(Permit.faulty) }.faults
    let found = faults.map { "\($0.location): \($0.fault)" }
    for (location, fault) in [
      ("faulty › plate", WiringFault.repeatedPage), ("faulty › car", .repeatedSection),
      ("faulty › Others", .invalidName), ("faulty › none", .sectionWithoutPage),
      ("faulty › plate › registry-redeem", .verificationWithoutOutcome),
      ("faulty › rules", .verificationWithoutForm), ("faulty › empty", .pageWithoutQuestion),
      ("faulty › residents", .actionsWithoutPage), ("faulty › end", .actionsWithoutPage),
    ] {
      #expect(found.contains("\(location): \(fault)"), "\(location) is not among \(found)")
    }
    // The wiring declares the effect, and the author the page without questions.
    #expect(found.count { $0.hasPrefix("faulty › rules") } == 1)
  }

  @Test func `a date some days later is a date`() throws {
    let date = try #require(CalendarDate("2026-11-30"))
    #expect(date.adding(days: 1) == CalendarDate("2026-12-01") && date.adding(days: -30) == CalendarDate("2026-10-31"))
    #expect(date.adding(days: .max) == CalendarDate("9999-12-31"))
    #expect(date.adding(days: .min) == CalendarDate("0001-01-01"))
  }
}

extension Value {
  fileprivate func without(_ names: String...) -> Value {
    .object(members.filter { !names.contains($0.key) }.map { ($0.key, $0.value) })
  }

  fileprivate func with(_ name: String, _ value: Value) -> Value {
    .object(members.map { ($0.key, $0.value) } + [(name, value)])
  }
}
