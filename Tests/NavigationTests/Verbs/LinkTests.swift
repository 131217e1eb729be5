import Testing
import Values

@testable import Navigation

@Suite struct LinkTests {
  var session: Session

  init() throws { session = try Session(Vault.app) }

  @Test mutating func `a link builds its target with the back stack that belongs under it`() throws {
    try session.perform(.tab("notes"))
    try session.perform(.open(link: "/items/4"))
    #expect(try session.titles == ["Items", "Item 4"])
    try session.perform(.back)
    #expect(try session.titles == ["Items"])
  }

  @Test mutating func `a link is one revision, and a second one starts from the root again`() throws {
    try session.perform(.open(link: "/items/4"))
    try session.perform(.open(link: "/items/5"))
    #expect(try session.titles == ["Items", "Item 5"])
    #expect(try session.state.revision == 3)
  }

  @Test mutating func `a link dismisses modals`() throws {
    try session.act("safe")
    try session.act("unlock")
    try session.perform(.open(link: "/items/1"))
    #expect(try session.view.modals == 0)
    #expect(try session.titles == ["Items", "Item 1"])
  }

  @Test(arguments: [
    "items/1", "/nothing", "/items", "/items/1/2", "/items/0", "/items/x", "/items/0x1", "/items/+1", "/items/01",
    "/items/%zz", "",
  ])
  mutating func `a link with no pattern or an invalid field is rejected`(link: String) throws {
    session.expectRejected { try $0.perform(.open(link: link)) }
  }

  @Test func `a combining character does not hide a separator`() throws {
    let location = try #require(LinkLocation("/items/\u{301}x?a=1&\u{301}b=\u{301}2#\u{301}"))
    #expect(location.path == ["items", "\u{301}x"])
    #expect(location.query == ["a": "1", "\u{301}b": "\u{301}2"])
  }

  @Test mutating func `a rejected link names the step that failed`() throws {
    do {
      try session.perform(.open(link: "/items/0"))
      Issue.record("The link was accepted.")
    } catch Rejection.invalidLink(let step, _) {
      #expect(step == "/items/{number}")
    }
  }

  @Test func `a session may begin with a link`() throws {
    let app = try AppDefinition(Vault.app)
    let created = try app.begin(link: "/items/7").state
    #expect(created.revision == 1)
    #expect(try app.view(of: created).title == "Item 7")
  }

  @Test func `a link that meets a question is opened after the answer`() throws {
    var club = try Session(Club.app)
    try club.act("write", ["what": "letter"])
    try club.perform(.open(link: "/rooms/red"))
    #expect(try club.view.prompt?.name == "leave")
    try club.act("leave")
    #expect(try club.titles == ["Hall", "The red room"])
  }
}
