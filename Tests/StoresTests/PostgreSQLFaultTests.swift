import ExampleApps
import Foundation
import Navigation
import Sessions
import Stores
import TestSupport
import Testing
import Values

/// Databases that are restored from a backup, read-only, damaged or missing.
@Suite(.limitedConcurrency, .enabled(if: TestDatabase.server != nil, "TEST_POSTGRES names no server"))
final class PostgreSQLFaultTests {
  private let url: String
  private let apps: [AppDefinition]

  init() throws {
    url = try TestDatabase.create()
    apps = try ExampleApps.all.map { try AppDefinition($0) }
  }

  deinit { TestDatabase.drop(url) }

  private func replica(_ url: String? = nil) throws -> (store: PostgreSQLStore, service: SessionService) {
    let store = try PostgreSQLStore(url ?? self.url)
    return (store, SessionService(apps: apps, store: store))
  }

  private func buy(_ product: Int64) -> Intent { .action(name: "buy", input: ["product": .init(product)]) }

  @Test func `a database that was restored from a backup overrides the caches`() async throws {
    let (first, second) = (try replica(), try replica())
    defer {
      first.store.close()
      second.store.close()
    }
    let id = try await first.service.create(.init(app: "shop")).snapshot.id
    try TestDatabase.execute("CREATE TABLE backup AS SELECT * FROM usher_session", in: url)
    _ = try await first.service.perform(.init(buy(1)), on: id)
    try TestDatabase.execute("DELETE FROM usher_session; INSERT INTO usher_session SELECT * FROM backup", in: url)
    _ = try await second.service.perform(.init(buy(2)), on: id)
    // Both replicas wrote a revision 2. The cache of the first replica still contains its own one.
    #expect(try await first.service.snapshot(id).visible.data["selectedProduct"] == 2)
    let paid = try await first.service.perform(.init(.action(name: "pay", input: .emptyObject), revision: 2), on: id)
    #expect(paid.snapshot.visible.data["purchases"] == [2])
  }

