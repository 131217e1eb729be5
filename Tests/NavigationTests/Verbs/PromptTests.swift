import Testing
import Values

@testable import Navigation

@Suite struct PromptTests {
  var session: Session

  private let promptIsOpen = Rejection.unavailable(reason: "A prompt is open; only its buttons are available.")

  init() throws {
    session = try Session()
    try session.verb("ask", "tea")
  }

  @Test mutating func `while a prompt is open only its buttons are available`() throws {
    let prompt = try #require(try session.view.prompt)
    #expect(prompt.title == "About tea")
    #expect(try session.view.actions.allSatisfy { $0.disabled != nil })
    session.expectRejected(promptIsOpen) { try $0.verb("push") }
    try session.act("answer")
    #expect(try session.heard == ["answered"])
    #expect(try session.titles == ["bench", "answer"])
    #expect(try session.view.prompt == nil)
  }

  @Test mutating func `back closes a prompt and answers nothing`() throws {
    try session.perform(.back)
    #expect(try session.view.prompt == nil)
    #expect(try session.heard == [])
    session.expectRejected { try $0.act("answer") }
  }
}
