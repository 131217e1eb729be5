import Foundation
import Navigation
import Sessions
import Testing
import Values

@testable import Stores

/// The content of a session file after a clean stop.
@Suite final class SQLiteClosingTests {
  private let file: TemporarySessionFile

  init() throws { file = try TemporarySessionFile() }

  @Test func `a closed file contains all sessions without its log`() async throws {
    let store = try file.open()
    let service = try file.service(on: store)
    var ids: [SessionID] = []
    for _ in 0..<20 { ids.append(try await service.create(.init(app: "pages")).snapshot.id) }
    _ = try await service.perform(.init(.action(name: "next", input: .emptyObject)), on: ids[0])
    // Opens the connections for reading as well, which could outlive the one for writing.
    for id in ids { _ = try await store.load(SessionKey(id)) }
    _ = try await store.count()
    store.close()
    let copy = try TemporarySessionFile()
    try FileManager.default.copyItem(atPath: file.path, toPath: copy.path)
    let reopened = try copy.open()
    defer { reopened.close() }
    let again = try copy.service(on: reopened)
    for id in ids { _ = try await again.snapshot(id) }
    #expect(try await again.snapshot(ids[0]).visible.screen.name == "second")
    #expect(file.bytes(file.walPath).isEmpty)
    #expect(file.logged == [])
  }

  @Test func `no session is lost if another program reads the log, and the store logs a warning`() async throws {
    let store = try file.open()
    let service = try file.service(on: store)
    let reader = try SQLiteConnection(file.path)
    let first = try await service.create(.init(app: "pages")).snapshot.id
    try reader.execute("BEGIN")
    #expect(try reader.number("SELECT count(*) FROM session") == 1)
    let second = try await service.create(.init(app: "pages")).snapshot.id
    store.close()
    #expect(file.logged.count == 1 && file.logged.allSatisfy { $0.contains("sessions.sqlite-wal") })
    #expect(!file.bytes(file.walPath).isEmpty)
    reader.close()
    let reopened = try file.open()
    defer { reopened.close() }
    let again = try file.service(on: reopened)
    for id in [first, second] { _ = try await again.snapshot(id) }
  }

  private static let (visitor, story) = ("Ada-typed-this", "once upon a time ")

  /// - Parameter size: The number of times that the text occurs in the input of the ended session.
  @Test(arguments: ["deleted", "expired"], [1, 20, 110])
  func `a closed file contains no input of an ended session`(how: String, size: Int) async throws {
    let store = try file.open()
    let service = try service(on: store)
    let other = try await type(0, into: service)
    let ended = try await type(size, into: service, timeToLive: how == "expired" ? 0 : nil)
    if how == "expired" {
      try await store.sweep(now: TimeSource.system.now(), tombstoneLifetime: 3600)
    } else {
      #expect(file.contains(Self.visitor) && file.contains(Self.story))
      try await service.delete(ended)
    }
    store.close()
    #expect(file.logged == [])
    #expect(!file.contains(Self.visitor), "the input of a creation")
    #expect(!file.contains(Self.story), "the input of an action")
    let reopened = try file.open()
    defer { reopened.close() }
    _ = try await self.service(on: reopened).snapshot(other)
  }

  /// SQLite leaves copies of rows in the pages from which it moves them. VACUUM removes the copies.
  @Test func `a file contains no input of many ended sessions after VACUUM`() async throws {
    let store = try file.open()
    let service = try service(on: store)
    var ids: [SessionID] = []
    for number in 0..<60 {
      // The inputs take from a part of a page to many pages.
      ids.append(try await type(1 + number * 110 / 60, into: service))
      if number % 3 == 0 { try await service.delete(ids.remove(at: ids.count / 2)) }
    }
    #expect(file.contains(Self.visitor) && file.contains(Self.story))
    for id in ids { try await service.delete(id) }
    store.close()
    try SQLiteConnection.open(file.path) { try $0.execute("VACUUM") }
    #expect(!file.contains(Self.visitor) && !file.contains(Self.story))
  }

  private func service(on store: SQLiteStore) throws -> SessionService {
    var settings = SessionService.Settings()
    settings.allowedTimeToLive = 0...86_400
    return SessionService(apps: try file.service(on: store).apps, store: store, settings: settings)
  }

  /// Creates a session with input, and performs an action with a text that is repeated `count` times. With a `count` of
  /// 0, it creates a session without input, and performs no action.
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
