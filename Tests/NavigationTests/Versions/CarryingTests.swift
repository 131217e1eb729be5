import Testing
import Values

@testable import Navigation

/// A session of an older build goes on in the newer one.
@Suite struct CarryingTests {
  var old: Session

  init() throws { old = try Session(OldLibrary.app) }

  /// The session as the newer build reads it.
  private var carried: Session { get throws { try Session(NewLibrary.app, carrying: old.packed) } }

  @Test mutating func `an older shape is carried wherever it occurs`() throws {
    for number in [3, 4, 3] { try old.act("open", ["number": Value(number)]) }
    let carried = try carried
    #expect(try carried.titles == ["Hall", "Book QA 3", "Book QA 4", "Book QA 3"])
    #expect(try carried.view.data == ["shelfmark": "QA 3"])
    #expect(try carried.state.nodes[0].state == ["names": ["Ada", "Byron"], "isMember": false])
  }

  @Test mutating func `only what has changed is not as it was`() throws {
    try old.act("open", ["number": 3])
    try old.act("borrow")
    let (before, after) = (try old.state, try carried.state)
    #expect(after.revision == before.revision && after.nextID == before.nextID)
    #expect(after.nodes.map(\.id) == before.nodes.map(\.id))
    #expect(after.nodes.map(\.hostStack) == before.nodes.map(\.hostStack))
    #expect(after.entriesByOwner == before.entriesByOwner)
    #expect(after.nodes[1].state == before.nodes[1].state)
    #expect(after.visibleEntry?.leavePolicy == .confirm)
    try audit(after, of: try carried.app)
  }

  @Test mutating func `a screen of another name is carried`() throws {
    try old.act("open", ["number": 3])
    for text in ["dog-eared", "torn"] { try old.act("annotate", ["text": Value(text)]) }
    var carried = try carried
    #expect(try carried.titles == ["Hall", "Book QA 3", "Remark", "Remark"])
    #expect(try carried.view.data == ["text": "torn", "isPublic": false])
    try carried.perform(.back)
    #expect(try carried.view.data == ["text": "dog-eared", "isPublic": false])
  }

  @Test mutating func `a coordinator that has been removed is carried, and its parent gets the successor's result`()
    throws
  {
    try old.act("open", ["number": 3])
    try old.act("borrow")
    var carried = try carried
    #expect(try carried.coordinators == ["library", "shelves", "my-books", "lending"])
    try carried.act("sign")
    #expect(try carried.titles == ["Hall", "Book QA 3"])
    #expect(try carried.state.nodes[1].state == ["borrowed": [7]])
  }

  @Test mutating func `an open prompt is carried, and its button works`() throws {
    try old.act("open", ["number": 3])
    try old.act("give-away")
    var carried = try carried
    #expect(try carried.view.prompt?.title == "Give away QA 7?")
    try carried.act("yes")
    #expect(try carried.state.nodes[1].state == ["borrowed": [-1]])
  }

  @Test mutating func `a tab is called as the coordinator that has replaced its root`() throws {
    try old.act("open", ["number": 3])
    var carried = try carried
    #expect(try carried.view.tabBar?.tabs.map(\.name) == ["shelves", "my-books"])
    try carried.act("see-loans")
    #expect(try carried.titles == ["Loans"])
    try carried.perform(.tab("shelves"))
    try carried.perform(.tab("my-books"))
    #expect(try carried.titles == ["Loans"])
  }

  @Test mutating func `what goes on after a question is carried`() throws {
    try old.act("open", ["number": 3])
    try old.act("borrow")
    try old.perform(.open(link: "/archive/1950"))
    #expect(try old.view.prompt?.name == "leave")
    var carried = try carried
    try carried.act("leave")
    #expect(try carried.titles == ["Form"])
    #expect(try carried.state.pending?.content == .link("/archive/1950"))
  }

  @Test func `the tab that a question keeps waiting is called as its successor`() throws {
    var state = try Session(OldLibrary.app).state
    let entry = try #require(state.visibleEntry)
    state.prompt = .leaving(entry: entry.id, intent: .tab("loans"), consents: [], behind: nil)
    let packed = try AppDefinition(OldLibrary.app).pack(state)
    var carried = try Session(NewLibrary.app, carrying: packed)
    #expect(
      try carried.state.prompt == .leaving(entry: entry.id, intent: .tab("my-books"), consents: [], behind: nil))
    try carried.act("leave")
    #expect(try carried.titles == ["Loans"])
  }

  @Test(arguments: [nil, "/archive/1950"])
  mutating func `a wish waits for the same guard, which has another place now`(link: String?) throws {
    if let link { try old.perform(.open(link: link)) } else { try old.act("enter-archive", ["year": 1950]) }
    #expect(try old.state.pending?.guardIndex == 0)
    var carried = try carried
    #expect(try carried.state.pending?.guardIndex == 1)
    try carried.act("join")
    #expect(try carried.titles == ["Archive of 1950"])
    #expect(try carried.state.pending == nil)
  }

  @Test mutating func `it is stored anew under the new names and versions, and goes on`() throws {
    try old.act("open", ["number": 3])
    try old.act("annotate", ["text": "torn"])
    try old.act("annotate", ["text": "stained"])
    var carried = try carried
    try carried.act("annotate", ["text": "mended"])
    let state = try carried.state
    let bytes = String(decoding: carried.packed, as: UTF8.self)
    #expect(bytes.contains("remark") && bytes.contains("my-books"))
    #expect(!bytes.contains("note") && !bytes.contains("loans"))
    #expect(carried.app.pack(state) == carried.packed)
    try carried.perform(.back)
    #expect(try carried.view.data == ["text": "stained", "isPublic": false])
    #expect(try carried.state.revision == 6)
  }

  @Test func `a version of the app alone changes nothing`() throws {
    let old = try AppDefinition(OldLibrary.app)
    let packed = try old.begin(link: "/archive/1950").packed
    let state = try old.unpack(packed)
    for version in [2, 300] {
      let links: [any Link.Type] = [OldLibrary.ArchiveLink.self]
      let other = try AppDefinition(
        App("library", title: "Library", version: version, links: links) { OldLibrary.Library() })
      #expect(try other.unpack(packed) == state)
      #expect(other.pack(state) != packed)
      #expect(try old.unpack(other.pack(state)) == state)
    }
  }
}
