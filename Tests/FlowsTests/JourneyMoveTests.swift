import Navigation
import Testing
import UsherTesting
import Values

/// Sessions of journeys that move to the next version of their flow.
@Suite struct JourneyMoveTests {
  /// - Parameter third: the page of the third question.
  private func app(version: Int, third: String) throws -> AppDefinition {
    try FlowRunTests.app(
      """
      version: \(version)
      \(version == 1 ? "" : "carry: [1]")
      coordinators:
        main:
          journey:
            questions: {first: {type: string, enum: [a, b]}, second: {type: string}, third: {type: string}}
            pages: {first: , second: , \(third)}
            done: [{push: sent}]
      screens: {sent: {}}

      """)
  }

  private func sessionAtThirdPage() throws -> TestSession {
    var session = try TestSession(app(version: 1, third: "third: "))
    try session.act("continue", ["first": "a"])
    try session.act("continue", ["second": "x"])
    #expect(session.names == ["first", "second", "third"])
    return session
  }

  @Test func `after a move that leads to the check page, a changed page leads back to the check page`() throws {
    var session = try sessionAtThirdPage()
    let page = #"third: {questions: [third], when: '=first == "b"'}"#
    try session.move(to: app(version: 2, third: page))
    #expect(session.names == ["first", "second", "check"])
    try session.act("change", ["question": "first"])
    try session.act("continue", ["first": "a"])
    #expect(session.names == ["first", "second", "check"])
    try session.act("change", ["question": "first"])
    try session.act("continue", ["first": "b"])
    #expect(session.names.last == "third")
  }

  private static let rules = "rules: {questions: [], title: Rules}"

  @Test func `a page without questions is passed once a move leads to the check page`() throws {
    var session = try TestSession(app(version: 1, third: "\(Self.rules), third: "))
    try session.act("answers", ["first": "a", "second": "x"])
    #expect(session.names == ["first", "third"])
    let page = #"third: {questions: [third], when: '=first == "b"'}"#
    try session.move(to: app(version: 2, third: "\(Self.rules), \(page)"))
    #expect(session.names == ["first", "second", "rules", "check"])
    try session.act("change", ["question": "first"])
    try session.act("continue", ["first": "a"])
    #expect(session.names == ["first", "second", "rules", "check"])
  }

  @Test func `a page without questions that a version adds comes once, after the next change`() throws {
    var session = try sessionAtThirdPage()
    try session.act("continue", ["third": "y"])
    try session.move(to: app(version: 2, third: "\(Self.rules), third: "))
    #expect(session.names.last == "check")
    try session.act("change", ["question": "first"])
    try session.act("continue", ["first": "a"])
    #expect(session.names.suffix(3) == ["check", "first", "rules"])
    try session.act("continue", .emptyObject)
    #expect(session.names.last == "check")
    try session.act("change", ["question": "first"])
    try session.act("continue", ["first": "b"])
    #expect(session.names.last == "check")
  }

  /// Returns a journey with a list. The first page of an item asks another question from version 2 on.
  private func appWithItems(version: Int) throws -> AppDefinition {
    try FlowRunTests.app(
      """
      version: \(version)
      \(version == 1 ? "" : "carry: [1]")
      coordinators:
        main:
          journey:
            questions: {note: {type: string}}
            lists:
              people:
                itemTitle: =string(item.number)
                pages: [[a\(version == 1 ? "" : ", c")], [b]]
                questions: {a: {type: string}, \(version == 1 ? "" : "c: {type: string}, ")b: {type: string}}
            pages: {people: , note: }
            done: [{push: sent}]
      screens: {sent: {}}

      """)
  }

  @Test func `an item is stored once the question that a version adds to an earlier page has an answer`() throws {
    var session = try TestSession(appWithItems(version: 1))
    try session.act("add")
    try session.act("continue", ["a": "x"])
    try session.move(to: appWithItems(version: 2))
    #expect(session.names == ["people", "people-item", "people-item-2"])
    try session.act("continue", ["b": "y"])
    #expect(session.names.last == "people-item")
    try session.act("continue", ["a": "x", "c": "z"])
    try session.act("continue", ["b": "y"])
    #expect(session.names == ["people"])
  }

  @Test func `a session on a page that the next version lacks does not move`() throws {
    var session = try sessionAtThirdPage()
    let next = try app(version: 2, third: "last: [third]")
    let before = session.state
    #expect(throws: PackingError.self) { try session.move(to: next) }
    #expect(session.state == before && session.app.version == 1)
    try session.back()
    try session.move(to: next)
    #expect(session.names == ["first", "second"] && session.app.version == 2)
  }
}
