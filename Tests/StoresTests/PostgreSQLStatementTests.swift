import ExampleApps
import Foundation
import Navigation
import TestSupport
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
    let lookup = try await store.load(SessionKey(id))
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
      let job = PostgreSQLJob(.replace(session, next: session)) { _ in }
      #expect(throws: Never.self) { try connection.answer([job], deadline: job.deadline) }
    }
    // The first five executions have plans of their own.
    let plans = try connection.run(
      "SELECT generic_plans FROM pg_prepared_statements WHERE statement LIKE 'UPDATE usher_session AS written%'",
      deadline: .now + .seconds(10))
    #expect(plans.count == 1 && plans[0].integer(0) == 15)
  }

  @Test func `no statement for single sessions or due work scans a table, even if it was planned while all were empty`()
    async throws
  {
    let connection = try PostgreSQLConnection(url, deadline: .now + .seconds(10))
    // As if the server had no statistics yet, and had seen each statement often.
    _ = try connection.run("SET plan_cache_mode = force_generic_plan", deadline: .now + .seconds(10))
    for table in ["session", "work", "queued_signal", "signal", "creation", "watch", "part"] {
      _ = try connection.run(
        "ALTER TABLE usher_\(table) SET (autovacuum_enabled = false)", deadline: .now + .seconds(10))
    }
    let session = StoredSession.pending(.init(1), .waiting(2, for: "key"))
    let work = ClaimedWork(
      session: session.key, id: WorkID(1), queue: .events, lease: 1, attempts: 0, claims: 1, progress: nil)
    let signal = KeyedSignal(
      key: SignalKey("key", of: "paid", in: "shop"), signal: .signal(1), hold: .seconds(9))
    let blob = LocatedBlob(offset: 1, blob: Blob([UInt8](repeating: 0, count: 5000)))
    let large = session.asOf(2, .packed(try #require(SplitBytes(rest: [1], blobs: [blob]))))
    let requests: [PostgreSQLRequest] = [
      .insert(session), .load(session.key, cached: nil), .loadTogether([session.key]),
      .claim(WorkSearch(apps: ["shop": 1], slots: .events(500), now: .current, lease: .seconds(1))),
      .claim(
        WorkSearch(
          apps: ["shop": 1], slots: .effects(500, ofQueue: 16), now: .current, lease: .seconds(1))),
      .replace(session, next: session.advanced(.waiting(2, for: "key"))),
      .replace(session, next: session.advanced(.init(1), .init(2))),
      .replace(session, next: session.advanced(.init(1), .waiting(3, for: "key"))),
      .renew(.seconds(1), work), .report(WorkReport(pause: nil, attempts: 1, error: ""), work), .discard(work),
      .settle(work, adding: [.signal(1)]), .retry(WorkID(1), session.key, [1]),
      .deliver(.signal(1), WorkID(2), session.key), .hold(signal), .deliverKeyed(signal), .unhold(signal),
      .heldSignals(signal.key), .retry(WorkID(1), session.key, nil), .work(session.key),
      .delete(session, forgetAt: .current), .insert(large), .replace(session, next: large),
    ]
    let together = PostgreSQLReplacement.statement(for: requests.compactMap(\.statement.replacement))
    let statements = requests.flatMap { [$0.statement] + $0.statement.following } + [together]
    for statement in statements { try connection.run([statement], deadline: .now + .seconds(10)) }
    let other = StoredSession.pending(.init(1))
    #expect(try await store.insert(other, outcome: nil))
    try TestConnection(url).execute(
      """
      INSERT INTO usher_session
      SELECT (jsonb_populate_record(s, jsonb_build_object('number', n, 'key', '\\x' || lpad(to_hex(n), 64, '0')))).*
      FROM usher_session AS s, generate_series(1, 2000) AS n WHERE number = \(other.key.number);
      INSERT INTO usher_work (session, id, app, due_at, queue) SELECT number, 1, app, 1, '' FROM usher_session
      ON CONFLICT DO NOTHING;
      INSERT INTO usher_queued_signal (session, address, delivery, event) SELECT number, 1, 1, '' FROM usher_session
      """)
    // The server adds the counts of a connection up until it publishes them.
    let read = PostgreSQLStatement(
      "SELECT coalesce(sum(seq_tup_read), 0)::int8 FROM pg_stat_xact_user_tables WHERE relname LIKE 'usher%'")
    for statement in statements {
      let counts = try connection.run([read, statement, read], deadline: .now + .seconds(20))
      #expect(counts[2][0].integer(0) == counts[0][0].integer(0), "\(statement.sql)")
    }
  }

  @Test func `replacements that share a statement have results of their own`() async throws {
    let connection = try PostgreSQLConnection(url, deadline: .now + .seconds(10))
    let sessions = (0..<6).map { _ in StoredSession.pending(.init(1), .timer(2)) }
    for session in sessions.dropLast() { #expect(try await store.insert(session, outcome: nil)) }
    let (plain, finished, changed, contested, ended) = (sessions[0], sessions[1], sessions[2], sessions[3], sessions[4])
    let present = changed.advanced(work: changed.work)
    #expect(try await store.replace(changed, with: present))
    #expect(try await store.delete(ended, forgetAt: .current + 600))
    /// The successor without one of the pieces of work, as after its event.
    func without(_ index: Int, _ session: StoredSession) -> StoredSession { session.advanced(session.work![1 - index]) }
    let rivals = [without(0, contested), without(1, contested)]
    let replacements: [(StoredSession, StoredSession)] = [
      (plain, plain.advanced(work: plain.work)), (finished, without(1, finished)),
      (changed, without(1, changed)), (contested, rivals[0]), (contested, rivals[1]),
      (ended, without(1, ended)), (sessions[5], without(1, sessions[5])),
    ]
    let jobs = replacements.map { session, next in PostgreSQLJob(.replace(session, next: next)) { _ in } }
    #expect(jobs.allSatisfy { $0.request.statement.replacement != nil })
    let lookUp = PostgreSQLJob(.work(finished.key)) { _ in }
    try await store.watch([finished.key, changed.key], until: .current + 600)
    _ = try connection.run("LISTEN usher", deadline: .now + .seconds(10))
    let answers = try connection.answer([jobs[0], lookUp] + jobs.dropFirst(), deadline: .now + .seconds(10))
    let rows = try answers.map { try $0.get().changed }
    #expect(rows[0] == 1 && rows[2] == 1 && rows[3] == 0 && rows[4] + rows[5] == 1 && rows[6...] == [0, 0])
    #expect(try answers[1].get().rows.map { WorkStatus($0).id.rawValue } == [1])
    let announced = connection.notifications(within: .seconds(10)) ?? []
    #expect(announced.count == 1 && announced[0].hasPrefix(Hexadecimal.encode(finished.key.bytes)))
    let winner = rivals[rows[4] == 1 ? 0 : 1]
    for expected in [replacements[0].1, replacements[1].1, present, winner] {
      #expect(try await store.load(expected.key) == .live(expected))
      let ids = try await store.work(of: expected.key).map(\.id)
      #expect(ids == expected.work?.map(\.id))
    }
  }

  @Test func `a large session, and one that removes much work, have statements of their own`() throws {
    let session = StoredSession.pending(.init(1), .init(2), .init(3))
    func isShared(_ next: StoredSession) -> Bool {
      PostgreSQLRequest.replace(session, next: next).statement.replacement != nil
    }
    let work = session.work!
    #expect(isShared(session.advanced(work: work)))
    #expect(isShared(session.advanced(work[1], work[2])))
    #expect(!isShared(session.advanced(work[2])))
    #expect(!isShared(session.advanced(work: work + [.init(4)])))
    func isShared(_ navigation: SplitBytes) -> Bool {
      isShared(
        StoredSession(
          key: session.key, app: session.app, createdAt: session.createdAt, expiresAt: session.expiresAt, locale: nil,
          revision: 2, navigation: .packed(navigation), journal: session.journal, work: session.work))
    }
    #expect(isShared(SplitBytes([UInt8](repeating: 1, count: 1 << 17))))
    #expect(!isShared(SplitBytes([UInt8](repeating: 1, count: 1 << 18))))
    #expect(!isShared(try #require(SplitBytes(rest: [], blobs: [LocatedBlob(offset: 0, blob: Blob([1]))]))))
  }

  @Test func `a batch returns its results in order, and its first error`() throws {
    let connection = try PostgreSQLConnection(url, deadline: .now + .seconds(10))
    let deadline = Deadline.now + .seconds(20)
    func dividing(_ number: Int64) -> PostgreSQLStatement { PostgreSQLStatement("SELECT 12 / $1", .integer(number)) }
    let quotients = try connection.run((1...6).map(dividing), deadline: deadline)
    #expect(quotients.map { $0[0].integer(0) } == [12, 6, 4, 3, 2, 2])
    let count = PostgreSQLStatement("SELECT count(*) FROM usher_watch")
    let watch = PostgreSQLRequest.watch([SessionKey(SessionID.random())], until: Timestamp(milliseconds: 1))
    do throws(PostgreSQLError) {
      let failing = [watch.statement, count, dividing(0), PostgreSQLStatement("SELECT nothing")]
      try connection.run(failing, deadline: deadline)
      Issue.record("The batch succeeded.")
    } catch {
      guard case .refused("22012", _) = error else { return #expect(Bool(false), "\(error)") }
    }
    // The failed transaction had no effect, but the server keeps the statements that it has prepared.
    #expect(try connection.run([count], deadline: deadline)[0][0].integer(0) == 0)
    let plans = "SELECT sum(custom_plans + generic_plans)::int8 FROM pg_prepared_statements WHERE statement = $1"
    #expect(try connection.run(plans, .text(count.sql), deadline: deadline)[0].integer(0) == 2)
  }

  @Test func `a batch may exceed the buffers of both directions`() throws {
    let connection = try PostgreSQLConnection(url, deadline: .now + .seconds(10))
    // The server stops reading requests once it cannot send its results, which are larger.
    let statements = (0..<24).map { number in
      PostgreSQLStatement("SELECT $1 || $1 || $1 || $1", .bytes([UInt8](repeating: number, count: 1 << 20)))
    }
    let results = try connection.run(statements, deadline: .now + .seconds(20)).map { $0[0].bytes(0) }
    #expect(results.map(\.first) == (0..<24).map { $0 })
    #expect(results.allSatisfy { $0.count == 4 << 20 })
  }

  @Test func `a batch runs on a server that has lost the prepared statements`() throws {
    let texts = ["SELECT 1::int8 + $1", "SELECT 2::int8 * $1", "SELECT 1::int8 + $1"]
    let batch = texts.map { PostgreSQLStatement($0, .integer(20)) }
    let connection = try PostgreSQLConnection(url, deadline: .now + .seconds(10))
    for part in [batch, [PostgreSQLStatement("DEALLOCATE ALL")], batch, batch] {
      let results = try connection.run(part, deadline: .now + .seconds(20))
      if part.count > 1 { #expect(results.map { $0[0].integer(0) } == [21, 40, 21]) }
    }
  }
}
