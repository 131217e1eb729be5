import Navigation
import TestSupport
import Testing
import Values

@testable import Sessions

/// The life of sessions with an idle limit of 640 seconds, on every store. A change extends them to 650 seconds.
@Suite(.limitedConcurrency) struct SessionLifeStoreTests {
  private func service(on test: TestStore, idle: Int64? = 640, most: Int64? = 6400) throws -> SessionService {
    var app = App("stroll", title: "Stroll") { Stroll() }
    if idle != nil || most != nil {
      app = app.life(idle: idle.map { .seconds($0) }, most: most.map { .seconds($0) })
    }
    return SessionService(apps: [try AppDefinition(app)], store: test.store, clock: TimeSource { test.now })
  }

  private let stay = IntentRequest(.action(name: "stay", input: .emptyObject))

  @Test(arguments: StoreKind.available)
  func `a change extends a session, and the sweep spares it`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    var service = try service(on: test)
    let created = try await service.create(.init(app: "stroll")).snapshot
    let (id, first) = (created.id, created.session.expiresAt)
    #expect(first == test.now + 650)
    test.advance(seconds: 10)
    #expect(try await service.perform(stay, on: id).snapshot.session.expiresAt == first)
    test.advance(seconds: 1)
    let extended = test.now + 650
    #expect(try await service.perform(stay, on: id).snapshot.session.expiresAt == extended)
    test.advance(seconds: 640)
    // Reading extends nothing.
    #expect(try await service.snapshot(id).session.expiresAt == extended)
    try await test.store.sweep(now: first, tombstoneLifetime: 60)
    if kind.isDurable {
      try test.reopen()
      service = try self.service(on: test)
    }
    #expect(try await test.live(created.session.key).expiresAt == extended)
    let last = try await service.perform(stay, on: id).snapshot.session
    #expect(last.expiresAt == test.now + 650 && last.revision == 4)
    try await test.store.sweep(now: extended, tombstoneLifetime: 60)
    #expect(try await test.live(last.key) == last)
    try await test.store.sweep(now: last.expiresAt, tombstoneLifetime: 60)
    #expect(try await test.store.load(last.key) == .gone(owner: nil))
  }

  @Test(arguments: StoreKind.available)
  func `a session that is used all the time ends at its maximum`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let created = try await service.create(.init(app: "stroll")).snapshot
    let end = test.now + 6400
    for step in 1...10 {
      test.advance(seconds: 600)
      let snapshot =
        if step % 2 == 0 {
          try await service.extend(created.id)
        } else {
          try await service.perform(stay, on: created.id).snapshot
        }
      #expect(snapshot.session.expiresAt == min(end, test.now + 650))
      #expect(snapshot.warningAt == (step < 10 ? snapshot.session.expiresAt + -64 : nil))
    }
    test.advance(seconds: 399)
    #expect(try await service.extend(created.id).session.expiresAt == end)
    test.advance(seconds: 1)
    await #expect {
      try await service.extend(created.id)
    } throws: { error in
      if case SessionError.expired(let session?) = error { session.app == "stroll" } else { false }
    }
    try await test.store.sweep(now: test.now, tombstoneLifetime: 60)
    await #expect {
      try await service.perform(stay, on: created.id)
    } throws: { error in
      if case SessionError.expired(nil) = error { true } else { false }
    }
  }

  @Test(arguments: StoreKind.available)
  func `nothing extends a session of a fixed time`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let (timed, plain) = (try service(on: test), try service(on: test, idle: nil, most: nil))
    let chosen = try await timed.create(.init(app: "stroll", timeToLive: 700)).snapshot
    let old = try await plain.create(.init(app: "stroll")).snapshot
    #expect(chosen.session.expiresAt == test.now + 700 && old.session.expiresAt == test.now + 86_400)
    test.advance(seconds: 600)
    for (service, session) in [(timed, chosen), (plain, old)] {
      #expect(try await service.perform(stay, on: session.id).snapshot.session.expiresAt == session.session.expiresAt)
      #expect(try await service.extend(session.id).session.expiresAt == session.session.expiresAt)
      #expect(try await service.snapshot(session.id).warningAt == nil)
    }
    // The choice is stored with the session; the default of the service is not.
    #expect(try await test.live(chosen.session.key).hasFixedLife)
    #expect(try await timed.snapshot(chosen.id).session.expiresAt == chosen.session.expiresAt)
    guard kind.isDurable else { return }
    try test.reopen()
    let session = try await self.service(on: test).perform(stay, on: old.id).snapshot.session
    #expect(session.expiresAt == test.now + 650)
  }

  @Test func `the choice of a fixed time takes no bytes`() async throws {
    let test = try TestStore(.memory)
    let service = try service(on: test)
    let chosen = try await service.create(.init(app: "stroll", timeToLive: 700)).snapshot.session
    let other = try await service.create(.init(app: "stroll")).snapshot.session
    #expect(chosen.content.count == other.content.count)
    let plain = try await self.service(on: test, idle: nil, most: nil).create(.init(app: "stroll")).snapshot.session
    #expect(plain.content.count == other.content.count)
  }

  @Test(arguments: StoreKind.available)
  func `an extension leaves the revision, and clients with that one can act`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let id = try await service.create(.init(app: "stroll")).snapshot.id
    let recorder = EventRecorder()
    #expect(try await service.subscribe(recorder, to: id, after: nil))
    test.advance(seconds: 600)
    let extended = try await service.extend(id)
    #expect(extended.session.revision == 1 && extended.session.expiresAt == test.now + 650)
    #expect(await recorder.receives(["view 1", "view 1"]))
    // The second one changes nothing.
    #expect(try await service.extend(id).session.version == extended.session.version)
    test.advance(seconds: 600)
    await service.sendKeepAlives()
    let seen = IntentRequest(stay.intent, revision: 1)
    #expect(try await service.perform(seen, on: id).snapshot.session.revision == 2)
    #expect(await recorder.receives(["view 1", "view 1", "view 2"]))
    test.advance(seconds: 650)
    await service.sendKeepAlives()
    #expect(await recorder.receives(["view 1", "view 1", "view 2", "end expired"]))
  }

  @Test(arguments: StoreKind.available)
  func `the stream of a session survives an extension that nothing reports`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let id = try await service.create(.init(app: "stroll")).snapshot.id
    let recorder = EventRecorder()
    #expect(try await service.subscribe(recorder, to: id, after: 1))
    test.advance(seconds: 600)
    _ = try await service.offer(id)
    test.advance(seconds: 60)
    await service.sendKeepAlives()
    #expect(await recorder.receives(["view 1"]))
    #expect(service.eventChannelCount == 1)
  }

  @Test(arguments: StoreKind.available)
  func `two changes at once both count`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let id = try await service.create(.init(app: "stroll")).snapshot.id
    for round in 1...8 {
      test.advance(seconds: 300)
      let request = stay
      async let first = service.perform(request, on: id)
      async let second = service.extend(id)
      async let third = service.perform(request, on: id)
      _ = try await (first, second, third)
      let session = try await service.snapshot(id).session
      #expect(session.revision == UInt64(1 + 2 * round) && session.expiresAt == test.now + 650)
    }
  }

  @Test(arguments: StoreKind.available)
  func `an offer and a hand-over extend a session, and only the new device may extend it`(kind: StoreKind) async throws
  {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let old = try await service.create(.init(app: "stroll")).snapshot.id
    test.advance(seconds: 600)
    let offer = try await service.offer(old)
    #expect(offer.expiresAt == test.now + 600)
    #expect(try await service.snapshot(old).session.expiresAt == test.now + 650)
    test.advance(seconds: 500)
    let taken = try await service.takeOver(offer.code, retryKey: nil).snapshot
    #expect(taken.session.expiresAt == test.now + 650 && taken.warningAt != nil)
    #expect(try await service.snapshot(old).warningAt == nil)
    test.advance(seconds: 600)
    await #expect {
      try await service.extend(old)
    } throws: { error in
      if case SessionError.readOnly = error { true } else { false }
    }
    #expect(try await service.extend(taken.id).session.expiresAt == test.now + 650)
  }

  @Test(arguments: StoreKind.available)
  func `an event in the background extends nothing`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let created = try await service.create(.init(app: "stroll")).snapshot
    let work = try #require(created.state.work.first?.id)
    test.advance(seconds: 600)
    let progress = try await service.apply(.due(work), to: created.session.key)
    guard case .applied = progress else {
      Issue.record("\(progress)")
      return
    }
    let session = try await service.snapshot(created.id).session
    #expect(session.revision == 2 && session.expiresAt == created.session.expiresAt)
  }

  // A store in memory keeps the app of a session together with its state.
  @Test(arguments: StoreKind.available.filter(\.isDurable))
  func `a new version with another life counts from the next change`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    func restarted(idle: Int64 = 640, most: Int64 = 6400) throws -> SessionService {
      try test.reopen()
      return try service(on: test, idle: idle, most: most)
    }
    let created = try await service(on: test).create(.init(app: "stroll")).snapshot
    let id = created.id
    let short = try restarted(idle: 64)
    #expect(try await short.snapshot(id).session.expiresAt == created.session.expiresAt)
    #expect(try await short.perform(stay, on: id).snapshot.session.expiresAt == test.now + 65)
    #expect(try await restarted().perform(stay, on: id).snapshot.session.expiresAt == test.now + 650)
    // The maximum of the new version is over: people have the time of its warning.
    test.advance(seconds: 100)
    let over = try restarted(idle: 60, most: 60)
    let end = test.now + 20
    #expect(try await over.perform(stay, on: id).snapshot.session.expiresAt == end)
    test.advance(seconds: 5)
    let last = try await over.perform(stay, on: id).snapshot
    #expect(last.session.expiresAt == end && last.warningAt == nil)
  }

  @Test(arguments: StoreKind.available.filter(\.isDurable))
  func `without an idle limit, the end moves with a revision alone`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let created = try await service(on: test, idle: nil).create(.init(app: "stroll")).snapshot
    let (id, end) = (created.id, created.session.expiresAt)
    try test.reopen()
    let longer = try service(on: test, idle: nil, most: 12_800)
    #expect(try await longer.extend(id).session.expiresAt == end)
    _ = try await longer.offer(id)
    #expect(try await longer.snapshot(id).session.expiresAt == end)
    #expect(try await longer.perform(stay, on: id).snapshot.session.expiresAt == end + 6400)
  }

  @Test(arguments: StoreKind.available)
  func `a replay has the current end of the session`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let creation = CreateRequest(app: "stroll", idempotency: Idempotency(key: "c", request: []))
    let id = try await service.create(creation).snapshot.id
    let once = IntentRequest(stay.intent, idempotency: Idempotency(key: "k", request: []))
    test.advance(seconds: 600)
    _ = try await service.perform(once, on: id)
    test.advance(seconds: 600)
    let current = try await service.extend(id).session.expiresAt
    let replays = [try await service.create(creation), try await service.perform(once, on: id)]
    for replay in replays { #expect(replay.isReplay && replay.snapshot.session.expiresAt == current) }
  }

  @Test func `a session of an app without a life has no more than the maximum`() async throws {
    let test = try TestStore(.memory)
    var settings = SessionService.Settings()
    settings.allowedTimeToLive = 1...600
    let app = try AppDefinition(App("stroll", title: "Stroll") { Stroll() })
    let service = SessionService(apps: [app], store: test.store, settings: settings, clock: TimeSource { test.now })
    #expect(try await service.create(.init(app: "stroll")).snapshot.session.expiresAt == test.now + 600)
    #expect(
      try await service.create(.init(app: "stroll", timeToLive: 600)).snapshot.session.expiresAt == test.now + 600)
    await #expect {
      try await service.create(.init(app: "stroll", timeToLive: 601))
    } throws: { error in
      if case SessionError.invalidTimeToLive(let allowed) = error { allowed == 1...600 } else { false }
    }
  }

  private struct Page: Screen {
    static let name = "page"
    static let title: Title<Self> = "Page"
    static let actions: [any Action.Type] = [Stay.self]
  }

  private struct Stay: Action {
    static let name = "stay"
    static let title: Text = "Stay"
  }

  private struct Chime: TimedEvent {
    static let name = "chime"
  }

  private struct Stroll: Coordinator {
    static let name = "stroll"
    static let wiring = Wiring<Self>()
      .shows(Page.self)
      .on(Stay.self) { _, _, _ in }
      .on(timer: Chime.self) { _, _, _ in }
    func start(_ nav: inout Navigator<Self>) {
      nav.push(Page())
      nav.schedule(Chime(), after: .seconds(600))
    }
  }
}
