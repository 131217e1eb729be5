public import CoreMetrics
public import Sessions

extension StoreLocation {
  /// Opens the store, or creates it if there is none, and measures its operations.
  ///
  /// - Parameters:
  ///   - isWanted: asked again and again where a server is waited for; false ends that.
  ///   - log: gets a sentence for the operator where something goes wrong, from any thread.
  /// - Throws: why it is not to be had. Whatever is there was left as it is.
  public func open(
    _ limits: StoreLimits = StoreLimits(), while isWanted: () -> Bool = { true },
    metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StoreOpeningError) -> any SessionStore {
    let store: any SessionStore =
      switch self {
      case .memory:
        MemoryStore(sessionLimit: limits.sessions ?? MemoryStore.standardLimit, endedLimit: limits.endedSessions)
      case .sqlite(let path, let durability):
        try SQLiteStore(path: path, durability: durability, limits: limits, metrics: metrics, log: log)
      case .postgres(let location):
        try PostgreSQLStore(location, limits: limits, while: isWanted, metrics: metrics, log: log)
      }
    return MeteredStore(store, metrics: metrics)
  }
}
