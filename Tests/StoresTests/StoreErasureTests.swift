import ExampleApps
import Foundation
import Navigation
import Sessions
import TestSupport
import Testing
import Values

@testable import Stores

/// The erasure of the sessions of an owner, on every store.
@Suite(.limitedConcurrency) struct StoreErasureTests {
  private let ann = SessionOwner(name: "jwt:https://id.example|ann")
  private let bob = SessionOwner(name: "jwt:https://id.example|bob")
  /// What Ann enters, on its way through every part of a session.
  private static let typed = "Ann-typed-this"

  private func service(on test: TestStore) throws -> SessionService {
    SessionService(
      apps: [try AppDefinition(App("diary", title: "Diary", input: Diary.Opening.self) { Diary(owner: $0.name) })],
      store: test.store, clock: TimeSource { test.now })
  }

  /// Creates a session, with pending work, offers, outcomes, and a journal that has parts.
  private func write(_ text: String, by owner: SessionOwner, _ service: SessionService) async throws -> SessionID {
    let key = Idempotency(key: "key of \(text)", request: [Array(text.utf8)])
    let principal = SessionPrincipal(subject: "subject of \(text)", claims: ["email": Value("\(text)@example.com")])
    let id = try await service.create(
      .init(
        app: "diary", input: ["name": Value(text)], idempotency: key, owner: owner, principal: principal)
    ).snapshot.id
    for number in 0..<40 {
      let note = String(repeating: "\(text) ", count: number == 7 ? 400 : 8)
      _ = try await service.perform(
        .init(
          .action(name: "note", input: ["text": Value(note)]),
          idempotency: Idempotency(key: "\(number)", request: [Array(note.utf8)]), principal: principal),
        on: id, by: owner)
    }
    return id
  }

