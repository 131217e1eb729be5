import Navigation
import Sessions
import Stores
import TestSupport
import Testing
import Values

/// The promises of the service to its clients, on every store.
@Suite(.limitedConcurrency) struct StoreServiceTests {
  private let buy = Intent.action(name: "buy", input: ["product": 1])

  @Test(arguments: StoreKind.available)
  func `a session is resumed after a restart`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let id = try await test.create().id
    for turn in 0..<5 {
      let done = try await test.service.perform(.init(turn % 2 == 0 ? buy : .back), on: id)
      if kind.isDurable { try test.reopen() }
      let now = try await test.service.snapshot(id)
      #expect(now.session == done.snapshot.session)
      #expect(now.visible.screen.name == (turn % 2 == 0 ? "buy" : "home"))
    }
    let history = try await test.service.history(id, after: 0, limit: 10)
    #expect(history.map(\.name) == ["create", "buy", "back", "buy", "back", "buy"])
  }

  @Test(arguments: StoreKind.available)
  func `a repeated intent is performed once, with or without a restart`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let id = try await test.create().id
    let seen = IntentRequest(buy, revision: 1)
    let keyed = IntentRequest(.back, idempotency: Idempotency(key: "k", request: [[1]]))
    _ = try await test.service.perform(seen, on: id)
    _ = try await test.service.perform(keyed, on: id)
    for _ in 0..<3 {
      if kind.isDurable { try test.reopen() }
      for again in [seen, keyed] {
        let performed = try await test.service.perform(again, on: id)
        #expect(performed.isReplay)
        #expect(performed.snapshot.session.revision == 3)
      }
    }
    await #expect(throws: SessionError.self) {
      let other = Idempotency(key: "k", request: [[2]])
      _ = try await test.service.perform(.init(buy, idempotency: other), on: id)
    }
  }

  @Test(arguments: StoreKind.available)
  func `an idempotency key is replayed after sixty others, however large the session is`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let id = try await test.create("tabs").id
    let open = Intent.action(name: "open", input: ["detailId": .init(String(repeating: "x", count: 50_000))])
    let close = Intent.action(name: "close", input: .emptyObject)
    func request(_ turn: Int) -> IntentRequest {
      .init(turn % 2 == 0 ? open : close, idempotency: Idempotency(key: "\(turn)", request: [[1]]))
    }
    for turn in 0..<61 { #expect(try await test.service.perform(request(turn), on: id).isReplay == false) }
    if kind.isDurable { try test.reopen() }
    let revision = try await test.service.snapshot(id).session.revision
    for turn in [0, 30, 60] { #expect(try await test.service.perform(request(turn), on: id).isReplay) }
    #expect(try await test.service.snapshot(id).session.revision == revision)
  }

  @Test(arguments: StoreKind.available)
  func `one session is created for an idempotency key, with or without a restart`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let first = try await test.create(key: "k")
    _ = try await test.service.perform(.init(buy), on: first.id)
    if kind.isDurable { try test.reopen() }
    let again = try await test.create(key: "k")
    #expect(again.id == first.id)
    #expect(again.session.revision == 1)
    await #expect(throws: SessionError.self) { _ = try await test.create("bank", key: "k") }
  }

  @Test(arguments: StoreKind.available)
  func `every action of concurrent clients counts once`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let id = try await test.create().id
    let service = test.service
    let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
      for client in 0..<8 {
        group.addTask {
          var accepted = 0
          for turn in 0..<10 {
            let key = turn % 3 == 0 ? Idempotency(key: "\(client).\(turn)", request: []) : nil
            let request = IntentRequest(.tab(turn % 2 == 0 ? "learn" : "main"), idempotency: key)
            for _ in 0..<2 where try await !service.perform(request, on: id).isReplay { accepted += 1 }
            // A rejected intent leaves no trace in the session.
            await #expect(throws: SessionError.self) { try await service.perform(.init(.dismiss), on: id) }
          }
          return accepted
        }
      }
      return try await group.reduce(0, +)
    }
    // Each client sent 10 pairs of actions. Four pairs had a key, so that their second action was a replay.
    #expect(accepted == 8 * 16)
    if kind.isDurable { try test.reopen() }
    #expect(try await test.service.snapshot(id).session.revision == UInt64(1 + accepted))
  }

  @Test(arguments: StoreKind.available)
  func `more sessions than the cache holds are served`(kind: StoreKind) async throws {
    let test = try TestStore(kind, cacheLimit: 16)
    let service = test.service
    let buy = buy
    var ids: [SessionID] = []
    for _ in 0..<200 { ids.append(try await test.create().id) }
    for turn in 0..<4 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in ids {
          group.addTask {
            let performed = try await service.perform(
              .init(turn % 2 == 0 ? buy : .back, revision: UInt64(turn + 1)), on: id)
            #expect(!performed.isReplay)
          }
        }
        try await group.waitForAll()
      }
    }
    for id in ids { #expect(try await service.snapshot(id).session.revision == 5) }
  }
}
