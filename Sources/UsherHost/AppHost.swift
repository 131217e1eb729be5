internal import Access
internal import Foundation
public import HTTPAPI
internal import HTTPServices
public import Logging
internal import Messages
internal import MicroHTTP
public import Navigation
public import Observability
public import ServiceLifecycle
internal import Sessions
internal import Stores
internal import Synchronization
internal import UnixSignals

/// A host of apps over HTTP, for a program that does other work as well. An executable that only serves apps is a
/// `UsherMain`, which adds settings and commands.
///
///     let host = try AppHost(apps: [App("kiosk", title: "Kiosk") { KioskCoordinator() }])
///     try await ServiceGroup(services: [host, printer], gracefulShutdownSignals: [.sigterm], logger: logger).run()
///
/// Its errors are readable as text. Swift crashes a program whose `main` throws; ``main(apps:settings:)`` prints the
/// error instead.
public struct AppHost: Service, CustomStringConvertible {
  /// The apps to serve.
  public let apps: [AppDefinition]
  /// The settings, in force from the start of the host on.
  public var settings: HostSettings
  /// Files to serve beside the sessions, such as front ends, by path: `/kiosk`. A path of the service itself takes
  /// precedence.
  public var files: [String: StaticFile] = [:]
  /// The flows to serve beside the apps; nil for those of the settings.
  package var flows: FlowHosting?
  /// The log for operators.
  public var logger = Logger(label: "usher")
  /// The metrics of the host. A program may add its own.
  public let metrics = PrometheusRegistry()
  /// The function that the host calls once it is reachable and its flows are loaded.
  public var started: @Sendable (HostAddresses) -> Void = { _ in }

  /// The name of the host in the log of a service group, which would otherwise reflect all apps at the start.
  public var description: String { "usher" }

  /// Registers the apps.
  ///
  /// - Throws: all faults in the wiring of the apps, or an app name in the settings that no app has.
  public init(apps: [App], settings: HostSettings = HostSettings()) throws(HostFaults) {
    let definitions = try Self.definitions(of: apps, limits: settings.navigation)
    self.apps =
      try settings.apps.map { names throws(HostFaults) in try Self.choose(names, from: definitions) } ?? definitions
    self.settings = settings
  }

  /// Serves until the process receives SIGINT or SIGTERM, and completes in-flight requests before it returns.
  ///
  /// - Throws: an `AccessError` for invalid settings or an invalid file of access, all faults of the HTTP services as
  ///   `HTTPServiceFaults`, a `StoreOpeningError` for an
  ///   unavailable store, or a `ServerError` for an unavailable address.
  public func serve() async throws {
    let configuration = ServiceGroupConfiguration(
      services: [self], gracefulShutdownSignals: [.sigint, .sigterm], logger: logger)
    try await ServiceGroup(configuration: configuration).run()
  }

