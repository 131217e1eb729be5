public import CoreMetrics
public import Sessions

extension StoreLocation {
  /// Opens the store, or makes it where there is none.
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
    switch self {
    case .memory:
      let store = MemoryStore(
        sessionLimit: limits.sessions ?? MemoryStore.standardLimit, endedLimit: limits.endedSessions)
      return MeteredStore(store, metrics: metrics)
    case .sqlite(let path, let durability):
      let store = try SQLiteStore(path: path, durability: durability, limits: limits, metrics: metrics, log: log)
      return MeteredStore(store, metrics: metrics)
    case .postgres(let location):
      let store = try PostgreSQLStore(location, limits: limits, while: isWanted, metrics: metrics, log: log)
      return MeteredStore(store, metrics: metrics)
    }
  }
}
