import Navigation
import Testing
import UsherTesting
import Values

/// Pages of a journey that ask a backend about answers of several pages.
@Suite struct VerificationTests {
  private static func flow(_ rest: String = "") -> String {
    """
    usher: 1
    app: trip
    root: trip
    coordinators:
      trip:
        journey:
          questions:
            from: {type: string, maxLength: 20}
            to: {type: string, maxLength: 20}
            code: {type: [string, "null"], maxLength: 20}
          pages:
            from:
            to: {verify: {perform: trains.find, with: {way: '=from == null ? to : from + "-" + to'}}}
            code: {verify: {perform: trains.redeem, with: {code: =code}, when: =code != null}}
    \(rest)
          done: [{push: sent}]
        start: [{await: moved}]
        outcomes:
          trains.find: {done: [], failed: [{refuse: There is no train., field: to}]}
          trains.redeem: {done: [{set: {code: =output.code}}], failed: []}
        signals: {moved: [{set: {from: =input.from}}]}
    signals: {moved: {input: {from: {type: string, maxLength: 20}}}}
    services:
      trains:
        find: {post: /ways, parameters: {way: {type: string}}}
        redeem:
          post: /codes
          parameters: {code: {type: string}}
          response: {type: object, required: [code], properties: {code: {type: [string, "null"]}}}
    screens: {sent: {}}
    """
  }

  @Test func `a backend is asked again if another answer of the request has changed meanwhile`() throws {
    var session = try TestSession(FlowFolder.app(Self.flow()))
    try session.act("continue", ["from": "Hanoi"])
    try session.act("continue", ["to": "Hue"])
    #expect(way(session) == "Hanoi-Hue")
    try session.receive(Moved(from: "Vinh"))
    #expect(session.view.screen.name == "to-wait")
    try session.complete(FindWay.self)
    #expect(session.view.screen.name == "to-wait" && way(session) == "Vinh-Hue")
    try session.complete(FindWay.self)
    #expect(session.view.screen.name == "code")
  }

  @Test func `a condition says whether there is something to ask`() throws {
    var session = try TestSession(FlowFolder.app(Self.flow()))
    try session.act("continue", ["from": "Hanoi"])
    try session.act("continue", ["to": "Hue"])
    try session.complete(FindWay.self)
    try session.act("continue")
    #expect(session.view.screen.name == "check")
    try session.act("change", ["question": "code"])
    try session.act("continue", ["code": "K7"])
    #expect(session.view.screen.name == "code-wait")
    // The outcome takes the answer away, which the page permits.
    try session.complete(Redeem.self, with: Code(code: nil))
    #expect(session.view.screen.name == "check")
  }

  @Test func `answers that have become invalid since a failure are shown again`() throws {
    let flow = Self.flow().replacing(
      "to: {type: string, maxLength: 20}",
      with: "to: {type: string, maxLength: 20, refuse: [{if: =from == to, because: You are there.}]}")
    var session = try TestSession(FlowFolder.app(flow))
    try session.act("continue", ["from": "Hanoi"])
    try session.act("continue", ["to": "Hue"])
    try session.fail(FindWay.self, with: EffectFailure(.status, status: 503))
    #expect(session.view.screen.name == "to")
  }

  @Test func `a section is not completed while a backend has not accepted its answers`() throws {
    let sections = "      sections: {trip: [from, to], price: [code]}"
    var session = try TestSession(FlowFolder.app(Self.flow(sections)))
    try session.act("open", ["section": "trip"])
    try session.act("continue", ["from": "Hanoi"])
    try session.act("continue", ["to": "Hue"])
    try session.complete(FindWay.self)
    try session.act("open", ["section": "trip"])
    try session.act("continue", ["from": "Vinh"])
    try session.back()
    try session.back()
    #expect(session.view.screen.name == "tasks")
    #expect(session.view.content.answers.first?.value.string == "In progress")
    try session.act("open", ["section": "trip"])
    #expect(session.view.screen.name == "to")
  }