  /// Serves apps until the process receives SIGINT or SIGTERM. Prints an error as text, and exits with 1.
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
    var work = settings.work
    if case .sqlite(let path, _) = settings.store { work.crashFile = path + "-crash" }
    CrashReport.install(eventFile: work.crashFile)
    let authenticator = try Authenticator(settings.access, logger: logger)
    let senders = try signalSenders()
    let log: @Sendable (String) -> Void = { [logger] in logger.warning("\($0)") }
    let services = try HTTPServiceDirectory(
      settings.services, for: apps, userAgent: "usher/\(usherVersion)", metrics: metrics, log: log)
    guard let store = try await openStore() else { return try await gracefulShutdown() }
    let flows = flows ?? FlowHosting(directories: settings.flows)
    let compilation = FlowCompilation(limits: settings.navigation, log: log, compiler: flows.compile)
    let sessions = SessionService(
      apps: apps, flows: compilation, store: store, settings: settings.sessions, metrics: metrics, log: log)
    let readiness = Readiness()
    for app in apps { warnOfLife(of: app) }
    do {
      let watcher = FlowWatcher(flows, sessions, logger: logger) { [self] app in
        warnOfLife(of: app)
        return settings.services.missingServices(of: [app]) + unsignedSignals(of: app)
      }
      let loading = try await watcher.begin()
      let servers = try HostServers(self, sessions, readiness, authenticator, senders, log)
      let runner = WorkRunner(
        sessions, work, resources: services,
        origin: settings.publicURL?.text ?? servers.addresses.service.origin, metrics: metrics,
        sentence: { $0.sentenceForOperators }, report: { [logger] in $0.write(to: logger) }, log: log)
      metrics.observeGauge(.workInProgress) { Double(runner.count) }
      metrics.observeGauge(.outputsShared) { Double(runner.sharedSize) }
      metrics.observeGauge(.eventChannels) { Double(sessions.eventChannelCount) }
      metrics.observeGauge(.flowsLoaded) { Double(sessions.registry.current.count) }
      metrics.observeGauge(.flowFaults) { Double(sessions.registry.faults.count) }
      metrics.observeGauge(.flowDefinitions) { Double(sessions.registry.definitionCount) }
      metrics.observeGauge(.flowDefinitionsSize) { Double(sessions.registry.definitionSize) }
      metrics.observeGauge(.build, [("version", usherVersion)]) { 1 }
      let announce: @Sendable () async -> Void = { await self.announce(servers.addresses, sessions, after: loading) }
      var tasks = [
        BackgroundService(description: "sweeper") { await sessions.sweep(every: .seconds(15), log: log) },
        BackgroundService(description: "keep-alive") { await sessions.keepStreamsAlive() },
        BackgroundService(description: "work") { await runner.run() },
        BackgroundService(description: "gauges") { [metrics] in
          await sessions.count(every: .seconds(15), in: metrics)
        },
      ]
      if flows.directories.isEmpty {
        await announce()
      } else {
        tasks.append(
          BackgroundService(description: "flows") {
            await announce()
            await watcher.run()
          })
      }
      try await ServiceGroup(services: tasks + servers.services, logger: logger).run()
    } catch {
      await runBlocking { store.close() }
      throw error
    }
    await runBlocking { store.close() }
    logger.info("stopped")
  }

  /// Tells that the host serves, once its flows are loaded.
  private func announce(
    _ addresses: HostAddresses, _ sessions: SessionService, after loading: Task<Void, Never>
  ) async {
    await loading.value
    var addresses = addresses
    addresses.apps = sessions.apps.map(\.name)
    logger.info("serving", metadata: metadata(addresses))
    warn(addresses, sessions.apps)
    started(addresses)
  }

  /// Returns a sentence for each signal of an app that requires a signature and whose sender has no secret.
  private func unsignedSignals(of app: AppDefinition) -> [String] {
    app.signals.compactMap { signal in
      signal.sender.flatMap { sender in
        settings.signalSecretFiles.contains { $0.name == sender }
          ? nil
          : "The app \(app.name) requires the signature of \(sender) for the signal \(signal.name), and \(sender) has no "
            + "secret. Set it with --signal-secret-file \(sender)=FILE."
      }
    }
  }

  /// Logs that sessions of an app live for a shorter time than the app asks for.
  private func warnOfLife(of app: AppDefinition) {
    guard app.hasLimitedLife else { return }
    logger.warning(
      "The app asks for a longer life of its sessions than the service allows. Raise --max-session-life to allow it.",
      metadata: ["app": "\(app.name)", "max-session-life": "\(settings.maximumLife)"])
  }

  /// Reads the secrets of the senders of signals.
  ///
  /// - Throws: an `AccessError` for an invalid file, for each sender with two files, and for each sender of an app
  ///   without a secret.
  private func signalSenders() throws -> SignalSenders {
    let files = Dictionary(settings.signalSecretFiles.map { ($0.name, $0.value) }) { first, _ in first }
    let repeated = files.keys.sorted().filter { name in settings.signalSecretFiles.count { $0.name == name } > 1 }.map {
      "signal-secret-file: The sender \($0) occurs twice. Put its secrets on two lines of one file."
    }
    let missing = apps.flatMap { unsignedSignals(of: $0) }
    let faults = repeated + missing
    guard faults.isEmpty else { throw AccessError(faults.joined(separator: "\n")) }
    do throws(AccessError) {
      return try SignalSenders(files, logger: logger)
    } catch {
      throw AccessError("signal-secret-file: \(error)")
    }
  }

  /// Logs settings that are not errors, but most likely mistakes.
  ///
  /// - Parameter served: the apps with the current flows.
  private func warn(_ addresses: HostAddresses, _ served: [AppDefinition]) {
    for sentence in settings.services.unusedServices(of: served) { logger.warning("\(sentence)") }
    let waiting = served.filter { !$0.signals.isEmpty }.map(\.name)
    if settings.publicURL == nil, addresses.service.origin == nil, !waiting.isEmpty {
      logger.warning(
        "Senders of signals do not know the address of the service. Set it with --public-url.",
        metadata: ["apps": .array(waiting.map { .string($0) })])
    }
  }

  private func metadata(_ addresses: HostAddresses) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "address": "http://\(addresses.service)", "apps": .array(addresses.apps.map { .string($0) }),
      "store": "\(settings.store)", "version": "\(usherVersion)",
    ]
    metadata["admin"] = addresses.admin.map { "http://\($0)" }
    metadata["console"] = addresses.console.map { "http://\($0)/console" }
    return metadata
  }

  /// Opens the store. Returns nil if the host is told to stop first.
  private func openStore() async throws -> (any SessionStore)? {
    let isStopping = Atomic(false)
    return try await withGracefulShutdownHandler {
      do {
        return try await runBlocking { [settings, metrics, logger] in
          try settings.store.open(
            settings.limits, while: { !isStopping.load(ordering: .relaxed) }, metrics: metrics,
            log: { logger.warning("\($0)") })
        }
      } catch {
        if isStopping.load(ordering: .relaxed) { return nil }
        throw error
      }
    } onGracefulShutdown: {
      isStopping.store(true, ordering: .relaxed)
    }
  }
}

