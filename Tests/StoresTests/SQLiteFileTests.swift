import Foundation
import Navigation
import Sessions
import TestSupport
import Testing

@testable import Stores

/// Session files that a store opens or refuses. A refused file stays unchanged, and the error gives the reason.
@Suite(.limitedConcurrency) final class SQLiteFileTests {
  private let file: TemporarySessionFile
  private var path: String { file.path }

  init() throws { file = try TemporarySessionFile() }

  private func open() throws(StoreOpeningError) -> SQLiteStore { try SQLiteStore(path: path) }

  private func expectRefused(_ words: String..., leaving bytes: Data?) {
    do {
      try open().close()
      Issue.record("The store was opened.")
    } catch {
      for word in words { #expect(error.description.contains(word), "\(error)") }
    }
    #expect(FileManager.default.contents(atPath: path) == bytes)
  }

  /// Runs a statement on the closed file.
  private func execute(_ sql: String) throws {
    try SQLiteConnection.open(path) { try $0.execute(sql) }
  }

  @Test func `a text file is refused`() throws {
    let text = Data(String(repeating: "Dear diary, ", count: 100).utf8)
    try text.write(to: URL(fileURLWithPath: path))
    expectRefused("damaged or is not a session file", leaving: text)
    let short = Data("x".utf8)
    try short.write(to: URL(fileURLWithPath: path))
    expectRefused("damaged or is not a session file", leaving: short)
  }

  @Test func `a path that is not a regular file is refused`() throws {
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: StoreOpeningError.self) { try open().close() }
    #expect(throws: StoreOpeningError.self) { try SQLiteStore(path: file.folder.path).close() }
  }

  @Test func `a database of another program is refused`() throws {
    try execute("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')")
    expectRefused("database of another program", leaving: FileManager.default.contents(atPath: path))
  }

  @Test func `a file of a newer version is refused`() throws {
    try open().close()
    try execute("PRAGMA user_version = 99")
    expectRefused("newer version", "99", leaving: FileManager.default.contents(atPath: path))
  }

  @Test func `unreadable sessions are reported, and the others are served`() async throws {
    var store = try open()
    var service = try file.service(on: store)
    let unreadable = try await service.create(.init(app: "shop")).snapshot.id
    for _ in 0..<120 { _ = try await service.create(.init(app: "pages")) }
    let readable = try await service.create(.init(app: "bank")).snapshot.id
    store.close()
    try execute("UPDATE session SET content = substr(content, 1, 20) WHERE app <> 'bank'")
    store = try open()
    defer { store.close() }
    service = try file.service(on: store)
    let all = try await service.search(.init(), limit: 200)
    #expect(all.sessions.count == 122 && all.sessions.filter { $0.status == .unreadable }.count == 121)
    #expect(
      try await service.search(.init(status: .active), limit: 50).sessions.map(\.listed.key) == [SessionKey(readable)])
    let summary = try await service.summary(SessionKey(unreadable))
    #expect(summary.status == .unreadable && summary.listed.app == "shop" && summary.session == nil)
    #expect(throws: Inspection.Obstacle.self) { try service.inspect(summary, at: nil).shown.get() }
  }

  @Test func `damaged pages cause errors, and never wrong sessions`() async throws {
    let store = try open()
    let service = try file.service(on: store)
    var ids: [SessionID] = []
    for _ in 0..<200 { ids.append(try await service.create(.init(app: "shop")).snapshot.id) }
    store.close()
    var bytes = try #require(FileManager.default.contents(atPath: path))
    for page in 2..<(bytes.count / 4096) where page % 2 == 0 {
      bytes.replaceSubrange((page * 4096)..<(page * 4096 + 512), with: repeatElement(0xA5, count: 512))
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    let damaged = try open()
    defer { damaged.close() }
    let again = try file.service(on: damaged)
    var failures = 0
    for id in ids {
      do {
        #expect(try await again.snapshot(id).visible.screen.name == "home")
      } catch {
        failures += 1
        guard case .store(.unreadable) = error else {
          Issue.record("\(error)")
          continue
        }
      }
    }
    #expect(failures > 0)
  }

  @Test func `a file in use is refused, even in the same process`() throws {
    let store = try open()
    do {
      try open().close()
      Issue.record("The file was opened twice.")
    } catch {
      #expect(error.description.contains("in use by another process"))
    }
    store.close()
    try open().close()
  }

  @Test(.enabled(if: geteuid() != 0, "root can write to every folder"))
  func `a file in a read-only folder is refused`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: file.folder.path)
    expectRefused("cannot be opened for writing", leaving: nil)
  }

  @Test func `a file in a missing folder is refused`() {
    #expect(throws: StoreOpeningError.self) { try SQLiteStore(path: file.folder.path + "/none/sessions.sqlite") }
    #expect(throws: StoreOpeningError.self) { try SQLiteStore(path: file.folder.path) }
  }

  @Test func `a full file refuses new sessions, and keeps the others`() async throws {
    let small = try SQLiteStore(path: path, pageLimit: 24)
    let refusing = try file.service(on: small)
    var created: [SessionID] = []
    var refusal: SessionError?
    while refusal == nil, created.count < 10_000 {
      do {
        created.append(try await refusing.create(.init(app: "bank")).snapshot.id)
      } catch {
        refusal = error
      }
    }
    guard case .store(.unavailable(let reason)) = refusal else {
      Issue.record("\(refusal.map { "\($0)" } ?? "no error") instead of `unavailable`")
      return
    }
    #expect(reason.contains("full"))
    for id in created { _ = try await refusing.snapshot(id) }
    small.close()
    let larger = try open()
    defer { larger.close() }
    let again = try file.service(on: larger)
    for id in created { _ = try await again.snapshot(id) }
    _ = try await again.create(.init(app: "bank"))
  }

  @Test func `a file without tables is completed`() throws {
    try execute("PRAGMA journal_mode = WAL")
    try open().close()
    try open().close()
  }
}
