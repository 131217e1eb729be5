import Foundation
import Navigation
import TestSupport
import Testing
import Values

@testable import Sessions
@testable import Stores

/// Sessions with large values, on every store.
@Suite(.limitedConcurrency) struct BlobContractTests {
  private func service(on test: TestStore) throws -> SessionService {
    SessionService(apps: [try AppDefinition(Catalogue.app)], store: test.store, clock: TimeSource { test.now })
  }

  /// Performs an action, and returns the session.
  @discardableResult
  private func act(
    _ action: String, _ input: Value = .emptyObject, key: String? = nil, on id: SessionID, _ service: SessionService
  ) async throws -> StoredSession {
    let idempotency = key.map { Idempotency(key: $0, request: [Array($0.utf8)]) }
    return try await service.perform(.init(.action(name: action, input: input), idempotency: idempotency), on: id)
      .snapshot.session
  }

  @Test(arguments: StoreKind.available)
  func `a session is read as it was written while its large values come, stay and go`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    var service = try service(on: test)
    let id = try await service.create(.init(app: "catalogue")).snapshot.id
    var session: StoredSession?
    for number in 0..<120 {
      let (key, name) = ("k\(number)", Value("row \(number)"))
      switch number % 30 {
      case 4: session = try await act("load", ["count": 2000, "name": name], key: key, on: id, service)
      case 12: session = try await act("write", ["text": Self.text(20_000, number)], key: key, on: id, service)
      case 25: session = try await act("clear", on: id, service)
      default: session = try await act("select", ["row": Value(number)], key: key, on: id, service)
      }
      let session = try #require(session)
      guard number % 5 == 0 || kind == .idle else { continue }
      if kind.isDurable {
        try test.reopen()
        service = try self.service(on: test)
      }
      let read = try await test.live(session.key)
      #expect(read == session && read.journal.entries(after: 0) == session.journal.entries(after: 0))
      #expect(read.navigation.packed == session.navigation.packed && read.outcomes.all == session.outcomes.all)
      #expect(try blobs(test) == kind.blobs(session.blobs.count))
    }
  }

  @Test(arguments: StoreKind.available.filter(\.isDurable))
  func `state, history and outcomes share a blob, which goes with the last of them`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let id = try await service.create(.init(app: "catalogue")).snapshot.id
    try await act("write", ["text": Self.text(20_000)], key: "k", on: id, service)
    #expect(try blobs(test) == 1)
    for number in 0..<40 { try await act("select", ["row": Value(number)], key: "k\(number)", on: id, service) }
    #expect(try blobs(test) == 1)
    try await act("clear", on: id, service)
    #expect(try blobs(test) == 1)
    for number in 0..<600 { try await act("select", ["row": Value(number)], key: "l\(number % 90)", on: id, service) }
    #expect(try blobs(test) == 0)
  }

  @Test(arguments: StoreKind.available.filter(\.isDurable))
  func `no blob remains of a session that ends`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let owner = SessionOwner(name: "ann")
    func create(owner: SessionOwner? = nil, ttl: Int64? = nil) async throws -> SessionID {
      let id = try await service.create(.init(app: "catalogue", timeToLive: ttl, owner: owner)).snapshot.id
      let load = IntentRequest(.action(name: "load", input: ["count": 2000, "name": "row"]))
      _ = try await service.perform(load, on: id, by: owner)
      return id
    }
    let kept = try await create()
    let deleted = try await create()
    _ = try await create(ttl: 60)
    _ = try await create(owner: owner)
    #expect(try blobs(test) == 4)
    try await service.delete(deleted)
    #expect(try blobs(test) == 3)
    _ = try await service.erase(sessionsOf: owner, purges: false)
    #expect(try blobs(test) == 2)
    test.advance(seconds: 61)
    try await test.store.sweep(now: test.now, tombstoneLifetime: 60)
    #expect(try blobs(test) == 1)
    #expect(try await service.snapshot(kept).session.revision == 2)
  }

  @Test(arguments: StoreKind.available.filter(\.isDurable))
  func `a replacement that is refused changes no blob`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let id = try await service.create(.init(app: "catalogue")).snapshot.id
    let first = try await act("load", ["count": 2000, "name": "row"], on: id, service)
    let present = try await act("select", ["row": 1], on: id, service)
    let text = Self.text(9000)
    let entry = JournalEntry(
      revision: 3, at: test.now, kind: .action, name: "write", input: ["text": text], screen: "rows")
    let rival = first.advanced(to: .packed(SplitBytes([1])), by: entry, keeping: 64)
    #expect(try await test.store.replace(first, with: rival) == false)
    #expect(try await test.live(present.key) == present)
    #expect(try blobs(test) == 1)
  }

  @Test(arguments: StoreKind.available.filter(\.isDurable))
  func `an action that leaves a large value alone writes little`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let id = try await service.create(.init(app: "catalogue")).snapshot.id
    let loaded = try await written(test) { try await act("load", ["count": 5000, "name": "row"], on: id, service) }
    #expect(loaded > 100_000)
    var small: [Int] = []
    for number in 0..<11 {
      small.append(
        try await written(test) { try await act("select", ["row": Value(number)], on: id, service) })
    }
    #expect(small.allSatisfy { $0 <= 16 << 10 }, "\(small)")
  }

  @Test func `one input cannot make a small session larger than its limit`() async throws {
    let test = try TestStore(.sqlite)
    var settings = SessionService.Settings()
    settings.stateLimit = 20_000
    let service = SessionService(
      apps: [try AppDefinition(Catalogue.app)], store: test.store, settings: settings, clock: TimeSource { test.now })
    let id = try await service.create(.init(app: "catalogue")).snapshot.id
    try await act("select", ["row": 1], on: id, service)
    // The coordinator and the screen keep it.
    await #expect { try await act("write", ["text": Self.text(19_000)], on: id, service) } throws: { error in
      if case SessionError.tooLarge = error { true } else { false }
    }
    try await act("write", ["text": Self.text(6000)], on: id, service)
  }

  @Test func `past revisions with large values can be shown`() async throws {
    let test = try TestStore(.sqlite)
    let service = try service(on: test)
    let id = try await service.create(.init(app: "catalogue")).snapshot.id
    try await act("load", ["count": 2000, "name": "row"], on: id, service)
    for number in 0..<300 { try await act("select", ["row": Value(number)], on: id, service) }
    let snapshot = try await service.snapshot(id)
    let first = try #require(snapshot.session.journal.firstReconstructible)
    #expect(first > 200 && first < 270)
    let past = try #require(service.snapshots(after: first, to: snapshot)?.first)
    #expect(past.session.revision == first + 1)
    #expect(past.visible.entry.screen == snapshot.visible.entry.screen)
  }

  @Test(arguments: StoreKind.available.filter(\.isDurable), [true, false])
  func `a session whose blob is damaged or missing is unreadable`(kind: StoreKind, isMissing: Bool) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let id = try await service.create(.init(app: "catalogue")).snapshot.id
    let session = try await act("load", ["count": 2000, "name": "row"], on: id, service)
    // The damaged blob is a valid value as well.
    try test.execute(
      sqlite: isMissing
        ? "DELETE FROM part; UPDATE session SET parts = 0"
        : "UPDATE part SET content = CAST(replace(CAST(content AS TEXT), 'catalogue, 7', 'catalogue, 8') AS BLOB)",
      postgres: isMissing
        ? "DELETE FROM usher_part" : "UPDATE usher_part SET content = overlay(content PLACING 'x' FROM 20)")
    await #expect { try await test.store.load(session.key) } throws: { error in
      if case StoreError.unreadable = error { true } else { false }
    }
  }

  private static func text(_ size: Int, _ number: Int = 0) -> Value {
    Value(String(repeating: "text \(1000 + number) ", count: size / 10) + "end")
  }

  /// The number of stored blobs; -1 for a store without a table.
  private func blobs(_ test: TestStore) throws -> Int {
    switch test.location {
    case .memory: return -1
    case .sqlite(let path, _):
      return try SQLiteConnection.open(path) { connection in
        Int(try connection.number("SELECT count(*) FROM part WHERE substr(key, 1, 1) = x'02'") ?? 0)
      }
    case .postgres(let url): return Int(try TestConnection(url).text("SELECT count(*) FROM usher_part")) ?? 0
    }
  }

  /// The bytes that a step writes to the log of SQLite, or to the rows of PostgreSQL.
  private func written(_ test: TestStore, by step: () async throws -> Void) async throws -> Int {
    switch test.location {
    case .memory:
      try await step()
      return 0
    case .sqlite(let path, _):
      let log = URL(filePath: path + "-wal")
      let before = try Data(contentsOf: log).count
      try await step()
      return try Data(contentsOf: log).count - before
    case .postgres(let url):
      let connection = try TestConnection(url)
      let before = try connection.text("SELECT pg_current_xact_id()")
      try await step()
      let rows = "(SELECT xmin, content FROM usher_session UNION ALL SELECT xmin, content FROM usher_part) AS rows"
      let size = "SELECT sum(length(content)) FROM \(rows) WHERE xmin::text::int8 > \(before)"
      return Int(try connection.text(size)) ?? 0
    }
  }
}

