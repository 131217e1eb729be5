import Navigation
import Testing
import Values

/// Guards on the first entry of a stack. A locked stack is never empty: it shows the offer of the guard.
@Suite struct LockedTabTests {
  private func signedIn() throws -> Session { try Session(Archive.app, input: ["isSignedIn": true]) }

  private func roots(_ session: Session) throws -> [String] {
    guard case .tabs(let bar)? = try session.state.root.entries.first?.content else { return [] }
    return try bar.tabs.map { tab in
      let entries = try session.state.stack(tab.stack)?.entries ?? []
      return entries.map { session.app.screens[$0.screen ?? 0].name }.joined(separator: " ")
    }
  }

  @Test func `a tab with a guarded root coordinator shows the offer of the guard`() throws {
    let session = try Session(Archive.app)
    #expect(try roots(session) == ["gate", "gate", "counters"])
    #expect(try session.view.screen.name == "gate")
    #expect(try session.view.modals == 0 && session.view.back == nil)
    #expect(try session.view.tabBar?.tabs.map(\.name) == ["folders", "shelves", "reception"])
    #expect(try session.view.tabBar?.tabs[0].badge == nil)
  }

  @Test func `every locked tab starts once its guard passes`() throws {
    var session = try Session(Archive.app)
    try session.act("pass", ["isKnown": true])
    #expect(try roots(session) == ["folder-list", "shelf-list", "counters"])
    #expect(try session.view.screen.name == "folder-list")
    #expect(try session.view.tabBar?.tabs[0].badge == 3)
    #expect(try session.coordinators == ["archive", "folders", "shelves", "reception"])
  }

  @Test func `a locked tab starts when its guard passes elsewhere`() throws {
    var session = try Session(Archive.app)
    try session.perform(.tab("reception"))
    try session.act("sign-in")
    #expect(try roots(session) == ["folder-list", "shelf-list", "counters"])
    #expect(try session.view.screen.name == "counters")
  }

  @Test func `an offer that ends without opening the guard is made again`() throws {
    var session = try Session(Archive.app)
    let first = try session.view.entry.id
    try session.act("pass", ["isKnown": false])
    #expect(try session.view.screen.name == "gate")
    #expect(try session.view.entry.id != first)
    #expect(try roots(session) == ["gate", "gate", "counters"])
  }

  @Test func `an offer stays as it is while the guard fails`() throws {
    var session = try Session(Archive.app)
    let before = try session.state.stacks
    try session.perform(.tab("shelves"))
    try session.perform(.tab("folders"))
    #expect(try session.state.stacks == before)
  }

  @Test func `a tab is locked and emptied again when its guard fails`() throws {
    var session = try signedIn()
    try session.act("open", ["id": "f1"])
    try session.perform(.tab("folders"))
    try session.act("call-clerk")
    try session.act("sign-out")
    #expect(try roots(session) == ["gate", "gate", "counters"])
    #expect(try !session.coordinators.contains("clerk"))
    // The coordinator of a tab exists as long as its bar.
    #expect(try session.state.nodes[0].state.encoding["endings"] == 0)
    try session.act("pass", ["isKnown": true])
    #expect(try session.titles == ["Folders"])
  }

  @Test func `a tab bar that is made while a guard fails shows its other tabs`() throws {
    var session = try Session(Archive.app)
    try session.perform(.tab("reception"))
    try session.act("rebuild")
    #expect(try roots(session) == ["gate", "gate", "counters"])
    #expect(try session.state.pending == nil)
  }

  @Test func `a detail is removed with the list that a guard removes`() throws {
    var session = try signedIn()
    try session.perform(.tab("shelves"))
    try session.act("open")
    #expect(try session.titles == ["Shelves", "Shelf"])
    try session.act("sign-out")
    #expect(try session.titles == ["Gate"])
  }

  @Test func `a modal detail is removed with the list that a guard removes`() throws {
    var session = try signedIn()
    try session.perform(.tab("shelves"))
    try session.act("peek")
    try session.act("sign-out")
    #expect(try session.view.modals == 0)
    #expect(try session.titles == ["Gate"])
  }

  @Test func `a locked session survives packing`() throws {
    var session = try Session(Archive.app)
    let elsewhere = try Session(Archive.app, migrating: session.packed)
    #expect(try elsewhere.state == session.state)
    session = try Session(Archive.app(version: 2), migrating: session.packed)
    try session.act("pass", ["isKnown": true])
    #expect(try session.titles == ["Folders"])
  }

  @Test func `a link into a locked tab is pending, and is opened once the guard passes`() throws {
    var session = try Session(Archive.app)
    try session.perform(.tab("reception"))
    try session.perform(.open(link: "/folders/f7"))
    #expect(try session.view.screen.name == "gate")
    #expect(try session.view.tabBar?.selected == 0)
    #expect(try session.state.pending != nil)
    try session.act("pass", ["isKnown": true])
    #expect(try session.titles == ["Folders", "Folder f7"])
    #expect(try session.state.pending == nil)
  }

  @Test func `a link into a tab whose first screen is locked is pending too`() throws {
    var session = try Session(Archive.app)
    try session.perform(.open(link: "/shelf"))
    try session.act("pass", ["isKnown": true])
    #expect(try session.titles == ["Shelves", "Shelf"])
  }