/// The addresses of a running host.
public struct HostAddresses: Sendable {
  public let service: ListenAddress
  /// The address of metrics and health checks, if they have a port of their own.
  public let admin: ListenAddress?
  public let console: ListenAddress?
  /// The names of the apps, those of flows included.
  public internal(set) var apps: [String] = []
}

// MARK: - Apps

extension AppHost {
  /// Registers the apps, and checks their wiring.
  private static func definitions(
    of apps: [App], limits: AppDefinition.Limits
  ) throws(HostFaults) -> [AppDefinition] {
    var definitions: [AppDefinition] = []
    var faults: [WiringFaults] = []
    for app in apps {
      do throws(WiringFaults) {
        let definition = try AppDefinition(app, limits: limits)
        if definitions.contains(where: { $0.name == app.name }) {
          throw WiringFaults(app: app.name, faults: [.init(location: app.name, .repeatedApp)])
        }
        definitions.append(definition)
      } catch {
        faults.append(error)
      }
    }
    guard faults.isEmpty else { throw HostFaults(apps: faults) }
    return definitions
  }

  /// Returns the apps of these names, in the order of the names.
  private static func choose(
    _ names: [String], from definitions: [AppDefinition]
  ) throws(HostFaults) -> [AppDefinition] {
    if names == ["none"] { return [] }
    guard Set(names).count == names.count, !names.isEmpty else {
      throw HostFaults(
        choice: names.isEmpty
          ? "The setting apps is empty. Name at least one app, write none, or omit the setting."
          : "The setting apps names an app twice. Name each app once.")
    }
    return try names.map { name throws(HostFaults) in
      if let app = definitions.first(where: { $0.name == name }) { return app }
      let known = definitions.map(\.name).joined(separator: ", ")
      throw HostFaults(choice: "There is no built-in app \"\(name)\". The built-in apps are: \(known).")
    }
  }
}

/// The reason why apps cannot be hosted.
public struct HostFaults: Error, Sendable, Equatable, CustomStringConvertible {
  /// The apps with faults in their wiring, in the order of the host's apps.
  public let apps: [WiringFaults]
  /// The fault in the choice of apps, as one sentence.
  public let choice: String?

  init(apps: [WiringFaults] = [], choice: String? = nil) {
    self.apps = apps
    self.choice = choice
  }

  public var description: String { choice ?? apps.map(\.description).joined(separator: "\n") }
}
