import Access
import Foundation
import Languages
import TestSupport
import Testing
import UsherClient

/// The client library with a real service.
@Suite(.limitedConcurrency) struct ClientTests {
  private let service: TestService
  private let client: UsherService

  init() throws {
    service = try TestService(.socket)
    client = UsherService(service.address)
  }

  @Test func `every view of every app is decoded`() async throws {
    for (app, parts) in AppTours.all {
      let visitor = try await service.start(app)
      let session = try await client.resume(visitor.path)
      for (part, body) in parts {
        _ = try await service.send("POST", visitor.path + part, body)
        var (view, json) = (try await session.refresh(), try await service.send("GET", visitor.path).json)
        // The outcome of an effect may arrive in between.
        while json["session", "revision"].int != Int(view.session.revision) {
          (view, json) = (try await session.refresh(), try await service.send("GET", visitor.path).json)
        }
        #expect(view.screen.name == json["screen", "name"].string && view.session.app == app)
        #expect(view.actions.map(\.name) == json["actions"].strings("name"))
        #expect(view.navigation.stack.map(\.title) == json["navigation", "stack"].strings("title"))
        #expect(view.screen.content.count == json["screen", "content"].array.count)
        #expect((view.prompt == nil) == json["prompt"].isNull)
      }
    }
  }

  @Test func `a session performs the actions that its view offers`() async throws {
    let session = try await client.start("bank", link: "/accounts/a2", locale: "en", timeToLive: 60)
    #expect(await session.view.screen.title == "Savings")
    #expect(try await session.back().screen.name == "accounts")
    #expect(try await session.select(tab: "inbox").navigation.tabs?.items.map(\.badge) == [nil, 3])
    #expect(try await session.act("read", ["messageId": "m1"]).screen.content == [.text("Good to have you with us.")])
    #expect(try await session.open("/transfer").screen.name == "sign-in")
    #expect(try await session.dismiss().screen.name == "message")
    struct Account: Decodable {
      let name: String
      let balance: Double
    }
    struct Accounts: Decodable { let accounts: [Account] }
    let data = try await session.select(tab: "accounts").screen.data.decode(Accounts.self)
    #expect(data.accounts.map(\.name) == ["Everyday", "Savings", "Travel"])
    try await session.end()
    await expectRefusal("session-expired") { try await session.refresh() }
    #expect(try await client.apps().map(\.name) == ["pages", "shop", "tabs", "bank", "checkout", "gallery"])
  }

  @Test func `a session with an idle limit is extended, and others are not`() async throws {
    let limited = try TestService(.socket, idleLimit: .seconds(640))
    let session = try await UsherService(limited.address).start("pages")
    let before = await session.view.session
    #expect(before.extend?.title == "Extend the session" && before.extend?.from == "2026-11-20T12:09:46Z")
    limited.clock.advance(seconds: 600)
    let after = try await session.extend().session
    #expect(after.revision == before.revision && after.expiresAt == "2026-11-20T12:20:50Z")
    let fixed = try await client.start("pages")
    #expect(await fixed.view.session.extend == nil)
    await expectRefusal("action-unavailable") { try await fixed.extend() }
  }

  @Test func `a session has the time zone that the client names`() async throws {
    let session = try await client.start("shop", timeZone: "Pacific/Auckland")
    #expect(await session.view.session.timeZone == "Pacific/Auckland")
    let other = try await client.start("shop")
    #expect(await other.view.session.timeZone == nil)
    await expectRefusal("invalid-request") { _ = try await client.start("shop", timeZone: "Mars/Base") }
  }

  @Test func `a session is handed over to another client`() async throws {
    let old = try await client.start("shop")
    let link = try await old.handOver()
    let new = try await client.takeOver(link)
    #expect(await new.view.session.access == .act)
    #expect(try await old.refresh().session.access == .read)
    try await new.act("buy", ["product": 1])
    #expect(try await old.refresh().screen.name == "buy")
    await expectRefusal("action-unavailable") { try await old.act("pay") }
    await expectRefusal("action-unavailable") { _ = try await old.handOver() }
    await expectRefusal("read-only") { try await old.end() }
    await expectRefusal("unknown-hand-over") { _ = try await client.takeOver(link) }
    for try await view in old.follow() {
      #expect(view.session.access == .read)
      break
    }
  }

