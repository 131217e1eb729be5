import CoreMetrics
import ExampleApps
import Foundation
import Navigation
import Sessions
import Stores
import Synchronization
import Testing

/// The kinds of stores that the contract holds for.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case memory, sqlite, postgres

  /// Those that can be had here: PostgreSQL where `TEST_POSTGRES` names a database.
  static let available = allCases.filter { $0 != .postgres || TestDatabase.server != nil }

  var testDescription: String { rawValue }
  /// Whether what was written outlasts the process.
  var isDurable: Bool { self != .memory }
}

/// A store of its own for one test, with a service on it and a time that only the test moves.
final class TestStore: @unchecked Sendable {
  let location: StoreLocation
  let folder: URL
  private(set) var store: any SessionStore
  private(set) var service: SessionService
  private let apps: [AppDefinition]
  private let clock = Clock()
  private let limits: StoreLimits
  private let ownerLimit: Int?
  private let metrics: any MetricsFactory

  init(
    _ kind: StoreKind, sessionLimit: Int? = nil, ownerLimit: Int? = nil, cacheLimit: Int = 64, endedLimit: Int? = nil,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance
  ) throws {
    self.ownerLimit = ownerLimit
    self.metrics = metrics
    folder = FileManager.default.temporaryDirectory.appending(path: "usher-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    location =
      switch kind {
      case .memory: .memory
      case .sqlite: .sqlite(path: folder.appending(path: "sessions.sqlite").path, .full)
      case .postgres: .postgres(try TestDatabase.create())
      }
    var limits = StoreLimits()
    limits.sessions = sessionLimit
    limits.cachedSessions = cacheLimit
    if let endedLimit { limits.endedSessions = endedLimit }
    self.limits = limits
    apps = try ExampleApps.all.map { try AppDefinition($0) }
    store = try location.open(limits, metrics: metrics)
    service = SessionService(apps: [], store: store)
    service = makeService(on: store)
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: folder)
    if case .postgres(let url) = location { TestDatabase.drop(url) }
  }

  var now: Timestamp { clock.now }

  func advance(seconds: Int64) { clock.advance(seconds: seconds) }

  /// Ends the store as a process that stops, and opens it again as the next one does.
  func reopen() throws {
    store.close()
    store = try location.open(limits, metrics: metrics)
    service = makeService(on: store)
  }

  /// Another service on the same store, as another process is where the store is shared.
  func makeService(on store: any SessionStore) -> SessionService {
    var settings = SessionService.Settings()
    settings.ownerLimit = ownerLimit
    return SessionService(apps: apps, store: store, settings: settings, clock: TimeSource { [clock] in clock.now })
  }

  /// A new session of the app `shop`, unless another is named.
  func create(_ app: String = "shop", key: String? = nil, ttl: Int64? = nil) async throws -> Snapshot {
    let idempotency = key.map { Idempotency(key: $0, request: [Array(app.utf8)]) }
    return try await service.create(.init(app: app, timeToLive: ttl, idempotency: idempotency)).snapshot
  }

  private final class Clock: Sendable {
    private let milliseconds = Mutex<Int64>(1_795_176_000_000)

    var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }

    func advance(seconds: Int64) { milliseconds.withLock { $0 += seconds * 1000 } }
  }
}