  @Test func `the commands of an outcome may leave the journey`() throws {
    let flow = Self.flow().replacing("trains.find: {done: []", with: "trains.find: {done: [{setStack: [sent]}]")
    var session = try TestSession(FlowFolder.app(flow))
    try session.act("continue", ["from": "Hanoi"])
    try session.act("continue", ["to": "Hue"])
    try session.complete(FindWay.self)
    #expect(session.view.screen.name == "sent")
  }

  @Test func `Back leads from the page after a change to the one that a backend has verified`() throws {
    let flow = """
      coordinators:
        main:
          journey:
            questions:
              way: {type: string, maxLength: 20}
              name: {type: string, maxLength: 20}
              seat: {type: string, maxLength: 20}
            pages:
              way: {verify: {perform: trains.find, with: {way: =way}}}
              name:
              seat: {when: =way == "Hue"}
            done: [{push: sent}]
          outcomes: {trains.find: {done: [], failed: []}}
      services: {trains: {find: {post: /ways, parameters: {way: {type: string}}}}}
      screens: {sent: {}}
      """
    var session = try TestSession(FlowRunTests.app(flow))
    try session.act("continue", ["way": "Vinh"])
    try session.complete(FindWay.self)
    try session.act("continue", ["name": "Ann"])
    #expect(session.names == ["way", "name", "check"])
    try session.act("change", ["question": "way"])
    try session.act("continue", ["way": "Hue"])
    try session.complete(FindWay.self)
    #expect(session.names == ["way", "seat"])
    var back = session
    try back.back()
    #expect(back.names == ["way"])
    try session.act("continue", ["seat": "7"])
    #expect(session.names == ["way", "seat", "check"])
  }

  @Test func `a key of an author is none of a request about answers, whatever its text is`() throws {
    let flow = """
      coordinators:
        main:
          state: {found: {type: integer, default: 0}}
          journey:
            questions: {to: {type: string, maxLength: 20}}
            pages: {to: {actions: [look], verify: {perform: trains.find, with: {way: =to}}}}
            done: [{push: sent}]
          handles: {look: [{perform: trains.find, key: '="verify " + string(found)', with: {way: Hue}}]}
          outcomes: {trains.find: {done: [{set: {found: =found + 1}}], failed: []}}
      actions: {look: {title: Look}}
      services: {trains: {find: {post: /ways, parameters: {way: {type: string}}}}}
      screens: {sent: {}}
      """
    var session = try TestSession(FlowRunTests.app(flow))
    try session.act("look")
    #expect(session.state.work.map { $0.effect?.key } == [.given("verify 0")])
    try session.complete(FindWay.self)
    #expect(session.state.nodes[0].state.encoding["found"] == 1 && session.names == ["to"])
    try session.act("continue", ["to": "Hue"])
    let stored = try session.app.unpack(session.app.pack(session.state))
    #expect(stored.work == session.state.work)
    guard case .verification? = stored.work.first?.effect?.key else {
      Issue.record("The request about the answers has the key \(String(describing: stored.work.first?.effect?.key))")
      return
    }
    try session.complete(FindWay.self)
    #expect(session.state.nodes[0].state.encoding["found"] == 2 && session.names == ["to", "check"])
  }

  private func way(_ session: TestSession) -> String? {
    session.state.work.compactMap(\.effect).first?.input["with"]?["way"]?.text
  }
}

private struct FindWay: Effect {
  static let name = "trains-find"
  func run(_ context: EffectContext<Self>) async throws -> Nothing { Nothing() }
}

private struct Redeem: Effect {
  static let name = "trains-redeem"
  func run(_ context: EffectContext<Self>) async throws -> Code { Code(code: nil) }
}

private struct Code: Codable, Sendable {
  let code: String?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
  }
}

private struct Moved: Signal {
  static let name = "moved"
  @Field("From") var from: String

  init() {}
  init(from: String) { self.from = from }
}
