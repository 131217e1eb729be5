import Console
import Testing
import MicroHTTP
import Navigation
import Sessions
import Values

/// The form of a stay in the gallery: defaults, values of an earlier visit, a date and time with an offset, sensitive
/// values, and an action that is hidden at first.
@Suite(.limitedConcurrency) struct StayFormTests {
  private static let stay = """
    {"email": "ann@example.com", "arrival": "2026-12-01", "cents": 9950, "extras": ["parking"], "room": "medium", \
    "accepts": true, "passport": "C01X00T47", "birthday": "1980-12-31", "train": "2026-12-01T09:30:00+05:30", \
    "site": "https://example.com/?a=1&b=2"}
    """

  private let service: TestService

  init() throws { service = try TestService() }

  private func form() async throws -> Visitor { try await service.start("gallery").act("more-fields") }

  @Test func `a form begins with defaults, and after the way back with the values that were sent`() async throws {
    let visitor = try await form()
    func initial(_ name: String) -> String? { visitor.action("send")["input", "properties", name, "default"].string }
    #expect(visitor.action("send")["input", "properties", "nights", "default"].int == 2)
    #expect(initial("email") == nil)
    try await visitor.act("send", Self.stay)
    #expect(visitor.view["screen", "data", "stay", "nights"].int == 2)
    try await visitor.back()
    #expect(initial("email") == "ann@example.com" && initial("train") == "2026-12-01T09:30:00+05:30")
    let page = try await service.send("GET", visitor.path, headers: ["Accept": "text/html"]).text
    for control in [
      #"name="email" value="ann@example.com""#, #"name="cents" value="99.50""#, #"name="nights" value="2""#,
      #"name="train" value="2026-12-01T09:30" type="datetime-local""#, "<option selected>+05:30</option>",
      #"value="parking" checked"#, #"value="medium" checked"#, #"name="site" value="https://example.com/?a=1&amp;b=2""#,
      #"name="passport" value="C01X00T47" type="text" pattern="[A-Z0-9]{6,9}" title="Such as C01X00T47""#,
      #"autocomplete="bday""#,
    ] {
      #expect(page.contains(control), "\(control)")
    }
    let siren = try await service.send("GET", visitor.path, headers: ["Accept": "application/vnd.siren+json"]).json
    let fields = siren["actions"].array.first { $0["name"].string == "send" }?["fields"].array ?? []
    #expect(fields.first { $0["name"].string == "email" }?["value"].string == "ann@example.com")
    #expect(fields.first { $0["name"].string == "train" }?["type"].string == "datetime")
  }