  @Test(arguments: StoreKind.available)
  func `only the sessions of the owner end, with their work and their outcomes`(kind: StoreKind) async throws {
    let test = try TestStore(kind, sessionLimit: 400)
    let service = try service(on: test)
    let first = try await write("first", by: ann, service)
    let recorder = EventRecorder()
    #expect(try await service.subscribe(recorder, to: first, by: ann, after: nil))
    // More than one batch.
    for _ in 0..<230 { _ = try await service.create(.init(app: "diary", owner: ann)) }
    let other = try await write("other", by: bob, service)
    let open = try await service.create(.init(app: "diary")).snapshot.id
    #expect(try await service.store.countWork().pending == 233)
    #expect(try await service.erase(sessionsOf: ann, purges: true) == 231)
    #expect(await recorder.receives(["view 41", "end deleted"]))
    await #expect { try await service.snapshot(first, by: ann) } throws: { error in
      if case SessionError.expired = error { true } else { false }
    }
    #expect(try await service.snapshot(other, by: bob).session.revision == 41)
    #expect(try await service.snapshot(open).session.revision == 1)
    #expect(try await service.store.countWork().pending == 2)
    #expect(try await service.store.count().stored == 2)
    #expect(try await service.store.count(of: ann, upTo: 10) == 0)
    // The ended sessions count toward no limit.
    for _ in 0..<200 { _ = try await service.create(.init(app: "diary", owner: ann)) }
    #expect(try await service.erase(sessionsOf: ann, purges: false) == 200)
    #expect(try await service.erase(sessionsOf: ann, purges: false) == 0)
    #expect(try await service.store.count().stored == 2)
  }

  @Test(arguments: StoreKind.available.filter(\.isDurable))
  func `afterwards no file of the store contains what the person has entered`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let remaining = try await write("Bob-typed-that", by: bob, service)
    _ = try await write(Self.typed, by: ann, service)
    let ended = try await write("\(Self.typed)-earlier", by: ann, service)
    try await service.delete(ended, by: ann)
    // The search finds text that is in the files.
    #expect(try contains(Self.typed, test) && contains("Bob-typed-that", test))
    #expect(try await service.erase(sessionsOf: ann, purges: true) == 1)
    for text in [Self.typed, "key of \(Self.typed)", "subject of \(Self.typed)"] {
      #expect(try !contains(text, test), "\(text)")
    }
    #expect(try contains("Bob-typed-that", test))
    #expect(try await service.snapshot(remaining, by: bob).session.revision == 41)
    // The service goes on.
    _ = try await write("again", by: ann, service)
  }

  @Test(.enabled(if: TestDatabase.server != nil))
  func `PostgreSQL keeps no samples of what a person has entered`() async throws {
    let url = try TestDatabase.create()
    defer { TestDatabase.drop(url) }
    let connection = try TestConnection(url)
    let store = try PostgreSQLStore(url)
    let service = SessionService(
      apps: [try AppDefinition(App("diary", title: "Diary", input: Diary.Opening.self) { Diary(owner: $0.name) })],
      store: store)
    for number in 0..<50 { _ = try await write("\(Self.typed) \(number)", by: ann, service) }
    try connection.execute("ANALYZE")
    #expect(try connection.text("SELECT count(*) FROM pg_stats WHERE tablename = 'usher_session'") != "0")
    #expect(try connection.text(Self.samples) == "")
    // Contents are not compressed.
    let storage =
      "SELECT string_agg(DISTINCT attstorage::text, '') FROM pg_attribute WHERE attname = 'content' AND attrelid IN"
    #expect(try connection.text("\(storage) ('usher_session'::regclass, 'usher_part'::regclass)") == "e")
    store.close()
  }

  private static let samples = """
    SELECT string_agg(DISTINCT attname, ' ') FROM pg_stats
    WHERE tablename LIKE 'usher%' AND attname IN ('content', 'progress', 'detached', 'error', 'event', 'trace')
    """

  /// A snapshot counts in its own database only, and a transaction that writes in every database. The cases run one
  /// after the other, because the purge of the first one would wait for the transaction of the second one too.
  @Test(
    .enabled(if: TestDatabase.server != nil), .serialized,
    arguments: [
      (true, "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1"), (false, "BEGIN; SELECT pg_current_xact_id()"),
    ])
  func `the purge of PostgreSQL waits for transactions that may still read the content`(
    inDatabase: Bool, transaction: String
  ) async throws {
    let test = try TestStore(.postgres)
    guard case .postgres(let url) = test.location else { return }
    let service = try service(on: test)
    _ = try await write(Self.typed, by: ann, service)
    let reader = try TestConnection(inDatabase ? url : nil)
    try reader.execute(transaction)
    #expect(try await service.erase(sessionsOf: ann, purges: false) == 1)
    #expect(throws: StoreError.self) { try PostgreSQLPurge(location: url, patience: .zero).run() }
    #expect(try contains(Self.typed, test))
    // A purge that did not wait would have begun by then, and would keep the content.
    async let purge: Void = test.store.purge()
    try await Task.sleep(for: .seconds(2))
    try reader.execute("COMMIT")
    try await purge
    #expect(try !contains(Self.typed, test))
  }

  /// Returns whether a file of the store has the text, without closing the store.
  private func contains(_ text: String, _ test: TestStore) throws -> Bool {
    if case .postgres(let url) = test.location {
      return try TestDatabase.hasFile(containing: text, in: url)
    }
    return try FileManager.default.contentsOfDirectory(at: test.folder, includingPropertiesForKeys: nil).contains {
      try Data(contentsOf: $0).range(of: Data(text.utf8)) != nil
    }
  }

  @Test(arguments: StoreKind.available)
  func `an action at the same time is stored before the erasure or not at all`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let ann = ann
    for _ in 0..<5 {
      let id = try await service.create(.init(app: "diary", owner: ann)).snapshot.id
      await withTaskGroup { group in
        for number in 0..<8 {
          group.addTask {
            _ = try? await service.perform(
              .init(.action(name: "note", input: ["text": Value("note \(number)")])), on: id, by: ann)
          }
        }
        group.addTask { _ = try? await service.erase(sessionsOf: ann, purges: false) }
        await group.waitForAll()
      }
      #expect(try await service.store.load(SessionKey(id)) == .gone(owner: ann))
    }
    #expect(try await service.store.countWork().pending == 0)
  }
}

/// An app that keeps its input in screens, in a coordinator and in pending work.
private struct Diary: Coordinator {
  struct Opening: AppInput { @Field("Name") var name: String? }

  static let name = "diary"
  var owner: String?

  struct Page: Screen {
    static let name = "page"
    static let title: Title<Self> = "Page"
    static let actions: [any Action.Type] = [Note.self]
    var text: String?
  }

  struct Note: Action {
    static let name = "note"
    static let title: Text = "Note"
    @Field("Text", length: 0...20_000) var text: String
  }

  struct Reminder: TimedEvent {
    static let name = "reminder"
    var text: String?
  }

  static let wiring = Wiring<Self>()
    .shows(Page.self)
    .on(Note.self) { me, note, nav in
      nav.replaceTop(Page(text: note.text))
      nav.schedule(Reminder(text: note.text), after: .seconds(3600))
    }
    .on(timer: Reminder.self) { _, _, _ in }

  func start(_ nav: inout Navigator<Self>) {
    nav.push(Page(text: owner))
    nav.schedule(Reminder(), after: .seconds(3600))
  }
}
