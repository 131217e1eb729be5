import Testing
import Values

@testable import Navigation

/// push, pushSingleTop, bringToFront, pop, popTo, popToRoot, replaceTop and setStack.
@Suite struct StackTests {
  var session: Session

  init() throws {
    session = try Session()
    try session.verb("push", "a")
  }

  @Test mutating func `push adds a screen on top`() throws { #expect(try session.titles == ["bench", "a"]) }

  @Test mutating func `push beyond the depth is refused`() throws {
    var session = self.session
    let shallow = try AppDefinition(Lab.app, limits: .init(depth: 2))
    #expect(throws: Rejection.tooDeep(limit: 2)) {
      try shallow.perform(
        .action(name: "do", input: .object([("verb", "push"), ("label", "b")])), on: session.packed)
    }
    try session.verb("pop")
  }

  @Test mutating func `single-top pushes no second copy of the top`() throws {
    try session.verb("single-top", "a")
    #expect(try session.titles == ["bench", "a"])
    try session.verb("single-top", "b")
    #expect(try session.titles == ["bench", "a", "b"])
  }

  @Test func `bringToFront moves no screen of another coordinator`() throws {
    var nest = try Session(Nest.app)
    for verb in ["hide", "start", "front"] { try nest.grow(verb) }
    #expect(try nest.titles == ["Twig", "Hollow", "Twig", "Hollow"])
    for verb in ["push", "front"] { try nest.grow(verb) }
    #expect(try nest.titles == ["Twig", "Hollow", "Twig", "Twig", "Hollow"])
  }

  @Test func `bringToFront sets the new leave policy`() throws {
    var nest = try Session(Nest.app)
    for verb in ["hide", "push"] { try nest.grow(verb) }
    try nest.grow("front", "sealed")
    #expect(try nest.titles == ["Twig", "Twig", "Hollow"])
    #expect(try nest.view.back == nil)
    try nest.grow("front", "free")
    #expect(try nest.view.back != nil)
  }

  @Test mutating func `bringToFront moves the entry with its id, or pushes it`() throws {
    try session.verb("to-front")
    let id = try session.view.entry.id
    try session.verb("push", "b")
    try session.verb("to-front")
    #expect(try session.titles == ["bench", "a", "b", "Careful"])
    #expect(try session.view.entry.id == id)
  }

  @Test mutating func `pop removes the top`() throws {
    try session.verb("pop")
    #expect(try session.titles == ["bench"])
  }

  @Test mutating func `pop of more entries than there are is refused`() throws {
    session.expectRejected(.fault(.cannotPop(count: 9, of: 2))) { try $0.verb("pop-9") }
  }

  @Test mutating func `pop of the last entry of the root stack starts the root again`() throws {
    let first = try session.titles.first
    try session.verb("pop")
    let lowest = try session.state.root.entries[0].id
    try session.verb("pop")
    #expect(try session.titles.first == first)
    #expect(try session.state.root.entries[0].id > lowest)
  }

  @Test mutating func `popTo removes the entries over a screen, and is refused without one`() throws {
    session.expectRejected { try $0.verb("pop-to") }
    try session.verb("push-careful")
    try session.verb("push", "b")
    try session.verb("pop-to")
    #expect(try session.titles == ["bench", "a", "Careful"])
  }

  @Test mutating func `popToRoot is idempotent`() throws {
    try session.verb("push", "b")
    for _ in 0..<2 {
      try session.verb("pop-to-root")
      #expect(try session.titles == ["bench"])
    }
  }

  @Test mutating func `replaceTop replaces the top by a new entry`() throws {
    let id = try session.view.entry.id
    try session.verb("replace", "b")
    #expect(try session.titles == ["bench", "b"])
    #expect(try session.view.entry.id != id)
  }

  @Test mutating func `setStack replaces all entries, and is refused without screens`() throws {
    session.expectRejected { try $0.verb("set-none") }
    try session.verb("set")
    #expect(try session.titles == ["one", "two"])
  }

  @Test func `replaceTop on a stack without entries pushes`() throws {
    var relay = try Session(Relay.app)
    #expect(try relay.titles == ["Stretch 1"])
    try relay.act("pass-on", ["way": "replace"])
    #expect(try relay.titles == ["Stretch 2"])
    #expect(try relay.coordinators == ["relay"])
  }
}

/// present, dismiss and dismissAll.
@Suite struct ModalTests {
  var session: Session

  init() throws { session = try Session() }

  @Test mutating func `a screen is presented over the stack, and dismissed by the user`() throws {
    try session.verb("present", "modal")
    #expect(try session.titles == ["modal"])
    #expect(try session.view.modals == 1)
    try session.perform(.dismiss)
    #expect(try session.titles == ["bench"])
    session.expectRejected(.unavailable(.noModal)) { try $0.perform(.dismiss) }
    session.expectRejected(.fault(.nothingToDismiss)) { try $0.verb("dismiss") }
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

  @Test mutating func `a modal lies over those that are open over the stack of its coordinator`() throws {
    try session.verb("start-modal")
    // The lab presents, whose stack the assistant covers.
    try session.verb("present", "two")
    #expect(try session.titles == ["two"])
    #expect(try session.state.stacks.count(where: \.isModal) == 2)
    try session.perform(.dismiss)
    #expect(try session.coordinators == ["lab", "assistant"])
  }

  @Test mutating func `a child in a dismissed modal is cancelled`() throws {
    try session.verb("start-modal")
    #expect(try session.coordinators == ["lab", "assistant"])
    try session.perform(.dismiss)
    #expect(try session.coordinators == ["lab"])
    #expect(try session.received == ["cancelled"])
  }

  @Test func `modals beyond the nesting limit are refused, and every accepted state can be read`() throws {
    var session = try Session(limits: .init(depth: 2))
    let nesting = session.app.limits.nesting
    for _ in 1..<nesting { try session.verb("present") }
    #expect(try session.view.modals == nesting - 1)
    session.expectRejected(.tooDeep(limit: nesting)) { try $0.verb("present") }
  }
}
