import Flows
import Navigation
import Testing
import UsherTesting

/// Ways through several guards, modals and tabs at once: each reaches its end, whatever lies on it.
@Suite struct GuardedWayTests {
  /// Performs the steps of a person, through the packed form of the session.
  private static func walk(_ session: inout TestSession, _ steps: [String]) throws {
    for step in steps {
      #expect(try session.app.unpack(session.app.pack(session.state)) == session.state)
      switch step {
      case _ where step.hasPrefix("/"): try session.open(step)
      case _ where step.hasPrefix("tab:"): try session.select(tab: String(step.dropFirst(4)))
      case "back": try session.back()
      case "wait": try session.advance(by: .seconds(1))
      default: try session.act(step)
      }
    }
  }

  private static func expectNothingWaits(in session: TestSession) {
    #expect(session.state.pending == nil && session.state.lockedStarts.isEmpty && session.state.prompt == nil)
  }

  @Test(arguments: ["checkout", "gift"]) func `a sign-in in steps lies over the modal of the person`(action: String)
    throws
  {
    var session = try NavigationCaseTests.session("sign-in-over-modal")
    try Self.walk(&session, ["shop", action, "next"])
    #expect(session.view.screen.name == "pin")
    try Self.walk(&session, ["enter"])
    #expect(session.names == ["cart", action == "checkout" ? "pay" : "gift"] && session.view.modals == 1)
    Self.expectNothingWaits(in: session)
  }

  @Test func `the coordinator of a guard dismisses the sign-in and not the modal under it`() throws {
    var session = try NavigationCaseTests.session("sign-in-over-modal")
    try Self.walk(&session, ["shop", "card", "sign-in"])
    #expect(session.names == ["cart", "card"] && session.view.modals == 1)
    session = try NavigationCaseTests.session("sign-in-over-modal")
    try Self.walk(&session, ["tabs", "tab:club", "sign-in"])
    #expect(session.names == ["club"] && session.view.modals == 0)
    Self.expectNothingWaits(in: session)
  }

  @Test(arguments: ["modal", "tab:club"]) func `a coordinator waits for a sign-in of several children`(way: String)
    throws
  {
    var session = try NavigationCaseTests.session("locked-in-steps")
    try Self.walk(&session, [way, "next"])
    #expect(session.view.screen.name == "pin")
    try Self.walk(&session, ["enter"])
    #expect(session.view.screen.name == "first")
  }

  @Test(arguments: [["/wine"], ["quick"], ["shop", "wine"]], [false, true])
  func `a guard of a coordinator that the way has started asks where the way is`(way: [String], atStart: Bool) throws {
    var session = try NavigationCaseTests.session("asks-in-modal", link: atStart && way == ["/wine"] ? "/wine" : nil)
    if !(atStart && way == ["/wine"]) { try Self.walk(&session, way) }
    #expect(session.view.prompt != nil && session.names == ["shelf"])
    try Self.walk(&session, ["yes"])
    #expect(session.names == ["shelf", "wine"] && session.view.modals == 1)
    Self.expectNothingWaits(in: session)
  }

  @Test(arguments: [["staff"], ["/refunds"], ["desk", "refund"]])
  func `a reaction replaces no screen of the parent`(way: [String]) throws {
    var session = try NavigationCaseTests.session("not-allowed")
    try Self.walk(&session, way)
    #expect(session.names == ["home", "not-allowed"])
    try Self.walk(&session, ["back"])
    #expect(session.names == ["home"])
  }

  @Test(arguments: [
    ("tab-behind-two", "/more", ["sign-in", "enter"], ["vault", "more"]),
    ("made-tab-behind-two", "/more", ["sign-in", "enter"], ["vault", "more"]),
    ("link-makes-tabs", "/offer", ["enter"], ["club", "offer"]),
    ("link-into-modal-tab", "/cards/order", ["enter"], ["cards", "order"]),
    ("rest-over-chooser", "/tea", ["enter"], ["home", "pay"]),
    ("rest-over-chooser", "/gift", ["open"], ["home", "gift"]),
    ("rest-behind-tab", "/pay", ["yes", "next", "member"], ["home", "cart", "pay"]),
    ("link-over-locked", "/more", ["turn"], ["home", "safe", "more"]),
    ("sign-in-with-gate", "/gold", ["enter", "done"], ["gold"]),
    ("guarded-tab-bar", "/b", ["ok"], ["b"]),
    ("rest-after-steps", "/offer", ["enter"], ["home", "offer"]),
    ("rest-after-steps", "/note", ["enter"], ["sheet", "note"]),
    ("rest-after-steps", "/twice", ["enter", "pay"], ["sheet", "note"]),
  ])
  func `a link goes on where a guard has stopped it`(app: String, link: String, steps: [String], end: [String]) throws {
    for isStart in [true, false] {
      var session = try NavigationCaseTests.session(app, link: isStart ? link : nil)
      if !isStart { try session.open(link) }
      try Self.walk(&session, steps)
      #expect(session.names == end, "\(isStart)")
      Self.expectNothingWaits(in: session)
    }
  }