extension StoreKind {
  /// The number of blobs in the store's table.
  fileprivate func blobs(_ count: Int) -> Int { isDurable ? count : -1 }
}

/// An app with a long list, and a long text.
private struct Catalogue: Coordinator {
  static let name = "catalogue"
  static let app = App("catalogue", title: "Catalogue") { Catalogue() }

  struct Rows: Screen {
    static let name = "rows"
    static let title: Title<Self> = "Rows"
    static let actions: [any Action.Type] = [Load.self, Write.self, Select.self, Clear.self]
    var rows: [String] = []
    var text: String?
    var selected = 0
  }

  struct Load: Action {
    static let name = "load"
    static let title: Text = "Load"
    @Field("Count") var count: Int
    @Field("Name") var name: String
  }

  struct Write: Action {
    static let name = "write"
    static let title: Text = "Write"
    @Field("Text", length: 0...100_000) var text: String
  }

  struct Select: Action {
    static let name = "select"
    static let title: Text = "Select"
    @Field("Row") var row: Int
  }

  struct Clear: Action {
    static let name = "clear"
    static let title: Text = "Clear"
  }

  var rows: [String] = []
  var text: String?

  static let wiring = Wiring<Self>()
    .shows(Rows.self)
    .on(Load.self) { me, load, nav in
      me.rows = (0..<load.count).map { "\(load.name) of the catalogue, \($0)" }
      nav.replaceTop(Rows(rows: me.rows, text: me.text))
    }
    .on(Write.self) { me, write, nav in
      me.text = write.text
      nav.replaceTop(Rows(rows: me.rows, text: me.text))
    }
    .on(Select.self) { me, select, nav in
      nav.replaceTop(Rows(rows: me.rows, text: me.text, selected: select.row))
    }
    .on(Clear.self) { me, _, nav in
      (me.rows, me.text) = ([], nil)
      nav.replaceTop(Rows())
    }

  func start(_ nav: inout Navigator<Self>) { nav.push(Rows()) }
}
