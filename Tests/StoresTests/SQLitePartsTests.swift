import Foundation
import Navigation
import Testing
import Values

@testable import Sessions
@testable import Stores

/// The parts of sessions, which a session file has in a table of their own.
@Suite final class SQLitePartsTests {
  private let file: TemporarySessionFile
  private let time = Timestamp(milliseconds: 1_795_176_000_000)

  init() throws { file = try TemporarySessionFile() }

  private func newSession() async throws -> StoredSession {
    try await file.service(on: MemoryStore()).create(.init(app: "pages")).snapshot.session.packed()
  }

  /// Returns the session after an action.
  ///
  /// - Parameters:
  ///   - size: the size of the action's input in bytes.
  ///   - state: the size of the packed state after the action; nil if the state stays as it is.
  ///   - key: the idempotency key of the action, if it had one.
  private func next(
    _ session: StoredSession, size: Int = 1, state: Int? = nil, key: String? = nil, lifetime: Int64 = 3600
  ) -> StoredSession {
    let revision = session.revision + 1
    let byte = UInt8(truncatingIfNeeded: revision)
    let navigation =
      state.map { .packed(SplitBytes([UInt8](repeating: byte, count: $0))) } ?? session.navigation
    let now = time + Int64(revision)
    let entry = JournalEntry(
      revision: revision, at: now, kind: .action, name: "note",
      input: .object([("text", Value(String(repeating: "x", count: size)))]), screen: "notes")
    let outcome = key.map {
      StoredOutcome(
        key: IdempotencyDigest($0, of: session.key), fingerprint: Digest256(ofParts: [Array($0.utf8)]),
        revision: revision, packed: navigation.packed, storedAt: now, expiresAt: now + lifetime)
    }
    return session.advanced(to: navigation, by: entry, keeping: 64, outcome: outcome)
  }

  private func load(_ key: SessionKey, from store: SQLiteStore) async throws -> StoredSession? {
    guard case .live(let session) = try await store.load(key) else { return nil }
    return session
  }

  /// Runs a query on the closed file.
  private func execute(_ sql: String) throws { try SQLiteConnection.open(file.path) { try $0.execute(sql) } }

  private func countParts() throws -> Int {
    Int(try SQLiteConnection.open(file.path) { try $0.number("SELECT count(*) FROM part") } ?? 0)
  }

  @Test func `a small action after a large one writes few pages`() async throws {
    let store = try file.open()
    defer { store.close() }
    var session = try await newSession()
    #expect(try await store.insert(session, outcome: nil))
    func growth(_ successor: StoredSession) async throws -> Int {
      let before = file.bytes(file.walPath).count
      #expect(try await store.replace(session, with: successor))
      session = successor
      return file.bytes(file.walPath).count - before
    }
    #expect(try await growth(next(session)) <= 3 * 4120)
    for number in 0..<3 { _ = try await growth(next(session, size: 65_536, state: 4000, key: "large \(number)")) }
    var written: [Int] = []
    for number in 0..<40 {
      written.append(try await growth(next(session, state: 200, key: number % 2 == 0 ? "small \(number)" : nil)))
    }
    // The median, because a few actions split a page, and one each drops a large chunk, which is overwritten.
    #expect(written.sorted()[20] <= 16 * 1024, "\(written)")
  }

  // The sizes of inputs, states and outcomes are around the limits of chunks, of checkpoints and of a session without
  // parts. Outcomes of short lifetime expire before older ones.
  @Test(arguments: [(1, 50), (20, 800), (200, 200), (900, 3000), (3000, 20_000), (20_000, 9000)])
  func `a session is read as it was written`(size: Int, state: Int) async throws {
    var store = try file.open()
    defer { store.close() }
    var session = try await newSession()
    #expect(try await store.insert(session, outcome: nil))
    for number in 0..<150 {
      let keyed = number % 50 < 30 && number % 2 == 0
      var successor = next(
        session, size: 1 + size * (number % 3), state: state, key: keyed ? "k\(number)" : nil,
        lifetime: number % 8 == 0 ? 3 : 30)
      if number % 20 == 7 { successor = next(session, size: size, state: 4 * state, key: "large \(number)") }
      #expect(try await store.replace(session, with: successor))
      session = successor
      guard number % 7 == 0 || number > 140 else { continue }
      store.close()
      #expect(try countParts() == session.parts(in: .withoutParts).count)
      store = try file.open()
      let read = try #require(try await load(session.key, from: store))
      #expect(read == session && read.parts(in: .withoutParts).count == session.parts(in: .withoutParts).count)
      #expect(read.journal.entries(after: 0) == session.journal.entries(after: 0))
      if number % 2 == 0 { session = read }
    }
    #expect(try await store.list(.before(.end), limit: 10) == [ListedSession(session)])
    #expect(try await store.delete(session, forgetAt: time))
    store.close()
    #expect(try countParts() == 0)
    store = try file.open()
  }

  @Test func `the parts of an expired session are removed`() async throws {
    let store = try file.open()
    let session = next(try await newSession(), size: 4000, key: "k")
    #expect(try await store.insert(session, outcome: nil))
    #expect(session.parts(in: .withoutParts).count == 2)
    try await store.sweep(now: session.expiresAt, tombstoneLifetime: 60)
    store.close()
    #expect(try countParts() == 0)
  }

  @Test func `a session without one of its parts is unreadable`() async throws {
    var store = try file.open()
    let session = next(try await newSession(), size: 4000, key: "k")
    #expect(try await store.insert(session, outcome: nil))
    store.close()
    try execute("DELETE FROM part WHERE length(content) < 1000")
    store = try file.open()
    defer { store.close() }
    await #expect(throws: StoreError.self) { try await store.load(session.key) }
  }
}
