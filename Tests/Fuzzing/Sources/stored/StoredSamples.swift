import Navigation
import Values

@testable import Fuzzing
@testable import Sessions

/// What a store keeps of sessions of one app along a walk, and a service that hosts the app.
struct StoredSamples {
  let app: String
  let service: SessionService
  let store: OneSessionStore
  /// The content of a session after 1, 20 and 60 revisions.
  let contents: [[UInt8]]
  let creation: [UInt8]

  static let all = FuzzedApp.all.map { StoredSamples($0) }

  private init(_ fuzzed: FuzzedApp) {
    app = fuzzed.app.name
    store = OneSessionStore()
    service = SessionService(apps: [fuzzed.app], store: store, clock: TimeSource { Timestamp(milliseconds: 1) })
    var session = Self.begun(fuzzed)
    var contents = [session.content]
    creation =
      CreationOutcome(
        key: Self.outcomeKey, fingerprint: Digest256(ofParts: []), sealedID: SealedSessionID(bytes: Self.sixteen)!,
        session: session, storedAt: Timestamp(milliseconds: 0), expiresAt: Timestamp(milliseconds: 4)
      ).content
    for revision in UInt64(2)...60 {
      let packed = fuzzed.samples[Int(revision)]
      let outcome = revision % 16 == 0 ? Self.outcome(revision, packed) : nil
      session = session.advanced(to: .packed(packed), by: Self.entry(revision), keeping: 64, outcome: outcome)
      if revision == 20 || revision == 60 { contents.append(session.content) }
    }
    self.contents = contents
  }

  private static let sixteen = [UInt8](repeating: 7, count: 16)
  private static let key = SessionKey(bytes: sixteen + sixteen)!
  static let outcomeKey = IdempotencyDigest("key", creationBy: nil)

  private static func begun(_ fuzzed: FuzzedApp) -> StoredSession {
    let entry = JournalEntry(
      revision: 1, at: Timestamp(milliseconds: 0), kind: .create, name: "create", input: .emptyObject, link: "/x",
      screen: "home")
    return StoredSession(
      key: key, app: fuzzed.app.name, createdAt: entry.at, expiresAt: Timestamp(milliseconds: 2), locale: "en",
      revision: 1, version: SessionVersion(rawValue: 1), navigation: .packed(fuzzed.samples[0]),
      journal: Journal(entry))
  }

  static func entry(_ revision: UInt64) -> JournalEntry {
    JournalEntry(
      revision: revision, at: Timestamp(milliseconds: 0), kind: .action, name: "pay", input: ["product": 1],
      screen: "buy")
  }

  static func outcome(_ revision: UInt64, _ packed: [UInt8]) -> StoredOutcome {
    StoredOutcome(
      key: outcomeKey, fingerprint: Digest256(ofParts: []), revision: revision, packed: packed,
      storedAt: Timestamp(milliseconds: 2), expiresAt: Timestamp(milliseconds: 4))
  }

  /// Nil where the content is refused.
  static func session(of app: String, _ content: [UInt8]) -> StoredSession? {
    try? StoredSession(
      key: key, app: app, createdAt: Timestamp(milliseconds: 0), expiresAt: Timestamp(milliseconds: 2),
      version: SessionVersion(rawValue: 1), content: content)
  }
}
