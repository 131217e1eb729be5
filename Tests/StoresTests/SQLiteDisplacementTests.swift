import Foundation
import Navigation
import Sessions
import Stores
import Testing

/// A session file that is deleted, moved or replaced while a store has it open.
@Suite final class `A session file that is not in its place any more` {
  private let folder: SessionFolder

  init() throws { folder = try SessionFolder() }

  private var files: FileManager { .default }
  private var elsewhere: String { folder.path + ".moved" }

  private func expectRefused(_ store: SQLiteStore, _ words: String...) async {
    do {
      try await store.checkReady()
      Issue.record("It is ready.")
    } catch {
      guard case .displaced(let sentence) = error else {
        Issue.record("\(error)")
        return
      }
      for word in words { #expect(sentence.contains(word), "\(sentence)") }
    }
  }

  @Test(arguments: ["deleted", "moved", "replaced"]) func `takes no more writes`(how: String) async throws {
    let store = try folder.open()
    defer { store.close() }
    let service = try folder.service(on: store)
    let id = try await service.create(.init(app: "pages")).snapshot.id
    try await store.checkReady()
    if how == "deleted" {
      try files.removeItem(atPath: folder.path)
    } else {
      try files.moveItem(atPath: folder.path, toPath: elsewhere)
    }
    if how == "replaced" { try files.copyItem(atPath: elsewhere, toPath: folder.path) }
    await expectRefused(store, folder.path, "deleted, moved or replaced")
    await #expect(throws: SessionError.self) { try await service.create(.init(app: "pages")) }
    await #expect(throws: SessionError.self) { try await service.perform(.init(.back), on: id) }
    // What is at hand can still be read; what would have to be looked up cannot.
    #expect(try await service.snapshot(id).session.revision == 1)
    await #expect(throws: SessionError.self) { try await service.snapshot(.random()) }
    // Once, however many requests come.
    #expect(folder.logged.count == 1)
    guard how != "deleted" else { return }
    if how == "replaced" { try files.removeItem(atPath: folder.path) }
    try files.moveItem(atPath: elsewhere, toPath: folder.path)
    try await store.checkReady()
    _ = try await service.create(.init(app: "pages"))
    #expect(folder.logged.count == 2)
  }

  @Test func `is not opened anew while another process has the one that was deleted`() async throws {
    let store = try folder.open()
    _ = try await folder.service(on: store).create(.init(app: "pages"))
    try files.removeItem(atPath: folder.path)
    do {
      try folder.open().close()
      Issue.record("It was opened.")
    } catch {
      #expect("\(error)".contains("in use by another process"), "\(error)")
    }
    store.close()
    try folder.open().close()
  }

  @Test func `is not replaced by a new one that would take its log`() async throws {
    var store: SQLiteStore? = try folder.open()
    let id = try await folder.service(on: try #require(store)).create(.init(app: "pages")).snapshot.id
    // What a process leaves that is killed.
    let log = try Data(contentsOf: URL(fileURLWithPath: folder.logPath))
    let file = folder.bytes()
    store?.close()
    store = nil
    try files.removeItem(atPath: folder.path)
    try log.write(to: URL(fileURLWithPath: folder.logPath))
    for isEmpty in [false, true] {
      if isEmpty { try Data().write(to: URL(fileURLWithPath: folder.path)) }
      #expect(throws: StoreOpeningError.self) { try folder.open().close() }
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder.logPath)) == log)
    }
    try file.write(to: URL(fileURLWithPath: folder.path))
    let reopened = try folder.open()
    defer { reopened.close() }
    _ = try await folder.service(on: reopened).snapshot(id)
  }

  @Test func `is whole after a stop where its log was deleted`() async throws {
    let store = try folder.open()
    let service = try folder.service(on: store)
    let id = try await service.create(.init(app: "pages")).snapshot.id
    try files.removeItem(atPath: folder.logPath)
    await expectRefused(store, folder.logPath)
    store.close()
    let reopened = try folder.open()
    defer { reopened.close() }
    _ = try await folder.service(on: reopened).snapshot(id)
  }
}