  @Test func `the fields of a form keep their order`() async throws {
    let session = try await client.start("gallery", input: ["visitor": "Ann"])
    let fields = try #require(try await session.act("fields").actions.first).input.fields
    #expect(
      fields.map(\.name) == ["name", "story", "guests", "budget", "code", "pin", "size", "colour", "news", "reminder"])
    #expect(fields.map(\.isRequired) == [true, false, true, false, false, false, true, false, true, false])
    #expect(
      fields.map(\.kind)
        == [.string, .string, .integer, .number, .string, .string, .string, .string, .boolean, .boolean])
    #expect(fields[6].choices?.map(\.title) == ["Small, for one", "Medium, for two", "Large, for many"])
    #expect(fields[7].choices?.map(\.value) == ["red", "green", "blue"])
    #expect(fields[2].value(of: "3") == 3 && fields[2].value(of: "x") == "x" && fields[2].value(of: "") == nil)
    #expect(fields[2].value(of: "2.000") == "2.000")
    #expect(fields[3].value(of: "1,5", in: .german) == 1.5 && fields[3].value(of: "1,5") == "1,5")
    #expect(fields[3].text(of: 1.5, in: .german) == "1,5" && fields[3].text(of: 1.5, in: .english) == "1.5")
    for (typed, answer) in [("ja", true), ("J", true), ("y", true), ("nein", false), ("No", false)] {
      #expect(fields[8].value(of: typed, in: .german) == .boolean(answer))
    }
    #expect(fields[8].value(of: "ja") == "ja" && fields[8].value(of: "Y") == true)
    #expect(fields[6].value(of: "2") == "medium" && fields[6].value(of: "large, for many") == "large")
    let numbered = Field(
      name: "nights", isRequired: true,
      schema: ["oneOf": [["const": "2", "title": "Two nights"], ["const": "1", "title": "One night"]]])
    #expect(numbered.hasNumberedChoices && numbered.value(of: "1") == "2" && numbered.value(of: "one night") == "1")
    let explained = Field(
      name: "size", isRequired: true, schema: ["oneOf": [["const": "s", "description": "For one."], ["const": "l"]]])
    #expect(explained.choices?.map(\.hint) == ["For one.", nil] && explained.choices?.map(\.title) == ["s", "l"])
    let numbers = Field(name: "count", isRequired: true, schema: ["enum": ["2", "4", "6"]])
    #expect(!numbers.hasNumberedChoices && numbers.value(of: "2") == "2" && numbers.value(of: "3") == "3")
    #expect(fields[8].value(of: "Yes") == true && fields[8].value(of: "maybe") == "maybe")
  }

  @Test func `a field is asked if the values before it fulfill its condition`() {
    func isAsked(_ condition: JSONValue?, _ input: JSONValue) -> Bool {
      Field(name: "other", isRequired: true, schema: [:], condition: condition).isAsked(after: input)
    }
    func rule(_ test: JSONValue) -> JSONValue { ["properties": ["a": test], "required": ["a"]] }
    #expect(isAsked(nil, [:]))
    let isX = rule(["const": "x"])
    #expect(isAsked(isX, ["a": "x"]) && !isAsked(isX, ["a": "y"]) && !isAsked(isX, [:]))
    #expect(!isAsked(["not": isX], ["a": "x"]) && isAsked(["not": isX], [:]))
    let isGiven = rule(["not": ["const": .null]])
    #expect(isAsked(isGiven, ["a": false]) && !isAsked(isGiven, ["a": .null]) && !isAsked(isGiven, [:]))
    let isOneOrTrue = rule(["enum": [1, true]])
    #expect(isAsked(isOneOrTrue, ["a": 1]) && isAsked(isOneOrTrue, ["a": true]) && !isAsked(isOneOrTrue, ["a": "1"]))
    let numbers: [JSONValue] = [3, 4, 4.5]
    let bounds = [
      ("minimum", [false, true, true]), ("exclusiveMinimum", [false, false, true]), ("maximum", [true, true, false]),
      ("exclusiveMaximum", [true, false, false]),
    ]
    for (keyword, expected) in bounds {
      let bound = rule(.object([.init("type", "number"), .init(keyword, 4)]))
      #expect(numbers.map { isAsked(bound, ["a": $0]) } == expected, "\(keyword)")
      #expect(!isAsked(bound, ["a": "4"]), "\(keyword)")
    }
    let hasX = rule(["type": "array", "contains": ["const": "x"]])
    #expect(isAsked(hasX, ["a": ["y", "x"]]) && !isAsked(hasX, ["a": ["y"]]) && !isAsked(hasX, ["a": "x"]))
    #expect(isAsked(["allOf": [isX, isGiven]], ["a": "x"]) && !isAsked(["allOf": [isX, isGiven]], ["a": "y"]))
    #expect(isAsked(["anyOf": [isX, isGiven]], ["a": "y"]) && !isAsked(["anyOf": [isX, isGiven]], [:]))
  }

  @Test func `a field of a journey has its schema and its condition`() async throws {
    let answer = try await Report().view(as: "application/json")
    let view = try SessionView(JSONValue(parsing: answer.bytes))
    let fields = try #require(view.actions.first).input.fields
    #expect(fields.map(\.name) == ["setting", "other"] && fields.map(\.isRequired) == [true, true])
    #expect(fields[1].title == "Which kind?" && fields[1].schema["maxLength"] == 80)
    #expect(fields[0].condition == nil && fields[0].isAsked(after: [:]))
    #expect(fields[1].isAsked(after: ["setting": "other"]) && !fields[1].isAsked(after: ["setting": "home"]))
    #expect(view.text.contains("Continue (What kind of home is it?, Which kind? (if it applies))"))
  }

  @Test func `a choice of another type than a text is sent as its value`() {
    let nights = Field(
      name: "nights", isRequired: false,
      schema: [
        "type": ["integer", "null"], "enum": [7, 1, .null],
        "oneOf": [["const": 7, "title": "A week"], ["const": 1, "title": "One"], ["const": .null]],
      ])
    #expect(nights.choices?.map(\.value) == [7, 1] && nights.choices?.map(\.title) == ["A week", "One"])
    for (typed, value) in [("a week", 7), ("2", 1), ("7", 7), ("x", "x")] as [(String, JSONValue)] {
      #expect(nights.value(of: typed) == value, "\(typed)")
    }
    #expect(nights.text(of: 7, in: .english) == "A week" && nights.text(of: 3, in: .english) == "3")
    let isInsured = Field(
      name: "isInsured", isRequired: true,
      schema: [
        "type": "boolean", "enum": [true, false],
        "oneOf": [["const": true, "title": "Insured"], ["const": false, "title": "Not insured"]],
      ])
    for (typed, value) in [("1", true), ("not insured", false), ("no", false), ("x", "x")] as [(String, JSONValue)] {
      #expect(isInsured.value(of: typed) == value, "\(typed)")
    }
    #expect(isInsured.text(of: false, in: .german) == "Not insured" && isInsured.emptied == nil)
    let days = Field(name: "days", isRequired: true, schema: ["type": "array", "items": ["enum": [10, 20]]])
    #expect(days.value(of: "20, 1, x") == [20, 10, "x"] && days.text(of: [20, 10], in: .english) == "20, 10")
  }

  @Test func `a title with a comma stands for one of several choices`() {
    let choices: JSONValue = [
      ["const": "s", "title": "Salt"], ["const": "sp", "title": "Salt, pepper"],
      ["const": "n", "title": "None,  thanks"],
    ]
    let field = Field(name: "more", isRequired: true, schema: ["type": "array", "items": ["oneOf": choices]])
    for (typed, values) in [
      ("salt, pepper, salt", ["sp", "s"]), ("none, thanks,Salt,pepper", ["n", "sp"]), ("2, 1", ["sp", "s"]),
      ("salt, none", ["s", "none"]), ("pepper", ["pepper"]), (",", []),
    ] as [(String, [String])] {
      #expect(field.value(of: typed) == .array(values.map { .string($0) }), "\(typed)")
    }
    #expect(field.text(of: ["sp", "n"], in: .english).flatMap { field.value(of: $0) } == ["sp", "n"])
  }

  @Test func `a typed amount is a whole number of its smallest unit`() async throws {
    let session = try await client.start("gallery")
    let fields = try #require(try await session.act("more-fields").actions.first).input.fields
    let cents = try #require(fields.first { $0.name == "cents" })
    for (typed, value) in [
      ("12.50", 1250), ("12,5", "12,5"), ("12", 1200), ("0", 0), ("0.00", 0), ("007", 700), ("-0.50", -50),
      ("12.505", "12.505"), ("x", "x"), ("1.0.0", "1.0.0"), ("-", "-"), (".", "."), ("1.", "1."), ("+5", "+5"),
      ("1 234.50", 123450),
    ] as [(String, JSONValue)] {
      #expect(cents.value(of: typed) == value, "\(typed)")
    }
    #expect(cents.value(of: "12,5", in: .german) == 1250 && cents.value(of: ",", in: .german) == ",")
  }

  @Test func `a refused action throws its problem, and updates the view`() async throws {
    let session = try await client.start("shop")
    let other = try await client.resume(session.address)
    let shown = await session.view
    let buy = try #require(shown.actions.first { $0.name == "buy" })
    try await other.act("create-account")
    await expectRefusal("stale-revision") { try await session.act("buy", ["product": 1]) }
    #expect(await session.view.screen.name == "account-name")
    await expectRefusal("stale-revision") { try await session.perform(buy, ["product": 1]) }
    await expectRefusal("action-unavailable") { try await session.act("buy") }
    await expectRefusal("action-unavailable") { try await session.dismiss() }
    await expectRefusal("action-unavailable") { try await session.select(tab: "nope") }
    await expectRefusal("invalid-link") { try await session.open("/nope") }
    await expectRefusal("unknown-app") { _ = try await client.start("nope") }
    await expectRefusal("unknown-session") { _ = try await client.resume("/v1/sessions/nope") }
    do {
      try await session.act("next", ["name": ""])
      Issue.record("The action was accepted.")
    } catch UsherError.refused(let problem) {
      #expect(problem.kind == "invalid-input" && problem.failures.map(\.field) == ["name"])
    }
  }

  @Test func `a client follows the actions of other clients until the session ends`() async throws {
    let session = try await client.start("pages")
    let other = try await client.resume(session.address)
    var revisions: [Int64] = []
    for try await view in session.follow() {
      revisions.append(view.session.revision)
      #expect(await session.view.session.revision >= view.session.revision)
      switch revisions.count {
      case 1...5: try await other.act(view.screen.name == "first" ? "next" : "first")
      default: try await other.end()
      }
    }
    #expect(revisions == [1, 2, 3, 4, 5, 6])
  }

  @Test func `an unreachable service is an error`() async throws {
    let unreachable = UsherService(try #require(URL(string: "http://127.0.0.1:1")), retries: 1)
    await #expect(throws: UsherError.self) { try await unreachable.apps() }
  }

  private func expectRefusal(
    _ kind: String, _ location: SourceLocation = #_sourceLocation, _ body: () async throws -> some Any
  ) async {
    do {
      _ = try await body()
      Issue.record("The request was accepted.", sourceLocation: location)
    } catch UsherError.refused(let problem) {
      #expect(problem.kind == kind, sourceLocation: location)
    } catch {
      Issue.record("\(error)", sourceLocation: location)
    }
  }
}

