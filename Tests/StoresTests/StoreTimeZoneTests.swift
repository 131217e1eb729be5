import Navigation
import Sessions
import Stores
import TestSupport
import Testing
import Values

/// The time zone of a session, and the date of each of its revisions, on every store.
@Suite(.limitedConcurrency) struct StoreTimeZoneTests {
  private func service(on test: TestStore, zone: String? = nil) throws -> SessionService {
    var app = App("diary", title: "Diary") { Diary() }
    if let zone { app = app.timeZone(zone) }
    return SessionService(apps: [try AppDefinition(app)], store: test.store, clock: TimeSource { test.now })
  }

  private func date(_ snapshot: Snapshot) -> String? { snapshot.visible.data["today"]?.text }

  /// Seconds that the sessions last.
  private let month: Int64 = 2_592_000
  private let stay = Intent.action(name: "stay", input: .emptyObject)

  /// The clock of the tests begins at 2026-11-20T12:00:00Z, which is 04:00 in Los Angeles and 01:00 of the next day in
  /// Auckland.
  @Test(arguments: StoreKind.available)
  func `every revision has the date of its step in the zone of the session`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    var service = try service(on: test)
    let id = try await service.create(.init(app: "diary", timeZone: "America/Los_Angeles", timeToLive: month)).snapshot
      .id
    let far = try await service.create(.init(app: "diary", timeZone: "Pacific/Auckland", timeToLive: month)).snapshot
    #expect(date(far) == "2026-11-21" && far.session.timeZone == "Pacific/Auckland")
    // One second before midnight, and midnight.
    test.advance(seconds: 71_999)
    #expect(date(try await service.perform(.init(stay), on: id).snapshot) == "2026-11-20")
    test.advance(seconds: 1)
    #expect(date(try await service.snapshot(id)) == "2026-11-20")
    #expect(date(try await service.perform(.init(stay), on: id).snapshot) == "2026-11-21")
    test.advance(seconds: 86_400)
    if kind.isDurable { try test.reopen() }
    service = try self.service(on: test)
    let latest = try await service.snapshot(id)
    #expect(date(latest) == "2026-11-21" && latest.session.timeZone == "America/Los_Angeles")
    #expect(date(try await service.snapshot(far.id)) == "2026-11-21")
    let summary = try await service.summary(SessionKey(id))
    for (revision, expected) in zip(UInt64(1)..., ["2026-11-20", "2026-11-20", "2026-11-21"]) {
      #expect(date(try service.inspect(summary, at: revision).shown.get()) == expected, "\(revision)")
    }
  }

  @Test(arguments: StoreKind.available)
  func `a replayed response and a hand-over have the dates of their times`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test, zone: "Pacific/Auckland")
    let creation = Idempotency(key: "c", request: [])
    let id = try await service.create(.init(app: "diary", timeToLive: month, idempotency: creation)).snapshot.id
    let once = IntentRequest(stay, idempotency: Idempotency(key: "k", request: []))
    #expect(date(try await service.perform(once, on: id).snapshot) == "2026-11-21")
    test.advance(seconds: 82_800)
    #expect(date(try await service.perform(.init(stay), on: id).snapshot) == "2026-11-22")
    for request in [once, once] {
      let replay = try await service.perform(request, on: id)
      #expect(replay.isReplay && date(replay.snapshot) == "2026-11-21")
    }
    let created = try await service.create(.init(app: "diary", timeToLive: month, idempotency: creation))
    #expect(created.isReplay && date(created.snapshot) == "2026-11-21")
    let offer = try await service.offer(id)
    test.advance(seconds: 86_400)
    // An offer lasts for ten minutes.
    await #expect(throws: SessionError.self) { try await service.takeOver(offer.code, retryKey: nil) }
    let taken = try await service.takeOver(try await service.offer(id).code, retryKey: nil)
    #expect(date(taken.snapshot) == "2026-11-23")
    #expect(date(try await service.snapshot(taken.snapshot.id)) == "2026-11-23")
  }

  @Test(arguments: StoreKind.available)
  func `a replayed response has its date although the history no longer has the step`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let id = try await service.create(.init(app: "diary", timeToLive: month)).snapshot.id
    let once = IntentRequest(stay, idempotency: Idempotency(key: "k", request: []))
    test.advance(seconds: 86_400)
    _ = try await service.perform(once, on: id)
    test.advance(seconds: 43_200)
    for _ in 0..<100 { _ = try await service.perform(.init(stay), on: id) }
    #expect(date(try await service.snapshot(id)) == "2026-11-22")
    #expect(date(try await service.perform(once, on: id).snapshot) == "2026-11-21")
  }

  @Test(arguments: StoreKind.available)
  func `an unknown zone is an error, and stores nothing`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    for zone in ["Mars/Base", "../Europe/Berlin", ""] {
      await #expect {
        try await service.create(.init(app: "diary", timeZone: zone))
      } throws: { error in
        if case SessionError.unknownTimeZone = error { true } else { false }
      }
    }
    #expect(try await service.search(.init(app: "diary"), limit: 9).sessions.isEmpty)
  }

  @Test func `a session without a zone takes no more bytes`() async throws {
    let test = try TestStore(.memory)
    let plain = try await service(on: test).create(.init(app: "diary")).snapshot.session
    let session = StoredSession(
      key: plain.key, app: plain.app, createdAt: plain.createdAt, expiresAt: plain.expiresAt, locale: nil,
      timeZone: "Europe/Berlin", revision: plain.revision, version: plain.version, navigation: plain.navigation,
      journal: plain.journal)
    #expect(session.content.count == plain.content.count + 14 && session != plain)
  }

  private struct Page: Screen {
    static let name = "page"
    static let title: Title<Self> = "Page"
    static let actions: [any Action.Type] = [Stay.self]
    var today = ""
  }

  private struct Stay: Action {
    static let name = "stay"
    static let title: Text = "Stay"
  }

  private struct Diary: Coordinator {
    static let name = "diary"
    static let wiring = Wiring<Self>()
      .shows(Page.self) { _, page, context in page.today = context.today.description }
      .on(Stay.self) { _, _, _ in }
    func start(_ nav: inout Navigator<Self>) { nav.push(Page()) }
  }
}
