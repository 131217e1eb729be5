import Testing
import Values

@testable import Navigation

/// Sessions of an older build that continue in a newer one.
@Suite struct MigrationTests {
  var old: Session

  init() throws { old = try Session(OldLibrary.app) }

  /// The session as the newer build reads it.
  private var migrated: Session { get throws { try Session(NewLibrary.app, migrating: old.packed) } }

  @Test mutating func `an older shape is migrated wherever it occurs`() throws {
    for number in [3, 4, 3] { try old.act("open", ["number": Value(number)]) }
    let migrated = try migrated
    #expect(try migrated.titles == ["Hall", "Book QA 3", "Book QA 4", "Book QA 3"])
    #expect(try migrated.view.data == ["shelfmark": "QA 3"])
    #expect(try migrated.state.nodes[0].state.encoding == ["names": ["Ada", "Byron"], "isMember": false])
  }

  @Test mutating func `everything but the changed values stays the same`() throws {
    try old.act("open", ["number": 3])
    try old.act("borrow")
    let (before, after) = (try old.state, try migrated.state)
    #expect(after.revision == before.revision && after.nextID == before.nextID)
    #expect(after.nodes.map(\.id) == before.nodes.map(\.id))
    #expect(after.nodes.map(\.hostStack) == before.nodes.map(\.hostStack))
    #expect(after.entriesByOwner == before.entriesByOwner)
    #expect(after.nodes[1].state == before.nodes[1].state)
    #expect(after.visibleEntry?.leavePolicy == .confirm)
    try audit(after, of: try migrated.app)
  }

  @Test mutating func `a screen of another name is migrated`() throws {
    try old.act("open", ["number": 3])
    for text in ["dog-eared", "torn"] { try old.act("annotate", ["text": Value(text)]) }
    var migrated = try migrated
    #expect(try migrated.titles == ["Hall", "Book QA 3", "Remark", "Remark"])
    #expect(try migrated.view.data == ["text": "torn", "isPublic": false])
    try migrated.perform(.back)
    #expect(try migrated.view.data == ["text": "dog-eared", "isPublic": false])
  }

  @Test mutating func `a removed coordinator is migrated, and its parent receives the result of the successor`()
    throws
  {
    try old.act("open", ["number": 3])
    try old.act("borrow")
    var migrated = try migrated
    #expect(try migrated.coordinators == ["library", "shelves", "my-books", "lending"])
    try migrated.act("sign")
    #expect(try migrated.titles == ["Hall", "Book QA 3"])
    #expect(try migrated.state.nodes[1].state.encoding == ["borrowed": [7]])
  }

  @Test mutating func `an open prompt is migrated, and its button works`() throws {
    try old.act("open", ["number": 3])
    try old.act("give-away")
    var migrated = try migrated
    #expect(try migrated.view.prompt?.title == "Give away QA 7?")
    try migrated.act("yes")
    #expect(try migrated.state.nodes[1].state.encoding == ["borrowed": [-1]])
  }

  @Test mutating func `a tab has the name of the coordinator that replaced its root`() throws {
    try old.act("open", ["number": 3])
    var migrated = try migrated
    #expect(try migrated.view.tabBar?.tabs.map(\.name) == ["shelves", "my-books"])
    try migrated.act("see-loans")
    #expect(try migrated.titles == ["Loans"])
    try migrated.perform(.tab("shelves"))
    try migrated.perform(.tab("my-books"))
    #expect(try migrated.titles == ["Loans"])
  }

  @Test mutating func `an intent that awaits a confirmation is migrated`() throws {
    try old.act("open", ["number": 3])
    try old.act("borrow")
    try old.perform(.open(link: "/archive/1950"))
    #expect(try old.view.prompt?.name == "leave")
    var migrated = try migrated
    try migrated.act("leave")
    #expect(try migrated.titles == ["Form"])
    #expect(try migrated.state.pending?.content == .link("/archive/1950", from: 0))
  }

  @Test func `the tab of an intent that awaits a confirmation has the name of its successor`() throws {
    var state = try Session(OldLibrary.app).state
    let entry = try #require(state.visibleEntry)
    let question = OpenLeaveQuestion(
      id: state.makeID(), entry: entry.id, intent: .tab("loans"), consents: [], behind: nil)
    state.prompt = .leaving(question)
    let packed = try AppDefinition(OldLibrary.app).pack(state)
    var migrated = try Session(NewLibrary.app, migrating: packed)
    let expected = OpenLeaveQuestion(
      id: question.id, entry: entry.id, intent: .tab("my-books"), consents: [], behind: nil)
    #expect(try migrated.state.prompt == .leaving(expected))
    try migrated.act("leave")
    #expect(try migrated.titles == ["Loans"])
  }

  @Test(arguments: [nil, "/archive/1950"])
  mutating func `a pending intent waits for the same guard at its new index`(link: String?) throws {
    if let link { try old.perform(.open(link: link)) } else { try old.act("enter-archive", ["year": 1950]) }
    #expect(try old.state.pending?.blocker.index == 0)
    var migrated = try migrated
    #expect(try migrated.state.pending?.blocker.index == 1)
    try migrated.act("join")
    #expect(try migrated.titles == ["Archive of 1950"])
    #expect(try migrated.state.pending == nil)
  }

  @Test mutating func `a migrated session is stored under the new names and versions, and continues`() throws {
    try old.act("open", ["number": 3])
    try old.act("annotate", ["text": "torn"])
    try old.act("annotate", ["text": "stained"])
    var migrated = try migrated
    try migrated.act("annotate", ["text": "mended"])
    let state = try migrated.state
    let bytes = String(decoding: migrated.packed, as: UTF8.self)
    #expect(bytes.contains("remark") && bytes.contains("my-books"))
    #expect(!bytes.contains("note") && !bytes.contains("loans"))
    #expect(migrated.app.pack(state) == migrated.packed)
    try migrated.perform(.back)
    #expect(try migrated.view.data == ["text": "stained", "isPublic": false])
    #expect(try migrated.state.revision == 6)
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
