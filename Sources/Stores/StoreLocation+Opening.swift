public import Sessions

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
      return MemoryStore(sessionLimit: limits.sessions ?? MemoryStore.standardLimit)
    case .sqlite(let path, let durability):
      return try SQLiteStore(path: path, durability: durability, limits: limits, log: log)
    case .postgres(let location):
      return try PostgreSQLStore(location, limits: limits, log: log)
    }
  }
}
