import Foundation
import Navigation
import TestSupport
import Testing
import Values

@testable import Sessions
@testable import Stores

/// The pending work of sessions in the databases of durable stores.
@Suite(.limitedConcurrency) struct WorkDatabaseTests {
  @Test func `the tombstone of a session stays while a detached effect is left`() async throws {
    let file = try TemporarySessionFile()
    let store = try file.open()
    defer { store.close() }
    let session = StoredSession.pending().advanced(work: nil)
    let detached = DetachedWork(session: session.key, app: "shop", locale: nil, effect: [])
    let work = ScheduledWork(id: WorkID(1), dueAt: .current, queue: WorkQueue(name: "pay"), detached: detached.encoded)
    #expect(try await store.insert(StoredSession(copying: session, detached: [work]), outcome: nil))
    #expect(try await store.delete(session, forgetAt: session.createdAt))
    func isKnown() async throws -> Bool { try await store.load(session.key) != .unknown }
    try await store.sweep(now: session.createdAt + 1, tombstoneLifetime: 60)
    #expect(try await isKnown())
    let claimed = try #require(try await store.claimSoon().first)
    #expect(try await store.report(claimed, pause: .zero))
    try await store.discard(try #require(try await store.claimSoon().first))
    #expect(try await store.countWork().pending == 0)
    try await store.sweep(now: session.createdAt + 1, tombstoneLifetime: 60)
    #expect(try await isKnown() == false)
  }

  @Test func `the leases of an earlier process on a session file end at its start`() async throws {
    let file = try TemporarySessionFile()
    let first = try file.open()
    #expect(try await first.insert(.pending(.init(1), .init(2, in: 3_600_000)), outcome: nil))
    let claimed = try await first.claim()
    #expect(claimed.ids == [1])
    first.close()
    let second = try file.open()
    defer { second.close() }
    let again = try await second.claim()
    #expect(again.ids == [1])
    #expect(again.first?.claims == 2)
    #expect(try await second.report(try #require(claimed.first)) == false)
  }

  @Test func `work of a damaged session does not stop other work`() async throws {
    let file = try TemporarySessionFile()
    var store = try file.open()
    let (damaged, intact) = (StoredSession.pending(.init(1, in: -100)), StoredSession.pending(.init(2)))
    for session in [damaged, intact] { #expect(try await store.insert(session, outcome: nil)) }
    store.close()
    try SQLiteConnection.open(file.path) { connection in
      try connection.execute("UPDATE session SET key = x'00' WHERE number = \(damaged.key.number)")
    }
    store = try file.open()
    defer { store.close() }
    #expect(try await store.claim(limit: 1).ids == [2])
    #expect(try await store.claim(limit: 1) == [])
    #expect(try await store.countWork().pending == 2)
  }

  @Test func `work is claimed from a file whose commits are not synced`() async throws {
    let file = try TemporarySessionFile()
    let store = try SQLiteStore(path: file.path, durability: .normal)
    defer { store.close() }
    #expect(try await store.insert(.pending(.init(1)), outcome: nil))
    #expect(try await store.claim().ids == [1])
    #expect(try await store.claim() == [])
  }

  @Test func `due work in a session file is found by an index`() async throws {
    let file = try TemporarySessionFile()
    try file.open().close()
    let plans = try SQLiteConnection.open(file.path) { connection in
      try [
        "SELECT session, id FROM work WHERE queue = '' AND due_at <= 1 AND app IN ('a', 'b') ORDER BY due_at LIMIT 5",
        "SELECT queue, due_at FROM work WHERE queue > '' ORDER BY queue, due_at LIMIT 1",
      ].map { sql in
        try connection.rows("EXPLAIN QUERY PLAN \(sql)") { try $0.text(3) }
      }
    }
    for (plan, condition) in zip(plans, ["(queue=? AND due_at<?)", "(queue>?)"]) {
      #expect(plan.count == 1 && plan[0].contains("USING COVERING INDEX work_due \(condition)"), "\(plan)")
    }
  }

  @Test func `the error of a report is at most 1 KiB of UTF-8`() {
    func stored(_ error: String) -> String { WorkReport(pause: nil, attempts: 1, error: error).storedError ?? "" }
    #expect(stored("a\0b") == "ab")
    let text = String(repeating: "x", count: 1024)
    #expect(stored(text) == text && stored(text + "y") == text)
    #expect(stored("x" + String(repeating: "é", count: 600)) == "x" + String(repeating: "é", count: 511))
    #expect(stored("xx" + String(repeating: "🧭", count: 600)).utf8.count == 1022)
  }
}

/// The pending work of sessions in a PostgreSQL database that several processes share.
@Suite(.limitedConcurrency, .enabled(if: TestDatabase.server != nil, "TEST_POSTGRES names no server"))
final class PostgreSQLWorkTests {
  private let url: String

  init() throws { url = try TestDatabase.create() }

  deinit { TestDatabase.drop(url) }

  @Test func `a session without work costs no other statement`() throws {
    let session = StoredSession.pending().advanced(work: nil)
    let requests: [PostgreSQLRequest] = [
      .insert(session), .replace(session, next: session.advanced(work: nil)), .delete(session, forgetAt: .current),
    ]
    for request in requests { #expect(!request.statement.sql.contains("usher_work")) }
  }

  @Test func `the server plans writes with work once`() throws {
    try PostgreSQLStore(url).close()
    let connection = try PostgreSQLConnection(url, deadline: .now + .seconds(10))
    var session = StoredSession.pending(.init(0))
    func answer(_ request: PostgreSQLRequest) throws -> Int {
      let job = PostgreSQLJob(request) { _ in }
      return try connection.answer([job], deadline: job.deadline)[0].get().changed
    }
    #expect(try answer(.insert(session)) == 1)
    for number in 0..<20 as Range<UInt32> {
      let next = session.advanced(work: (0...(number % 3)).map { ScheduledWork(number * 8 + $0) })
      #expect(try answer(.replace(session, next: next)) == 1)
      // The answer to an attempt that is repeated after its connection was lost.
      #expect(try answer(.replace(session, next: next)) == 0)
      session = next
    }
    let plans = try connection.run(
      "SELECT generic_plans FROM pg_prepared_statements WHERE statement LIKE 'WITH written AS (UPDATE%'",
      deadline: .now + .seconds(10))
    #expect(plans.count == 1 && plans[0].integer(0) == 35)
  }

  @Test func `a write whose answer was lost is repeated without effect`() async throws {
    let store = try PostgreSQLStore(url)
    defer { store.close() }
    let connection = try PostgreSQLConnection(url, deadline: .now + .seconds(10))
    func answerAgain(_ request: PostgreSQLRequest) throws -> Int {
      let job = PostgreSQLJob(request) { _ in }
      return try connection.answer([job], mayHaveRun: true, deadline: job.deadline)[0].get().changed
    }
    let session = StoredSession.pending(.init(1), .init(2))
    #expect(try await store.insert(session, outcome: nil))
    #expect(try answerAgain(.insert(session)) == 1)
    let next = session.advanced(session.work![0], .init(3))
    #expect(try await store.replace(session, with: next))
    let claimed = try await store.claim()
    #expect(try answerAgain(.replace(session, next: next)) == 1)
    #expect(Set(claimed.ids) == [1, 3])
    #expect(try await store.claim() == [])
    let report = WorkReport(pause: .zero, attempts: 1, error: "")
    #expect(try await store.report(report, on: claimed[0], at: .current))
    #expect(try answerAgain(.report(report, claimed[0])) == 1)
    #expect(try await store.claim().ids == [claimed[0].id.rawValue])
    #expect(try answerAgain(.report(report, claimed[0])) == 0)
    #expect(try answerAgain(.renew(.seconds(60), claimed[1])) == 1)
    #expect(try await store.countWork().pending == 2)
  }

  @Test func `a claim waits for no write, and no write waits for a lease`() async throws {
    let store = try PostgreSQLStore(url)
    defer { store.close() }
    let sessions = [StoredSession.pending(.init(1)), .pending(.init(2))]
    for session in sessions { #expect(try await store.insert(session, outcome: nil)) }
    let writer = try TestConnection(url)
    try writer.execute("BEGIN")
    try writer.execute(
      """
      UPDATE usher_session SET version = version;
      DELETE FROM usher_work WHERE session = \(sessions[0].key.number)
      """)
    let claimed = try await store.claim()
    #expect(claimed.ids == [2])
    try writer.execute("ROLLBACK")
    #expect(try await store.claim().ids == [1])
    #expect(try await store.replace(sessions[1], with: sessions[1].advanced()))
  }

  @Test func `the database's clock decides what is due`() async throws {
    let store = try PostgreSQLStore(url)
    defer { store.close() }
    let begin = Timestamp.current.milliseconds
    #expect(try await store.insert(.pending(.init(1, in: 600_000)), outcome: nil))
    let end = Timestamp.current.milliseconds
    let future = Timestamp.current + 86_400
    #expect(try await store.claim(at: future, lease: .seconds(1), limit: 1) == [])
    let due = Int64(try TestConnection(url).text("SELECT due_at FROM usher_work")) ?? 0
    // The time of the database is rounded up to whole milliseconds.
    #expect((begin + 600_000...end + 600_001).contains(due))
  }

  /// Replaces a new session 40 times, in turns through both stores. Each second successor keeps a piece of work.
  private static func replacements(in stores: [PostgreSQLStore]) async throws -> StoredSession {
    var session = StoredSession.pending(.init(0))
    #expect(try await stores[0].insert(session, outcome: nil))
    for turn in 1...40 as ClosedRange<UInt32> {
      let kept = turn % 2 == 0 ? session.work ?? [] : []
      let next = session.advanced(work: kept.suffix(1) + [ScheduledWork(turn)])
      #expect(try await stores[Int(turn) % 2].replace(session, with: next))
      session = next
    }
    return session
  }

  @Test func `work is kept exactly while connections are terminated`() async throws {
    let stores = [try PostgreSQLStore(url), try PostgreSQLStore(url)]
    defer { for store in stores { store.close() } }
    let terminations = Task.detached { [url] in
      for _ in 0..<10 {
        try await Task.sleep(for: .milliseconds(100))
        try TestDatabase.terminateConnections(to: url)
      }
    }
    let kept = try await withThrowingTaskGroup(of: StoredSession.self) { group in
      for client in 0..<8 {
        let order = client % 2 == 0 ? stores : stores.reversed()
        group.addTask { try await Self.replacements(in: order) }
      }
      // Each claim that is answered can be reported, unless a replacement has removed the work.
      let claims = Task {
        while !Task.isCancelled {
          for work in try await stores[0].claim(limit: 4) { _ = try await stores[1].report(work) }
        }
      }
      let kept = try await group.reduce(into: []) { $0.append($1) }
      claims.cancel()
      _ = await claims.result
      return kept
    }
    try await terminations.value
    let rows = try TestConnection(url).text(
      "SELECT string_agg(session || '/' || id, ' ' ORDER BY session, id) FROM usher_work")
    let expected = kept.sorted { $0.key.number < $1.key.number }.flatMap { session in
      session.work!.map { "\(session.key.number)/\($0.id.rawValue)" }
    }
    #expect(rows.split(separator: " ").map(String.init) == expected)
  }
}
