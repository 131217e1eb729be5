import Navigation
import Testing
import Values

/// Property 26: every way of removing an entry asks its leave policy alike.
@Suite struct LeavePolicyTests {
  /// Ways to remove the top entry that are not its own coordinator's way forward.
  static let ways = ["back", "pop", "pop-to-root", "pop-to-sheet"]

  private func attempt(_ way: String, _ session: inout Session) throws {
    if way == "back" { try session.perform(.back) } else { try session.verb(way) }
  }

  @Test(arguments: ways) func `26: a sealed entry lets nobody pass`(way: String) throws {
    var session = try Session()
    try session.verb("push-sealed")
    #expect(try session.view.back == nil)
    session.expectRejected(.unavailable(.screenIsSealed)) { try attempt(way, &$0) }
  }

  @Test(arguments: ways) func `26: a confirm entry asks first, and then lets pass`(way: String) throws {
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

  @Test func `26: so do dismiss, dismissAll and back on a modal`() throws {
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

  @Test func `26: dismissAll asks the modals over a modal`() throws {
    var session = try Session()
    try session.verb("present")
    try session.verb("present-careful")
    try session.verb("dismiss-all")
    #expect(try session.view.prompt?.name == "leave")
    try session.act("leave")
    #expect(try session.view.modals == 0)
  }

  @Test(arguments: ["free", "confirm", "sealed"]) func `26: a modal over a hidden tab is asked with the entries under it`(
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

  @Test func `26: an entry's own coordinator goes forward without being asked`() throws {
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

  @Test func `two entries that ask are asked about one after the other`() throws {
    var session = try Session()
    try session.verb("push-careful")
    try session.verb("push-careful")
    try session.verb("pop-to-root")
    try session.act("leave")
    #expect(try session.view.prompt?.name == "leave")
    try session.act("leave")
    #expect(try session.titles == ["bench"])
  }

  @Test(arguments: ["confirm", "sealed"]) func `26: so does the finish of an ancestor`(policy: String) throws {
    var session = try Session()
    try session.verb("start")
    try session.act("delegate")
    try session.act("promise", ["policy": Value(policy)])
    if policy == "sealed" { return session.expectRejected(Self.sealed) { try $0.act("report", ["word": "done"]) } }
    try session.act("report", ["word": "done"])
    #expect(try session.view.prompt?.name == "leave")
    #expect(try session.heard == [])
    try session.act("leave")
    #expect(try session.coordinators == ["lab"])
    #expect(try session.heard == ["finished done"])
  }

  /// Ways to remove what lies in the tab that shows.
  static let tabWays = [Intent.tab("lounge"), .open(link: "/rooms/red")]

  @Test(arguments: tabWays) func `26: so do a tab's reselection and a link, of an entry that asks`(way: Intent) throws {
    var club = try Session(Club.app)
    try club.act("write", ["what": "letter"])
    let before = try club.titles
    try club.perform(way)
    #expect(try club.view.prompt?.name == "leave")
    #expect(try club.titles == before)
    try club.act("leave")
    #expect(try club.titles == (way == .tab("lounge") ? ["Hall"] : ["Hall", "The red room"]))
  }

  @Test(arguments: tabWays) func `26: and of a sealed one`(way: Intent) throws {
    var club = try Session(Club.app)
    try club.act("write", ["what": "contract"])
    club.expectRejected { try $0.perform(way) }
    club.expectRejected(Self.sealed) { try $0.perform(.tab("lounge")) }
    #expect(try club.view.canSelect == [false, true])
  }

  @Test func `nobody is asked for what is rejected after the answer`() throws {
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
