import Flows
import Foundation
import Navigation
import Testing
import UsherTesting
import Values

/// The date of a session in the expressions of a flow: of coordinators, of screens and of prompts.
@Suite struct TodayTests {
  /// Begins a session of the flow `visit`, whose form takes the 30 days from today.
  private func begin(_ zone: String?, _ seconds: Int64) throws -> TestSession {
    let compilation = Flow.compile(try FlowFolder.files(of: FlowFolder.fixtures.appending(path: "valid/visit")))
    let app = try #require(compilation.app, "\(compilation.faults)")
    return try TestSession(app, timeZone: zone, now: Timestamp(milliseconds: seconds * 1000))
  }

  private func book(_ day: String, _ session: inout TestSession) -> Bool {
    do {
      try session.act("book", ["day": Value(day)])
      return true
    } catch {
      #expect("\(error)".contains("day"), "\(error)")
      return false
    }
  }

  @Test(
    arguments: [
      // 2026-11-21T08:00:00Z is midnight in Los Angeles, and 2026-11-21T11:00:00Z in Auckland, the zone of the flow.
      ("America/Los_Angeles", 1_795_247_999, "2026-11-20", "2026-12-20"),
      ("America/Los_Angeles", 1_795_248_000, "2026-11-21", "2026-12-21"),
      (nil, 1_795_258_799, "2026-11-21", "2026-12-21"), (nil, 1_795_258_800, "2026-11-22", "2026-12-22"),
      // The end of daylight saving time in Berlin, on 2026-10-25.
      ("Europe/Berlin", 1_792_879_200, "2026-10-25", "2026-11-24"),
      ("Europe/Berlin", 1_792_969_199, "2026-10-25", "2026-11-24"),
      ("Europe/Berlin", 1_792_969_200, "2026-10-26", "2026-11-25"),
    ] as [(String?, Int64, String, String)])
  func `the limits of a form and the texts of a screen have the date of the session`(
    zone: String?, seconds: Int64, first: String, last: String
  ) throws {
    var session = try begin(zone, seconds)
    let today = try #require(CalendarDate(first))
    let texts = session.view.content.prefix(2).map { block in
      if case .text(let text) = block { text } else { Text("") }
    }
    #expect(texts[0] == Text("Today is \(first).") && texts[1].value == .date(today))
    #expect(session.view.data["shown"]?.text == first)
    let field = try #require(session.view.input(of: "book")?.fields.first { $0.name == "day" })
    #expect(field.initial?.text == first)
    for (day, isValid) in [(first, true), (last, true), ("2026-10-01", false), ("2027-01-01", false)] {
      #expect(book(day, &session) == isValid, "\(day)")
    }
    #expect(session.view.data["booked"]?.text == first)
    #expect(session.view.data["today"] == nil)
    try session.act("cancel")
    #expect(session.view.prompt?.message.string == "It is \(first).")
  }

  @Test func `a form that was opened yesterday takes the dates from today`() throws {
    var session = try begin("America/Los_Angeles", 1_795_247_940)
    try session.advance(by: .seconds(120))
    // The view is that of the last step.
    #expect(session.view.data["shown"]?.text == "2026-11-20")
    #expect(try session.app.view(of: session.state).data["shown"]?.text == "2026-11-20")
    #expect(!book("2026-11-20", &session))
    #expect(session.view.data["shown"]?.text == "2026-11-20")
    #expect(book("2026-12-21", &session))
    #expect(session.view.data["shown"]?.text == "2026-11-21")
    #expect(session.view.data["booked"]?.text == "2026-11-21")
  }

  @Test func `a step has the same date when it is repeated`() throws {
    let session = try begin(nil, 1_795_258_799)
    let intent = Intent.action(name: "book", input: ["day": "2026-12-01"])
    func booked(_ seconds: Int64) throws -> String? {
      let stamp = StepStamp(time: Timestamp(milliseconds: seconds * 1000))
      let state = try session.app.perform(intent, on: session.state, stamp: stamp)
      return try session.app.view(of: state).data["booked"]?.text
    }
    for _ in 0..<2 { #expect(try booked(1_795_258_799) == "2026-11-21") }
    #expect(try booked(1_795_258_800) == "2026-11-22")
  }

  @Test func `a screen that does not read the date has no more data`() throws {
    let app = try FlowRunTests.app(
      """
      coordinators:
        main:
          state: {count: {type: integer, default: 0}}
          start: [{push: home}]
          handles: {stay: [{set: {count: =count + 1}}]}
      screens:
        home: {content: [{text: It is today}], actions: {stay: }}

      """)
    #expect(app.screens.map(\.name) == ["home"])
    #expect(try TestSession(app).view.data == .emptyObject)
  }
}
