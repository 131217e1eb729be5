import Navigation
import Testing
import Values

/// Property 26: every removal of an entry is subject to its leave policy.
@Suite struct LeavePolicyTests {
  /// The commands that remove the top entry without going forward.
  static let ways = ["back", "pop", "pop-to-root", "pop-to-sheet"]

  private func attempt(_ way: String, _ session: inout Session) throws {
    if way == "back" { try session.perform(.back) } else { try session.verb(way) }
  }

  @Test(arguments: ways) func `26: a sealed entry cannot be removed`(way: String) throws {
    var session = try Session()
    try session.verb("push-sealed")
    #expect(try session.view.back == nil)
    session.expectRejected(.unavailable(.screenIsSealed)) { try attempt(way, &$0) }
  }

  @Test(arguments: ways) func `26: a confirm entry asks before it is removed`(way: String) throws {
    var session = try Session()
    try session.verb("push-careful")
    let before = try session.titles
    try attempt(way, &session)
    #expect(try session.view.prompt?.name == "leave")
    #expect(try session.titles == before)
    try session.act("stay")
    #expect(try session.titles == before && session.view.prompt == nil)
    try attempt(way, &session)
    try session.act("leave")
    #expect(try session.titles == ["bench"])
  }

  @Test func `26: a confirm entry asks before dismiss, dismissAll and back on a modal`() throws {
    for way in ["dismiss", "dismiss-all", "back", "user"] {
      var session = try Session()
      try session.verb("present-careful")
      switch way {
      case "user": try session.perform(.dismiss)
      case "back": try session.perform(.back)
      default: try session.verb(way)
      }
      #expect(try session.view.prompt?.name == "leave", "\(way)")
      try session.act("leave")
      #expect(try session.view.modals == 0)
    }
  }

  @Test func `26: a confirm entry in a modal over a modal asks before dismissAll`() throws {
    var session = try Session()
    try session.verb("present")
    try session.verb("present-careful")
    try session.verb("dismiss-all")
    #expect(try session.view.prompt?.name == "leave")
    try session.act("leave")
    #expect(try session.view.modals == 0)
  }

  @Test(arguments: ["free", "confirm", "sealed"])
  func `26: the leave policies in and under a modal over a hidden tab apply`(
    policy: String
  ) throws {
    var nest = try Session(Nest.app)
    for verb in ["startModal", "tabs"] { try nest.grow(verb) }
    try nest.perform(.tab("right"))
    try nest.grow("present", policy)
    try nest.grow("select")
    let isSealed = policy == "sealed"
    #expect(try nest.view.canDismiss == !isSealed)
    for way in [Intent.dismiss, .action(name: "grow", input: ["verb": "dismissAll", "policy": "free"])] {
      if isSealed {
        nest.expectRejected { try $0.perform(way) }
        continue
      }
      var leaving = nest
      try leaving.perform(way)
      #expect(try leaving.view.prompt?.name == (policy == "confirm" ? "leave" : nil))
      if policy == "confirm" { try leaving.act("leave") }
      #expect(try leaving.view.modals == 0)
      #expect(try leaving.titles == ["Twig"])
    }
  }

  @Test func `26: the coordinator of an entry may replace it without a confirmation`() throws {
    for way in ["replace", "set"] {
      for policy in ["push-careful", "push-sealed"] {
        var session = try Session()
        try session.verb(policy)
        try session.verb(way)
        #expect(try session.view.prompt == nil)
        #expect(try session.view.screen.name == "sheet")
      }
    }
  }

  @Test func `two confirm entries ask one after the other`() throws {
    var session = try Session()
    try session.verb("push-careful")
    try session.verb("push-careful")
    try session.verb("pop-to-root")
    try session.act("leave")
    #expect(try session.view.prompt?.name == "leave")
    try session.act("leave")
    #expect(try session.titles == ["bench"])
  }

  @Test(arguments: ["confirm", "sealed"]) func `26: the leave policy applies to the finish of an ancestor`(
    policy: String
  ) throws {
    var session = try Session()
    try session.verb("start")
    try session.act("delegate")
    try session.act("promise", ["policy": Value(policy)])
    if policy == "sealed" { return session.expectRejected(Self.sealed) { try $0.act("report", ["word": "done"]) } }
    try session.act("report", ["word": "done"])
    #expect(try session.view.prompt?.name == "leave")
    #expect(try session.received == [])
    try session.act("leave")
    #expect(try session.coordinators == ["lab"])
    #expect(try session.received == ["finished done"])
  }

  /// The intents that remove the entries of the visible tab.
  static let tabWays = [Intent.tab("lounge"), .open(link: "/rooms/red")]

  @Test(arguments: tabWays) func `26: a confirm entry asks before a reselection and a link`(way: Intent) throws {
    var club = try Session(Club.app)
    try club.act("write", ["what": "letter"])
    let before = try club.titles
    try club.perform(way)
    #expect(try club.view.prompt?.name == "leave")
    #expect(try club.titles == before)
    try club.act("leave")
    #expect(try club.titles == (way == .tab("lounge") ? ["Hall"] : ["Hall", "The red room"]))
  }

  @Test(arguments: tabWays) func `26: a sealed entry refuses a reselection and a link`(way: Intent) throws {
    var club = try Session(Club.app)
    try club.act("write", ["what": "contract"])
    club.expectRejected { try $0.perform(way) }
    club.expectRejected(Self.sealed) { try $0.perform(.tab("lounge")) }
    #expect(try club.view.tabBars.map(\.canSelect) == [[false, true]])
  }

  @Test func `an intent that fails even with a confirmation is rejected immediately`() throws {
    var club = try Session(Club.app)
    try club.perform(.tab("kitchen"))
    try club.act("toggle")
    try club.perform(.tab("lounge"))
    try club.act("write", ["what": "letter"])
    club.expectRejected(.invalidLink(step: "action go-up", .unavailable(.stated("The roof is closed.")))) {
      try $0.perform(.open(link: "/roof"))
    }
  }

  private static let sealed = Rejection.unavailable(.screenIsSealed)
}
