import Testing
import Values

@testable import Sessions
@testable import Stores

/// The idle sessions of the memory store.
@Suite struct PackedSessionsTests {
  private func makeSession(
    _ number: Int, revision: UInt64 = 1, navigation: StoredNavigation? = nil, owner: SessionOwner? = nil
  ) -> StoredSession {
    let now = Timestamp(milliseconds: 1_795_176_000_000 + Int64(number))
    let entry = JournalEntry(revision: 1, at: now, kind: .create, name: "create", input: .emptyObject, screen: "home")
    return StoredSession(
      key: SessionKey(.random()), owner: owner ?? (number % 2 == 0 ? SessionOwner(name: "\(number)") : nil),
      app: String(repeating: "a", count: 1 + number % 64), createdAt: now, expiresAt: now + 60,
      locale: number % 3 == 0 ? "vi" : nil,
      timeZone: number % 5 == 0 ? "Asia/Ho_Chi_Minh" : nil, revision: revision,
      navigation: navigation ?? .packed(SplitBytes([UInt8](repeating: 7, count: number))), journal: Journal(entry))
  }

  @Test func `a packed session keeps all its parts while others are replaced and removed`() {
    var packed = PackedSessions()
    var sessions: [SessionKey: StoredSession] = [:]
    for number in 0..<2000 {
      let session = makeSession(number)
      sessions[session.key] = session
      packed.insert(session)
    }
    for (index, session) in sessions.values.enumerated() {
      if index % 3 == 0 {
        packed.remove(session.key)
        sessions[session.key] = nil
      } else if index % 3 == 1 {
        let next = session.asOf(2, .packed(SplitBytes([UInt8](repeating: 8, count: index))))
        packed.insert(next)
        sessions[session.key] = next
      }
    }
    packed.remove(SessionKey(.random()))
    #expect(packed.count == sessions.count)
    #expect(sessions.values.allSatisfy { packed[$0.key] == $0 && packed.header(of: $0.key)?.version == $0.version })
    var found: [SessionKey: StoredSession] = [:]
    packed.forEach { found[$0.key] = $1() }
    #expect(found == sessions)
    #expect(packed[SessionKey(.random())] == nil)
  }

  @Test func `a session is counted and listed once, whether it is idle or in use`() async throws {
    let store = MemoryStore(unpackedLimit: 256)
    let navigation = try await TestStore(.memory).create("pages").session.navigation
    #expect(navigation.live != nil)
    var sessions = (0..<1000).map { makeSession($0, navigation: navigation) }
    for session in sessions { #expect(try store.insert(session, outcome: nil)) }
    for index in stride(from: 0, to: sessions.count, by: 7) {
      let next = sessions[index].asOf(2, navigation)
      #expect(store.replace(sessions[index], with: next))
      sessions[index] = next
    }
    #expect(store.count().stored == sessions.count)
    #expect(store.list(.before(.end), limit: 2000).map(\.session) == sessions.reversed())
    for session in sessions { #expect(store.delete(session, forgetAt: session.expiresAt)) }
    #expect(store.count().stored == 0)
    #expect(sessions.allSatisfy { store.load($0.key) == .gone(owner: $0.owner) })
  }
}