  @Test func `steps of a handler go on in their tab behind a guard that selects another one`() throws {
    var session = try NavigationCaseTests.session("rest-behind-tab")
    try Self.walk(&session, ["promo", "yes"])
    #expect(session.names == ["login"])
    try Self.walk(&session, ["next"])
    #expect(session.names == ["code"])
    try Self.walk(&session, ["member"])
    #expect(session.names == ["home", "cart", "pay"])
    Self.expectNothingWaits(in: session)
  }

  @Test func `an event makes tabs and follows steps into a locked one`() throws {
    var session = try NavigationCaseTests.session("event-makes-tabs")
    try session.advance(by: .seconds(1))
    #expect(session.view.screen.name == "sign-in" && session.state.pending != nil)
    try Self.walk(&session, ["enter"])
    #expect(session.names == ["club", "offer"])
  }

  @Test func `steps into a locked tab wait, also while it shows its reaction`() throws {
    var session = try NavigationCaseTests.session("event-makes-tabs")
    try Self.walk(&session, ["begin", "ask", "later", "tab:club", "ask", "see", "enter"])
    #expect(session.names == ["club", "offer"])
    Self.expectNothingWaits(in: session)
    session = try NavigationCaseTests.session("event-makes-tabs")
    try Self.walk(&session, ["begin", "tab:club", "ask", "see-here", "enter"])
    #expect(session.names == ["club", "offer"])
    Self.expectNothingWaits(in: session)
  }

  @Test func `a person who turns away from a step of a link gives up its rest`() throws {
    var session = try NavigationCaseTests.session("dropped-link", link: "/gift")
    try Self.walk(&session, ["enter"])
    #expect(session.view.screen.name == "age" && session.state.pendingIntents.count == 2)
    var refusing = session
    try refusing.dismiss()
    #expect(refusing.names == ["home", "shop"])
    Self.expectNothingWaits(in: refusing)
    try Self.walk(&session, ["yes"])
    #expect(session.names == ["home", "shop", "wine", "cellar", "gift"])
    Self.expectNothingWaits(in: session)
  }

  @Test func `an action of a tab shows its result although the guard leaves a gate over the tabs`() throws {
    var session = try NavigationCaseTests.session("gate-over-tabs")
    try Self.walk(&session, ["wine", "open"])
    #expect(session.names == ["home", "wine"])
    Self.expectNothingWaits(in: session)
  }

  @Test func `an intent is dropped with the coordinator of its guard, also behind another intent`() throws {
    var session = try NavigationCaseTests.session("guardian-ends")
    try Self.walk(&session, ["shop", "vault", "club"])
    #expect(session.names == ["login"] && session.state.pendingIntents.count == 1)
    try Self.walk(&session, ["enter"])
    #expect(session.names == ["login", "club"])
    Self.expectNothingWaits(in: session)
  }

  @Test(arguments: [
    ("steps-in-modal", ["offer", "buy", "enter"], ["club", "order"]),
    ("steps-in-modal", ["offer", "buy2", "enter"], ["club", "order"]),
    ("sign-in-with-gate", ["both", "enter", "done"], ["gold"]),
    ("vacant-with-gate", ["enter", "done", "go"], ["home"]),
    ("guarded-tab-bar", ["present", "ok"], ["a"]),
    ("guarded-tab-bar", ["start", "ok"], ["a"]),
    ("steps-to-locked-tab", ["select", "enter"], ["club", "detail"]),
    ("steps-to-locked-tab", ["reselect", "enter"], ["club", "detail"]),
    ("steps-to-locked-tab", ["two", "enter"], ["club", "detail"]),
    ("steps-to-locked-tab", ["tab:club", "tab:shop", "select", "enter"], ["club", "detail"]),
    ("steps-to-locked-tab", ["tab:club", "again", "enter"], ["club", "detail"]),
  ])
  func `an action ends where it would have ended without guards`(app: String, steps: [String], end: [String]) throws {
    var session = try NavigationCaseTests.session(app)
    try Self.walk(&session, steps)
    #expect(session.names == end)
    Self.expectNothingWaits(in: session)
  }

  @Test func `a link ends what waits for its start before it shows its target`() throws {
    var session = try NavigationCaseTests.session("link-over-locked")
    try Self.walk(&session, ["/more", "/more"])
    #expect(session.names == ["home", "key"])
    try Self.walk(&session, ["turn"])
    #expect(session.names == ["home", "safe", "more"])
    try Self.walk(&session, ["back", "back", "other", "/offer"])
    #expect(session.names == ["home", "offer"])
  }

