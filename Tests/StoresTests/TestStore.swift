import CoreMetrics
import ExampleApps
import Foundation
import Navigation
import Sessions
import Stores
import Synchronization
import Testing
import Values

/// The stores that the contract applies to.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  /// `idle` is the memory store in which every session is packed.
  case memory, idle, sqlite, postgres

  /// The stores that can run here. PostgreSQL requires the URL of a database in `TEST_POSTGRES`.
  static let available = allCases.filter { $0 != .postgres || TestDatabase.server != nil }

  var testDescription: String { rawValue }
  /// Whether sessions outlast the process.
  var isDurable: Bool { self != .memory && self != .idle }
}

/// A store for one test, with its service, and with a clock that the test advances.
final class TestStore: @unchecked Sendable {
  let location: StoreLocation
  let folder: URL
  private(set) var store: any SessionStore
  private(set) var service: SessionService
  private let apps: [AppDefinition]
  private let clock = ManualClock()
  private let limits: StoreLimits
  private let ownerLimit: Int?
  private let metrics: any MetricsFactory

  init(
    _ kind: StoreKind, sessionLimit: Int? = nil, ownerLimit: Int? = nil, cacheLimit: Int = 64,
    tombstoneLimit: Int? = nil,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance
  ) throws {
    self.ownerLimit = ownerLimit
    self.metrics = metrics
    folder = FileManager.default.temporaryDirectory.appending(path: "usher-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    location =
      switch kind {
      case .memory, .idle: .memory
      case .sqlite: .sqlite(path: folder.appending(path: "sessions.sqlite").path, .full)
      case .postgres: .postgres(try TestDatabase.create())
      }
    var limits = StoreLimits()
    limits.sessions = sessionLimit
    limits.cachedSessions = cacheLimit
    if let tombstoneLimit { limits.tombstones = tombstoneLimit }
    self.limits = limits
    apps = try ExampleApps.all.map { try AppDefinition($0) }
    if kind == .idle {
      let memory = MemoryStore(
        sessionLimit: sessionLimit ?? MemoryStore.standardLimit, unpackedLimit: 0, tombstoneLimit: limits.tombstones)
      store = MeteredStore(memory, metrics: metrics)
    } else {
      store = try location.open(limits, metrics: metrics)
    }
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

  /// Closes and reopens the store, as a restart of the process does.
  func reopen() throws {
    store.close()
    store = try location.open(limits, metrics: metrics)
    service = makeService(on: store)
  }

  /// Creates another service on a store, as another process that shares the store does.
  func makeService(on store: any SessionStore) -> SessionService {
    var settings = SessionService.Settings()
    settings.ownerLimit = ownerLimit
    return SessionService(apps: apps, store: store, settings: settings, clock: TimeSource { [clock] in clock.now })
  }

  /// Creates a session, of the app `shop` by default.
  func create(_ app: String = "shop", key: String? = nil, ttl: Int64? = nil) async throws -> Snapshot {
    let idempotency = key.map { Idempotency(key: $0, request: [Array(app.utf8)]) }
    return try await service.create(.init(app: app, timeToLive: ttl, idempotency: idempotency)).snapshot
  }

  private final class ManualClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_795_176_000_000)

    var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }

    func advance(seconds: Int64) { milliseconds.withLock { $0 += seconds * 1000 } }
  }
}
