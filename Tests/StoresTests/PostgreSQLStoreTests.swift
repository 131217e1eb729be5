import ExampleApps
import Foundation
import Navigation
import Sessions
import Stores
import TestSupport
import Testing
import Values

/// Several processes that share one database.
@Suite(.limitedConcurrency, .enabled(if: TestDatabase.server != nil, "TEST_POSTGRES names no server"))
final class PostgreSQLStoreTests {
  private let url: String
  private let apps: [AppDefinition]
  private var stores: [PostgreSQLStore] = []
  private let buy = Intent.action(name: "buy", input: ["product": 1])

  init() throws {
    url = try TestDatabase.create()
    apps = try ExampleApps.all.map { try AppDefinition($0) }
  }

  deinit {
    for store in stores { store.close() }
    TestDatabase.drop(url)
  }

  /// Opens a replica, which is closed at the end of the test.
  private func replica() throws -> (store: PostgreSQLStore, service: SessionService) {
    let store = try PostgreSQLStore(url)
    stores.append(store)
    return (store, SessionService(apps: apps, store: store))
  }

  @Test func `stores that are opened at the same time create the tables once`() async throws {
    let url = url
    let stores = try await withThrowingTaskGroup(of: PostgreSQLStore.self) { group in
      for _ in 0..<6 { group.addTask { try PostgreSQLStore(url) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for store in stores { try await store.checkReady() }
    for store in stores { store.close() }
  }

  @Test func `tables of a newer version are refused`() throws {
    _ = try replica()
    try TestDatabase.execute("UPDATE usher_schema SET version = 99", in: url)
    do {
      _ = try replica()
      Issue.record("The store was opened.")
    } catch let error as StoreOpeningError {
      #expect(error.description.contains("newer version"))
      #expect(error.description.contains("99"))
    }
  }

  @Test(arguments: [true, false])
  func `subscribers receive events of sessions that another process writes`(isNotified: Bool) async throws {
    let (first, second) = (try replica(), try replica())
    let relay = Task { if isNotified { await second.service.relayStoreChanges() } }
    defer { relay.cancel() }
    let (id, other) = (
      try await first.service.create(.init(app: "shop")).snapshot.id,
      try await first.service.create(.init(app: "shop")).snapshot.id
    )
    let subscribers = [EventRecorder(), EventRecorder()]
    for subscriber in subscribers { #expect(try await second.service.subscribe(subscriber, to: id, after: nil)) }
    for turn in 0..<10 {
      _ = try await first.service.perform(.init(turn % 2 == 0 ? buy : .back), on: id)
      _ = try await first.service.perform(.init(turn % 2 == 0 ? buy : .back), on: other)
    }
    // Without notifications, the service finds the changes when it polls.
    if !isNotified { await second.service.pollSharedStore() }
    for subscriber in subscribers { #expect(await subscriber.receives((1...11).map { "view \($0)" })) }
    _ = try await second.service.perform(.init(buy), on: id)
    try await first.service.delete(id)
    if !isNotified { await second.service.pollSharedStore() }
    for subscriber in subscribers {
      #expect(await subscriber.receives((1...12).map { "view \($0)" } + ["end deleted"]))
    }
  }

  @Test func `a write is visible to all processes at once`() async throws {
    let (first, second) = (try replica(), try replica())
    let id = try await first.service.create(.init(app: "shop")).snapshot.id
    for turn in 0..<20 {
      let (writer, reader) = turn % 2 == 0 ? (first, second) : (second, first)
      let intent = turn % 2 == 0 ? buy : .back
      #expect(try await reader.service.snapshot(id).session.revision == UInt64(turn + 1))
      _ = try await writer.service.perform(.init(intent), on: id)
      #expect(try await reader.service.snapshot(id).session.revision == UInt64(turn + 2))
      // The reader replays a retry of the writer's action, and rejects a stale revision.
      let again = try await reader.service.perform(.init(intent, revision: UInt64(turn + 1)), on: id)
      #expect(again.isReplay)
      await #expect(throws: SessionError.self) {
        try await reader.service.perform(.init(.dismiss, revision: UInt64(turn + 1)), on: id)
      }
    }
    try await second.service.delete(id)
    await #expect(throws: SessionError.self) { try await first.service.snapshot(id) }
    await #expect(throws: SessionError.self) { try await first.service.perform(.init(self.buy), on: id) }
  }

  /// Returns the revision that a replica has in its cache.
  private func cachedRevision(_ id: SessionID, in store: PostgreSQLStore) -> UInt64? {
    guard case .live(let session)? = store.loadFromMemory(SessionKey(id), .recent) else { return nil }
    return session.revision
  }

  @Test func `an outdated session in a cache rejects no action`() async throws {
    let (first, second) = (try replica(), try replica())
    let id = try await first.service.create(.init(app: "shop")).snapshot.id
    for revision in [nil, 4] as [UInt64?] {
      let bought = try await second.service.perform(.init(buy), on: id).snapshot.session.revision
      #expect(cachedRevision(id, in: first.store) == bought - 1)
      // The first screen has no way back, and the cache does not know the revision.
      let back = try await first.service.perform(.init(.back, revision: revision), on: id)
      #expect(!back.isReplay)
      #expect(back.snapshot.session.revision == bought + 1)
    }
  }

  @Test func `an outdated session in a cache answers no retry`() async throws {
    let (first, second) = (try replica(), try replica())
    let id = try await first.service.create(.init(app: "shop")).snapshot.id
    let keyed = IntentRequest(buy, revision: 1, idempotency: Idempotency(key: "k", request: [[1]]))
    _ = try await first.service.perform(keyed, on: id)
    _ = try await second.service.perform(.init(.back), on: id)
    #expect(cachedRevision(id, in: first.store) == 2)
    let retry = try await first.service.perform(.init(buy, revision: 1), on: id)
    #expect(retry.isReplay)
    #expect(retry.snapshot.session.revision == 3)
    try await second.service.delete(id)
    #expect(cachedRevision(id, in: first.store) == 3)
    await #expect(throws: SessionError.self) { try await first.service.perform(keyed, on: id) }
  }

  @Test func `every action counts once while connections are terminated`() async throws {
    let replicas = [try replica(), try replica()]
    let id = try await replicas[0].service.create(.init(app: "shop")).snapshot.id
    let terminations = Task.detached { [url] in
      for _ in 0..<10 {
        try await Task.sleep(for: .milliseconds(100))
        try TestDatabase.terminateConnections(to: url)
      }
    }
    let done = try await withThrowingTaskGroup(of: Int.self) { group in
      for client in 0..<8 {
        group.addTask {
          var done = 0
          for turn in 0..<40 {
            let service = replicas[(client + turn) % 2].service
            _ = try await service.perform(.init(.tab(turn % 2 == 0 ? "learn" : "main")), on: id)
            done += 1
          }
          return done
        }
      }
      return try await group.reduce(0, +)
    }
    try await terminations.value
    #expect(done == 320)
    #expect(try await replicas[1].service.snapshot(id).session.revision == UInt64(1 + done))
  }

  @Test func `a store is not opened without a database`() {
    for url in ["postgres://nobody@127.0.0.1:1/none", url + "_none", "postgres://127.0.0.1:99999/x"] {
      #expect(throws: StoreOpeningError.self) { try PostgreSQLStore(url, timeout: .milliseconds(500)) }
    }
  }
}
