public import Sessions

/// What a store keeps in memory and in all.
public struct StoreLimits: Sendable {
  /// Sessions that live at once; nil for 1,000,000 in memory, and as many as there is room for elsewhere.
  public var sessions: Int?
  /// Sessions of a database that are in memory as well.
  public var cachedSessions = 16_384

  public init() {}
}

extension StoreLocation {
  /// Opens the store, or makes it where there is none.
  ///
  /// - Parameter log: gets a sentence for the operator where something goes wrong, from any thread.
  /// - Throws: why it is not to be had. Whatever is there was left as it is.
  public func open(
    _ limits: StoreLimits = StoreLimits(), log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StoreOpeningError) -> any SessionStore {
    switch self {
    case .memory:
      return MemoryStore(sessionLimit: limits.sessions ?? 1_000_000)
    case .sqlite(let path, let durability):
      return try SQLiteStore(
        path: path, durability: durability, cacheLimit: limits.cachedSessions, sessionLimit: limits.sessions, log: log)
    case .postgres(let location):
      return try PostgreSQLStore(
        location, cacheLimit: limits.cachedSessions, sessionLimit: limits.sessions, log: log)
    }
  }
}