  @Test func `a prompt of the start lies over the target of a link`() throws {
    var session = try NavigationCaseTests.session("start-that-asks", link: "/offer")
    #expect(session.names == ["home", "offer"] && session.view.prompt != nil)
    try Self.walk(&session, ["close"])
    #expect(session.names == ["home", "offer"])
    Self.expectNothingWaits(in: session)
  }

  @Test func `the question of a coordinator that waits for its start waits behind the open prompt`() throws {
    var session = try NavigationCaseTests.session("start-that-asks")
    try Self.walk(&session, ["close", "later"])
    try session.advance(by: .seconds(1))
    try Self.walk(&session, ["close"])
    #expect(session.view.prompt != nil && session.names == ["home"])
    try Self.walk(&session, ["yes"])
    #expect(session.names == ["home", "vault"])
    Self.expectNothingWaits(in: session)
  }

  @Test(arguments: [
    (["safe", "unlock"], ["home", "safe"]), (["vault", "unlock"], ["home", "vault"]),
    (["soon", "safe", "wait"], ["home", "safe"]), (["soon", "vault", "wait"], ["home", "vault"]),
    (["/cellar", "unlock"], ["home", "cellar"]), (["cellar", "unlock"], ["home", "cellar"]),
    (["ask", "accept", "unlock"], ["home", "safe"]), (["ask", "decline", "unlock"], ["home", "attic"]),
    (["attic", "unlock"], ["home", "attic"]), (["soon", "attic", "wait"], ["home", "attic"]),
    (["roof", "unlock"], ["home", "roof"]), (["soon", "roof", "wait"], ["home", "roof"]),
  ])
  func `a gate is over once its guard passes`(steps: [String], end: [String]) throws {
    var session = try NavigationCaseTests.session("gate-under-modal")
    try Self.walk(&session, steps)
    #expect(session.names == end && session.view.modals == 0)
    Self.expectNothingWaits(in: session)
  }

  @Test(arguments: [
    (["safe", "open", "enter"], ["home", "hall", "safe"]), (["roof", "open", "enter"], ["home", "roof"]),
    (["prompt", "vault", "wait", "wait", "ok"], ["home", "vault"]),
    (["prompt", "both", "wait", "wait", "ok"], ["home", "hall", "vault"]),
    (["sealed", "vault", "wait", "wait", "leave"], ["home", "hall", "vault"]),
    (["vault", "welcome"], ["home", "welcome", "vault"]),
    (["own", "read"], ["home", "first"]), (["sheet", "read"], ["first"]),
    (["sealed", "vault", "wait", "wait", "close", "open", "leave"], ["home", "hall", "vault"]),
    (["roof", "open", "know"], ["home", "roof"]), (["/far", "know"], ["kid", "vault"]),
  ])
  func `a gate that waits for something else is over as well`(steps: [String], end: [String]) throws {
    var session = try NavigationCaseTests.session("gate-left-open")
    try Self.walk(&session, steps)
    #expect(session.names == end && session.view.modals == (steps[0] == "sheet" ? 1 : 0))
    Self.expectNothingWaits(in: session)
  }

  @Test func `the gate before the button of a prompt leaves the modal that lay under the prompt`() throws {
    var session = try NavigationCaseTests.session("gate-under-modal")
    try Self.walk(&session, ["later", "wait", "accept"])
    #expect(session.view.screen.name == "gate")
    try Self.walk(&session, ["unlock"])
    #expect(session.names == ["sheet"] && session.view.modals == 1)
    try session.dismiss()
    #expect(session.names == ["home", "safe"])
    Self.expectNothingWaits(in: session)
  }

  @Test(arguments: [["soon", "beer", "wait"], ["beer", "approve"]])
  func `the gate of a tab shows once, whatever opens the guard before it`(steps: [String]) throws {
    var session = try NavigationCaseTests.session("follow-two-gates")
    try Self.walk(&session, steps)
    #expect(session.names == ["age"])
    try Self.walk(&session, ["confirm"])
    #expect(session.names == ["shop", "beer"])
    Self.expectNothingWaits(in: session)
  }

  @Test func `a question stays open under a screen that an event shows`() throws {
    var session = try NavigationCaseTests.session("late-leave-question")
    try Self.walk(&session, ["soon", "edit", "/offer", "wait"])
    #expect(session.names == ["news"] && session.view.prompt != nil)
    try Self.walk(&session, ["leave"])
    #expect(session.names == ["home", "offer"])
    Self.expectNothingWaits(in: session)
  }

  @Test func `an action shows its result although an event has opened a modal over its screen`() throws {
    var session = try NavigationCaseTests.session("late-leave-question")
    try Self.walk(&session, ["soon", "deal", "wait"])
    #expect(session.names == ["news"] && session.view.prompt?.name == "join")
    try Self.walk(&session, ["join"])
    #expect(session.names == ["home", "deal"] && session.view.modals == 0)
    Self.expectNothingWaits(in: session)
  }
}
