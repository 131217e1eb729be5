import CoreMetrics
import Foundation
import Navigation
import Sessions
import Stores
import Synchronization
import Testing

/// Session files that are deleted, moved or replaced while a store has them open.
@Suite final class SQLiteDisplacementTests {
  private let file: TemporarySessionFile

  init() throws { file = try TemporarySessionFile() }

  private var files: FileManager { .default }
  private var elsewhere: String { file.path + ".moved" }

  private func expectRefused(_ store: SQLiteStore, _ words: String...) async {
    do {
      try await store.checkReady()
      Issue.record("The store is ready.")
    } catch {
      guard case .displaced(let sentence) = error else {
        Issue.record("\(error)")
        return
      }
      for word in words { #expect(sentence.contains(word), "\(sentence)") }
    }
  }

  @Test(arguments: ["deleted", "moved", "replaced"])
  func `writes are refused until the file is back`(how: String) async throws {
    let store = try file.open()
    defer { store.close() }
    let service = try file.service(on: store)
    let id = try await service.create(.init(app: "pages")).snapshot.id
    try await store.checkReady()
    if how == "deleted" {
      try files.removeItem(atPath: file.path)
    } else {
      try files.moveItem(atPath: file.path, toPath: elsewhere)
    }
    if how == "replaced" { try files.copyItem(atPath: elsewhere, toPath: file.path) }
    await expectRefused(store, file.path, "deleted, moved or replaced")
    await #expect(throws: SessionError.self) { try await service.create(.init(app: "pages")) }
    await #expect(throws: SessionError.self) { try await service.perform(.init(.back), on: id) }
    // Only cached sessions can still be read.
    #expect(try await service.snapshot(id).session.revision == 1)
    await #expect(throws: SessionError.self) { try await service.snapshot(.random()) }
    // The store logs the failure once, however many requests there are.
    #expect(file.logged.count == 1)
    guard how != "deleted" else { return }
    if how == "replaced" { try files.removeItem(atPath: file.path) }
    try files.moveItem(atPath: elsewhere, toPath: file.path)
    try await store.checkReady()
    _ = try await service.create(.init(app: "pages"))
    #expect(file.logged.count == 2)
  }

  @Test func `the outcome of an effect is stored once the file is back`() async throws {
    let store = try file.open()
    defer { store.close() }
    let courier = Courier(file.path)
    let app = App("courier", title: "Courier", services: courier) { Courier.Round() }
    let service = SessionService(apps: [try AppDefinition(app)], store: store)
    let id = try await service.create(.init(app: "courier")).snapshot.id
    var settings = WorkRunner.Settings()
    settings.interval = .milliseconds(50)
    let runner = WorkRunner(service, settings, metrics: NOOPMetricsHandler.instance) { _ in }
    let running = Task { await runner.run() }
    for _ in 0..<1000 where try await service.snapshot(id).session.revision == 1 {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try await service.snapshot(id).session.revision == 2)
    #expect(courier.runs.load(ordering: .relaxed) == 1)
    running.cancel()
    await running.value
  }

  @Test func `a deleted file is not recreated while another store has it open`() async throws {
    let store = try file.open()
    _ = try await file.service(on: store).create(.init(app: "pages"))
    try files.removeItem(atPath: file.path)
    do {
      try file.open().close()
      Issue.record("The store was opened.")
    } catch {
      #expect("\(error)".contains("in use by another process"), "\(error)")
    }
    store.close()
    try file.open().close()
  }

  @Test func `a new file does not replace a missing one, because it would erase the log`() async throws {
    var store: SQLiteStore? = try file.open()
    let id = try await file.service(on: try #require(store)).create(.init(app: "pages")).snapshot.id
    // A killed process leaves its log behind.
    let log = try Data(contentsOf: URL(fileURLWithPath: file.walPath))
    let content = file.bytes()
    store?.close()
    store = nil
    try files.removeItem(atPath: file.path)
    try log.write(to: URL(fileURLWithPath: file.walPath))
    for isEmpty in [false, true] {
      if isEmpty { try Data().write(to: URL(fileURLWithPath: file.path)) }
      #expect(throws: StoreOpeningError.self) { try file.open().close() }
      #expect(try Data(contentsOf: URL(fileURLWithPath: file.walPath)) == log)
    }
    try content.write(to: URL(fileURLWithPath: file.path))
    let reopened = try file.open()
    defer { reopened.close() }
    _ = try await file.service(on: reopened).snapshot(id)
  }

  @Test func `a file is complete after a stop even if its log was deleted`() async throws {
    let store = try file.open()
    let service = try file.service(on: store)
    let id = try await service.create(.init(app: "pages")).snapshot.id
    try files.removeItem(atPath: file.walPath)
    await expectRefused(store, file.walPath)
    store.close()
    let reopened = try file.open()
    defer { reopened.close() }
    _ = try await file.service(on: reopened).snapshot(id)
  }
}

/// The other side of an effect, which moves the session file away for half a second.
private final class Courier: Sendable {
  let path: String
  let runs = Atomic(0)

  init(_ path: String) { self.path = path }

  struct Deliver: Effect {
    typealias Services = Courier
    static let name = "deliver"

    func run(_ context: EffectContext<Self>) async throws -> Nothing {
      let path = context.services.path
      context.services.runs.add(1, ordering: .relaxed)
      try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
      Task.detached {
        try await Task.sleep(for: .milliseconds(500))
        try FileManager.default.moveItem(atPath: path + ".moved", toPath: path)
      }
      return Nothing()
    }
  }

  struct Street: Screen {
    static let name = "street"
    static let title: Title<Self> = "Street"
  }

  struct Round: Coordinator {
    typealias Services = Courier
    static let name = "round"
    static let wiring = Wiring<Self>().shows(Street.self)
      .performs(Deliver.self, done: { _, _, _ in }, failed: { _, _, _ in })

    func start(_ nav: inout Navigator<Self>) {
      nav.push(Street())
      nav.perform(Deliver())
    }
  }
}