/// The client library with a service that requires tokens.
@Suite(.limitedConcurrency) struct ClientTokenTests {
  @Test func `a client with a token performs actions and follows the session`() async throws {
    let service = try GuardedService()
    let client = UsherService(service.address(), token: service.token([.create, .act]))
    let session = try await client.start("pages")
    try await session.act("next")
    for try await view in session.follow() {
      #expect(view.session.revision == 2)
      break
    }
    try await session.end()
  }

  @Test func `a missing, invalid or insufficient token is an error with its problem`() async throws {
    let service = try GuardedService()
    func refusal(_ token: String?) async throws -> String? {
      do {
        _ = try await UsherService(service.address(), token: token, retries: 0).start("pages")
        return nil
      } catch UsherError.refused(let problem) {
        return problem.kind
      }
    }
    #expect(try await refusal(nil) == "unauthorized")
    #expect(try await refusal("wrong") == "unauthorized")
    #expect(try await refusal(service.token(.act)) == "forbidden")
    #expect(try await refusal(service.token(.create)) == nil)
  }

  @Test func `following a session without permission is an error`() async throws {
    let service = try GuardedService()
    let session = try await UsherService(service.address(), token: service.token(.create)).start("pages")
    await #expect(throws: UsherError.self) { for try await _ in session.follow() {} }
  }
}
