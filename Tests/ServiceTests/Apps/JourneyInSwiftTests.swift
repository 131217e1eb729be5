import TestSupport
import Testing

/// The journey of the flow `outbreak` in Swift, over HTTP and with a backend.
@Suite(.limitedConcurrency) struct JourneyInSwiftTests {
  private func report(status: Int = 200) async throws -> Report { try await Report(status: status, isInSwift: true) }

  @Test func `all answers of the longest path are one request`() async throws {
    let report = try await report()
    try await report.walkA()
    #expect(try await report.rows().first == "What kind of home is it?: Care home")
    try await report.send()
    #expect(try await report.view()["screen", "data", "reference"].string == "R-1")
    #expect(report.targets == ["/reports"])
    #expect(try report.bodies() == [canonical(report.bodyOfA)])
  }

  @Test func `a page asks a question that depends on another answer of the page`() async throws {
    let report = try await report()
    let rule = try await report.view()["actions"][0]["input", "allOf"][0]
    #expect(rule["if", "properties", "setting", "const"].string == "other")
    #expect(rule["then", "properties", "other", "maxLength"].int == 80)
    #expect(
      try await report.refused("continue", #"{"setting": "other"}"#) == ["/other: Write which kind of home it is."])
    try await report.next(#"{"setting": "home", "other": "Day centre"}"#, "positive")
    try await report.answer(#"{"positive": "no", "twoAri": "yes"}"#, "people")
    try await report.add("Cem Ak", report.day(0))
    try await report.next("{}", "check")
    try await report.send()
    let body = try #require(try report.bodies().first)
    #expect(body.contains(#""other":null"#) && body.contains(#""infections":null"#), "\(body)")
  }

  @Test func `the answers of a branch that is left are kept, and count again after the return`() async throws {
    let report = try await report()
    try await report.walkA()
    let rows = try await report.rows()
    try await report.change("positive", "positive")
    try await report.next(#"{"positive": "no"}"#, "two-ari")
    try await report.next(#"{"twoAri": "yes"}"#, "check")
    #expect(try await report.rows() != rows)
    try await report.change("positive", "positive")
    try await report.next(#"{"positive": "yes"}"#, "check")
    #expect(try await report.rows() == rows)
    try await report.send()
    #expect(try report.bodies() == [canonical(report.bodyOfA)])
  }

  @Test func `an exit has Back and no action`() async throws {
    let report = try await report()
    try await report.answer(#"{"setting": "home", "positive": "no", "twoAri": "no"}"#, "not-needed")
    #expect(try await report.view()["actions"].array.isEmpty)
    try await report.back("setting")
    #expect(report.targets.isEmpty)
  }

  @Test func `an item has its own limits and sentences`() async throws {
    let report = try await report()
    try await report.walkB()
    try await report.change("people", "people")
    try await report.act("add", "{}", "people-item")
    for (day, sentence) in [(1, "The day cannot be in the future."), (-31, "The day is at most 30 days ago.")] {
      let input = #"{"name": "Eve Orr", "started": "\#(report.day(day))"}"#
      #expect(try await report.refused("continue", input) == ["/started: \(sentence)"])
    }
    try await report.back("people")
    try await report.act("remove", #"{"item": 0}"#, "people")
    #expect(try await report.refused("continue", "{}") == ["/people: Add at least one person."])
  }

  @Test func `the history hides sensitive answers`() async throws {
    let report = try await report()
    try await report.walkB()
    let history = try await report.get("history").encoded
    #expect(!history.contains("Cem Ak") && history.contains("••••"))
  }
}
