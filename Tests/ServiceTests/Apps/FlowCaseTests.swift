import Console
import Foundation
import HTTPServices
import MicroHTTP
import TestSupport
import Testing

@testable import UsherHost

/// The inputs of the flows in `Tests/Flows/cases`, over HTTP: each stands for a kind of input that once had a wrong
/// result.
@Suite(.limitedConcurrency) struct FlowCaseTests {
  /// A request in a session of a case, and its result.
  struct Submission: Sendable, CustomTestStringConvertible {
    let flow: String
    let action: String
    /// JSON, or the fields of a form as a browser encodes them.
    let body: String
    let status: Int
    /// A part of the response.
    let contains: String
    var language = "en"

    init(
      _ flow: String, _ action: String, _ body: String, _ status: Int, _ contains: String = "", language: String = "en"
    ) {
      (self.flow, self.action, self.body, self.status, self.contains) = (flow, action, body, status, contains)
      self.language = language
    }

    var testDescription: String { "\(flow) \(action) \(body)" }
  }

  private static let form = "application/x-www-form-urlencoded"

  @Test(arguments: [
    Submission("formats", "time", #"{"v": "09:30"}"#, 200, #""time":"09:30""#),
    .init("formats", "date", #"{"v": "2026-11-25"}"#, 200, #""date":"2026-11-25""#),
    .init("formats", "moment", #"{"v": "2026-11-25T09:30:00+01:00"}"#, 200, #""moment":"2026-11-25T09:30:00+01:00""#),
    .init("formats", "email", #"{"v": "ann@a.example"}"#, 200, #""email":"ann@a.example""#),
    .init("formats", "uri", #"{"v": "https://a.example/?b=%20"}"#, 200, #""uri":"https://a.example/?b=%20""#),
    .init("formats", "uri", #"{"v": "a b"}"#, 422, "must be an address"),
    .init("time-more", "child", #"{"v": "09:30"}"#, 200, #""at":"09:30""#),
    .init("time-more", "screen", #"{"v": "09:30"}"#, 200, #""at":"09:30""#),
    .init("time-more", "ask", "v=09%3A30", 200, "A prompt is open"),
    .init("time-more", "prefilled", "v=08%3A15", 200, #""text":"08:15""#),
    // A browser ends the lines of a text area with two characters.
    .init("time-more", "note", "v=ab%0D%0Acde", 200, #""note":"ab\ncde""#),
    .init("item-list", "take", #"{"tags": ["a", "b"]}"#, 200, #""tags":["a","b"]"#),
    .init("item-list", "take", "tags=a&tags=b", 200, #""tags":["a","b"]"#),
    .init("french-amount", "send", "cents=9%2C99", 200, #""cents":999"#, language: "fr"),
    .init("french-amount", "send", "cents=9.99", 200, #""cents":999"#, language: "fr"),
    .init("french-amount", "send", "cents=1%C2%A0234%2C50", 200, #""cents":123450"#, language: "fr"),
    .init(
      "french-amount", "send", "cents=neuf", 422, "«\u{A0}Prix\u{A0}» doit être un montant tel que 12,50.",
      language: "fr"),
    .init("typed-numbers", "send", "day=07&weight=.5", 200, #"{"day":7,"weight":0.5}"#),
    .init("typed-numbers", "send", "day=1.0&weight=0", 200, #"{"day":1,"weight":0}"#),
    .init(
      "typed-numbers", "send", "day=2.000&weight=0", 422, "“Day” must be a whole number, without a point or comma."),
    .init("typed-numbers", "send", "day=1.5e1&weight=0", 200, #"{"day":15,"weight":0}"#),
    .init("typed-numbers", "send", "day=7&weight=-.5", 422, "“Weight” must be at least 0."),
    .init("spaces", "send", "name=+++&postcode=AA3+1AB", 422, "“Name” must not be empty."),
    .init("spaces", "send", "name=Ann&postcode=AA3+1AB+", 200),
    .init("bounds", "send", #"{"alive": 2, "day": "2026-12-01", "time": "17:30", "cents": 200}"#, 200),
    .init("bounds", "send", #"{"alive": 3, "day": "2026-12-01"}"#, 422, "“Alive” must be at most 2."),
    .init("bounds", "send", #"{"alive": -1, "day": "2026-12-01"}"#, 422, "“Alive” must be at least 0."),
    .init("bounds", "send", #"{"alive": 1, "day": "2026-11-30"}"#, 422, "“Day” must be December 1, 2026 or later."),
    .init("bounds", "send", "alive=1&day=2026-11-30&time=08%3A59", 422, "“Day” must be December 1, 2026 or later."),
    .init("bounds", "send", "alive=1&day=2026-11-30", 422, "must be 1 December 2026 or later.", language: "en-GB"),
    .init("bounds", "send", "alive=1&day=2026-11-30", 422, "zu früh: frühestens 1. Dezember 2026.", language: "de"),
    .init(
      "bounds", "send", "alive=1&day=2026-11-30", 422,
      "«\u{A0}Day\u{A0}» n’est pas valable\u{A0}: 1er décembre 2026 ou après.", language: "fr"),
    .init("bounds", "send", "alive=1&day=2026-11-30", 422, "“Day” must be 2026-12-01 or later.", language: "nl"),
    .init(
      "bounds", "send", #"{"alive": 1, "day": "2026-12-01", "time": "08:59"}"#, 422, "must be 9:00\u{202F}AM or later."),
    .init("bounds", "send", "alive=1&day=2026-12-01&time=17%3A31", 422, "zu spät: spätestens 17:30.", language: "de"),
    .init("bounds", "send", #"{"alive": 1, "day": "2026-12-01", "cents": 201}"#, 422, "2.00"),
    .init("bounds", "close", #"{"day": "2025-12-31"}"#, 422, "Choose a day of this year."),
    .init("bounds", "pay", #"{"amount": 1000, "none": 1000}"#, 200),
    .init("bounds", "pay", #"{"amount": 1001, "none": 1}"#, 422, "“Amount” must be at most 1000."),
    .init("bounds", "pay", #"{"amount": 1, "none": 1001}"#, 422, "“None” must be at most 1000."),
    .init("bounds", "pay", #"{"amount": 1, "none": -1}"#, 422, "“None” must be at least 0."),
    .init("bounds", "note", #"{"text": "2026-02-28"}"#, 200, #""formatMinimum":"2026-02-28""#),
    .init("bounds", "note", #"{"text": "soon"}"#, 500),
    .init("bounds", "close", "{}", 422, "“Day” is required."),
    .init("question-labels", "next", "{}", 422, "“What is your name?” is required."),
    .init("question-labels", "next", #"{"b": 3}"#, 422, "“How old are you?” must be at least 18."),
    .init("question-labels", "next", "{}", 422, "“E-mail address” is required."),
    .init("own-errors", "next", "{}", 422, "Write your name."),
    .init("own-errors", "next", #"{"name": " "}"#, 422, "Write your name."),
    .init("own-errors", "next", #"{"name": "A"}"#, 422, "A name has two letters."),
    .init("own-errors", "next", "name=&age=7", 422, "Ihren Namen. Kommen Sie mit 18 wieder.", language: "de"),
    .init("own-errors", "next", #"{"age": "old"}"#, 422, "Write a number."),
    // A fault without a sentence of its own has that of the service.
    .init("own-errors", "next", "{}", 422, "“How old are you?” is required."),
    .init("own-errors", "next", #"{"mail": "ann"}"#, 422, "Write an address with an @."),
    .init("own-errors", "next", #"{"code": "12"}"#, 422, #""minLength","detail":"The code has four digits.""#),
    .init("own-errors", "next", #"{"days": []}"#, 422, "Choose a day."),
    .init("own-errors", "next", #"{"days": ["sun"]}"#, 422, #""items","detail":"Choose a day.""#),
    .init("own-errors", "next", #"{"city": "Rome"}"#, 422, "Choose a city."),
    .init("own-errors", "next", #"{"terms": false}"#, 422, "Agree to go on."),
    .init("choice-hints", "send", #"{"reason": "lost", "menu": "lost", "days": ["none"]}"#, 200),
    .init("choice-hints", "send", "reason=lost&menu=lost&days=&days=mon&days=tue", 200),
    .init("choice-hints", "send", "days=&days=mon&days=none", 422, "“No visit” excludes the other choices."),
    .init(
      "typed-choices", "send", #"{"nights": 7, "isInsured": false, "hasPet": true, "days": [3, 1], "room": 102}"#, 200,
      #""nights":7,"isInsured":false,"hasPet":true,"guests":2,"days":[1,3],"room":102"#),
    .init(
      "typed-choices", "send", "nights=1&isInsured=true&hasPet=false&guests=4&days=&days=2&room=101", 200,
      #""nights":1,"isInsured":true,"hasPet":false,"guests":4,"days":[2],"room":101"#),
    .init("typed-choices", "send", "nights=7&hasPet=true&days=&room=", 422, "“Insured” is required."),
    .init("typed-choices", "send", "{}", 422, "Choose the nights."),
    .init("typed-choices", "send", #"{"nights": 2}"#, 422, "Choose one of the two."),
    .init("typed-choices", "send", #"{"nights": "7"}"#, 422, "“Nights” must be a whole number"),
    .init("typed-choices", "send", #"{"hasPet": 1}"#, 422, "must be true or false."),
    .init("typed-choices", "send", #"{"guests": 3}"#, 422, "“Guests” must be one of 1, 2, 4."),
    .init("typed-choices", "send", #"{"days": [4]}"#, 422, "“Days” may contain only 1, 2, 3, each once."),
    .init("typed-choices", "send", #"{"room": 103}"#, 422, "“Room” must be one of Garden, Sea."),
    .init("choice-titles", "refuse", #"{"kind": "late"}"#, 409, "We do not take Too late."),
    .init("choice-titles", "refuse", #"{"kind": "lost"}"#, 409, "Wir nehmen nichts an: Verloren.", language: "de"),
  ])
  func `an input has its result`(_ submission: Submission) async throws {
    let service = try await FlowService.cases(submission.flow)
    let app = try #require(try await service.apps.first)
    let path = try await service.start(app, #","locale":"\#(submission.language)""#)
    let isForm = !submission.body.hasPrefix("{")
    let answer = try await service.send(
      "POST", "\(path)/actions/\(submission.action)", submission.body, type: isForm ? Self.form : "application/json")
    #expect(answer.status == submission.status, "\(answer.text)")
    #expect(submission.contains.isEmpty || answer.text.contains(submission.contains), "\(answer.text)")
  }

  @Test(arguments: [
    ("en", "December 1, 2026 or later.", "9:00\u{202F}AM or later, 5:30\u{202F}PM or earlier."),
    ("en-GB", "1 December 2026 or later.", "09:00 or later, 17:30 or earlier."),
    ("de", "Frühestens 1. Dezember 2026.", "Frühestens 09:00, spätestens 17:30."),
    ("fr", "1er décembre 2026 ou après.", "09:00 ou après, 17:30 ou avant."),
    ("nl", "2026-12-01 or later.", "09:00 or later, 17:30 or earlier."),
  ])
  func `a hint has bounds in the language of the session, and the control and the schema as they are`(
    language: String, day: String, time: String
  ) async throws {
    let service = try await FlowService.cases("bounds")
    let path = try await service.start("bounds", #","locale":"\#(language)""#)
    let page = try await service.send("GET", path, headers: ["Accept": "text/html"]).text
    #expect(page.contains(#"id="send-day-hint">\#(day)</p>"#), "\(page)")
    #expect(page.contains(#"id="send-time-hint">\#(time)</p>"#), "\(page)")
    #expect(page.contains(#"min="2026-12-01""#) && page.contains(#"min="09:00" max="17:30""#))
    let fields = try await service.send("GET", path).json["actions"][0]["input", "properties"]
    #expect(fields["day", "formatMinimum"].string == "2026-12-01")
  }

  @Test(arguments: [
    (
      "en", "You pay €18.50 by December 3, 2026. Departure December 3, 2026 at 6:05\u{202F}PM (UTC+05:30).",
      "  Sum  €18.50\n  Day  December 3, 2026\n", "You pay 18.50 points by soon."
    ),
    (
      "de", "Sie zahlen 18,50\u{A0}€ bis 3. Dezember 2026. Abfahrt 3. Dezember 2026 um 18:05 (UTC+05:30).",
      "  Summe  18,50\u{A0}€\n  Tag    3. Dezember 2026\n", "Sie zahlen 18.50 points bis soon."
    ),
  ])
  func `a sentence has amounts and dates in the language of the session`(
    language: String, sentence: String, facts: String, changed: String
  ) async throws {
    let service = try await FlowService.cases("written-values")
    let path = try await service.start("written-values", #","locale":"\#(language)""#)
    for type in ["application/json", "text/html", "text/plain"] {
      let view = try await service.send("GET", path, headers: ["Accept": type]).text
      #expect(view.contains(sentence), "\(view)")
      #expect(type != "text/plain" || view.contains(facts), "\(view)")
    }
    let fact = try await service.send("GET", path).json["screen", "content"][1]["facts"][1]
    #expect(fact["typed", "value"].string == "2026-12-03")
    let content = try await service.send("POST", "\(path)/actions/change", "{}").json["screen", "content"]
    #expect(content[0]["text"].string?.hasPrefix(changed) == true, "\(content)")
  }

  @Test(arguments: [("en", false), ("en-GB", false), ("de-CH", false), ("fr", false), ("nl", true), ("ja", true)])
  func `a browser writes the values of a page in languages that the service does not write`(
    language: String, isPlain: Bool
  ) async throws {
    let service = try await FlowService.cases("bounds")
    let path = try await service.start("bounds", #","locale":"\#(language)""#)
    let page = try await service.send("GET", path, headers: ["Accept": "text/html"]).text
    #expect(page.contains(" data-plain-values>") == isPlain, "\(page)")
  }

  @Test func `a page in French has the amounts of the service, and no script changes them`() async throws {
    let service = try await FlowService.cases("french-amount")
    let path = try await service.start("prix")
    let page = try await service.send("GET", path, headers: ["Accept": "text/html"]).text
    #expect(!page.contains(" data-plain-values>"), "\(page)")
    #expect(page.contains("<data value=\"0.00\" data-currency=\"EUR\">0,00\u{A0}€</data>"), "\(page)")
  }

  @Test func `the own sentences of a field are on its page and in its schema, in the language of the session`()
    async throws
  {
    let service = try await FlowService.cases("own-errors")
    let path = try await service.start("own-errors", #","locale":"de""#)
    let fields = try await service.send("GET", path).json["actions"][0]["input", "properties"]
    func sentence(_ field: String, _ keyword: String) -> String? { fields[field, "errorMessage", keyword].string }
    #expect(sentence("name", "required") == "Schreiben Sie Ihren Namen." && sentence("name", "type") == nil)
    // A client finds the sentence by the keyword that fails in the schema.
    for keyword in ["pattern", "format"] {
      #expect(sentence("mail", keyword) == "Schreiben Sie eine Adresse mit einem @.", "\(keyword)")
    }
    for keyword in ["minLength", "maxLength", "pattern"] {
      #expect(sentence("code", keyword) == "Der Code hat vier Ziffern.", "\(keyword)")
    }
    #expect(sentence("days", "uniqueItems") == "Wählen Sie einen Tag.")
    #expect(fields["city", "errorMessage", "enum"].string == "Wählen Sie eine Stadt.")
    let page = try await service.send(
      "POST", "\(path)/actions/next", "name=A", type: Self.form, headers: ["Accept": "text/html"]
    ).text
    // Once in the summary, and once beside the field.
    for sentence in ["Ein Name hat zwei Buchstaben.", "Stimmen Sie zu, um fortzufahren."] {
      #expect(page.components(separatedBy: sentence).count == 3, "\(sentence)")
    }
  }

  @Test func `an item offers a text that people have typed on another screen`() async throws {
    let service = try await FlowService.cases("time")
    let path = try await service.start("time")
    _ = try await service.send("POST", "\(path)/actions/pick", #"{"at": "09:30"}"#)
    #expect(try await item(0, of: path, service)["input"] == JSON(["at": "09:30"]))
    let tapped = try await tap(0, of: path, service)
    #expect(tapped.status == 200, "\(tapped.text)")
  }

  @Test func `an item takes several choices`() async throws {
    let service = try await FlowService.cases("item-list")
    let path = try await service.start("item-list")
    for (index, tags) in [(0, ["a", "b"]), (1, ["c"])] {
      let tapped = try await tap(index, of: path, service)
      #expect(tapped.json["screen", "data", "tags"] == JSON(tags), "\(tapped.text)")
    }
  }

  /// Returns the action of an item of the first block of a screen.
  private func item(_ index: Int, of path: String, _ service: FlowService) async throws -> JSON {
    try await service.send("GET", path).json["screen", "content"][0]["items"][index]["action"]
  }

  /// Performs the action of an item with the input that the service gives, as a client does.
  private func tap(_ index: Int, of path: String, _ service: FlowService) async throws -> Answer {
    let action = try await item(index, of: path, service)
    let name = try #require(action["name"].string)
    return try await service.send("POST", "\(path)/actions/\(name)", action["input"].encoded)
  }

  @Test func `a timer has the time that people have typed`() async throws {
    let service = try await FlowService.cases("time-more")
    let path = try await service.start("time-more")
    let started = try await service.send("POST", "\(path)/actions/timer", "v=09%3A30", type: Self.form)
    #expect(started.status == 200, "\(started.text)")
    #expect(
      try await eventually { try await service.send("GET", path).json["screen", "data", "text"].string == "09:30" })
  }

  @Test func `a prompt has the time that people have typed`() async throws {
    let service = try await FlowService.cases("time-more")
    let path = try await service.start("time-more")
    let asked = try await service.send("POST", "\(path)/actions/ask", #"{"v": "09:30"}"#)
    #expect(asked.json["prompt", "message"].string == "09:30", "\(asked.text)")
  }

  @Test(arguments: [("/tags?tags=a&tags=b", ["a", "b"]), ("/tags?tags=c", ["c"]), ("/fixed", ["a", "c"])])
  func `a link has all its values`(link: String, tags: [String]) async throws {
    let service = try await FlowService.cases("item-list")
    let path = try await service.start("item-list")
    let opened = try await service.send("POST", "\(path)/open", #"{"link": "\#(link)"}"#)
    #expect(opened.json["screen", "data", "tags"] == JSON(tags), "\(opened.text)")
  }

  @Test(arguments: [("VN", 201), ("xyz", 422)])
  func `a link is invalid with a value that its action refuses`(parcel: String, status: Int) async throws {
    let service = try await FlowService.cases("link-pattern")
    let answer = try await service.send("POST", "/v1/sessions", #"{"app": "link", "link": "/claims/\#(parcel)"}"#)
    #expect(answer.status == status && answer.problem == (status == 422 ? "invalid-link" : nil), "\(answer.text)")
  }

  @Test func `an amount is shown as people type it`() async throws {
    let service = try await FlowService.cases("french-amount")
    let path = try await service.start("prix", #","locale":"fr""#)
    _ = try await service.send("POST", "\(path)/actions/send", "cents=9%2C99", type: Self.form)
    let page = try await service.send("GET", path, headers: ["Accept": "text/html"])
    #expect(page.text.contains(#"value="9,99""#), "\(page.text)")
    #expect(page.text.contains("[.,][0-9]{1,2}"))
  }

  // MARK: Costs

  @Test func `a value that is too deep to be stored fails alone`() async throws {
    let service = try await FlowService.cases("deep-template")
    let path = try await service.start("deep")
    for _ in 0..<46 { _ = try await service.send("POST", "\(path)/actions/deepen", "{}") }
    #expect(try await service.send("POST", "\(path)/actions/wrap", "{}").status == 500)
    #expect(try await service.send("GET", path).status == 200)
  }

  @Test func `every representation shows the deepest data, and the console hides the values in it`() async throws {
    let service = try await FlowService.cases("deep-data")
    let path = try await service.start("deep-data")
    func act(_ action: String, _ input: String = "{}") async throws -> Int {
      try await service.send("POST", "\(path)/actions/\(action)", input).status
    }
    #expect(try await act("log-in", #"{"pin": "0451-secret"}"#) == 200)
    for _ in 0..<5 { #expect(try await act("deepen-by-ten") == 200) }
    for _ in 0..<20 where try await act("deepen") != 200 { break }
    #expect(try await act("show") == 200)
    let shown = try await service.send("GET", path)
    #expect(shown.status == 200 && shown.text.ranges(of: "[").count > 60)
    for type in ["application/vnd.siren+json", "text/html", "text/plain"] {
      #expect(try await service.send("GET", path, headers: ["Accept": type]).status == 200, "\(type)")
    }
    let console = Console(sessions: service.sessions, host: "127.0.0.1")
    let id = try #require(path.split(separator: "/").last)
    let found = Answer(
      await console.respond(
        to: Request(
          method: .post, target: "/console/find",
          headers: [("Content-Type", "application/x-www-form-urlencoded")], body: Array("session=\(id)".utf8))))
    let page = Answer(
      await console.respond(
        to: Request(method: .get, target: try #require(found.header("Location")), headers: [], body: [])))
    #expect(page.status == 200 && page.text.contains("••••") && !page.text.contains("0451-secret"))
  }

  @Test func `a long text is refused by its length, also on each page that shows it`() async throws {
    let service = try await FlowService.cases("form-pattern")
    let path = try await service.start("pat")
    let text = String(repeating: "a", count: 60_000)
    let refused = try await service.send("POST", "\(path)/actions/words", #"{"t": "\#(text)"}"#)
    #expect(refused.status == 422 && refused.text.contains("at most 4000"), "\(refused.text.prefix(500))")
    #expect(try await service.send("POST", "\(path)/actions/keep", #"{"t": "\#(text)"}"#).status == 200)
    #expect(try await service.send("GET", path, headers: ["Accept": "text/html"]).status == 200)
  }

  @Test func `six long texts at once keep nobody waiting`() async throws {
    let service = try await FlowService.cases("form-pattern")
    let text = String(repeating: "a", count: 65_000)
    var paths: [String] = []
    for _ in 0..<6 { paths.append(try await service.start("pat")) }
    try await withThrowingTaskGroup { group in
      for path in paths {
        group.addTask { try await service.send("POST", "\(path)/actions/words", #"{"t": "\#(text)"}"#).status }
      }
      for _ in 0..<10 { #expect(try await service.send("GET", "/livez").status == 200) }
      for try await status in group { #expect(status == 422) }
    }
  }

  @Test func `the expressions of a screen have one limit`() async throws {
    let service = try await FlowService.cases("screen-cost")
    let path = try await service.start("many")
    let text = String(repeating: "a", count: 5000)
    let answer = try await service.send("POST", "\(path)/actions/put", #"{"t": "\#(text)"}"#)
    #expect(answer.status == 500, "\(answer.text.prefix(500))")
    #expect(service.log.text.contains("exceed their cost limit of 1000000 together"))
    #expect(try await service.send("GET", path).json["session", "revision"].int == 1)
  }

  // MARK: Versions

  @Test func `the fault of a pending intent is in the log`() async throws {
    let service = try await FlowService.cases("gates")
    let path = try await service.start("gates")
    for action in ["broken", "enter"] {
      #expect(try await service.send("POST", "\(path)/actions/\(action)", "{}").status == 200)
    }
    #expect(service.log.text.contains("of gates failed. gates › app › action broken › command 1, popTo"))
  }

  private func firstTabTitle(of path: String, _ service: FlowService) async throws -> String? {
    try await service.send("GET", path).json["navigation", "tabs", "items"][0]["title"].string
  }

  @Test func `a tab has the title of the version that its session moves to`() async throws {
    let service = try await FlowService.cases("carry-tab-titles/v1")
    let path = try await service.start("carry-tabs")
    #expect(try await firstTabTitle(of: path, service) == "My orders")
    try service.copy("carry-tab-titles/v2")
    await service.lookTwice()
    #expect(try await firstTabTitle(of: path, service) == "My orders")
    #expect(try await service.send("GET", path).json["session", "revision"].int == 2)
  }

  @Test func `a tab title whose arguments are those of another version is the name of the tab`() async throws {
    let service = try await FlowService.cases("carry-title-arguments/v1")
    let path = try await service.start("carry-title-arguments")
    #expect(try await firstTabTitle(of: path, service) == "One 2")
    try service.copy("carry-title-arguments/v2")
    await service.lookTwice()
    #expect(try await firstTabTitle(of: path, service) == "One")
  }

  @Test func `the choice of a link may have a comma in its value`() async throws {
    let service = try await FlowService.cases("comma-in-choice")
    for (link, chosen) in [("/tags?v=Ham%2C%20eggs", "Ham, eggs"), ("/tags?v=Tea,Milk", "Tea+Milk")] {
      let body = #"{"app": "comma-in-choice", "link": "\#(link)", "locale": "de"}"#
      let view = try await service.send("POST", "/v1/sessions", body).json
      #expect(view["screen", "data", "chosen"].string == chosen, "\(link)")
      #expect(view["session", "locale"].string == "de")
    }
  }

  @Test func `an item whose action refuses its value does not take the screen away`() async throws {
    let service = try await FlowService.cases("item-beyond-limits")
    let path = try await service.start("item-beyond-limits")
    #expect(try await service.send("POST", "\(path)/actions/pick", #"{"id": "c"}"#).status == 422)
    #expect(try await service.send("POST", "\(path)/actions/pick", #"{"id": "ab"}"#).status == 200)
    #expect(try await service.send("GET", path).json["screen", "data", "chosen"].string == "ab")
  }

  @Test func `a screen is left as the version says to which its session has moved`() async throws {
    let service = try await FlowService.cases("carry-leave/v1")
    let path = try await service.start("carry-leave")
    _ = try await service.send("POST", "\(path)/actions/go")
    #expect(try await service.send("POST", "\(path)/back").status == 409)
    try service.copy("carry-leave/v2")
    await service.lookTwice()
    #expect(try await service.send("GET", path).json["screen", "title"].string == "Now free")
    #expect(try await service.send("POST", "\(path)/back").json["screen", "name"].string == "home")
  }

  @Test func `an open question to leave a screen is closed by a version that seals the screen`() async throws {
    let service = try await FlowService.cases("carry-question/v1")
    let path = try await service.start("carry-question")
    _ = try await service.send("POST", "\(path)/actions/edit")
    #expect(try await service.send("POST", "\(path)/back").json["prompt"]["actions"].array.count == 2)
    try service.copy("carry-question/v2")
    await service.lookTwice()
    #expect(try await service.send("GET", path).json["prompt"].isNull)
    #expect(try await service.send("POST", "\(path)/actions/save").json["screen", "name"].string == "home")
  }

  @Test(
    arguments: [
      ("amount-at-start", nil, "de", "1,250", "1.250"), ("amount-at-start", "en", "fr", "1,250", "1.250"),
      ("amount-at-start", "de", "en", "1.250", "1,250"), ("amount-at-start", "de", nil, "1,250", "1.250"),
      ("amount-at-start", nil, nil, "1.250", "1,250"), ("amount-in-english", "de", nil, "1.250", "1,250"),
      ("amount-in-french", "fr", nil, "1,250", "1.250"), ("amount-in-french", nil, nil, "1,250", "1.250"),
    ] as [(String, String?, String?, String, String)])
  func `the form that begins a session has one language for amounts and errors`(
    app: String, browser: String?, locale: String?, typed: String, other: String
  ) async throws {
    let service = try await FlowService.cases(app)
    func create(_ amount: String) async throws -> Answer {
      try await service.send(
        "POST", "/v1/sessions",
        "app=\(app)&input.amount=\(amount)" + (locale.map { "&locale=\($0)" } ?? ""),
        type: "application/x-www-form-urlencoded",
        headers: ["Accept": "application/json", "Accept-Language": browser ?? "*"])
    }
    #expect(try await create(typed).json["screen", "data", "amount"].int == 1250)
    let refused = try await create(other)
    #expect(refused.status == 422)
    #expect(refused.json["errors"][0]["detail"].string?.contains(typed) == true)
  }

  @Test func `a session stays on its version if Back would lead to a screen that cannot be drawn`() async throws {
    let service = try await FlowService.cases("carry-hidden-screen/v1")
    let path = try await service.start("carry-hidden-screen")
    _ = try await service.send("POST", "\(path)/actions/more")
    try service.copy("carry-hidden-screen/v2")
    await service.lookTwice()
    #expect(try await service.send("GET", path).json["session", "revision"].int == 2)
    #expect(try await service.send("POST", "\(path)/back").json["screen", "title"].string == "Share")
  }

  @Test func `a choice has its hint in the schema and below its button, and a menu has titles alone`() async throws {
    let service = try await FlowService.cases("choice-hints")
    let path = try await service.start("choice-hints")
    let fields = try await service.send("GET", path).json["actions"][0]["input", "properties"]
    #expect(fields["menu", "oneOf"][0]["description"].string == "It never arrived.")
    #expect(fields["menu", "oneOf"][1] == JSON(["const": "other", "title": "other"]))
    #expect(fields["days", "items", "oneOf"][0]["description"].string == "Until noon.")
    let page = try await service.send("GET", path, headers: ["Accept": "text/html"]).text
    #expect(page.contains(#"value="lost" aria-describedby="send-reason-0-hint"> Lost</label>"#))
    #expect(page.contains(#"<p class="hint" id="send-reason-0-hint">It never arrived.</p>"#))
    #expect(page.contains(#"<p class="hint" id="send-days-0-hint">Until noon.</p>"#))
    #expect(page.contains(#"value="none" data-exclusive> No visit</label>"#))
    #expect(!page.contains("send-reason-1-hint") && page.components(separatedBy: "It never arrived.").count == 2)
  }

  @Test func `whole numbers and booleans are choices in every representation`() async throws {
    let service = try await FlowService.cases("typed-choices")
    let path = try await service.start("typed-choices", #","locale":"de""#)
    let fields = try await service.send("GET", path).json["actions"][0]["input", "properties"]
    #expect(fields["nights", "type"].string == "integer" && fields["nights", "oneOf"][1]["const"].int == 7)
    #expect(fields["hasPet", "oneOf"][0]["const"].isBoolean && fields["hasPet", "default"].bool == false)
    #expect(fields["isInsured", "type"].string == "boolean" && fields["isInsured", "enum"].isMissing)
    #expect(fields["room", "oneOf"][0]["const"].int == 101 && fields["room", "oneOf"][0]["title"].string == "Garden")
    let page = try await service.send("GET", path, headers: ["Accept": "text/html"]).text
    #expect(page.contains(#"name="isInsured" value="true"> Ja</label>"#))
    #expect(page.contains(#"name="isInsured" value="false"> Nein</label>"#))
    #expect(page.contains(#"value="false" checked aria-describedby="send-hasPet-1-hint"> Without</label>"#))
    #expect(page.contains(#"<option value="2" selected>2</option>"#))
    let siren = try await service.send("GET", path, headers: ["Accept": "application/vnd.siren+json"]).json
    let insured = try #require(siren["actions"][0]["fields"].array.first { $0["name"].string == "isInsured" })
    #expect(insured["type"].string == "radio" && insured["value"].strings("title") == ["Ja", "Nein"])
    #expect(insured["value"][0]["value"].isBoolean && insured["value"][0]["value"].bool == true)
    let text = try await service.send("GET", path, headers: ["Accept": "text/plain"]).text
    #expect(text.contains("[Without]"))
  }

  @Test func `the title of a stored choice is in the language of the session`() async throws {
    let service = try await FlowService.cases("choice-titles")
    let path = try await service.start("choice-titles", #","locale":"en""#)
    func content() async throws -> JSON { try await service.send("GET", path).json["screen", "content"] }
    #expect(try await content()[0]["text"].string == "Kind: . All: .")
    _ = try await service.send("POST", "\(path)/actions/send", #"{"kind": "lost", "kinds": ["late", "lost"]}"#)
    let english = try await content()
    #expect(english[0]["text"].string == "Kind: Lost. All: Lost, Too late.")
    #expect(english[1]["facts"].strings("value") == ["Lost", "A week"])
    _ = try await service.send("POST", "\(path)/locale", #"{"locale": "de"}"#)
    let german = try await content()
    #expect(german[0]["text"].string == "Art: Verloren. Alle: Verloren, Zu spät.")
    #expect(german[1]["facts"].strings("value") == ["Verloren", "Eine Woche"])
    #expect(german[2]["items"].strings("title") == ["Verloren", "Zu spät"])
    #expect(german[2]["items"].strings("detail") == ["Verloren", "Verloren"])
    #expect(german[3]["rows"][0][0]["value"].string == "Zu spät" && german[3]["rows"][1].isMissing)
  }

  @Test func `people can leave an optional choice open that shows all choices`() async throws {
    let service = try await FlowService.cases("optional-choice")
    let path = try await service.start("optional-choice")
    let page = try await service.send("GET", path, headers: ["Accept": "text/html"]).text
    #expect(page.components(separatedBy: "type=\"radio\"").count == 4 && page.contains("No choice"))
    let form = "application/x-www-form-urlencoded"
    for (typed, stored) in [("one", "one"), ("", nil)] as [(String, String?)] {
      _ = try await service.send("POST", "\(path)/actions/choose", "r=\(typed)", type: form)
      #expect(try await service.send("GET", path).json["screen", "data", "r"].string == stored)
    }
  }

  @Test func `a session is routed by the coordinators of the version that it moves to`() async throws {
    let service = try await FlowService.cases("carried/v1")
    let path = try await service.start("carried")
    func view() async throws -> JSON { try await service.send("GET", path).json }
    func act(_ name: String) async throws -> Answer { try await service.send("POST", "\(path)/actions/\(name)", "{}") }
    #expect(try await act("begin").status == 200)
    try service.copy("carried/v2")
    await service.lookTwice()
    let moved = try await view()
    #expect(moved["prompt", "title"].string == "What is new" && moved["session", "revision"].int == 3)
    #expect(moved["navigation", "stack"].array.map { $0["title"].string } == ["Home", "Page", "New terms"])
    for action in ["close", "accept", "done"] { #expect(try await act(action).status == 200) }
    #expect(try await eventually { try await view()["screen", "data", "isReminded"].bool == true })
    #expect(try await view()["screen", "data", "movedFrom"].int == 1)
    // A session that begins with this version has not moved.
    let other = try await service.start("carried")
    #expect(try await service.send("GET", other).json["screen", "data", "movedFrom"].int == 0)
  }

  @Test func `a session stays where the commands of its move fail`() async throws {
    let service = try await FlowService.cases("carried/v1")
    let path = try await service.start("carried")
    #expect(try await service.send("POST", "\(path)/actions/begin", "{}").status == 200)
    try service.copy("carried/v3")
    await service.lookTwice()
    let stayed = try await service.send("GET", path).json
    #expect(stayed["screen", "name"].string == "page" && stayed["session", "revision"].int == 2)
    #expect(service.metrics.contains("usher_flow_carries_total{outcome=\"refused\"} 1"))
    #expect(try await service.send("POST", "\(path)/actions/done", "{}").status == 200)
    // Nothing fails at the first screen.
    #expect(try await service.send("GET", path).json["prompt", "title"].string == "What is new")
  }
}

extension FlowService {
  private static let cases = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Flows/cases")

  /// Creates a service with a flow of `Tests/Flows/cases`.
  static func cases(_ path: String, services: [HTTPServiceSettings.Entry] = []) async throws -> FlowService {
    let service = try await FlowService(compile: FlowHosting(directories: []).compile, services: services)
    try service.copy(path)
    await service.lookTwice()
    return service
  }

  /// Writes the files of a case over those of the flow.
  func copy(_ path: String) throws {
    let source = Self.cases.appending(path: path)
    for file in try FileManager.default.subpathsOfDirectory(atPath: source.path) where file.hasSuffix(".yaml") {
      try write("case", String(contentsOf: source.appending(path: file), encoding: .utf8), to: file)
    }
  }
}
