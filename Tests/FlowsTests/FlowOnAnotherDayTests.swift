import Flows
import Foundation
import Navigation
import Testing
import UsherTesting
import Values

/// The flow `licence` on other days, with public declarations alone, as the author of a flow tests it.
@Suite struct FlowOnAnotherDayTests {
  private func session(on day: String) throws -> TestSession {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Flows/cases/licence")
    let bytes = try [UInt8](Data(contentsOf: folder.appending(path: "flow.yaml")))
    let compilation = Flow.check([Flow.File(path: "flow.yaml", bytes: bytes)])
    let start = try #require(ISO8601DateFormatter().date(from: "\(day)T00:00:00Z"))
    return try TestSession(
      #require(compilation.app, "\(compilation.faults)"),
      now: Timestamp(milliseconds: Int64(start.timeIntervalSince1970 * 1000)))
  }

  @Test func `people may perform from their sixteenth birthday`() throws {
    for (day, page) in [("2026-11-26", "too-young"), ("2026-11-27", "name")] {
      var session = try session(on: day)
      try session.act("continue", ["place": "street"])
      try session.act("continue", ["born": "2010-11-27"])
      #expect(session.view.screen.name == page)
    }
  }

  @Test func `an answer that counted yesterday is asked for again before the answers are sent`() throws {
    var session = try TestSession(
      FlowRunTests.app(
        """
        coordinators:
          main:
            journey:
              questions: {first: {type: string, format: date, minimum: =today}, name: {type: string}}
              pages:
                first:
                name: {when: '=locale == "de"'}
              done: [{finish: }]

        """), now: Timestamp(milliseconds: 1_795_305_600_000))
    try session.act("continue", ["first": "2026-11-22"])
    // From the second time, nothing else than the date changes.
    try session.act("change", ["question": "first"])
    try session.act("continue", ["first": "2026-11-22"])
    #expect(session.view.screen.name == "check")
    try session.advance(by: .seconds(86400))
    try session.act("submit")
    #expect(session.view.screen.name == "first")
    for _ in 0..<2 {
      try session.act("continue", ["first": "2026-11-25"])
      #expect(session.view.screen.name == "check")
      try session.act("change", ["question": "first"])
    }
    try session.act("continue", ["first": "2026-11-25"])
    // The condition of the other question reads the language.
    try session.change(locale: "de")
    try session.act("submit")
    #expect(session.view.screen.name == "name")
  }
}
