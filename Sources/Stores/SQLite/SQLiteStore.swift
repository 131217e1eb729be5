public import Sessions
internal import Synchronization

/// Sessions in one file of this machine, which this process alone writes. What was answered lasts.
///
/// The sessions that were used last are in memory as well; all others are read when they are asked for.
public final class SQLiteStore: SessionStore {
  public let isShared = false

  private let cache: SessionCache
  private let reader: SQLiteReader
  private let writer: SQLiteWriter
  private let sessionLimit: Int?
  /// Kept only where there is a limit.
  private let sessionCount = Atomic<Int>(0)

  /// Opens the file, or makes it; that takes no longer for many sessions.
  ///
  /// - Parameters:
  ///   - path: of the file; beside it lie `-wal` and `-shm` while it is open, which belong to it.
  ///   - cacheLimit: sessions in memory at most.
  ///   - sessionLimit: sessions that live at once, those that have expired and are not yet swept included; nil for no limit. With
  ///     one they are counted now.
  ///   - pageLimit: pages of 4 KiB that the file may grow to, as if the disk were full then; nil for no limit.
  ///   - log: gets a sentence for the operator where something goes wrong, from any thread.
  /// - Throws: why the file is not to be had. It is then as it was.
  public init(
    path: String, durability: StoreLocation.Durability = .full, cacheLimit: Int = 16_384, sessionLimit: Int? = nil,
    pageLimit: Int? = nil, log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StoreOpeningError) {
    let file = try SQLiteFile(path: path, durability: durability, readers: SQLiteReader.threads, pageLimit: pageLimit)
    cache = SessionCache(limit: cacheLimit)
    reader = SQLiteReader(file)
    writer = SQLiteWriter(file, cache: cache, log: log)
    self.sessionLimit = sessionLimit
    reader.start()
    writer.start()
    if sessionLimit != nil { sessionCount.store(try file.countSessions(), ordering: .relaxed) }
  }

  /// Finishes what was asked for, moves all of it into the file, and closes it. It blocks meanwhile; afterwards every call throws.
  public func close() {
    reader.stop()
    writer.stop()
  }

  public func insert(_ session: StoredSession, outcome: CreationOutcome?) async throws(StoreError) -> Bool {
    if let sessionLimit, sessionCount.add(1, ordering: .relaxed).newValue > sessionLimit {
      sessionCount.subtract(1, ordering: .relaxed)
      throw .full(limit: sessionLimit)
    }
    var isNew = false
    defer { if !isNew { sessionCount.subtract(1, ordering: .relaxed) } }
    isNew = try await writer.write(.insert(session, outcome)) == 1
    return isNew
  }

  public func load(_ key: SessionKey, _ reading: Reading) async throws(StoreError) -> SessionLookup {
    if let session = cache.session(key) { return .live(session) }
    let changes = cache.changes(around: key)
    let found = try await reader.session(key)
    if case .live(let session) = found { cache.keep(read: session, since: changes) }
    return found
  }

  public func replace(_ session: StoredSession, with next: StoredSession) async throws(StoreError) -> Bool {
    try await writer.write(.replace(version: session.version, next: next)) == 1
  }

  public func delete(_ key: SessionKey, forgetAt: Timestamp) async throws(StoreError) -> Bool {
    let wasLive = try await writer.write(.delete(key, forgetAt: forgetAt)) == 1
    if wasLive { sessionCount.subtract(1, ordering: .relaxed) }
    return wasLive
  }

  public func creation(for key: OutcomeKey) async throws(StoreError) -> CreationOutcome? {
    try await reader.creation(key)
  }

  public func sweep(now: Timestamp, memory: Int64) async throws(StoreError) {
    var ended = SQLiteWrite.dropLimit
    while ended == SQLiteWrite.dropLimit {
      ended = try await writer.write(.endExpired(now: now, memory: memory))
      sessionCount.subtract(ended, ordering: .relaxed)
    }
    cache.dropExpired(at: now)
    while try await writer.write(.forgetSessions(now: now)) == SQLiteWrite.dropLimit {}
    while try await writer.write(.forgetCreations(now: now)) == SQLiteWrite.dropLimit {}
  }

  public func checkReady() async throws(StoreError) { _ = try await writer.write(.probe) }
}
