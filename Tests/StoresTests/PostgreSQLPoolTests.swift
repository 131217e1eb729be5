import ExampleApps
import Foundation
import Navigation
import Testing
import Values

@testable import Sessions
@testable import Stores

/// The connections of a PostgreSQL store, and the batches that they carry.
@Suite(.limitedConcurrency, .enabled(if: TestDatabase.server != nil, "TEST_POSTGRES names no server"))
final class PostgreSQLPoolTests {
  private let url: String
  private let store: PostgreSQLStore
  private let service: SessionService
  private let buy = Intent.action(name: "buy", input: ["product": 1])

  init() throws {
    url = try TestDatabase.create()
    store = try PostgreSQLStore(url)
    service = SessionService(apps: try ExampleApps.all.map { try AppDefinition($0) }, store: store)
  }

  deinit {
    store.close()
    TestDatabase.drop(url)
  }

  /// Returns the number of the database's connections apart from the observer's.
  ///
  /// - Parameter event: counts only the connections that wait for this type of event.
  private func connections(waitingFor event: String = "", _ observer: TestConnection) throws -> Int? {
    Int(
      try observer.text(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
          AND backend_type = 'client backend' AND '\(event)' IN ('', wait_event_type)
        """))
  }

  @Test func `requests that follow each other share a connection`() async throws {
    for _ in 0..<4 {
      let id = try await service.create(.init(app: "shop")).snapshot.id
      _ = try await service.perform(.init(buy), on: id)
      try await store.checkReady()
    }
    // The server may not have noticed yet that the first connection, which creates the tables, was closed.
    let observer = try TestConnection(url)
    for _ in 0..<500 where try connections(observer) != 1 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(try connections(observer) == 1)
  }

  @Test func `a write does not wait for others that wait for locks`() async throws {
    var ids: [SessionID] = []
    for _ in 0..<4 { ids.append(try await service.create(.init(app: "shop")).snapshot.id) }
    let free = ids.removeLast()
    let (lock, observer) = (try TestConnection(url), try TestConnection(url))
    let numbers = ids.map { "\(SessionKey($0).number)" }.joined(separator: ", ")
    try lock.execute("BEGIN; SELECT FROM usher_session WHERE number IN (\(numbers)) FOR UPDATE")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, id) in ids.enumerated() {
        group.addTask { [service, buy] in _ = try await service.perform(.init(buy), on: id) }
        // One after another, because concurrent requests could share a statement.
        for _ in 0..<300 where try connections(waitingFor: "Lock", observer) != number + 1 {
          try await Task.sleep(for: .milliseconds(10))
        }
      }
      #expect(try connections(waitingFor: "Lock", observer) == ids.count)
      _ = try await service.perform(.init(buy), on: free)
      try lock.execute("ROLLBACK")
    }
  }

  @Test func `the server plans the statement of a single request once`() async throws {
    let connection = try PostgreSQLConnection(url, deadline: .now + .seconds(10))
    let id = try await service.create(.init(app: "shop")).snapshot.id
    let lookup = try await store.load(SessionKey(id), .current)
    guard case .live(let session) = lookup else { return #expect(Bool(false), "\(lookup)") }
    // In a small table, a plan for an unknown number of rows costs no more than one for the actual number.
    try TestConnection(url).execute(
      """
      INSERT INTO usher_session
      SELECT (jsonb_populate_record(s, jsonb_build_object('number', n, 'key', '\\x' || lpad(to_hex(n), 64, '0')))).*
      FROM usher_session AS s, generate_series(1, 5000) AS n;
      ANALYZE usher_session
      """)
    for _ in 0..<20 {
      _ = await withUnsafeContinuation {
        (continuation: UnsafeContinuation<Result<PostgreSQLAnswer, StoreError>, Never>) in
        let job = PostgreSQLJob(
          request: .replace(version: session.version, next: session), deadline: .now + .seconds(10),
          continuation: continuation)
        #expect(throws: Never.self) { try connection.answer([job], deadline: job.deadline) }
        continuation.resume(returning: .success(.rows(0)))
      }
    }
    // The first five executions have plans of their own.
    let plans = try connection.run(
      "SELECT generic_plans FROM pg_prepared_statements WHERE statement LIKE 'WITH written%'",
      deadline: .now + .seconds(10))
    #expect(plans.count == 1 && plans.integer(0, 0) == 15)
  }
}
