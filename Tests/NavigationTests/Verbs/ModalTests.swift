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

  @Test mutating func `modals open over each other, and dismissAll dismisses all of them`() throws {
    try session.verb("present", "one")
    try session.verb("present", "two")
    #expect(try session.view.modals == 2)
    try session.verb("dismiss-all")
    #expect(try session.view.modals == 0)
    try session.verb("dismiss-all")
  }

  @Test func `dismissAll dismisses a modal over a hidden tab`() throws {
    var nest = try Session(Nest.app)
    try nest.grow("tabs")
    try nest.perform(.tab("right"))
    try nest.grow("present")
    try nest.grow("select")
    try nest.grow("dismissAll")
    try nest.perform(.tab("right"))
    #expect(try nest.view.modals == 0)
  }

  @Test mutating func `a dismissal by a coordinator is refused without a modal`() throws {
    session.expectRejected { try $0.verb("dismiss") }
    try session.verb("present", "one")
    try session.verb("dismiss")
    #expect(try session.titles == ["bench"])
  }

  @Test mutating func `a second modal over a stack is refused`() throws {
    try session.verb("start-modal")
    // The stack of the lab is covered by that of the assistant, so the lab cannot present over it once more.
    session.expectRejected(.unavailable(.modalIsOpen)) { try $0.verb("present", "two") }
  }

  @Test mutating func `a child in a dismissed modal is cancelled`() throws {
    try session.verb("start-modal")
    #expect(try session.coordinators == ["lab", "assistant"])
    try session.perform(.dismiss)
    #expect(try session.coordinators == ["lab"])
    #expect(try session.heard == ["cancelled"])
  }

  @Test func `modals beyond the nesting limit are refused, and every accepted state can be read`() throws {
    var session = try Session(limits: .init(depth: 2))
    let nesting = session.app.limits.nesting
    for _ in 1..<nesting { try session.verb("present") }
    #expect(try session.view.modals == nesting - 1)
    session.expectRejected(.tooDeep(limit: nesting)) { try $0.verb("present") }
  }
}