  @Test func `an unreadable row fails requests for its session only`() async throws {
    let writer = try replica()
    let (unreadable, readable) = (
      try await writer.service.create(.init(app: "shop")).snapshot.id,
      try await writer.service.create(.init(app: "shop")).snapshot.id
    )
    writer.store.close()
    let key = SessionKey(unreadable).bytes.map { String(format: "%02x", $0) }.joined()
    try TestDatabase.execute("UPDATE usher_session SET content = '\\xff' WHERE key = '\\x\(key)'", in: url)
    let reader = try replica()
    defer { reader.store.close() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<32 {
        group.addTask { _ = try await reader.service.snapshot(readable) }
        group.addTask {
          do throws(SessionError) {
            _ = try await reader.service.snapshot(unreadable)
            Issue.record("The session was read.")
          } catch {
            guard case .store(.unreadable) = error else { throw error }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a damaged page fails requests for its sessions only`() async throws {
    let writer = try replica()
    var ids: [SessionID] = []
    for _ in 0..<100 { ids.append(try await writer.service.create(.init(app: "shop")).snapshot.id) }
    writer.store.close()
    let damaged = try damagedCopy(of: url)
    defer { TestDatabase.drop(damaged) }
    let reader = try replica(damaged)
    defer { reader.store.close() }
    @Sendable func isUnreadable(_ id: SessionID) async throws -> Bool {
      do throws(SessionError) {
        _ = try await reader.service.snapshot(id)
        return false
      } catch {
        guard case .store(.unreadable) = error else { throw error }
        return true
      }
    }
    // One after the other, no request is in a batch with another one.
    var unreadable: [SessionID] = []
    for id in ids where try await isUnreadable(id) { unreadable.append(id) }
    #expect((1..<60).contains(unreadable.count))
    for _ in 0..<5 {
      let failed = try await withThrowingTaskGroup(of: SessionID?.self) { group in
        for id in ids { group.addTask { try await isUnreadable(id) ? id : nil } }
        return try await group.reduce(into: []) { failed, id in failed += id.map { [$0] } ?? [] }
      }
      #expect(Set(failed) == Set(unreadable))
    }
    try await reader.store.checkReady()
  }

  /// Copies a database, and overwrites the header of the first page of the copy's table of sessions.
  private func damagedCopy(of url: String) throws -> String {
    let (name, server) = (url.split(separator: "/").last!, url[..<url.lastIndex(of: "/")!])
    // The strategy copies files, so that no page of the copy is in the server's memory. It is the only one before
    // PostgreSQL 15.
    let version = try TestConnection(nil).text("SHOW server_version_num")
    let strategy = (Int(version) ?? 0) >= 150_000 ? "STRATEGY file_copy" : ""
    try TestDatabase.execute("CREATE DATABASE \(name)_copy TEMPLATE \(name) \(strategy)")
    // PostgreSQL would scan a table as small as this instead of using its index.
    try TestDatabase.execute("ALTER DATABASE \(name)_copy SET enable_seqscan = off")
    let connection = try TestConnection("\(server)/\(name)_copy")
    let folder = try connection.text("SHOW data_directory")
    let path = try connection.text("SELECT pg_relation_filepath('usher_session')")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: "\(folder)/\(path)"))
    try file.write(contentsOf: Data(repeating: 0xA5, count: 24))
    try file.close()
    return "\(server)/\(name)_copy"
  }

  @Test func `a read-only database is used again when it becomes writable`() async throws {
    let (store, service) = try replica()
    defer { store.close() }
    let id = try await service.create(.init(app: "shop")).snapshot.id
    let terminateConnections = """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """
    let database = url.split(separator: "/").last!
    try TestDatabase.execute("ALTER DATABASE \(database) SET default_transaction_read_only = on", in: url)
    try TestDatabase.execute(terminateConnections, in: url)
    for _ in 0..<4 {
      await #expect(throws: SessionError.self) { try await service.perform(.init(self.buy(1)), on: id) }
      await #expect(throws: StoreError.self) { try await store.checkReady() }
    }
    #expect(try await service.snapshot(id).session.revision == 1)
    try TestDatabase.execute("ALTER DATABASE \(database) SET default_transaction_read_only = off")
    for turn in 0..<8 {
      let intent = turn % 2 == 0 ? buy(1) : .back
      #expect(try await service.perform(.init(intent), on: id).snapshot.session.revision == UInt64(turn + 2))
      try await store.checkReady()
    }
  }

  @Test func `a role with permissions on the tables alone is sufficient`() async throws {
    try replica().store.close()
    let role = "usher_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    try TestDatabase.execute(
      """
      CREATE ROLE \(role) LOGIN;
      GRANT USAGE ON SCHEMA public TO \(role);
      GRANT SELECT, INSERT, UPDATE, DELETE ON usher_session, usher_work, usher_creation, usher_schema TO \(role)
      """, in: url)
    defer { try? TestDatabase.execute("DROP OWNED BY \(role); DROP ROLE \(role)", in: url) }
    let (store, service) = try replica(url.replacing(/\/\/[^@]*@/, with: "//\(role)@"))
    defer { store.close() }
    _ = try await service.create(.init(app: "shop"))
  }

  @Test func `an invalid location, or a cancelled wait, fails at once`() {
    let start = ContinuousClock.now
    for url in ["postgres://127.0.0.1:notaport/x", "postgres://127.0.0.1/x?bogus=1", "postgres://u:pa/ss@127.0.0.1/x"] {
      #expect(throws: StoreOpeningError.self, "\(url)") { try PostgreSQLStore(url) }
    }
    #expect(throws: StoreOpeningError.self) { try PostgreSQLStore("postgres://nobody@127.0.0.1:1/x", while: { false }) }
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
