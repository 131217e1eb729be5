import Navigation
import Synchronization
import Values

@testable import Fuzzing
@testable import Sessions

/// The stored contents of sessions of one app along a walk, and a service that hosts the app.
struct StoredSamples {
  let app: String
  let service: SessionService
  let store: OneSessionStore
  /// The contents of a session after 1, 20 and 60 revisions, and of one that had work, whose journal is shorter.
  let contents: [[UInt8]]
  let creation: [UInt8]

  static let all = FuzzedApp.all.map { StoredSamples($0) }

  private init(_ fuzzed: FuzzedApp) {
    app = fuzzed.app.name
    store = OneSessionStore()
    service = SessionService(apps: [fuzzed.app], store: store, clock: TimeSource { Timestamp(milliseconds: 1) })
    let first = Self.begun(fuzzed)
    creation =
      CreationOutcome(
        key: Self.outcomeKey, fingerprint: Digest256(ofParts: []),
        sealedID: SealedSessionID(bytes: [1] + Self.sixteen + Self.sixteen + Self.sixteen.dropLast(4))!,
        session: first, storedAt: Timestamp(milliseconds: 0), expiresAt: Timestamp(milliseconds: 4)
      ).content
    var contents: [[UInt8]] = []
    for (begin, retention) in [(first, 64), (Self.begun(fuzzed, work: []), 16)] {
      var session = begin
      contents.append(session.content)
      for revision in UInt64(2)...60 {
        let packed = SplitBytes(fuzzed.samples[Int(revision)])
        let outcome = revision % 16 == 0 ? Self.outcome(revision, packed) : nil
        session = session.advanced(to: .packed(packed), by: Self.entry(revision), keeping: retention, outcome: outcome)
        if revision == 20 || revision == 60 { contents.append(session.content) }
      }
    }
    self.contents = contents
  }

  private static let sixteen = [UInt8](repeating: 7, count: 16)
  private static let key = SessionKey(bytes: sixteen + sixteen)!
  static let outcomeKey = IdempotencyDigest("key", creationBy: nil)

  private static func begun(_ fuzzed: FuzzedApp, work: [ScheduledWork]? = nil) -> StoredSession {
    let entry = JournalEntry(
      revision: 1, at: Timestamp(milliseconds: 0), kind: .create, name: "create", input: .emptyObject, link: "/x",
      screen: "home")
    return StoredSession(
      key: key, app: fuzzed.app.name, createdAt: entry.at, expiresAt: Timestamp(milliseconds: 2), locale: "en",
      timeZone: "Europe/Berlin", revision: 1, version: SessionVersion(rawValue: 1),
      navigation: .packed(SplitBytes(fuzzed.samples[0])),
      journal: Journal(entry), work: work)
  }

  static func entry(_ revision: UInt64) -> JournalEntry {
    JournalEntry(
      revision: revision, at: Timestamp(milliseconds: 0), kind: .action, name: "pay", input: ["product": 1],
      screen: "buy")
  }

  static func outcome(_ revision: UInt64, _ packed: SplitBytes) -> StoredOutcome {
    StoredOutcome(
      key: outcomeKey, fingerprint: Digest256(ofParts: []), revision: revision, packed: packed,
      storedAt: Timestamp(milliseconds: 2), expiresAt: Timestamp(milliseconds: 4))
  }

  /// Returns the session of a content and of its parts, or nil if one of them is refused.
  static func session(of app: String, _ content: [UInt8], parts: [SessionPart] = []) -> StoredSession? {
    try? StoredSession(
      key: key, app: app, createdAt: Timestamp(milliseconds: 0), expiresAt: Timestamp(milliseconds: 2),
      version: SessionVersion(rawValue: 1), content: content, parts: parts)
  }
}

/// A store that returns one session for every key.
final class OneSessionStore: SessionStore {
  private let session = Mutex<StoredSession?>(nil)

  func put(_ session: StoredSession) { self.session.withLock { $0 = session } }

  var isShared: Bool { false }

  func load(_ key: SessionKey) async throws(StoreError) -> SessionLookup {
    session.withLock { $0.map { .live($0) } ?? .unknown }
  }

  func replace(
    _ session: StoredSession, with next: StoredSession,
    then completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
  ) {
    put(next)
    completion(.success(true))
  }

  func insert(_ session: StoredSession, outcome: CreationOutcome?) async throws(StoreError) -> Bool { false }
  func delete(_ session: StoredSession, forgetAt: Timestamp) async throws(StoreError) -> Bool { false }
  func creation(for key: IdempotencyDigest) async throws(StoreError) -> CreationLookup { .unknown }
  func list(_ sessions: SessionList, limit: Int) async throws(StoreError) -> [ListedSession] { [] }
  func endSessions(of group: SessionGroup, forgetAt: Timestamp) -> [SessionKey] { [] }
  func purge() {}
  func count() async throws(StoreError) -> SessionCount { SessionCount(stored: 1, live: 1) }
  func count(of owner: SessionOwner, upTo limit: Int) async throws(StoreError) -> Int { 0 }
  func sweep(now: Timestamp, tombstoneLifetime: Int64) async throws(StoreError) {}
  func claimWork(_ search: WorkSearch) -> [ClaimedWork] { [] }
  func renew(_ lease: Duration, of work: ClaimedWork, at now: Timestamp) -> Bool { false }
  func report(_ report: WorkReport, on work: ClaimedWork, at now: Timestamp) -> Bool { false }
  func discard(_ work: ClaimedWork) {}
  func deliver(
    _ signal: QueuedSignal, to work: WorkID, of session: SessionKey, at now: Timestamp
  ) -> WorkDelivery { .missing }
  func deliver(_ signal: KeyedSignal, at now: Timestamp) -> KeyedDelivery { .delivered(0) }
  func heldSignals(for key: SignalKey, at now: Timestamp) -> [QueuedSignal] { [] }
  func settle(_ work: ClaimedWork, adding held: [QueuedSignal], at now: Timestamp) {}
  func work(of session: SessionKey) -> [WorkStatus] { [] }
  func retry(_ work: WorkID, of session: SessionKey, with event: [UInt8]?, at now: Timestamp) -> Bool { false }
  func keep(_ definitions: [KeptDefinition], at now: Timestamp) {}
  func definition(_ digest: DefinitionDigest) -> KeptDefinition? { nil }
  func definitions() -> [ListedDefinition] { [] }
  func removeDefinitions(unusedSince time: Timestamp) -> Int { 0 }
  func secret() -> [UInt8] { [UInt8](repeating: 0, count: 32) }
  func countWork() -> WorkCount { WorkCount(pending: 0, stuck: 0) }
  func checkReady() async throws(StoreError) {}
  func close() {}
}
