import Foundation
import GRDB
import Navigation
import Sessions
import Stores
import Testing
import Values

/// What a clean stop leaves in a session file.
@Suite final class `A session file that is closed` {
  private let folder: SessionFolder

  init() throws { folder = try SessionFolder() }

  @Test func `has everything in itself`() async throws {
    let store = try folder.open()
    let service = try folder.service(on: store)
    var ids: [SessionID] = []
    for _ in 0..<20 { ids.append(try await service.create(.init(app: "pages")).snapshot.id) }
    _ = try await service.perform(.init(.action(name: "next", input: .emptyObject)), on: ids[0])
    // The threads that read have connections of their own, which close after the one that writes.
    for id in ids { _ = try await store.load(SessionKey(id), .current) }
    _ = try await store.count()
    store.close()
    let copy = try SessionFolder()
    try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
    let reopened = try copy.open()
    defer { reopened.close() }
    let again = try copy.service(on: reopened)
    for id in ids { _ = try await again.snapshot(id) }
    #expect(try await again.snapshot(ids[0]).visible.screen.name == "second")
    #expect(folder.bytes(folder.logPath).isEmpty)
    #expect(folder.logged == [])
  }

  @Test func `says so where somebody still reads its log, and loses nothing`() async throws {
    let store = try folder.open()
    let service = try folder.service(on: store)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let reader = try DatabaseQueue(path: folder.path, configuration: configuration)
    let first = try await service.create(.init(app: "pages")).snapshot.id
    try reader.inDatabase { connection in
      try connection.beginTransaction(.deferred)
      #expect(try Int.fetchOne(connection, sql: "SELECT count(*) FROM session") == 1)
    }
    let second = try await service.create(.init(app: "pages")).snapshot.id
    store.close()
    #expect(folder.logged.count == 1 && folder.logged.allSatisfy { $0.contains("sessions.sqlite-wal") })
    #expect(!folder.bytes(folder.logPath).isEmpty)
    try reader.close()
    let reopened = try folder.open()
    defer { reopened.close() }
    let again = try folder.service(on: reopened)
    for id in [first, second] { _ = try await again.snapshot(id) }
  }

  private static let (visitor, story) = ("Ada-typed-this", "once upon a time ")

  /// Two sessions, of which one ends, with a text that often in its input.
  @Test(arguments: ["deleted", "expired"], [1, 20, 110]) func `has no input of a session that has ended`(
    how: String, size: Int
  ) async throws {
    let store = try folder.open()
    let service = try service(on: store)
    let other = try await type(0, into: service)
    let ended = try await type(size, into: service, timeToLive: how == "expired" ? 0 : nil)
    if how == "expired" {
      try await store.sweep(now: TimeSource.system.now(), tombstoneLifetime: 3600)
    } else {
      #expect(folder.has(Self.visitor) && folder.has(Self.story))
      try await service.delete(ended)
    }
    store.close()
    #expect(folder.logged == [])
    #expect(!folder.has(Self.visitor), "the input of a creation")
    #expect(!folder.has(Self.story), "the input of an action")
    let reopened = try folder.open()
    defer { reopened.close() }
    _ = try await self.service(on: reopened).snapshot(other)
  }

  /// SQLite leaves copies of rows in pages from which it moves them.
  @Test func `has no input of many sessions that have ended after VACUUM`() async throws {
    let store = try folder.open()
    let service = try service(on: store)
    var ids: [SessionID] = []
    for number in 0..<60 {
      // From what fits a page to what takes many.
      ids.append(try await type(1 + number * 110 / 60, into: service))
      if number % 3 == 0 { try await service.delete(ids.remove(at: ids.count / 2)) }
    }
    #expect(folder.has(Self.visitor) && folder.has(Self.story))
    for id in ids { try await service.delete(id) }
    store.close()
    try await DatabaseQueue(path: folder.path).vacuum()
    #expect(!folder.has(Self.visitor) && !folder.has(Self.story))
  }

  private func service(on store: SQLiteStore) throws -> SessionService {
    var settings = SessionService.Settings()
    settings.allowedTimeToLive = 0...86_400
    return SessionService(apps: try folder.service(on: store).apps, store: store, settings: settings)
  }

  /// A session with an input of its creation, and one of an action with a text that often; neither where that is never.
  private func type(_ count: Int, into service: SessionService, timeToLive: Int64? = nil) async throws -> SessionID {
    let request = CreateRequest(
      app: "gallery", input: count == 0 ? .emptyObject : ["visitor": Value(Self.visitor)], timeToLive: timeToLive,
      idempotency: Idempotency(key: "k\(count)", request: []))
    let id = try await service.create(request).snapshot.id
    guard count > 0, timeToLive == nil else { return id }
    let input: Value = [
      "name": "Ada", "story": Value(String(repeating: Self.story, count: count)), "guests": 1, "size": "small",
      "news": true,
    ]
    let key = Idempotency(key: "k", request: [])
    _ = try await service.perform(.init(.action(name: "fields", input: .emptyObject)), on: id)
    _ = try await service.perform(.init(.action(name: "send", input: input), idempotency: key), on: id)
    return id
  }
}