  @Test func `an offer that ends without opening the guard drops the link`() throws {
    var session = try Session(Archive.app)
    try session.perform(.open(link: "/folders/f7"))
    try session.act("pass", ["isKnown": false])
    #expect(try session.state.pending == nil)
    try session.act("pass", ["isKnown": true])
    #expect(try session.titles == ["Folders"])
  }

  @Test(arguments: ["/folders/f1", "/folders/x1", "/exhibits/e1", "/exhibits/x1"])
  func `a link behind a guard reveals nothing`(link: String) throws {
    var session = try Session(Archive.app)
    try session.perform(.tab("reception"))
    try session.perform(.open(link: link))
    #expect(try session.view.screen.name == "gate")
    #expect(try session.state.pending != nil)
  }

  @Test(arguments: ["/folders/x1", "/exhibits/x1"])
  func `an invalid link behind a guard is rejected once the guard passes`(link: String) throws {
    var session = try signedIn()
    session.expectRejected { try $0.perform(.open(link: link)) }
  }

  @Test func `a screen that setStack unlocked is removed, and the stack shows its first screen again`() throws {
    var session = try Session(App("diary", title: "Diary") { Diary() })
    try session.act("sign-in")
    #expect(try session.titles == ["Exhibits"])
    try session.act("sign-out")
    #expect(try session.titles == ["Reception"])
    try session.act("sign-in")
    #expect(try session.titles == ["Exhibits"])
  }

  @Test func `a root that starts with a guarded screen shows the offer of the guard`() throws {
    var session = try Session(App("fort", title: "Fort") { Fort() })
    #expect(try session.titles == ["Gate"])
    try session.act("pass", ["isKnown": false])
    #expect(try session.titles == ["Gate"])
    try session.act("pass", ["isKnown": true])
    #expect(try session.titles == ["Exhibits"])
  }

  @Test(arguments: ["/hall/e1", "/hall/x1"])
  func `a link behind a locked root is pending, whether it is valid or not`(link: String) throws {
    var session = try Session(App("fort", title: "Fort", links: [HallLink.self]) { Fort() }, link: link)
    #expect(try session.titles == ["Gate"])
    #expect(try session.state.pending != nil)
    try session.act("pass", ["isKnown": true])
    #expect(try session.titles == (link == "/hall/e1" ? ["Exhibits", "Exhibit"] : ["Exhibits"]))
    #expect(try session.state.pending == nil)
  }

  @Test func `an invalid link is rejected if the root is not locked`() throws {
    var session = try Session(App("fort", title: "Fort", links: [HallLink.self]) { Fort() })
    try session.act("pass", ["isKnown": true])
    session.expectRejected { try $0.perform(.open(link: "/hall/x1")) }
    try session.perform(.open(link: "/hall/e1"))
    #expect(try session.titles == ["Exhibits", "Exhibit"])
  }

  @Test func `a guard that leaves a stack empty is a fault with its place`() throws {
    let app = try AppDefinition(App("hole", title: "Hole") { Hole() })
    #expect(throws: Rejection.fault(.located(.guardLeavesStackEmpty, at: "hole › hole › guard of exhibits"))) {
      try app.begin()
    }
  }
}

/// A coordinator whose first screen leads to a guarded one that takes the whole stack.
private struct Diary: Coordinator {
  static let name = "diary"
  var isOpen = false
  func start(_ nav: inout Navigator<Self>) { nav.push(Counters()) }
  static let wiring = Wiring<Self>()
    .shows(Counters.self)
    .shows(Exhibits.self)
    .shows(Exhibit.self)
    .guards(screen: Exhibits.self, until: { $0.isOpen }, otherwise: { _, nav in nav.push(Counters()) })
    .on(SignIn.self) { me, _, nav in
      me.isOpen = true
      nav.setStack([Exhibits()])
    }
    .on(SignOut.self) { me, _, _ in me.isOpen = false }
    .on(OpenExhibit.self) { _, action, nav in nav.push(Exhibit(id: action.id)) }
    .on(OpenCase.self) { _, _, _ in }
    .on(Rebuild.self) { _, _, _ in }
}

private struct Fort: Coordinator {
  static let name = "fort"
  var isOpen = false
  func start(_ nav: inout Navigator<Self>) { nav.push(Exhibits()) }
  static let wiring = Wiring<Self>()
    .shows(Exhibits.self)
    .shows(Exhibit.self)
    .starts(Gate.self, finished: { me, result, _ in me.isOpen = result.isOpen })
    .guards(screen: Exhibits.self, until: { $0.isOpen }, otherwise: { _, nav in nav.present(Gate()) })
    .on(OpenExhibit.self) { _, action, nav in
      guard action.id.hasPrefix("e") else { return nav.refuse("There is no such exhibit.") }
      nav.push(Exhibit(id: action.id))
    }
    .on(SignOut.self) { me, _, _ in me.isOpen = false }
}

private struct HallLink: Link {
  static let pattern = "/hall/{id}"
  @Field("Exhibit") var id: String
  var steps: [Step] { [.action(OpenExhibit(id: $id))] }
}

private struct Hole: Coordinator {
  static let name = "hole"
  func start(_ nav: inout Navigator<Self>) { nav.push(Exhibits()) }
  static let wiring = Wiring<Self>()
    .shows(Exhibits.self)
    .guards(screen: Exhibits.self, until: { _ in false }, otherwise: { _, _ in })
    .on(OpenExhibit.self) { _, _, _ in }
    .on(SignOut.self) { _, _, _ in }
}
