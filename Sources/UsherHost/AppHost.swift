internal import Access
internal import Foundation
public import HTTPAPI
public import Logging
internal import MicroHTTP
public import Navigation
public import Observability
public import ServiceLifecycle
internal import Sessions
internal import Stores
internal import Synchronization
internal import UnixSignals

/// Hosts apps over HTTP, as a part of a program that does something else too. An executable that only serves apps is a `UsherMain`,
/// which has settings and commands as well.
///
///     let host = try AppHost(apps: [App("kiosk", title: "Kiosk") { KioskCoordinator() }])
///     try await ServiceGroup(services: [host, printer], gracefulShutdownSignals: [.sigterm], logger: logger).run()
///
/// What it throws is readable as text. An error that leaves `main` crashes the program, because Swift has it so; ``main(apps:settings:)``
/// prints it instead.
public struct AppHost: Service {
  /// Those that are served.
  public let apps: [AppDefinition]
  public let settings: HostSettings
  /// What is served beside the sessions, such as front ends, by path: `/kiosk`. A path of the service's own is not replaced.
  public var files: [String: StaticFile] = [:]
  /// Gets what an operator should know.
  public var logger = Logger(label: "usher")
  /// What is measured, and anything else that is to be read beside it.
  public let metrics = PrometheusRegistry()
  /// Called once the host can be reached.
  public var started: @Sendable (HostAddresses) -> Void = { _ in }

  /// Registers the apps.
  ///
  /// - Throws: everything that is wired wrongly in any of them, or a name among the settings that none of them has.
  public init(apps: [App], settings: HostSettings = HostSettings()) throws(HostFaults) {
    self.apps = try HostedApps(apps, limits: settings.navigation).chosen(settings.apps)
    self.settings = settings
  }

  /// Serves until the process gets SIGINT or SIGTERM, then finishes what is in flight.
  ///
  /// - Throws: an `AccessError`, `StoreOpeningError` or `ServerError`: what is wrong with the settings or the file of access, why the
  ///   store is not to be had, or the address.
  public func serve() async throws {
    let configuration = ServiceGroupConfiguration(
      services: [self], gracefulShutdownSignals: [.sigint, .sigterm], logger: logger)
    try await ServiceGroup(configuration: configuration).run()
  }

  /// Serves apps until the process gets SIGINT or SIGTERM. Where that fails, prints the error as text and exits with 1.
  public static func main(apps: [App], settings: HostSettings = HostSettings()) async {
    do {
      try await AppHost(apps: apps, settings: settings).serve()
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  /// Serves until its service group shuts down.
  ///
  /// - Throws: as ``serve()``.
  public func run() async throws {
    CrashReport.install()
    let authenticator = try Authenticator(settings.access, logger: logger)
    guard let store = try await openStore() else { return try await gracefulShutdown() }
    let log: @Sendable (String) -> Void = { [logger] in logger.warning("\($0)") }
    let sessions = SessionService(apps: apps, store: store, settings: settings.sessions, metrics: metrics)
    let readiness = Readiness()
    do {
      let servers = try HostServers(self, sessions, readiness, authenticator, log)
      metrics.read(.build, [("version", usherVersion)]) { 1 }
      logger.info("serving", metadata: metadata(servers.addresses))
      started(servers.addresses)
      let services: [any Service] =
        [
          UntilShutdown { await Sweeper(sessions, every: .seconds(15), log: log).run() },
          UntilShutdown { await EventKeepAlive(sessions).run() },
          UntilShutdown { [metrics] in await SessionGauges(sessions, every: .seconds(15), metrics: metrics).run() },
        ] + servers.services
      try await ServiceGroup(services: services, logger: logger).run()
    } catch {
      await blocking { store.close() }
      throw error
    }
    await blocking { store.close() }
    logger.info("stopped")
  }

  /// The addresses of a log line.
  private func metadata(_ addresses: HostAddresses) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "address": "http://\(addresses.service)", "apps": .array(apps.map { .string($0.name) }),
      "store": "\(settings.store)", "version": "\(usherVersion)",
    ]
    metadata["admin"] = addresses.admin.map { "http://\($0)" }
    metadata["console"] = addresses.console.map { "http://\($0)/console" }
    return metadata
  }

  /// Nil where the host is to stop first.
  private func openStore() async throws -> (any SessionStore)? {
    let isWanted = Flag(true)
    return try await withGracefulShutdownHandler {
      do {
        return try await blocking { [settings, metrics, logger] in
          try settings.store.open(
            settings.limits, while: { isWanted.value }, metrics: metrics, log: { logger.warning("\($0)") })
        }
      } catch {
        if !isWanted.value { return nil }
        throw error
      }
    } onGracefulShutdown: {
      isWanted.value = false
    }
  }
}

/// Where a host can be reached.
public struct HostAddresses: Sendable {
  public let service: ListenAddress
  /// Of what an operator's machines read, if it has one.
  public let admin: ListenAddress?
  public let console: ListenAddress?
}

private final class Flag: Sendable {
  private let flag: Atomic<Bool>

  init(_ value: Bool) { flag = Atomic(value) }

  var value: Bool {
    get { flag.load(ordering: .relaxed) }
    set { flag.store(newValue, ordering: .relaxed) }
  }
}
