import Navigation
import Sessions
import TestSupport
import Testing
import Values

/// The hand-over of a session from one device to another, on every store.
@Suite(.limitedConcurrency) struct HandOverTests {
  private let selectTab = IntentRequest(.tab("profile"))

  /// Returns the error of an operation, or nil if it succeeds.
  private func error(_ body: () async throws -> Void) async -> SessionError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? SessionError
    }
  }

  private func isReadOnly(_ error: SessionError?) -> Bool {
    if case .readOnly(let snapshot) = error { snapshot.isReadOnly } else { false }
  }

  private func isUnknownOffer(_ error: SessionError?) -> Bool {
    if case .unknownOffer = error { true } else { false }
  }

  @Test(arguments: StoreKind.available)
  func `the new device can act, and the old one can only read`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let old = try await test.create("tabs")
    #expect(!old.isReadOnly)
    let offer = try await test.service.offer(old.id)
    #expect(try await test.service.snapshot(old.id).session.revision == 1)
    if kind.isDurable { try test.reopen() }
    #expect(try await test.service.offer(under: offer.code).expiresAt == offer.expiresAt)
    let taken = try await test.service.takeOver(offer.code, retryKey: nil)
    #expect(!taken.isReplay && !taken.snapshot.isReadOnly && taken.snapshot.session.revision == 2)
    let new = taken.snapshot.id
    #expect(new.hasSecret)
    let madeUp = try id(old.id, withSecretOf: offer.code)
    for reopens in [false, true] where !reopens || kind.isDurable {
      if reopens { try test.reopen() }
      let service = test.service
      #expect(isReadOnly(await error { _ = try await service.perform(selectTab, on: old.id) }))
      #expect(isReadOnly(await error { _ = try await service.perform(selectTab, on: madeUp) }))
      #expect(isReadOnly(await error { _ = try await service.offer(old.id) }))
      #expect(isReadOnly(await error { try await service.delete(old.id) }))
      let seen = try await service.snapshot(old.id)
      #expect(seen.isReadOnly && seen.visible.actions.allSatisfy { $0.disabled != nil })
      #expect(seen.visible.back == nil && !seen.visible.canDismiss)
      #expect(seen.visible.tabBars.flatMap(\.selectable).isEmpty)
      #expect(try await service.perform(selectTab, on: new).snapshot.id == new)
    }
    let history = try await test.service.history(old.id, after: 1, limit: 1)
    #expect(history.first?.kind == .handOver && history.first?.name == "handOver")
    try await test.service.delete(new)
  }

  @Test(arguments: StoreKind.available)
  func `a hand-over takes place once, and the same request is replayed`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let id = try await test.create().id
    let code = try await test.service.offer(id).code
    let taken = try await test.service.takeOver(code, retryKey: "mine")
    if kind.isDurable { try test.reopen() }
    let again = try await test.service.takeOver(code, retryKey: "mine")
    #expect(again.isReplay && again.snapshot.id == taken.snapshot.id && again.snapshot.session.revision == 2)
    for key in ["yours", nil] {
      #expect(isUnknownOffer(await error { _ = try await test.service.takeOver(code, retryKey: key) }))
    }
    #expect(isUnknownOffer(await error { _ = try await test.service.offer(under: code) }))
  }

  @Test(arguments: StoreKind.available)
  func `a code that is expired, replaced or made up is refused`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let id = try await test.create().id
    let first = try await test.service.offer(id).code
    let second = try await test.service.offer(id).code
    let other = try await test.service.offer(try await test.create().id).code
    let mixed = try #require(HandOverCode("\(second.text.prefix(44))\(other.text.suffix(22))"))
    let unknown = try #require(HandOverCode(String(repeating: SessionID.random().text, count: 3)))
    for code in [first, mixed, unknown] {
      #expect(isUnknownOffer(await error { _ = try await test.service.takeOver(code, retryKey: "k") }))
      #expect(isUnknownOffer(await error { _ = try await test.service.offer(under: code) }))
    }
    test.advance(seconds: 600)
    #expect(isUnknownOffer(await error { _ = try await test.service.takeOver(second, retryKey: "k") }))
    #expect(try await test.service.snapshot(id).isReadOnly == false)
    // An id with a secret is unknown for a session that was not handed over.
    let madeUp = try self.id(id, withSecretOf: second)
    await #expect { try await test.service.snapshot(madeUp) } throws: { error in
      if case SessionError.unknownSession = error { true } else { false }
    }
  }

  @Test(arguments: StoreKind.available)
  func `a hand-over is refused after the session has finished`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let id = try await test.create("gallery").id
    let code = try await test.service.offer(id).code
    let answers: Value = ["name": "Ann", "guests": 1, "size": "small", "news": false]
    for (name, input) in [("fields", .emptyObject), ("send", answers)] {
      _ = try await test.service.perform(.init(.action(name: name, input: input)), on: id)
    }
    for intent: Intent in [
      .back, .back, .action(name: "leave", input: .emptyObject), .action(name: "goodbye", input: .emptyObject),
    ] {
      _ = try await test.service.perform(.init(intent), on: id)
    }
    #expect(isUnknownOffer(await error { _ = try await test.service.offer(under: code) }))
    #expect(isUnknownOffer(await error { _ = try await test.service.takeOver(code, retryKey: "k") }))
    try await test.service.delete(id)
  }

  @Test(arguments: StoreKind.available)
  func `a hand-over is replayed until the offer expires`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let code = try await test.service.offer(try await test.create().id).code
    _ = try await test.service.takeOver(code, retryKey: "k")
    test.advance(seconds: 599)
    #expect(try await test.service.takeOver(code, retryKey: "k").isReplay)
    test.advance(seconds: 1)
    #expect(isUnknownOffer(await error { _ = try await test.service.takeOver(code, retryKey: "k") }))
  }

  /// An id that has the code's bits as its secret.
  private func id(_ id: SessionID, withSecretOf code: HandOverCode) throws -> SessionID {
    try #require(SessionID("\(id.text).\(code.text.suffix(22))"))
  }

  @Test(arguments: StoreKind.available)
  func `a session can be handed over several times`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    var ids = [try await test.create("tabs").id]
    for _ in 0..<3 {
      let code = try await test.service.offer(try #require(ids.last)).code
      ids.append(try await test.service.takeOver(code, retryKey: nil).snapshot.id)
    }
    for id in ids.dropLast() { #expect(try await test.service.snapshot(id).isReadOnly) }
    let last = try #require(ids.last)
    #expect(try await test.service.snapshot(last).isReadOnly == false)
    #expect(Set(ids.map { SessionKey($0) }).count == 1)
    // Past snapshots can be reconstructed across hand-overs.
    for number in 0..<40 {
      _ = try await test.service.perform(.init(.tab(number % 2 == 0 ? "profile" : "home")), on: last)
    }
    let summary = try await test.service.summary(SessionKey(last))
    for revision in UInt64(2)...44 {
      let inspection = test.service.inspect(summary, at: revision)
      #expect(try inspection.shown.get().session.revision == revision)
    }
  }

  @Test(arguments: StoreKind.available)
  func `one of several devices with the same code takes the session over`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let (service, id) = (test.service, try await test.create().id)
    for _ in 0..<10 {
      let writer = try await service.snapshot(id)
      guard !writer.isReadOnly else { break }
      let code = try await service.offer(id).code
      let winners = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 { group.addTask { (try? await service.takeOver(code, retryKey: nil)) != nil } }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(winners == 1)
    }
  }

  @Test(arguments: StoreKind.available)
  func `a hand-over is an event for the subscribers of both devices`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let id = try await test.create("tabs").id
    let oldDevice = EventRecorder()
    #expect(try await test.service.subscribe(oldDevice, to: id, after: nil))
    let code = try await test.service.offer(id).code
    let new = try await test.service.takeOver(code, retryKey: nil).snapshot.id
    let newDevice = EventRecorder()
    #expect(try await test.service.subscribe(newDevice, to: new, after: 1))
    _ = try await test.service.perform(.init(.tab("profile")), on: new)
    #expect(await oldDevice.receives(["view 1", "view 2", "view 3"]))
    #expect(await newDevice.receives(["view 2", "view 3"]))
    // The events of a late subscriber do not reveal the secret either.
    let late = EventRecorder()
    #expect(try await test.service.subscribe(late, to: id, after: 1))
    #expect(await late.receives(["view 2", "view 3"]))
    for recorder in [oldDevice, newDevice, late] { #expect(recorder.ids == [id]) }
  }

  @Test func `an event is encoded for each device`() async throws {
    let test = try TestStore(.memory)
    let id = try await test.create("tabs").id
    let code = try await test.service.offer(id).code
    let taken = try await test.service.takeOver(code, retryKey: nil).snapshot
    let madeUp = try self.id(id, withSecretOf: code)
    let event = SessionEvent(.view(try await test.service.snapshot(id)))
    func seen(by id: SessionID) -> String {
      let bytes = event.encoded(for: id) { kind in
        guard case .view(let snapshot) = kind else { return [] }
        return Array("\(snapshot.isReadOnly) \(snapshot.id.text)".utf8)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    for _ in 0..<2 {
      #expect(seen(by: id) == "true \(id.text)")
      #expect(seen(by: madeUp) == "true \(id.text)")
      #expect(seen(by: taken.id) == "false \(taken.id.text)")
    }
  }
}
