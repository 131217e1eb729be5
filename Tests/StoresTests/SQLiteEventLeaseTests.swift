import Navigation
import TestSupport
import Testing
import Values

@testable import Sessions
@testable import Stores

/// The leases of events on a session file, which are kept in memory.
@Suite(.limitedConcurrency) struct SQLiteEventLeaseTests {
  private let file: TemporarySessionFile
  private let store: SQLiteStore

  /// Opens a store whose process has claimed before, so that the timers of the tests are due after that.
  init() async throws {
    file = try TemporarySessionFile()
    store = try file.open()
    #expect(try await store.claim() == [])
    try await Task.sleep(for: .milliseconds(5))
  }

  private func pending(_ work: ScheduledWork...) async throws -> StoredSession {
    let session = StoredSession.pending().advanced(work: work)
    #expect(try await store.insert(session, outcome: nil))
    return session
  }

  /// The stored numbers of leases and claims of all work.
  private func stored() async throws -> [Int64] {
    try SQLiteConnection.open(file.path) { connection in
      try connection.rows("SELECT lease, claims FROM work ORDER BY id") { [try $0.integer(0), try $0.integer(1)] }
        .flatMap(\.self)
    }
  }

  @Test func `the lease of an event is not written, and that of an effect is`() async throws {
    defer { store.close() }
    _ = try await pending(.timer(1), ScheduledWork(2))
    let claimed = try await store.claim().sorted { $0.id < $1.id }
    #expect(claimed.ids == [1, 2] && claimed.map(\.claims) == [1, 1] && Set(claimed.map(\.lease)).count == 2)
    #expect(try await stored() == [0, 0, claimed[1].lease, 1])
    #expect(try await store.claim() == [])
  }

  @Test func `a written lease that expires is replaced, so that the event can be reported`() async throws {
    let timer = ScheduledWork.timer(1)
    _ = try await pending(timer)
    store.close()
    let other = try file.open()
    defer { other.close() }
    // The event was due before this process started.
    let begin = Timestamp(milliseconds: timer.dueAt.milliseconds + 1)
    let written = try await other.claim(at: begin, lease: .seconds(60))
    #expect(try await stored() == [written[0].lease, 1])
    let later = begin + 61
    let claimed = try await other.claim(at: later, lease: .seconds(60))
    #expect(claimed.ids == [1])
    #expect(try await other.report(WorkReport(pause: .seconds(60), attempts: 0), on: claimed[0], at: later))
    #expect(try await other.claim(at: later, lease: .seconds(60)) == [])
  }

  @Test func `an event whose lease expires is claimed again, and its former holder reports nothing`() async throws {
    defer { store.close() }
    _ = try await pending(.timer(1))
    let lost = try await store.claim(lease: .milliseconds(200))
    #expect(lost.ids == [1])
    let held = try await store.claimSoon(lease: .seconds(60))
    #expect(held.ids == [1] && held[0].lease != lost[0].lease)
    #expect(try await store.report(lost[0]) == false)
    #expect(try await store.renew(lost[0], .zero) == false)
    try await store.discard(lost[0])
    #expect(try await store.claim() == [])
    #expect(try await store.report(held[0], pause: .zero))
    #expect(try await store.report(held[0]) == false)
    let again = try await store.claim()
    #expect(again.map(\.attempts) == [1])
    try await store.discard(again[0])
    #expect(try await store.countWork().pending == 0)
  }

  @Test func `a renewed lease begins anew`() async throws {
    defer { store.close() }
    _ = try await pending(.timer(1))
    let work = try await store.claim(lease: .milliseconds(300))
    #expect(try await store.renew(work[0], .seconds(600)))
    try await Task.sleep(for: .milliseconds(400))
    #expect(try await store.claim() == [])
    #expect(try await store.renew(work[0], .milliseconds(1)))
    #expect(try await store.claimSoon().ids == [1])
  }

  @Test func `a lease ends with its work, and does not protect other work of the same id`() async throws {
    defer { store.close() }
    let timer = ScheduledWork.timer(1)
    let session = try await pending(timer)
    #expect(try await store.claim().ids == [1])
    let earlier = Timestamp(milliseconds: timer.dueAt.milliseconds - 1)
    let next = session.advanced(ScheduledWork(id: WorkID(1), dueAt: earlier))
    #expect(try await store.replace(session, with: next))
    #expect(try await store.claim().ids == [1])
    #expect(try await store.delete(next, forgetAt: .current))
    #expect(try await store.countWork().pending == 0)
  }

  @Test func `a lease protects an event from operators`() async throws {
    defer { store.close() }
    let session = try await pending(.timer(1))
    #expect(try await store.report(try #require(try await store.claim().first)))
    let work = try await store.claim()
    #expect(try await store.retry(WorkID(1), of: session.key, with: nil, at: .current) == false)
    #expect(try await store.retry(WorkID(1), of: session.key, with: [7], at: .current) == false)
    #expect(try await store.report(work[0], pause: nil))
    #expect(try await store.retry(WorkID(1), of: session.key, with: nil, at: .current))
    #expect(try await store.claim().ids == [1])
  }

  @Test func `many concurrent claims of events are disjoint`() async throws {
    defer { store.close() }
    for _ in 0..<20 {
      let session = StoredSession.pending().advanced(work: (0..<10).map { .timer($0) })
      #expect(try await store.insert(session, outcome: nil))
    }
    let claimed = try await withThrowingTaskGroup(of: [ClaimedWork].self) { group in
      for _ in 0..<16 {
        group.addTask { [store] in
          var claimed: [ClaimedWork] = []
          for _ in 0..<10 { claimed += try await store.claim(limit: 3) }
          return claimed
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(claimed.count == 200 && Set(claimed.map { "\($0.session.hexadecimal) \($0.id)" }).count == 200)
    #expect(try await stored().allSatisfy { $0 == 0 })
  }

  @Test func `the claims of an event that was due before the process started are counted`() async throws {
    _ = try await pending(.timer(1))
    #expect(try await store.claim().map(\.claims) == [1])
    store.close()
    for claims in 1...3 {
      let next = try file.open()
      #expect(try await next.claim().map(\.claims) == [claims])
      next.close()
    }
  }
}
