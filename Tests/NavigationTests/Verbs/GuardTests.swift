import Navigation
import Testing
import Values

/// Guards, and the intents that are pending until they pass.
@Suite struct GuardTests {
  var session: Session

  init() throws { session = try Session(Vault.app) }

  private var showsProtected: Bool {
    get throws { try session.coordinators.contains("safe") }
  }

  @Test mutating func `an action that meets a failing guard is pending, and is performed once when the guard passes`()
    throws
  {
    try session.act("safe")
    #expect(try session.view.screen.name == "lock")
    #expect(try session.state.pending != nil)
    #expect(try !showsProtected)
    try session.act("unlock")
    #expect(try session.view.screen.name == "treasure")
    #expect(try session.state.pending == nil)
    try session.perform(.dismiss)
    #expect(try session.view.screen.name == "item-list")
    #expect(try session.coordinators == ["vault", "items", "notes"])
  }

  @Test mutating func `after the guard has passed, actions are performed immediately`() throws {
    try session.act("safe")
    try session.act("unlock")
    try session.perform(.dismiss)
    try session.act("safe")
    #expect(try session.view.screen.name == "treasure")
  }

  @Test mutating func `dismissing the modal of the guard drops the pending intent`() throws {
    try session.act("safe")
    try session.perform(.dismiss)
    #expect(try session.state.pending == nil)
    #expect(try session.view.screen.name == "item-list")
  }

  @Test mutating func `back from the modal of the guard drops the pending intent`() throws {
    try session.act("safe")
    try session.perform(.back)
    #expect(try session.state.pending == nil)
  }

  @Test mutating func `a link that meets a failing guard is pending too`() throws {
    try session.act("open", ["number": 3])
    try session.perform(.open(link: "/safe"))
    #expect(try session.view.screen.name == "lock")
    #expect(try !showsProtected)
    try session.act("unlock")
    #expect(try session.view.screen.name == "treasure")
    try session.perform(.back)
    #expect(try session.titles == ["Items"])
  }

  @Test mutating func `a guarded coordinator is removed when its guard begins to fail`() throws {
    try session.act("safe")
    try session.act("unlock")
    try session.act("lock-up")
    #expect(try !showsProtected)
    #expect(try session.view.screen.name == "item-list")
    #expect(try session.state.nodes[0].state.encoding["visits"] == 1)
  }

  @Test mutating func `a later intent replaces the pending one`() throws {
    try session.act("safe")
    try session.perform(.open(link: "/items/2"))
    #expect(try session.state.pending == nil)
    #expect(try session.titles == ["Items", "Item 2"])
  }

  @Test func `a pending intent without its optional fields is carried out`() throws {
    var club = try Session(Club.app)
    try club.act("go-up")
    #expect(try club.view.screen.name == "counter")
    try club.act("take-key")
    #expect(try club.view.screen.name == "terrace")
    #expect(try club.state.nodes[0].state.encoding["notes"] == ["none"])
  }

  @Test func `a pending intent that is disabled when the guard passes is dropped`() throws {
    var club = try Session(Club.app)
    try club.act("go-up", ["note": "soon"])
    try club.act("toggle")
    try club.act("take-key")
    #expect(try club.view.screen.name == "hall")
    #expect(try club.state.pending == nil)
  }

  @Test func `the button of a prompt that meets a failing guard is pending, and is performed when the guard passes`()
    throws
  {
    var club = try Session(Club.app)
    try club.act("write", ["what": "letter"])
    try club.act("invite")
    try club.act("go-up", ["note": "soon"])
    #expect(try club.view.screen.name == "counter")
    #expect(try club.view.prompt == nil)
    try club.act("take-key")
    #expect(try club.view.screen.name == "terrace")
    #expect(try club.state.nodes[0].state.encoding["notes"] == ["soon"])
    #expect(try club.state.pending == nil)
  }

  @Test func `a guarded screen shows once its guard passes, and is removed when it fails again`() throws {
    var club = try Session(Club.app)
    try club.act("go-down")
    #expect(try club.view.screen.name == "pamphlet")
    try club.act("join")
    #expect(try club.titles == ["Hall", "Cellar"])
    try club.act("resign")
    #expect(try club.titles == ["Hall"])
  }

  @Test func `back from the screen of the guard drops the pending intent`() throws {
    var club = try Session(Club.app)
    try club.act("go-down")
    try club.perform(.back)
    #expect(try club.state.pending == nil)
    try club.act("enrol")
    #expect(try club.titles == ["Hall"])
  }

  @Test func `a button of the prompt of the guard carries out the pending intent`() throws {
    var club = try Session(Club.app)
    try club.act("go-out")
    #expect(try club.view.prompt?.name == "rules")
    try club.act("enrol")
    #expect(try club.titles == ["Hall", "Garden"])
  }

  @Test func `closing the prompt of the guard drops the pending intent`() throws {
    var club = try Session(Club.app)
    try club.act("go-out")
    try club.perform(.back)
    #expect(try club.state.pending == nil)
    try club.act("enrol")
    #expect(try club.titles == ["Hall"])
  }
}
