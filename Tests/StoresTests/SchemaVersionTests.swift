import Foundation
import Navigation
import TestSupport
import Testing

@testable import Sessions
@testable import Stores

/// A version of the tables that follows the current one.
@Suite(.limitedConcurrency) struct SchemaVersionTests {
  @Test func `a session file moves to the next version of its tables, and an earlier build then refuses it`()
    async throws
  {
    let file = try TemporarySessionFile()
    let session = StoredSession.pending(.init(1))
    let store = try file.open()
    #expect(try await store.insert(session, outcome: nil))
    store.close()
    let next = SQLiteSchema.steps + ["ALTER TABLE session ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'"]
    try SQLiteConnection.open(file.path) { connection in
      for _ in 0..<2 { try SQLiteSchema.migrate(connection, through: next) }
      #expect(try connection.number("PRAGMA user_version") == Int64(next.count))
      #expect(try connection.rows("SELECT colour FROM session") { try $0.text(0) } == ["blue"])
      #expect(try connection.rows("SELECT content FROM session") { try $0.bytes(0) }.count == 1)
    }
    #expect(throws: StoreOpeningError.self) { try file.open() }
  }

  @Test(.enabled(if: TestDatabase.server != nil, "TEST_POSTGRES names no server"))
  func `a database moves to the next version of its tables, and an earlier build then refuses it`() async throws {
    let url = try TestDatabase.create()
    defer { TestDatabase.drop(url) }
    let session = StoredSession.pending(.init(1))
    let store = try PostgreSQLStore(url)
    #expect(try await store.insert(session, outcome: nil))
    store.close()
    let next = PostgreSQLSchema.steps + ["ALTER TABLE usher_session ADD COLUMN colour text NOT NULL DEFAULT 'blue'"]
    let deadline = Deadline.now + .seconds(10)
    let connection = try PostgreSQLConnection(url, deadline: deadline)
    for _ in 0..<2 { try PostgreSQLSchema.migrate(connection, through: next, deadline: deadline) }
    let rows = try connection.run("SELECT colour FROM usher_session", deadline: deadline)
    #expect(rows.count == 1 && rows[0].text(0) == "blue")
    #expect(throws: StoreOpeningError.self) { try PostgreSQLStore(url) }
  }
}
