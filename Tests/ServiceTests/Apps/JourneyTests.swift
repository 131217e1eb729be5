import Foundation
import HTTPServices
import MicroHTTP
import Synchronization
import TestSupport
import Testing
import Values

/// The journey of the flow `Tests/Flows/cases/outbreak`, over HTTP and with a backend: the report of a care home.
@Suite(.limitedConcurrency) struct JourneyTests {
  // MARK: Walks

  @Test func `all answers of the longest path are one request`() async throws {
    let report = try await Report()
    try await report.walkA()
    #expect(try await report.labels() == Self.labelsOfA)
    #expect(try await report.rows().first == "What kind of home is it?: Care home")
    #expect(try await report.rows()[6] == "People with symptoms: 2")
    #expect(try await report.answers()[7]["typed", "value"].string == report.day(-7))
    try await report.send()
    #expect(try await report.view()["screen", "data", "reference"].string == "R-1")
    #expect(report.targets == ["/reports"])
    #expect(try report.bodies() == [canonical(report.bodyOfA)])
  }

  @Test func `a page asks a question that depends on another answer of the page`() async throws {
    let report = try await Report()
    try await report.next(#"{"setting": "other", "other": "Day centre"}"#, "positive")
    try await report.next(#"{"positive": "no"}"#, "two-ari")
    try await report.next(#"{"twoAri": "yes"}"#, "people")
    try await report.add("Cem Ak", report.day(0))
    try await report.next("{}", "check")
    try await report.send()
    #expect(try report.bodies() == [canonical(report.bodyOfB("Cem Ak", report.day(0)))])
  }

  @Test func `a page is asked for the choices that are not chosen, and a date may be the first permitted one`()
    async throws
  {
    let report = try await Report()
    try await report.next(#"{"setting": "living"}"#, "positive")
    try await report.next(#"{"positive": "yes"}"#, "infections")
    try await report.next(#"{"infections": ["rsv"]}"#, "two-ari")
    try await report.next(#"{"twoAri": "yes"}"#, "people")
    try await report.add("Dee Poe", report.day(-30))
    try await report.next("{}", "check")
    try await report.send()
    #expect(
      try report.bodies() == [
        canonical(
          """
          {"setting": "living", "other": null, "positive": "yes", "infections": ["rsv"], "twoCovid": null,
           "within": null, "spread": null, "twoAri": "yes",
           "people": [{"name": "Dee Poe", "started": "\(report.day(-30))", "vaccinated": false}]}
          """)
      ])
  }

  @Test func `the content of a page has the date of the session`() async throws {
    let report = try await Report()
    try await report.next(#"{"setting": "home"}"#, "positive")
    try await report.next(#"{"positive": "yes"}"#, "infections")
    try await report.next(#"{"infections": ["covid"]}"#, "two-covid")
    try await report.next(#"{"twoCovid": "yes"}"#, "details")
    let fact = try await report.view()["screen", "content"].array.compactMap { $0["facts"].array.first }.first
    #expect(fact?["typed", "value"].string == report.day(0))
  }

  @Test func `the title of a question depends on another answer`() async throws {
    let report = try await Report()
    try await report.next(#"{"setting": "home"}"#, "positive")
    try await report.next(#"{"positive": "yes"}"#, "infections")
    try await report.next(#"{"infections": ["covid"]}"#, "two-covid")
    #expect(try await report.field("twoCovid")["title"].string == "Are there two cases or more?")
    #expect(try await report.view()["screen", "title"].string == "Are there two cases or more?")
    try await report.back("infections")
    try await report.next(#"{"infections": ["flu", "covid"]}"#, "two-covid")
    #expect(try await report.field("twoCovid")["title"].string == "Are there two cases of COVID-19 or more?")
  }

  @Test func `the schema and the page say when a question is asked`() async throws {
    let report = try await Report()
    let input = try await report.view()["actions"][0]["input"]
    #expect(input["required"] == JSON(["setting"]))
    #expect(input["properties", "other"] == JSON(["title": "Which kind?"]))
    let rule = input["allOf"][0]
    #expect(rule["if", "properties", "setting", "const"].string == "other")
    #expect(rule["if", "required"] == JSON(["setting"]) && rule["then", "required"] == JSON(["other"]))
    #expect(rule["then", "properties", "other", "maxLength"].int == 80)
    let page = try await report.view(as: "text/html").text
    #expect(page.contains("Which kind? <span class=\"hint applies\">(if it applies)</span>"))
    #expect(page.contains("<div class=\"field\" data-if=\"{") && page.contains("<div class=\"field\">"))
    #expect(
      try await report.refused("continue", #"{"setting": "other", "other": " "}"#)
        == ["/other: Write which kind of home it is."])
    // The value of a question that is not asked does not matter.
    try await report.next(#"{"setting": "home", "other": [1]}"#, "positive")
  }

  @Test func `a page has amounts as people type them, and marks a question whose condition it cannot test`()
    async throws
  {
    let service = try await FlowService.cases("conditions")
    let path = try await service.start("conditions")
    let input = try await service.send("GET", path).json["actions"][0]["input"]
    #expect(input["allOf"].array.count == 1)
    #expect(input["allOf"][0]["if", "allOf"][1]["properties", "cents", "exclusiveMinimum"].int == 1250)
    #expect(input["properties", "hasReceipt", "type"].string == "boolean" && input["required"] == JSON(["cents"]))
    let page = try await service.send("GET", path, headers: ["Accept": "text/html"]).text
    #expect(page.contains("&quot;exclusiveMinimum&quot;:12.5}"))
    #expect(page.components(separatedBy: " data-if=").count == 2)
    #expect(page.contains("I have a receipt <span class=\"hint applies\">(if it applies)</span>"))
  }

  @Test(arguments: ["en", "de"])
  func `a journey of literals has the words of the service in its own language`(locale: String) async throws {
    let service = try await FlowService.cases("literals")
    let path = try await service.start("literals", #","locale":"\#(locale)""#)
    let first = try await service.send("GET", path)
    #expect(first.header("Content-Language") == "de" && first.json["language", "current"].string == "de")
    #expect(first.json["actions"][0]["title"].string == "Weiter")
    #expect(first.json["screen", "content"][0]["text"].string == "Schritt 1 von 2")
    let refused = try await service.send("POST", "\(path)/actions/continue", #"{"vegan": true}"#)
    #expect(refused.json["errors"][0]["detail"].string == "Bitte füllen Sie „Name“ aus.")
    let check = try await service.send("POST", "\(path)/actions/continue", #"{"name": "Ann", "vegan": true}"#)
    #expect(check.json["screen", "title"].string == "Prüfen Sie Ihre Antworten")
    #expect(check.json["screen", "content"][0]["answers"][0]["actions"][0]["title"].string == "Ändern")
    let page = try await service.send("GET", path, headers: ["Accept": "text/html"]).text
    #expect(page.contains("<html lang=\"de\">") && page.contains(">Ändern<") && page.contains("<dd>Ja</dd>"))
  }

  @Test func `the pages of a journey in French have French words, amounts and dates`() async throws {
    let service = try await FlowService.cases("journey-in-french")
    let path = try await service.start("trajet")
    let form = try await service.send("GET", path, headers: ["Accept": "text/html"]).text
    for text in [
      "<html lang=\"fr\">", ">Votre trajet</h1>", ">Continuer</button>",
      "id=\"continue-day-hint\">20 novembre 2026 ou avant.</p>", "id=\"continue-cents-hint\">Au moins 0,01.</p>",
      "title=\"Par exemple 12,50\"", "Une remarque\u{A0}? <span class=\"hint\">(facultatif)</span>",
    ] { #expect(form.contains(text), "\(text) in \(form)") }
    let refused = try await service.send(
      "POST", "\(path)/actions/continue", "day=2026-11-21&cents=douze&note=",
      type: "application/x-www-form-urlencoded", headers: ["Accept": "text/html"])
    #expect(refused.status == 422)
    for text in [
      "<h2>Veuillez vérifier votre saisie</h2>",
      "«\u{A0}Date du trajet\u{A0}» n’est pas valable\u{A0}: 20 novembre 2026 ou avant.",
      "«\u{A0}Prix\u{A0}» doit être un montant tel que 12,50.",
    ] { #expect(refused.text.contains(text), "\(text) in \(refused.text)") }
    let answered = try await service.send(
      "POST", "\(path)/actions/continue", "day=2026-11-20&cents=1+234%2C50&note=",
      type: "application/x-www-form-urlencoded")
    #expect(answered.json["screen", "name"].string == "check", "\(answered.text)")
    let check = try await service.send("GET", path, headers: ["Accept": "text/html"]).text
    for text in [
      ">Vérifiez vos réponses</h1>", ">20 novembre 2026</time>",
      ">1\u{202F}234,50\u{A0}€</data>", ">Modifier<span", ">Envoyer</button>",
    ] { #expect(check.contains(text), "\(text) in \(check)") }
    let terminal = try await service.send("GET", path, headers: ["Accept": "text/plain"]).text
    #expect(terminal.contains("Prix\u{A0}: 1\u{202F}234,50\u{A0}€ ("), "\(terminal)")
    #expect(!terminal.contains("?\u{A0}:"), "\(terminal)")
  }

  // MARK: Changes and Back

  @Test func `the answers of a branch that is left are kept, and count again after the return`() async throws {
    let report = try await Report()
    try await report.walkA()
    try await report.change("positive", "positive")
    #expect(try await report.field("positive")["default"].string == "yes")
    try await report.next(#"{"positive": "no"}"#, "two-ari")
    #expect(try await report.field("twoAri")["default"].string == nil)
    try await report.next(#"{"twoAri": "yes"}"#, "check")
    #expect(
      try await report.labels() == [
        "What kind of home is it?", "Is any test positive?", "Do two people or more have symptoms?",
        "People with symptoms", "Ann Lee", "Ben Roy",
      ])
    try await report.change("positive", "positive")
    try await report.next(#"{"positive": "yes"}"#, "check")
    #expect(try await report.labels() == Self.labelsOfA)
    try await report.back("people")
    try await report.next("{}", "check")
    try await report.send()
    #expect(try report.bodies() == [canonical(report.bodyOfA)])
  }

  @Test func `Back inside an item drops the answers that are not stored`() async throws {
    let report = try await Report()
    try await report.walkA()
    try await report.change("people", item: 1, "people-item")
    #expect(try await report.field("name")["default"].string == "Ben Roy")
    #expect(try await report.field("started")["default"].string == report.day(-6))
    #expect(try await report.field("vaccinated")["default"].bool == true)
    try await report.back("check")
    #expect(try await report.labels() == Self.labelsOfA)
    try await report.change("people", "people")
    try await report.act("add", "{}", "people-item")
    #expect(try await report.field("name")["default"].string == nil)
    try await report.back("people")
    #expect(try await report.labels() == ["Ann Lee", "Ben Roy"])
    try await report.next("{}", "check")
    try await report.send()
    #expect(try report.bodies() == [canonical(report.bodyOfA)])
  }

  @Test func `a change of an item is stored, and leads back to the check page`() async throws {
    let report = try await Report()
    try await report.walkA()
    try await report.change("people", item: 1, "people-item")
    try await report.next(#"{"name": "Benjamin", "started": "\#(report.day(-6))"}"#, "check")
    #expect(try await report.labels().suffix(2) == ["Ann Lee", "Benjamin"])
  }

  @Test func `a list without items is refused, and Back does not lead to the check page`() async throws {
    let report = try await Report()
    try await report.walkB()
    try await report.change("people", "people")
    try await report.act("remove", #"{"item": 0}"#, "people")
    #expect(try await report.labels().isEmpty)
    #expect(try await report.refused("continue", "{}") == ["/people: Add at least one person."])
    let page = try await report.submit("actions/continue", "").text
    #expect(page.contains("<li>Add at least one person.</li>"))
    try await report.back("two-ari")
    #expect(try await report.field("twoAri")["default"].string == "yes")
    try await report.next(#"{"twoAri": "yes"}"#, "people")
    try await report.add("Dan Fox", report.day(-1))
    try await report.next("{}", "check")
    try await report.send()
    #expect(try report.bodies() == [canonical(report.bodyOfB("Dan Fox", report.day(-1)))])
  }

  @Test func `Back leads through the pages of the way with their answers, and Continue straight to the check page`()
    async throws
  {
    let report = try await Report()
    try await report.walkA()
    try await report.back("people")
    try await report.back("details")
    #expect(try await report.field("within")["default"].string == "yes")
    #expect(try await report.field("spread")["default"].string == "unsure")
    try await report.back("two-covid")
    try await report.next(#"{"twoCovid": "yes"}"#, "check")
    #expect(try await report.labels() == Self.labelsOfA)
  }

  @Test func `before the check page, Continue leads to the next page, with the earlier answers`() async throws {
    let report = try await Report()
    try await report.next(#"{"setting": "home"}"#, "positive")
    try await report.next(#"{"positive": "yes"}"#, "infections")
    try await report.next(#"{"infections": ["flu"]}"#, "two-ari")
    try await report.back("infections")
    try await report.back("positive")
    #expect(try await report.field("positive")["default"].string == "yes")
    try await report.back("setting")
    #expect(try await report.field("setting")["default"].string == "home")
    try await report.next(#"{"setting": "living"}"#, "positive")
    try await report.next(#"{"positive": "yes"}"#, "infections")
    #expect(try await report.field("infections")["default"] == JSON(["flu"]))
  }

  @Test func `Back from a page that was opened with Change leads to the check page`() async throws {
    let report = try await Report()
    try await report.walkA()
    try await report.change("setting", "setting")
    try await report.back("check")
    #expect(try await report.labels() == Self.labelsOfA)
  }

  @Test(
    arguments: [
      ([#"{"positive": "no"}"#, #"{"twoAri": "no"}"#], "two-ari"),
      ([#"{"positive": "yes"}"#, #"{"infections": ["covid"]}"#, #"{"twoCovid": "no"}"#], "two-covid"),
      (
        [
          #"{"positive": "yes"}"#, #"{"infections": ["covid"]}"#, #"{"twoCovid": "yes"}"#,
          #"{"within": "unsure", "spread": "no"}"#,
        ], "details"
      ),
    ] as [([String], String)])
  func `an exit has Back and no action`(answers: [String], page: String) async throws {
    let report = try await Report()
    try await report.next(#"{"setting": "home"}"#, "positive")
    for answer in answers { _ = try await report.post("actions/continue", answer) }
    let view = try await report.view()
    #expect(view["screen", "name"].string == "not-needed" && view["actions"].array.isEmpty, "\(view)")
    #expect(view["screen", "title"].string == "No report is needed")
    try await report.back(page)
    #expect(report.targets.isEmpty)
  }

  @Test func `an exit after the check page takes the check page off the way`() async throws {
    let report = try await Report()
    try await report.walkA()
    try await report.change("within", "details")
    try await report.next(#"{"within": "no", "spread": "unsure"}"#, "not-needed")
    try await report.back("details")
    try await report.back("two-covid")
  }

  // MARK: Refusals

  @Test(
    arguments: [
      ("{}", ["/setting: Choose the kind of home."]),
      (#"{"setting": "hotel"}"#, ["/setting: Choose the kind of home."]),
      (#"{"setting": "other"}"#, ["/other: Write which kind of home it is."]),
      (
        #"{"setting": "other", "other": "\#(String(repeating: "x", count: 81))"}"#,
        ["/other: Write 80 characters at most."]
      ),
    ] as [(String, [String])])
  func `a refused page has its own sentences, and changes nothing`(input: String, errors: [String]) async throws {
    let report = try await Report()
    let before = try await report.view()
    #expect(try await report.refused("continue", input) == errors)
    let after = try await report.view()
    #expect(after["session", "revision"].int == before["session", "revision"].int)
    #expect(after["screen"] == before["screen"] && after["actions"] == before["actions"])
  }

  @Test func `all errors of a page come at once`() async throws {
    let report = try await Report()
    try await report.walkA()
    try await report.change("within", "details")
    #expect(
      try await report.refused("continue", "{}") == [
        "/within: Say whether they began within five days.", "/spread: Say whether one can have infected the other.",
      ])
    try await report.back("check")
    #expect(try await report.labels() == Self.labelsOfA)
  }

  @Test func `a page of an item is refused, and the item is not added`() async throws {
    let report = try await Report()
    try await report.walkB()
    try await report.change("people", "people")
    try await report.act("add", "{}", "people-item")
    #expect(
      try await report.refused("continue", "{}") == ["/name: Write the name.", "/started: Enter the first day."])
    for (day, sentence) in [(1, "The day cannot be in the future."), (-31, "The day is at most 30 days ago.")] {
      let input = #"{"name": "Eve Orr", "started": "\#(report.day(day))"}"#
      #expect(try await report.refused("continue", input) == ["/started: \(sentence)"])
    }
    try await report.back("people")
    #expect(try await report.labels() == ["Cem Ak"])
  }

  // MARK: Items

  @Test(arguments: [false, true])
  func `a page with several questions of an item has the title of the list`(isInSwift: Bool) async throws {
    let report = try await Report(isInSwift: isInSwift)
    try await report.walkB()
    try await report.change("people", "people")
    try await report.act("add", "{}", "people-item")
    #expect(try await report.view()["screen", "title"].string == "People with symptoms")
  }

  @Test func `an item is added once, whatever Back does`() async throws {
    let report = try await Report()
    try await report.walkB()
    try await report.change("people", "people")
    try await report.act("add", "{}", "people-item")
    try await report.back("people")
    try await report.add("Eve Orr", report.day(-2))
    #expect(try await report.labels() == ["Cem Ak", "Eve Orr"])
    try await report.back("check")
    #expect(try await report.labels().suffix(2) == ["Cem Ak", "Eve Orr"])
    try await report.change("people", item: 1, "people-item")
    try await report.next(#"{"name": "Eve Orr", "started": "\#(report.day(-3))"}"#, "check")
    #expect(try await report.labels().suffix(2) == ["Cem Ak", "Eve Orr"])
  }

  @Test func `an item that is not there is neither changed nor removed`() async throws {
    let report = try await Report()
    try await report.walkB()
    func error(_ action: String, _ input: String) async throws -> [String?] {
      let answer = try await report.post("actions/\(action)", input)
      #expect(answer.status == 422 && answer.json["errors"].array.count == 1, "\(answer.text)")
      return ["pointer", "keyword", "detail"].map { answer.json["errors"][0][$0].string }
    }
    #expect(
      try await error("change", #"{"question": "people", "item": 1}"#)
        == ["/item", "unknown", "“Item” 1 does not exist."])
    // A question without items has none to change.
    #expect(
      try await error("change", #"{"question": "setting", "item": 0}"#)
        == ["/item", "unknown", "“Item” 0 does not exist."])
    for input in [#"{"question": "infections"}"#, #"{"question": "infections", "item": 0}"#] {
      #expect(
        try await error("change", input)
          == ["/question", "not-asked", "“What was found?” is not asked, because of other answers."])
    }
    try await report.change("people", "people")
    for action in ["change", "remove"] {
      #expect(try await error(action, #"{"item": 7}"#) == ["/item", "unknown", "“Item” 7 does not exist."])
      #expect(try await error(action, "{}") == ["/item", "required", "“Item” is required."])
    }
    #expect(try await report.labels() == ["Cem Ak"])
  }

  @Test(arguments: [false, true])
  func `a list without items offers neither to change nor to remove one`(isInSwift: Bool) async throws {
    let report = try await Report(isInSwift: isInSwift)
    try await report.answer(#"{"setting": "home", "positive": "no", "twoAri": "yes"}"#, "people")
    func expectNone() async throws {
      #expect(try await report.view()["actions"].strings("name") == ["add", "continue"])
      let page = try await report.view(as: "text/html").text
      #expect(!page.contains("/actions/change") && !page.contains("/actions/remove"), "\(page)")
      let text = try await report.view(as: "text/plain").text
      #expect(!text.contains("Change") && !text.contains("Remove"), "\(text)")
      for action in ["change", "remove"] {
        #expect(try await report.post("actions/\(action)", #"{"item": 0}"#).status == 409)
      }
    }
    try await expectNone()
    try await report.add("Ann Lee", report.day(0))
    #expect(try await report.view()["actions"].strings("name") == ["add", "continue", "change", "remove"])
    try await report.act("remove", #"{"item": 0}"#, "people")
    try await expectNone()
  }

  @Test func `one of two items with the same name is removed`() async throws {
    let report = try await Report()
    try await report.walkB()
    try await report.change("people", "people")
    try await report.add("Cem Ak", report.day(-4))
    try await report.act("remove", #"{"item": 0}"#, "people")
    #expect(try await report.labels() == ["Cem Ak"])
    try await report.act("change", #"{"item": 0}"#, "people-item")
    #expect(try await report.field("started")["default"].string == report.day(-4))
  }

  @Test func `a full list does not offer to add an item`() async throws {
    let report = try await Report()
    try await report.walkB()
    try await report.change("people", "people")
    for number in 2...30 {
      #expect(try await report.view()["actions"].strings("name").contains("add"))
      try await report.add("Person \(number)", report.day(0))
    }
    #expect(try await !report.view()["actions"].strings("name").contains("add"))
    #expect(try await report.post("actions/add", "{}").status >= 400)
    try await report.act("remove", #"{"item": 29}"#, "people")
    #expect(try await report.view()["actions"].strings("name").contains("add"))
  }

  // MARK: Requests

  @Test(arguments: [false, true])
  func `a second try has the same key, and another answer has another one`(isInSwift: Bool) async throws {
    let report = try await Report(status: 400, isInSwift: isInSwift)
    try await report.walkA()
    try await report.send(to: "away")
    try await report.act("again", "{}")
    #expect(await eventually { report.keys.count == 2 })
    #expect(try await report.reaches("away"))
    try await report.back("check")
    // The same answer is no change.
    try await report.change("setting", "setting")
    try await report.next(#"{"setting": "home"}"#, "check")
    try await report.send(to: "away")
    try await report.back("check")
    try await report.change("setting", "setting")
    try await report.next(#"{"setting": "living"}"#, "check")
    report.answer(200)
    try await report.send()
    let keys = report.keys
    #expect(keys.count == 4 && Set(keys.prefix(3)).count == 1 && keys[3] != keys[0], "\(keys)")
    #expect(try report.bodies().prefix(3) == Array(repeating: canonical(report.bodyOfA), count: 3)[...])
    #expect(try report.bodies().last?.contains(#""setting":"living""#) == true)
  }

  @Test func `the last page cannot be left`() async throws {
    let report = try await Report()
    try await report.walkB()
    try await report.send()
    #expect(try await report.post("back", "{}").status >= 400)
    #expect(try await report.post("actions/change", #"{"question": "setting"}"#).status >= 400)
    #expect(try await report.view()["screen", "name"].string == "sent")
  }

  @Test func `the second of two clients with one page is refused with the current one`() async throws {
    let report = try await Report()
    let revision = try #require(try await report.view()["session", "revision"].int)
    try await report.next(#"{"setting": "home"}"#, "positive")
    let late = try await report.post("actions/continue?revision=\(revision)", #"{"setting": "living"}"#)
    #expect(late.status == 409 && late.json["view", "screen", "name"].string == "positive", "\(late.text)")
    try await report.back("setting")
    #expect(try await report.field("setting")["default"].string == "home")
  }

  static let labelsOfA = [
    "What kind of home is it?", "Is any test positive?", "What was found?", "Are there two cases of COVID-19 or more?",
    "Did they begin within five days?", "Can one have infected the other?", "People with symptoms", "Ann Lee",
    "Ben Roy",
  ]
}
