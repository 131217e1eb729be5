import Testing

@testable import Navigation

@Suite struct ModalTests {
  var session: Session

  init() throws { session = try Session() }

  @Test mutating func `a screen is presented over the stack, and dismissed by the user`() throws {
    try session.verb("present", "modal")
    #expect(try session.titles == ["modal"])
    #expect(try session.view.modals == 1)
    try session.perform(.dismiss)
    #expect(try session.titles == ["bench"])
    session.expectRejected { try $0.perform(.dismiss) }
  }

  @Test mutating func `back on a modal's first screen dismisses it`() throws {
    try session.verb("present", "modal")
    #expect(try session.view.back?.title == "bench")
    try session.perform(.back)
    #expect(try session.view.modals == 0)
  }

  @Test mutating func `modals stack up over each other, and dismissAll takes them all`() throws {
    try session.verb("present", "one")
    try session.verb("present", "two")
    #expect(try session.view.modals == 2)
    try session.verb("dismiss-all")
    #expect(try session.view.modals == 0)
    try session.verb("dismiss-all")
  }

  @Test func `dismissAll takes a modal over a tab that does not show`() throws {
    var nest = try Session(Nest.app)
    try nest.grow("tabs")
    try nest.perform(.tab("right"))
    try nest.grow("present")
    try nest.grow("select")
    try nest.grow("dismissAll")
    try nest.perform(.tab("right"))
    #expect(try nest.view.modals == 0)
  }

  @Test mutating func `a coordinator dismisses, and is refused where there is nothing to dismiss`() throws {
    session.expectRejected { try $0.verb("dismiss") }
    try session.verb("present", "one")
    try session.verb("dismiss")
    #expect(try session.titles == ["bench"])
  }

  @Test mutating func `a stack has one modal only`() throws {
    try session.verb("start-modal")
    // The lab's own stack is covered by the assistant's, so the lab cannot present over it once more.
    session.expectRejected(.unavailable(.modalIsOpen)) { try $0.verb("present", "two") }
  }

  @Test mutating func `a child in a modal goes with it, as cancelled`() throws {
    try session.verb("start-modal")
    #expect(try session.coordinators == ["lab", "assistant"])
    try session.perform(.dismiss)
    #expect(try session.coordinators == ["lab"])
    #expect(try session.heard == ["cancelled"])
  }

  @Test func `modals beyond the nesting are refused, and what was accepted can be read`() throws {
    var session = try Session(limits: .init(depth: 2))
    let nesting = session.app.limits.nesting
    for _ in 1..<nesting { try session.verb("present") }
    #expect(try session.view.modals == nesting - 1)
    session.expectRejected(.tooDeep(limit: nesting)) { try $0.verb("present") }
  }
}
