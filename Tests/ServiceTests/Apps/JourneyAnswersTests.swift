import Foundation
import TestSupport
import Testing

@testable import Views

/// Answers to any number of questions in one request.
@Suite(.limitedConcurrency) struct JourneyAnswersTests {
  @Test func `all answers at once lead to the check page, and are sent like others`() async throws {
    let report = try await Report()
    try await report.answer(report.answersOfA, "check")
    #expect(try await report.labels().count == 9 && report.targets.isEmpty)
    try await report.back("setting")
    try await report.next(#"{"setting": "home"}"#, "check")
    try await report.send()
    #expect(try report.bodies() == [canonical(report.bodyOfA)])
  }

  @Test func `some answers lead to the first page that lacks one`() async throws {
    let report = try await Report()
    try await report.answer(#"{"setting": "home", "positive": "yes"}"#, "infections")
    try await report.answer(#"{"infections": ["covid", "flu"], "twoCovid": "yes"}"#, "details")
    try await report.answer(#"{"within": "yes", "spread": "unsure", "people": []}"#, "people")
    #expect(try await report.labels().isEmpty)
    try await report.answer("{}", "people")
    try await report.answer(#"{"people": [{"name": "Ann Lee", "started": "\#(report.day(-7))"}]}"#, "check")
  }

  @Test(arguments: [false, true])
  func `all errors come at once, and no answer is kept`(isInSwift: Bool) async throws {
    let report = try await Report(isInSwift: isInSwift)
    let faulty = #"""
      {"setting": "villa", "other": "Day centre", "positive": "yes", "infections": "covid", "twoAri": "yes", "a/b~": 1,
       "people": [{"name": "Ann Lee"}]}
      """#
    #expect(
      try await report.refusal(faulty) == [
        "/setting enum", "/other not-asked", "/infections type", "/twoAri not-asked", "/people not-asked",
        "/a~1b~0 unknown",
      ])
    let view = try await report.view()
    #expect(view["screen", "name"].string == "setting" && view["session", "revision"].int == 1)
    #expect(try await report.field("setting")["default"].string == nil)
  }

  @Test func `an answer that is not asked and a day in the future are refused together`() async throws {
    let report = try await Report()
    let answers = report.answersOfA.replacing(report.day(-6), with: report.day(1))
      .replacing(#""people""#, with: #""twoAri": "yes", "people""#)
    #expect(try await report.refusal(answers) == ["/twoAri not-asked", "/people/1/started formatMaximum"])
    #expect(
      try await report.post("answers", answers).json["errors"][1]["detail"].string == "The day cannot be in the future."
    )
    #expect(try await report.page() == "setting")
    #expect(try await report.revision() == 1)
    #expect(try await report.field("setting")["default"].isMissing)
  }

  @Test func `a long name that is not a question is shortened in its error`() async throws {
    let report = try await Report()
    let name = String(repeating: "ä", count: 5_000)
    let refused = try await report.post("answers", #"{"\#(name)": 1}"#)
    let shown = String(repeating: "ä", count: 40) + "…"
    #expect(refused.status == 422 && refused.json["errors"][0]["pointer"].string == "")
    #expect(refused.json["errors"][0]["detail"].string == "“\(shown)” is not a question.")
    let people = #"[{"name": "Ann Lee", "started": "\#(report.day(0))", "\#(name)": 1}]"#
    let answers = "\(report.answersOfA.split(separator: "\"people\"")[0])\"people\": \(people)}"
    #expect(try await report.refusal(answers) == ["/people/0 unknown"])
    let short = String(repeating: "a", count: 64)
    #expect(try await report.refusal(#"{"\#(short)": 1}"#) == ["/\(short) unknown"])
    #expect(try await report.refusal(#"{"": 1}"#) == ["/ unknown"])
  }

  @Test(arguments: [("licence", "{}", "fee", "1"), ("delivery", Report.patient, "referralDate", #""2026-12-01""#)])
  func `a value that the flow makes is no answer`(flow: String, input: String, name: String, value: String) async throws
  {
    let report = try await Report(flow, input: input)
    #expect(try await report.refusal(#"{"\#(name)": \#(value)}"#) == ["/\(name) unknown"])
  }

  @Test(arguments: [
    (#"{}"#, ["/people type"]), ("[1]", ["/people/0 type"]),
    (#"[{"name": "Ann Lee"}]"#, ["/people/0/started required"]),
    (
      #"[{"name": "Ann Lee", "started": "2100-01-01", "age": 3}, 4, {}]"#,
      [
        "/people/0/started formatMaximum", "/people/2/name required", "/people/2/started required",
        "/people/0/age unknown", "/people/1 type",
      ]
    ),
  ])
  func `an item has to be complete`(people: String, errors: [String]) async throws {
    let report = try await Report()
    let answers = "\(report.answersOfA.split(separator: "\"people\"")[0])\"people\": \(people)}"
    #expect(try await report.refusal(answers) == errors)
    #expect(try await report.view()["screen", "name"].string == "setting")
  }

  @Test func `a list takes no more items than its greatest number`() async throws {
    let report = try await Report()
    func answers(_ count: Int) -> String {
      let people = (1...count).map { #"{"name": "P\#($0)", "started": "\#(report.day(0))"}"# }
      return #"{"setting": "home", "positive": "no", "twoAri": "yes", "people": [\#(people.joined(separator: ", "))]}"#
    }
    #expect(try await report.refusal(answers(31)) == ["/people maxItems"])
    try await report.answer(answers(30), "check")
  }

  @Test func `the input has to be an object`() async throws {
    let report = try await Report()
    for input in ["[]", "3", #""home""#] { #expect(try await report.refusal(input) == [" type"]) }
  }

  @Test func `null takes an answer away, and the same answer is no change`() async throws {
    let report = try await Report()
    try await report.walkA()
    try await report.answer(#"{"twoCovid": null}"#, "two-covid")
    try await report.answer(#"{"twoCovid": "yes"}"#, "check")
    #expect(try await report.labels().count == 9)
  }

  @Test func `a value that is no choice is refused with the sentence about an absent one`() async throws {
    let report = try await Report()
    try await report.answer(#"{"setting": "home"}"#, "positive")
    let sentence = "/positive: Say whether a test is positive."
    for input in [#"{"positive": "maybe"}"#, "{}"] {
      #expect(try await report.refused("continue", input) == [sentence])
    }
  }

  @Test func `a form has no answers of several pages`() async throws {
    let report = try await Report()
    #expect(try await report.submit("answers", "setting=home").status == 415)
    #expect(try await report.page() == "setting")
  }

  @Test func `the history has no name of a person in a list`() async throws {
    let report = try await Report()
    try await report.answer(report.answersOfA, "check")
    let entry = try #require(try await report.history().last)
    #expect(entry["action"].string == "answers" && entry["input", "setting"].string == "home")
    #expect(entry["input", "people"].string == "••••")
  }

  @Test func `a page of an item is left`() async throws {
    let report = try await Report()
    try await report.walkA()
    try await report.change("people", "people")
    try await report.act("add", "{}", "people-item")
    try await report.answer(#"{"setting": "living"}"#, "check")
    try await report.back("people")
    #expect(try await report.labels() == ["Ann Lee", "Ben Roy"])
  }

  @Test func `Back does not lead to a page of an item that answers at once have left`() async throws {
    let report = try await Report()
    try await report.answer(#"{"setting": "home", "positive": "no", "twoAri": "yes"}"#, "people")
    try await report.act("add", "{}", "people-item")
    try await report.answer(#"{"people": [{"name": "Ann Lee", "started": "\#(report.day(-7))"}]}"#, "check")
    try await report.back("people")
    #expect(try await report.labels() == ["Ann Lee"])
  }

  @Test func `a screen that is none of the pages takes no answers, and nor does another client with an old one`()
    async throws
  {
    let report = try await Report()
    try await report.answer(report.answersOfA, "check")
    #expect(try await report.post("answers?revision=1", "{}").status == 409)
    try await report.send()
    let refused = try await report.post("answers", #"{"setting": "home"}"#)
    #expect(refused.status == 409)
    #expect(
      refused.json["detail"].string?
        .hasPrefix("Only the pages of a journey take answers. The screen sent is not one of them.") == true,
      "\(refused.text)")
    let other = try await report.post("actions/continue", "{}")
    #expect(other.json["detail"].string?.hasPrefix("The screen sent has no action continue.") == true)
  }
}

extension Report {
  /// The answers of the longest path, without those to questions that are not asked.
  fileprivate var answersOfA: String {
    bodyOfA.replacing("\"other\": null, ", with: "").replacing("\"twoAri\": null, ", with: "")
  }

  fileprivate func history() async throws -> [JSON] { try await get("history")["entries"].array }

  func answer(_ answers: String, _ page: String) async throws {
    let answer = try await post("answers", answers)
    try #require(answer.status == 200 && answer.json["screen", "name"].string == page, "\(answer.text)")
  }

  /// Returns the pointers and the keywords of the errors of refused answers.
  fileprivate func refusal(_ answers: String) async throws -> [String] {
    let answer = try await post("answers", answers)
    #expect(answer.status == 422, "\(answer.text)")
    return answer.json["errors"].array.map { "\($0["pointer"].string ?? "") \($0["keyword"].string ?? "")" }
  }
}

/// The block of answers in the representations that are not pages.
@Suite(.limitedConcurrency) struct JourneyRepresentationTests {
  @Test func `text shows each answer with the keys of its actions, and no form for them`() async throws {
    let report = try await Report()
    try await report.walkA()
    let check = try await report.view(as: "text/plain").text
    #expect(check.contains("\n  What kind of home is it? Care home (2 Change)\n"))
    #expect(check.contains("\n  People with symptoms: 2 (8 Change)\n  Ann Lee: "))
    #expect(check.contains(" (10 Change)\n\n  1   "))
    try await report.change("people", "people")
    let list = try await report.view(as: "text/plain").text
    #expect(list.contains(" (3 Change, 4 Remove)\n  Ben Roy: "))
    #expect(list.contains("\n\n  1   Add\n  2   Continue\n"))
  }

  @Test func `Siren has an entity for each answer, whose actions have its input`() async throws {
    let report = try await Report()
    try await report.walkA()
    let siren = try await report.view(as: "application/vnd.siren+json").json
    let answers = siren["entities"].array.filter { $0["class"].array.first?.string == "answer" }
    #expect(answers.count == 9)
    #expect(answers[0]["title"].string == "What kind of home is it?")
    #expect(answers[0]["properties", "value"].string == "Care home")
    let change = try #require(answers[7]["actions"].array.first)
    #expect(change["title"].string == "Change")
    let fields = change["fields"].array.map { "\($0["name"].string ?? "") \($0["value"])" }
    #expect(fields.count == 2 && fields[0].hasPrefix("question ") && fields[1].hasPrefix("item "))
    #expect(change["href"].string?.contains("/actions/change") == true)
  }

  @Test func `a client reads the answers and performs their actions`() async throws {
    let report = try await Report()
    try await report.walkA()
    let view = try SessionView(JSONValue(parsing: Array(try await report.view(as: "application/json").text.utf8)))
    let blocks = view.screen.content.compactMap { block -> [Block.Answer]? in
      if case .answers(let answers) = block { answers } else { nil }
    }
    let answers = try #require(blocks.first)
    #expect(answers.map(\.label) == (try await report.labels()))
    #expect(answers[0].value == "Care home" && answers[0].actions.map(\.title) == ["Change"])
    let action = answers[7].actions[0].action
    #expect(action.name == "change" && action.input == ["question": "people", "item": 0])
  }
}
