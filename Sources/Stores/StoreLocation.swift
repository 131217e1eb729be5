public import CoreMetrics
public import Sessions
internal import Values

/// The location where sessions are stored, written as `memory`, `sqlite:PATH` or `postgres://USER@HOST/DATABASE`.
public enum StoreLocation: Sendable, Equatable {
  /// The memory of this process. Sessions end with the process.
  case memory
  /// A file on this machine, which only this process writes.
  case sqlite(path: String, Durability)
  /// A PostgreSQL database that any number of processes may share. The associated value is a URI for libpq.
  case postgres(String)

  /// The failures that an acknowledged write survives.
  public enum Durability: String, Sendable, CaseIterable {
    /// A power failure: the store acknowledges a write after it is on disk.
    case full
    /// The end of the process only. A power failure may lose the most recent writes.
    case normal
  }

  /// The location that is used if none is configured: a file in the working directory.
  public static let standard = StoreLocation.sqlite(path: "usher.sqlite", .full)

  /// Parses a location.
  ///
  /// - Throws: ``StoreLocationError`` if the text names no store.
  public init(_ text: String) throws(StoreLocationError) {
    if text == "memory" {
      self = .memory
    } else if text.hasPrefix("sqlite:") {
      self = try Self.sqlite(text.dropFirst("sqlite:".count))
    } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      self = .postgres(text)
    } else {
      throw StoreLocationError(
        "The store location is invalid. Use memory, sqlite:PATH or postgres://USER@HOST/DATABASE.")
    }
  }

  private static func sqlite(_ text: Substring) throws(StoreLocationError) -> StoreLocation {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard !parts[0].isEmpty, parts[0] != ":memory:" else {
      throw StoreLocationError("The store location names no file. Add a path, as in sqlite:usher.sqlite.")
    }
    guard parts.count == 2 else { return .sqlite(path: String(parts[0]), .full) }
    let prefix = "synchronous="
    guard parts[1].hasPrefix(prefix), let durability = Durability(rawValue: String(parts[1].dropFirst(prefix.count)))
    else {
      throw StoreLocationError(
        "The store location has an unknown option. Use ?synchronous=full or ?synchronous=normal with sqlite:.")
    }
    return .sqlite(path: String(parts[0]), durability)
  }
}

extension StoreLocation: CustomStringConvertible {
  /// The location without its password, for display.
  public var description: String {
    switch self {
    case .memory: "memory"
    case .sqlite(let path, .full): "sqlite:\(path)"
    case .sqlite(let path, .normal): "sqlite:\(path)?synchronous=normal"
    case .postgres(let uri): PostgreSQLRedaction.redacted(location: uri)
    }
  }
}

extension StoreLocation {
  /// Opens the store, creates it if it does not exist, and measures its operations.
  ///
  /// - Parameters:
  ///   - shouldWait: polled while the store waits for a database server; return false to stop waiting.
  ///   - log: receives messages for the operator, from any thread.
  /// - Throws: ``StoreOpeningError`` if the store cannot be opened. Existing data is unchanged.
  public func open(
    _ limits: StoreLimits = StoreLimits(), while shouldWait: () -> Bool = { true },
    metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StoreOpeningError) -> any SessionStore {
    let store: any SessionStore =
      switch self {
      case .memory:
        MemoryStore(
          sessionLimit: limits.sessions ?? MemoryStore.standardLimit, tombstoneLimit: limits.tombstones)
      case .sqlite(let path, let durability):
        try SQLiteStore(path: path, durability: durability, limits: limits, metrics: metrics, log: log)
      case .postgres(let uri):
        try PostgreSQLStore(uri, limits: limits, while: shouldWait, metrics: metrics, log: log)
      }
    return MeteredStore(store, metrics: metrics)
  }
}

/// The reason why a text is not a store location, with advice, as one or two sentences.
public struct StoreLocationError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(_ message: String) { description = message }
}

/// The reason why a store cannot be opened, with advice, as one or two sentences for the operator.
public struct StoreOpeningError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(_ message: String) { description = message }

  /// Creates the error about tables that a newer version of this service has migrated.
  init(newerSchema version: Int, supported: Int, of store: String) {
    description =
      "\(store) was migrated by a newer version of this service: its schema has version \(version), this service "
      + "supports up to \(supported). The store is unchanged. Start the newer version."
  }
}

extension StoreError {
  /// Returns the failure to decode stored data.
  ///
  /// - Parameter store: the subject of the sentence, such as "The database".
  static func undecodable(_ error: ValueError, in store: String) -> StoreError {
    .unreadable(
      "\(store) holds a session that cannot be decoded: \(error). Start the version of this service that wrote it, or "
        + "restore a backup.")
  }
}
