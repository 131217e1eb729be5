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

  @Test(arguments: ["deleted", "expired"]) func `has nothing of what was typed into sessions that have ended`(
    how: String
  ) async throws {
    let store = try folder.open()
    var settings = SessionService.Settings()
    settings.allowedTimeToLive = 0...86_400
    let service = SessionService(apps: try folder.service(on: store).apps, store: store, settings: settings)
    let (visitor, story) = ("Ada-typed-this", "once upon a time ")
    var ids: [SessionID] = []
    for number in 0..<60 {
      let request = CreateRequest(
        app: "gallery", input: ["visitor": Value(visitor)], timeToLive: how == "expired" && number > 0 ? 0 : nil,
        idempotency: Idempotency(key: "k\(number)", request: []))
      let id = try await service.create(request).snapshot.id
      ids.append(id)
      guard how == "deleted" || number == 0 else { continue }
      // From what fits a page to what takes many.
      let input: Value = [
        "name": "Ada", "story": Value(String(repeating: story, count: 1 + number * 110 / 60)), "guests": 1,
        "size": "small",
        "news": true,
      ]
      let key = Idempotency(key: "k", request: [])
      _ = try await service.perform(.init(.action(name: "fields", input: .emptyObject)), on: id)
      _ = try await service.perform(.init(.action(name: "send", input: input), idempotency: key), on: id)
      if how == "deleted", number % 3 == 0 { try await service.delete(ids.remove(at: ids.count / 2)) }
    }
    #expect(folder.has(visitor) && folder.has(story))
    if how == "expired" {
      try await store.sweep(now: TimeSource.system.now(), memory: 3600)
      try await service.delete(ids[0])
    } else {
      for id in ids { try await service.delete(id) }
    }
    store.close()
    #expect(!folder.has(visitor), "the input of a creation")
    #expect(!folder.has(story), "the input of an action")
  }
}
