import ExampleApps
import Foundation
import GRDB
import Navigation
import Sessions
import Stores
import Testing

/// Files that cannot be used are left as they are, and the operator is told why.
@Suite(.limitedConcurrency) final class `A session file` {
  let folder: URL
  var path: String { folder.appending(path: "sessions.sqlite").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "usher-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func open() throws(StoreOpeningError) -> SQLiteStore { try SQLiteStore(path: path) }

  private func expectRefused(_ words: String..., leaving bytes: Data?) {
    do {
      try open().close()
      Issue.record("It was opened.")
    } catch {
      for word in words { #expect(error.description.contains(word), "\(error)") }
    }
    #expect(FileManager.default.contents(atPath: path) == bytes)
  }

  private func sqlite(_ sql: String) throws {
    let file = try DatabaseQueue(path: path)
    try file.writeWithoutTransaction { try $0.execute(sql: sql) }
    try file.close()
  }

  @Test func `that is text is refused`() throws {
    let text = Data(String(repeating: "Dear diary, ", count: 100).utf8)
    try text.write(to: URL(fileURLWithPath: path))
    expectRefused("damaged or is no session file", leaving: text)
    let short = Data("x".utf8)
    try short.write(to: URL(fileURLWithPath: path))
    expectRefused("damaged or is no session file", leaving: short)
  }

  @Test func `that is no regular file is refused`() throws {
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: StoreOpeningError.self) { try open().close() }
    #expect(throws: StoreOpeningError.self) { try SQLiteStore(path: folder.path).close() }
  }

  @Test func `of something else is refused`() throws {
    try sqlite("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')")
    expectRefused("database of something else", leaving: FileManager.default.contents(atPath: path))
  }

  @Test func `of a newer version is refused`() throws {
    try open().close()
    try sqlite("PRAGMA user_version = 99")
    expectRefused("newer version", "99", leaving: FileManager.default.contents(atPath: path))
  }

  @Test func `tells of sessions that cannot be read, and goes on with the others`() async throws {
    var store = try open()
    var service = try service(on: store)
    let broken = try await service.create(.init(app: "shop")).snapshot.id
    for _ in 0..<120 { _ = try await service.create(.init(app: "pages")) }
    let sound = try await service.create(.init(app: "bank")).snapshot.id
    store.close()
    try sqlite("UPDATE session SET content = substr(content, 1, 20) WHERE app <> 'bank'")
    store = try open()
    defer { store.close() }
    service = try self.service(on: store)
    let all = try await service.search(.init(), limit: 200)
    #expect(all.sessions.count == 122 && all.sessions.filter { $0.status == .unreadable }.count == 121)
    #expect(
      try await service.search(.init(status: .active), limit: 50).sessions.map(\.listed.key) == [SessionKey(sound)])
    let summary = try await service.summary(SessionKey(broken))
    #expect(summary.status == .unreadable && summary.listed.app == "shop" && summary.session == nil)
    #expect(throws: Inspection.Obstacle.self) { try service.inspect(summary, at: nil).shown.get() }
  }

  @Test func `with damaged pages gives an error and never a wrong answer`() async throws {
    let store = try open()
    let service = try service(on: store)
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
    let again = try self.service(on: damaged)
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

  @Test func `in use is refused to a second process, and to the same one`() throws {
    let store = try open()
    do {
      try open().close()
      Issue.record("It was opened twice.")
    } catch {
      #expect(error.description.contains("in use by another process"))
    }
    store.close()
    try open().close()
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func `in a folder that cannot be written is refused`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
    expectRefused("cannot be opened for writing", leaving: nil)
  }

  @Test func `in a folder that is not there is refused`() {
    #expect(throws: StoreOpeningError.self) { try SQLiteStore(path: folder.path + "/none/sessions.sqlite") }
    #expect(throws: StoreOpeningError.self) { try SQLiteStore(path: folder.path) }
  }

  @Test func `that cannot grow refuses what does not fit and keeps the rest`() async throws {
    let small = try SQLiteStore(path: path, pageLimit: 24)
    let refusing = try service(on: small)
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
      Issue.record("\(refusal.map { "\($0)" } ?? "nothing") in place of a refusal")
      return
    }
    #expect(reason.contains("full"))
    for id in created { _ = try await refusing.snapshot(id) }
    small.close()
    let larger = try open()
    defer { larger.close() }
    let again = try service(on: larger)
    for id in created { _ = try await again.snapshot(id) }
    _ = try await again.create(.init(app: "bank"))
  }

  @Test func `does not stay behind a version that ended before its tables were there`() throws {
    try sqlite("PRAGMA journal_mode = WAL")
    try open().close()
    try open().close()
  }

  private func service(on store: any SessionStore) throws -> SessionService {
    SessionService(apps: try ExampleApps.all.map { try AppDefinition($0) }, store: store)
  }
}
