import Console
import TestSupport
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
      #"name="passport" value="C01X00T47" type="text" pattern="\s*(?:[A-Z0-9]{6,9})\s*" title="Such as C01X00T47""#,
      #"autocomplete="bday""#,
    ] {
      #expect(page.contains(control), "\(control)")
    }
    let siren = try await service.send("GET", visitor.path, headers: ["Accept": "application/vnd.siren+json"]).json
    let fields = siren["actions"].array.first { $0["name"].string == "send" }?["fields"].array ?? []
    #expect(fields.first { $0["name"].string == "email" }?["value"].string == "ann@example.com")
    #expect(fields.first { $0["name"].string == "train" }?["type"].string == "datetime")
    let extras = fields.first { $0["name"].string == "extras" }?["value"].array ?? []
    #expect(extras.map { $0["selected"].bool } == [nil, true, nil, nil])
  }

  @Test func `an amount has the decimal separator of the session's language`() async throws {
    let created = try await service.send("POST", "/v1/sessions", #"{"app":"gallery","locale":"de"}"#)
    let visitor = try await Visitor(service, created).act("more-fields")
    func send(_ amount: String) async throws -> Answer {
      try await service.send(
        "POST", visitor.path + "/actions/send?revision=\(visitor.revision ?? 0)", "cents=\(amount)",
        headers: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"])
    }
    func complaint(_ answer: Answer) -> String? {
      answer.json["errors"].array.first { $0["pointer"].string == "/cents" }?["detail"].string
    }
    for amount in ["12,50", "12.50", "12,5", "12", "1.000,00", "1+000,00"] {
      #expect(complaint(try await send(amount)) == nil, "\(amount)")
    }
    for amount in ["12,505", "1.000", "1,000.00", "x"] {
      #expect(complaint(try await send(amount))?.hasSuffix("muss ein Betrag wie 12,50 sein.") == true, "\(amount)")
    }
    #expect(complaint(try await send("1000,01"))?.hasSuffix("höchstens 1000,00 EUR sein.") == true)
    for value in ["12.5", #""12.50""#, #""1250""#, "true", "null", "[]"] {
      let sent = try await visitor.attempt("/actions/send", #"{"cents":\#(value)}"#)
      #expect(complaint(sent)?.hasSuffix("in der kleinsten Einheit sein: 1250 für 12,50.") == true, "\(value)")
    }
    // usher play sends a text that is no amount as people have typed it.
    let typed = try await visitor.attempt("/actions/send", #"{"cents":"12,505"}"#)
    #expect(complaint(typed)?.hasSuffix("muss ein Betrag wie 12,50 sein.") == true)
    let page = try await service.send("GET", visitor.path, headers: ["Accept": "text/html"]).text
    #expect(page.contains("Mindestens 0,00, höchstens 1000,00."))
  }

  @Test func `a number has the decimal separator of the session's language`() async throws {
    let created = try await service.send("POST", "/v1/sessions", #"{"app":"gallery","locale":"de"}"#)
    let visitor = try await Visitor(service, created).act("fields")
    let sent = try await service.send(
      "POST", visitor.path + "/actions/send?revision=\(visitor.revision ?? 0)", "budget=999,75&guests=2.000",
      headers: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"])
    let errors = sent.json["errors"].array
    func complaint(_ pointer: String) -> String? { errors.first { $0["pointer"].string == pointer }?["detail"].string }
    #expect(complaint("/budget")?.hasSuffix("darf höchstens 999,5 sein.") == true, "\(errors)")
    #expect(complaint("/guests")?.hasSuffix("muss eine ganze Zahl sein, ohne Punkt oder Komma.") == true, "\(errors)")
    let page = try await service.send("GET", visitor.path, headers: ["Accept": "text/html"]).text
    #expect(page.contains("Mehr als 0, höchstens 999,5."))
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
    #expect(refused.text.contains("“E-mail” is required.") && !refused.text.contains("“Nights” is"))
    let impossible = try await send("2026-02-30T09:30")
    #expect(impossible.text.contains("“Train from the airport” must be a date and time such as"))
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

  @Test func `a form keeps an offset that no time zone has`() async throws {
    let visitor = try await form().act("send", Self.stay.replacing("+05:30", with: "+01:15")).back()
    let page = try await service.send("GET", visitor.path, headers: ["Accept": "text/html"]).text
    #expect(page.contains("<option selected>+01:15</option>"))
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
    let visitor = try await service.start("payroll").act(
      "enter",
      #"{"salary": 5432199, "grade": "A9", "team": "entry", "note": "He said \"no\"\nto <all>", "plan": "gold", "#
        + #""name": "2026-11-20", "isUrgent": true}"#)
    #expect(visitor.view["screen", "data", "entry", "salary"].int == 5_432_199)
    let page = try await consolePage(of: visitor)
    for value in ["5432199", "54321.99", "A9", "He said", "&lt;all&gt;"] { #expect(!page.contains(value), "\(value)") }
    for written in ["54,321.99", "November 20, 2026"] { #expect(!page.contains(written), "\(written)") }
    #expect(page.contains(">€••••</data>") && page.contains(">••••</time>"))
    #expect(page.contains("Salary •••• EUR") && page.contains("Wrote ••••?") && page.contains("Plan ••••. It is true."))
    // Times, names and flags of Usher itself stay as they are.
    #expect(page.contains("&quot;createdAt&quot;: &quot;2026-11-20T12:00:00Z&quot;"))
    #expect(page.contains("&quot;name&quot;: &quot;enter&quot;") && page.contains("&quot;enabled&quot;: false"))
    #expect(page.contains("&quot;const&quot;: &quot;gold&quot;"))
    try await visitor.back()
    let later = try await consolePage(of: visitor)
    #expect(later.contains("Not for ••••.") && !later.contains("Not for entry."))
    #expect(later.contains("&quot;enabled&quot;: true") && later.contains("&quot;default&quot;: &quot;••••&quot;"))
    // The value of a visitor does not change the page itself.
    #expect(page.contains("class=\"box entry"))
  }

  @Test func `the console hides sensitive values as the language of the session writes them`() async throws {
    let service = try TestService(apps: [Payroll.app])
    for (locale, paid, since) in [
      ("de", "54.321,99", "20. November 2026"), ("de-CH", "54'321.99", "20. November 2026"),
      ("fr", "54\u{202F}321,99", "20 novembre 2026"), ("fr-CH", "54\u{202F}321.99", "20 novembre 2026"),
      ("nl", "54321,99", "2026-11-20"),
    ] {
      let visitor = try await service.start("payroll", #","locale":"\#(locale)""#).act(
        "enter", #"{"salary": 5432199, "grade": "A9", "team": "a", "note": "", "name": "2026-11-20"}"#)
      let view = try await service.send("GET", visitor.path).text
      #expect(view.contains(paid) && view.contains(since), "\(view)")
      // The time of the creation is one of Usher itself.
      let page = try await consolePage(of: visitor).replacing("2026-11-20T", with: "")
      for text in [paid, since, "54321.99"] { #expect(!page.contains(text), "\(locale)") }
    }
  }

  @Test func `a field whose choices lack its default is required`() async throws {
    let service = try TestService(apps: [Payroll.app])
    let visitor = try await service.start("payroll").act("choose")
    let account = visitor.action("pay-out")["input"]
    #expect(
      account["properties", "account", "default"].isMissing && account["required"].array.map(\.string) == ["account"])
    let refused = try await service.send("POST", visitor.path + "/actions/pay-out", "{}")
    #expect(refused.status == 422 && refused.json["errors"][0]["keyword"].string == "required")
  }

  @Test func `a form can empty a field that has a default`() async throws {
    let service = try TestService(apps: [Payroll.app])
    let visitor = try await service.start("payroll").act("choose")
    let form = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"]
    let sent = try await service.send(
      "POST", visitor.path + "/actions/plan", "days=&greeting=&hours=&secret=1234", headers: form)
    let plan = sent.json["screen", "data", "plan"]
    #expect(plan["days"].array.isEmpty && plan["greeting"].string == "" && plan["hours"].isNull)
    #expect(plan["price"].int == 1250)
    // The default of a secret is secret, and an amount begins with its decimal places.
    let fields = visitor.action("plan")["input", "properties"]
    #expect(fields["secret", "default"].isMissing && fields["hours", "default"].int == 2)
    let page = try await service.send("GET", visitor.path, headers: ["Accept": "text/html"]).text
    #expect(page.contains(#"name="price" value="12.50""#))
  }

  @Test func `a prompt without a choice can be closed on a page`() async throws {
    let service = try TestService(apps: [Payroll.app])
    let visitor = try await service.start("payroll").act("ask")
    #expect(visitor.view["prompt", "actions"].array.isEmpty)
    let page = try await service.send("GET", visitor.path, headers: ["Accept": "text/html"]).text
    #expect(page.contains("/back?revision=2\"><button>Close</button>"))
    try await visitor.back()
    #expect(visitor.view["prompt"].isNull)
  }

  private func consolePage(of visitor: Visitor) async throws -> String {
    let console = Console(sessions: visitor.service.sessions, host: "127.0.0.1")
    let id = try #require(visitor.view["session", "id"].string.flatMap { SessionID($0) })
    let request = Request(
      method: .get, target: "/console/sessions/\(SessionKey(id).hexadecimal)", headers: [("Host", "127.0.0.1")],
      body: [])
    return Answer(await console.respond(to: request)).text
  }
}

/// An app that keeps sensitive values.
private enum Payroll {
  static let app = App("payroll", title: "Payroll") { Office() }

  struct Office: Coordinator {
    static let name = "office"
    var entry: Enter?
    var plan: Plan?

    func start(_ nav: inout Navigator<Self>) { nav.push(Desk()) }

    static let wiring = Wiring<Self>()
      .shows(Desk.self) { me, desk in desk.entry = me.entry }
      .shows(Choosing.self) { me, choosing in choosing.plan = me.plan }
      .asks(Sure.self)
      .on(Enter.self) { me, enter, nav in
        me.entry = enter
        nav.ask(Sure(note: "\(enter.note), in short"))
      }
      .on(Ask.self) { _, _, nav in nav.ask(Sure(note: "nothing")) }
      .on(Choose.self, disabled: { me in me.entry.map { "Not for \($0.team)." } }) { _, _, nav in nav.push(Choosing()) }
      .on(PayOut.self) { _, _, _ in }
      .on(Plan.self) { me, plan, _ in me.plan = plan }
      .on(Yes.self, hidden: { _ in true }) { _, _, _ in }
  }

  struct Sure: Prompt {
    static let name = "sure"
    static let actions: [any Action.Type] = [Yes.self]
    var note: String
    var title: Text { "Sure?" }
    var message: Text { "Wrote \(note)?" }
  }

  struct Yes: Action {
    static let name = "yes"
    static let title: Text = "Yes"
  }

  struct Ask: Action {
    static let name = "ask"
    static let title: Text = "Ask"
  }

  struct Choose: Action {
    static let name = "choose"
    static let title: Text = "Choose"
  }

  struct Choosing: Screen {
    static let name = "choosing"
    static let title: Title<Self> = "Choosing"
    static let actions: [any Action.Type] = [PayOut.self, Plan.self]
    static let choices = [Choices<Self>("account", of: PayOut.self) { _ in ["b1", "b2"] }]
    static let prefills = [Prefill<Self>(Plan.self) { _ in ["price": 1250.0] }]
    var plan: Plan?
  }

  struct PayOut: Action {
    static let name = "pay-out"
    static let title: Text = "Pay out"
    @Field("Account", length: 1...9) var account: String = "a1"
  }

  struct Plan: Action {
    enum Day: String, FieldChoice { case monday, friday }

    static let name = "plan"
    static let title: Text = "Plan"
    @Field("Days", count: 0...2) var days: [Day] = [.monday]
    @Field("Greeting", length: 0...50) var greeting: String = "Hello"
    @Field("Hours", in: 1...9) var hours: Int? = 2
    @Field("Price", decimals: 2, in: 0...100_000) var price: Int = 1250
    @Field("Secret", digits: 4, isSecret: true) var secret: String = "1234"
  }

  struct Enter: Action {
    static let name = "enter"
    static let title: Text = "Enter"
    @Field("Salary", decimals: 2, unit: "EUR", in: 0...10_000_000, isSensitive: true) var salary: Int
    @Field("Grade", length: 1...2, isSensitive: true) var grade: String
    @Field("Team", length: 1...9, isSensitive: true) var team: String
    @Field("Note", length: 0...99, isSensitive: true) var note: String
    @Field("Plan", choices: [Choice("gold", title: "Golden years"), "none"], isSensitive: true) var plan: String?
    @Field("Name", length: 1...20, isSensitive: true) var name: String?
    @Field("Urgent", isSensitive: true) var isUrgent: Bool?
  }

  struct Desk: Screen {
    static let name = "desk"
    static let title: Title<Self> = "Desk"
    static let actions: [any Action.Type] = [Enter.self, Ask.self, Choose.self]
    static let prefills = [Prefill<Self>(Enter.self) { $0.entry }]
    var entry: Enter?

    var content: [Block] {
      guard let entry else { return [] }
      let since = entry.name.flatMap { CalendarDate($0) }.map { Text.date($0) } ?? "unknown"
      return [
        .text("Salary \(Text.money(entry.salary, currency: "EUR").string) and \(entry.note)"),
        .text("Plan \(entry.plan == "gold" ? "Golden years" : "none"). It is true."),
        .facts([.init("Paid", .money(entry.salary, currency: "EUR")), .init("Since", since)]),
      ]
    }
  }
}