  @Test func `a page sends a date and time in two parts, and shows them again after a refusal`() async throws {
    let visitor = try await form()
    func send(_ train: String, _ more: (String, String)...) async throws -> Answer {
      let pairs = [("train", train), ("train", "-03:00"), ("nights", "")] + more
      let body = pairs.map { "\($0)=\($1.replacing(":", with: "%3A").replacing("+", with: "%2B"))" }
      return try await service.send(
        "POST", visitor.path + "/actions/send?revision=\(visitor.revision ?? 0)", body.joined(separator: "&"),
        headers: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"])
    }
    let refused = try await send("2026-12-01T09:30")
    #expect(refused.status == 422 && refused.text.contains(#"value="2026-12-01T09:30" type="datetime-local""#))
    #expect(refused.text.contains("<option selected>-03:00</option>") && !refused.text.contains("data-local"))
    #expect(refused.text.contains("E-mail is required.") && !refused.text.contains("Nights is"))
    let impossible = try await send("2026-02-30T09:30")
    #expect(impossible.text.contains("Train from the airport must be a date and time such as"))
    // An empty date with the offset that every form sends is an absent one.
    let others = [
      ("email", "a@b"), ("arrival", "2026-12-01"), ("cents", "1"), ("extras", ""), ("room", "small"),
      ("accepts", "true"),
    ]
    let body = ([("train", ""), ("train", "+00:00")] + others).map { "\($0)=\($1)" }.joined(separator: "&")
    let sent = try await service.send(
      "POST", visitor.path + "/actions/send", body,
      headers: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"])
    #expect(sent.status == 200 && sent.json["screen", "data", "stay", "train"].isNull)
  }

  @Test func `an app refuses several fields at once`() async throws {
    let visitor = try await form()
    let input = Self.stay.replacing("1980-12-31", with: "2026-12-02")
    let refused = try await service.send("POST", visitor.path + "/actions/send", input)
    #expect(refused.status == 422)
    #expect(refused.json["errors"].array.map { $0["pointer"].string } == ["/birthday", "/arrival"])
  }

  @Test func `a hidden action is neither shown nor performed`() async throws {
    let visitor = try await form()
    #expect(visitor.view["actions"].array.map { $0["name"].string } == ["send"])
    let refused = try await service.send("POST", visitor.path + "/actions/forget", "{}")
    #expect(refused.status == 409 && refused.problem == "action-unavailable")
    #expect(refused.json["detail"].string?.contains("The screen does not offer the action now.") == true)
    try await visitor.act("send", Self.stay).back()
    #expect(visitor.view["actions"].array.map { $0["name"].string } == ["send", "forget"])
    try await visitor.act("forget")
    #expect(visitor.action("send")["input", "properties", "email", "default"].isMissing)
  }

  @Test func `a sensitive value is shown to its owner, and hidden in the history and the console`() async throws {
    let visitor = try await form()
    let passport = visitor.action("send")["input", "properties", "passport"]
    #expect(passport["sensitive"].bool == true && passport["writeOnly"].isMissing)
    try await visitor.act("send", Self.stay)
    let view = try await service.send("GET", visitor.path).text
    #expect(view.contains("C01X00T47"))
    let history = try await service.send("GET", visitor.path + "/history").text
    #expect(history.contains("ann@example.com") && history.contains("••••"))
    let page = try await consolePage(of: visitor)
    #expect(page.contains("ann@example.com") && page.contains("••••") && page.contains("Your stay"))
    for value in ["C01X00T47", "1980-12-31"] { #expect(!history.contains(value) && !page.contains(value), "\(value)") }
  }

  @Test func `the console hides sensitive numbers and short texts under the names of their fields`() async throws {
    let service = try TestService(apps: [Payroll.app])
    let visitor = try await service.start("payroll").act("enter", #"{"salary": 54321, "grade": "A9", "team": "Zoo"}"#)
    #expect(visitor.view["screen", "data", "entry", "salary"].int == 54321)
    let page = try await consolePage(of: visitor)
    #expect(page.contains("Zoo") && !page.contains("54321") && !page.contains("A9"))
  }

  private func consolePage(of visitor: Visitor) async throws -> String {
    let console = Console(sessions: visitor.service.sessions, host: "127.0.0.1")
    let id = try #require(visitor.view["session", "id"].string.flatMap { SessionID($0) })
    let request = Request(
      method: .get, target: "/console/sessions/\(SessionKey(id).digits)", headers: [("Host", "127.0.0.1")], body: [])
    return Answer(await console.respond(to: request)).text
  }
}

/// An app that keeps sensitive values.
private enum Payroll {
  static let app = App("payroll", title: "Payroll") { Office() }

  struct Office: Coordinator {
    static let name = "office"
    var entry: Enter?

    func start(_ nav: inout Navigator<Self>) { nav.push(Desk()) }

    static let wiring = Wiring<Self>()
      .shows(Desk.self) { me, desk in desk.entry = me.entry }
      .on(Enter.self) { me, enter, _ in me.entry = enter }
  }

  struct Enter: Action {
    static let name = "enter"
    static let title: Text = "Enter"
    @Field("Salary", in: 0...1_000_000, isSensitive: true) var salary: Int
    @Field("Grade", length: 1...2, isSensitive: true) var grade: String
    @Field("Team", length: 1...9) var team: String
  }

  struct Desk: Screen {
    static let name = "desk"
    static let title: Title<Self> = "Desk"
    static let actions: [any Action.Type] = [Enter.self]
    var entry: Enter?
  }
}
