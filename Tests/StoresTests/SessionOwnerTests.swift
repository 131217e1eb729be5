import Navigation
import Sessions
import TestSupport
import Testing
import Values

/// Sessions that belong to a principal, on every store.
@Suite(.limitedConcurrency) struct SessionOwnerTests {
  private let ann = SessionOwner(name: "ann")
  private let bob = SessionOwner(name: "bob")

  private func create(_ test: TestStore, _ owner: SessionOwner?, key: String? = nil) async throws -> Snapshot {
    let idempotency = key.map { Idempotency(key: $0, request: []) }
    return try await test.service.create(.init(app: "shop", idempotency: idempotency, owner: owner)).snapshot
  }

  /// The outcome of each operation on a session.
  private func outcomes(
    _ test: TestStore, _ id: SessionID, _ code: HandOverCode? = nil, by owner: SessionOwner?
  ) async -> [String] {
    func outcome(_ body: () async throws -> Void) async -> String {
      do {
        try await body()
        return "done"
      } catch SessionError.unknownSession {
        return "unknown"
      } catch SessionError.expired {
        return "expired"
      } catch SessionError.unknownOffer {
        return "unknown offer"
      } catch {
        return "\(error)"
      }
    }
    let service = test.service
    let code = code ?? HandOverCode(String(repeating: id.text, count: 3))!
    return [
      await outcome { _ = try await service.snapshot(id, by: owner) },
      await outcome { _ = try await service.history(id, by: owner, after: 0, limit: 1) },
      await outcome { _ = try await service.subscribe(EventRecorder(), to: id, by: owner, after: nil) },
      await outcome {
        _ = try await service.perform(.init(.action(name: "next", input: .emptyObject)), on: id, by: owner)
      },
      await outcome { _ = try await service.offer(id, by: owner) },
      await outcome { _ = try await service.offer(under: code, by: owner) },
      await outcome { _ = try await service.takeOver(code, by: owner, retryKey: nil) },
      await outcome { try await service.delete(id, by: owner) },
    ]
  }

  @Test(arguments: StoreKind.available)
  func `an owned session is unknown to others, even after its end`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let unknown = await outcomes(test, .random(), by: ann)
    #expect(Set(unknown) == ["unknown", "unknown offer"])
    let id = try await create(test, ann).id
    let code = try await test.service.offer(id, by: ann).code
    for reopens in [false, true] where !reopens || kind.isDurable {
      if reopens { try test.reopen() }
      for other in [bob, nil] { #expect(await outcomes(test, id, code, by: other) == unknown) }
    }
    #expect(try await test.service.snapshot(id, by: ann).session.owner == ann)
    try await test.service.delete(id, by: ann)
    if kind.isDurable { try test.reopen() }
    for other in [bob, nil] { #expect(await outcomes(test, id, by: other) == unknown) }
    await #expect { try await test.service.snapshot(id, by: ann) } throws: { error in
      if case SessionError.expired = error { true } else { false }
    }
  }

  @Test(arguments: StoreKind.available)
  func `an owned session is unknown to others after its expiry and its sweep`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let id = try await create(test, ann).id
    let unknown = await outcomes(test, .random(), by: bob)
    test.advance(seconds: 86_400)
    #expect(await outcomes(test, id, by: bob) == unknown)
    try await test.store.sweep(now: test.now, tombstoneLifetime: 60)
    #expect(try await test.store.load(SessionKey(id)) == .gone(owner: ann))
    #expect(await outcomes(test, id, by: bob) == unknown)
  }

  @Test(arguments: StoreKind.available)
  func `a session without an owner is open to all`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let id = try await create(test, nil).id
    if kind.isDurable { try test.reopen() }
    for owner in [ann, nil] { #expect(try await test.service.snapshot(id, by: owner).session.owner == nil) }
  }

  @Test(arguments: StoreKind.available)
  func `every owner has separate idempotency keys`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let first = try await create(test, ann, key: "k")
    #expect(try await create(test, ann, key: "k").id == first.id)
    #expect(try await create(test, bob, key: "k").id != first.id)
    #expect(try await create(test, nil, key: "k").id != first.id)
  }

  @Test(arguments: StoreKind.available)
  func `the number of sessions of an owner is limited`(kind: StoreKind) async throws {
    let test = try TestStore(kind, ownerLimit: 2)
    let ids = [try await create(test, ann).id, try await create(test, ann, key: "k").id]
    await #expect { try await create(test, ann) } throws: { error in
      if case SessionError.tooManySessions(limit: 2) = error { true } else { false }
    }
    // A replay creates no session.
    #expect(try await create(test, ann, key: "k").id == ids[1])
    for _ in 0..<3 { _ = try await create(test, nil) }
    _ = try await create(test, bob)
    try await test.service.delete(ids[0], by: ann)
    _ = try await create(test, ann)
    test.advance(seconds: 86_400)
    try await test.store.sweep(now: test.now, tombstoneLifetime: 60)
    #expect(try await test.store.count(of: ann, upTo: 10) == 0)
    _ = try await create(test, ann)
    #expect(try await test.store.count(of: ann, upTo: 10) == 1)
  }
}
