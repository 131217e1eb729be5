import ExampleApps
import Foundation
import GRDB
import Navigation
import Stores
import Testing

@testable import Sessions

/// A session file in which some bytes were overwritten.
@Suite final class `A session file with a damaged page` {
  private let folder: SessionFolder

  init() throws { folder = try SessionFolder() }

  /// Sessions in a file that is closed.
  private func fill(_ count: Int) async throws -> [SessionID] {
    let store = try folder.open()
    defer { store.close() }
    let service = try folder.service(on: store)
    var ids: [SessionID] = []
    for number in 0..<count {
      let key = Idempotency(key: "k\(number)", request: [])
      ids.append(try await service.create(.init(app: "shop", timeToLive: 3600, idempotency: key)).snapshot.id)
    }
    return ids
  }

  /// Overwrites the header of the table's page that has the session's row.
  private func damagePage(of id: SessionID) throws {
    let key = Data(SessionKey(id).bytes)
    let database = try DatabaseQueue(path: folder.path)
    let rootPage = try database.read {
      try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'session'")
    }
    try database.close()
    var bytes = folder.bytes()
    // Of the places where the key stands one is in a leaf of a table (13), the others in those of indices (10).
    var place = bytes.startIndex
    while let found = bytes[place...].firstRange(of: key) {
      let page = found.lowerBound / 4096
      if bytes[page * 4096] == 13, page + 1 != rootPage {
        bytes.replaceSubrange((page * 4096)..<(page * 4096 + 64), with: repeatElement(0xA5, count: 64))
        return try bytes.write(to: URL(fileURLWithPath: folder.path))
      }
      place = found.upperBound
    }
    Issue.record("The row was not found.")
  }

  private func isUnreadable(_ body: () async throws(SessionError) -> Void) async throws -> Bool {
    do throws(SessionError) {
      try await body()
      return false
    } catch {
      guard case .store(.unreadable) = error else { throw error }
      return true
    }
  }

  @Test func `fails for the sessions on it, and for no others`() async throws {
    let ids = try await fill(300)
    try damagePage(of: ids[150])
    let store = try folder.open()
    defer { store.close() }
    let service = try folder.service(on: store)
    var damaged: Set<SessionKey> = []
    for id in ids where try await isUnreadable({ () throws(SessionError) in _ = try await service.snapshot(id) }) {
      damaged.insert(SessionKey(id))
    }
    #expect(damaged.contains(SessionKey(ids[150])) && damaged.count < 60)
    // The list has all the others, over several pages.
    var (listed, next): ([SessionKey], SessionCursor?) = ([], .end)
    while let before = next {
      let found = try await service.search(.init(before: before), limit: 40)
      listed += found.sessions.map(\.listed.key)
      next = found.next
    }
    #expect(Set(listed) == Set(ids.map { SessionKey($0) }).subtracting(damaged) && listed.count == Set(listed).count)
    #expect(try await service.count().stored == 300)
    #expect(try await isUnreadable { () throws(SessionError) in _ = try await service.summary(SessionKey(ids[150])) })
    for id in ids where !damaged.contains(SessionKey(id)) {
      let prefix = try #require(SessionKeyPrefix(SessionKey(id).short))
      #expect(try await service.sessions(prefix, limit: 10).count == 1)
    }
  }

  @Test func `fails no writes of others, however they come together`() async throws {
    let ids = try await fill(300)
    let store = try folder.open()
    defer { store.close() }
    let service = try folder.service(on: store)
    // What is in memory can be read, and a write of it meets the damaged page.
    for id in ids { _ = try await service.snapshot(id) }
    store.close()
    try damagePage(of: ids[150])
    let damagedStore = try folder.open()
    defer { damagedStore.close() }
    let again = try folder.service(on: damagedStore)
    var damaged: Set<SessionKey> = []
    for id in ids where try await isUnreadable({ () throws(SessionError) in _ = try await again.snapshot(id) }) {
      damaged.insert(SessionKey(id))
    }
    let gone = Timestamp(milliseconds: 4_000_000_000_000)
    let failed = try await withThrowingTaskGroup(of: Bool.self) { group in
      for id in ids {
        group.addTask { [damaged, folder] in
          guard damaged.contains(SessionKey(id)) else {
            do throws(SessionError) {
              _ = try await again.perform(.init(.tab("learn")), on: id)
              return false
            } catch {
              guard case .store(.unreadable) = error else { throw error }
              return true
            }
          }
          let session = try await Self.ghost(of: id, folder)
          do {
            _ = try await damagedStore.delete(session, forgetAt: gone)
            Issue.record("A row on a damaged page was written.")
          } catch StoreError.unreadable {}
          return false
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    // A page that gets too full next to the damaged one cannot share with it.
    #expect(failed < 60)
    for number in 0..<100 { _ = try await again.create(.init(app: number % 2 == 0 ? "pages" : "bank")) }
  }

  /// A session that has the id's key.
  private static func ghost(of id: SessionID, _ folder: SessionFolder) async throws -> StoredSession {
    let store = MemoryStore()
    let session = try await folder.service(on: store).create(.init(app: "pages")).snapshot.session
    return StoredSession(
      key: SessionKey(id), app: session.app, createdAt: session.createdAt, expiresAt: session.expiresAt,
      locale: nil, revision: 1, version: session.version, navigation: session.navigation, journal: session.journal)
  }

  @Test func `does not keep other expired sessions from being swept`() async throws {
    let ids = try await fill(300)
    try damagePage(of: ids[150])
    let store = try folder.open()
    defer { store.close() }
    let end = TimeSource.system.now() + 7200
    try await store.sweep(now: end, tombstoneLifetime: 3600)
    var (gone, unreadable) = (0, 0)
    for id in ids {
      do throws(StoreError) {
        if case .gone = try await store.load(SessionKey(id), .current) { gone += 1 }
      } catch {
        guard case .unreadable = error else { throw error }
        unreadable += 1
      }
    }
    // Of those that can be read some stay: where their page gets too empty, SQLite wants to merge it with the damaged one. In a file
    // as small as this, ended sessions have few pages, and most of these become neighbours.
    #expect((1..<60).contains(unreadable) && gone > unreadable)
    try await store.sweep(now: end + 86_400, tombstoneLifetime: 3600)
    #expect(try await store.count().stored <= 300 - gone)
  }

  @Test func `is no end of the process, whatever the bytes are`() async throws {
    let ids = try await fill(40)
    let sound = folder.bytes()
    var random = RepeatableNumbers(state: 14)
    for _ in 0..<60 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        // Not the first page: with its header or its schema the file as a whole is refused.
        let place = Int.random(in: 4096..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      try bytes.write(to: URL(fileURLWithPath: folder.path))
      guard let store = try? folder.open() else { continue }
      let service = try folder.service(on: store)
      for id in ids {
        _ = try? await service.snapshot(id)
        _ = try? await service.perform(.init(.tab("learn")), on: id)
      }
      _ = try? await service.search(.init(), limit: 50)
      try? await store.sweep(now: TimeSource.system.now() + 7200, tombstoneLifetime: 60)
      store.close()
    }
  }
}

/// The same numbers in every run (Knuth's MMIX generator).
private struct RepeatableNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 33)
  }
}
