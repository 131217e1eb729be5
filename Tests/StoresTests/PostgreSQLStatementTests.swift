import ExampleApps
import Foundation
import Navigation
import Testing
import Values

@testable import Sessions
@testable import Stores

/// The statements of a PostgreSQL store.
@Suite(.limitedConcurrency, .enabled(if: TestDatabase.server != nil, "TEST_POSTGRES names no server"))
final class PostgreSQLStatementTests {
  private let url: String
  private let store: PostgreSQLStore
  private let service: SessionService

  init() throws {
    url = try TestDatabase.create()
    store = try PostgreSQLStore(url)
    service = SessionService(apps: try ExampleApps.all.map { try AppDefinition($0) }, store: store)
  }

  deinit {
    store.close()
    TestDatabase.drop(url)
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
