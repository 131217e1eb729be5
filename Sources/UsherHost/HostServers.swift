internal import Access
internal import Console
internal import Dispatch
internal import HTTPAPI
internal import Logging
internal import MicroHTTP
internal import Observability
internal import ServiceLifecycle
internal import Sessions

/// The servers of a host: the service, and the admin server and the console if they have addresses. Each server listens
/// once created.
struct HostServers {
  let addresses: HostAddresses
  /// The running servers. A service group stops the last one first.
  let services: [any Service]

  init(
    _ host: AppHost, _ sessions: SessionService, _ readiness: Readiness, _ authenticator: Authenticator,
    _ senders: SignalSenders, _ log: @escaping @Sendable (String) -> Void
  ) throws {
    let settings = host.settings
    var configuration = API.Configuration()
    configuration.version = usherVersion
    configuration.files = host.files
    configuration.logger = host.logger
    configuration.logsRequests = settings.logs.requests
    configuration.metrics = host.metrics
    configuration.servesMetrics = settings.adminPort == nil
    configuration.readiness = readiness
    configuration.authenticator = authenticator
    configuration.trustedProxies = settings.trustedProxies ?? .none
    configuration.allowedOrigins = settings.allowedOrigins ?? .none
    configuration.allowedHosts =
      (settings.allowedHosts ?? (authenticator.verifiesTokens ? .all : .local)).adding(settings.server.host)
    configuration.rateLimit = settings.rateLimit.flatMap {
      $0 > 0 ? RateLimit(rate: $0, burst: settings.rateBurst) : nil
    }
    configuration.streamsPerClient = settings.streamsPerClient
    configuration.waiters = settings.waiters
    configuration.signalSenders = senders
    configuration.publicURL = settings.publicURL?.text

    // The public server starts last, so that clients never reach a host that then fails to start.
    let console = try settings.console.map { address in
      try Self.startOperatorServer(
        address, Console(sessions: sessions, host: address.host, configuration), log, hostSetting: "--console",
        portSetting: "--console")
    }
    let admin = try settings.adminPort.map { port in
      try Self.startOperatorServer(
        ListenAddress(host: settings.server.host, port: port), API.admin(sessions: sessions, configuration), log,
        hostSetting: "--bind", portSetting: "--admin-port")
    }
    var server = settings.server
    server.lingerTime = min(.seconds(1), settings.drainTimeout)
    server.alwaysServed = API.alwaysServed
    let api = API(sessions: sessions, configuration)
    let service = Server(configuration: server, handler: api, log: log)
    try service.start()

    let library = HTTPLibrary.current
    host.logger.log(
      level: library.lineChecks == .missing ? .warning : .info, "\(library)",
      metadata: ["libmicrohttpd": "\(library.version)", "lineChecks": "\(library.lineChecks)"])

    func address(_ server: Server, _ host: String) -> ListenAddress { ListenAddress(host: host, port: server.port) }
    addresses = HostAddresses(
      service: address(service, settings.server.host), admin: admin.map { address($0, settings.server.host) },
      console: console.map { address($0, settings.console?.host ?? "") })
    host.metrics.observeGauge(.connections) { Double(service.load.connections) }
    host.metrics.observeGauge(.requestsInFlight) { Double(service.load.requests) }
    host.metrics.observeGauge(.requestsSuspended) { Double(service.load.suspended) }
    host.metrics.observeGauge(.requestsWaiting) { Double(api.waiters.count) }
    host.metrics.observeGauge(.abandonedHandlers) { Double(service.load.abandonedHandlers) }
    host.metrics.observeGauge(.eventStreams) { Double(service.load.streams) }
    // The admin server and the console stop last, so that health checks and metrics outlive the drain.
    services =
      [console, admin].compactMap { $0 }.map { RunningServer(server: $0, drainTimeout: .zero) } + [
        RunningServer(server: service, drainTimeout: settings.drainTimeout) {
          readiness.drain()
          host.logger.info("stopping", metadata: ["delay": "\(settings.drainDelay)"])
          try? await Task.sleep(for: settings.drainDelay)
          sessions.endWaiting()
        }
      ]
  }

  /// Starts a server for operators and monitoring, with few threads.
  private static func startOperatorServer(
    _ address: ListenAddress, _ handler: any Handler, _ log: @escaping @Sendable (String) -> Void,
    hostSetting: String, portSetting: String
  ) throws -> Server {
    var configuration = Server.Configuration()
    configuration.host = address.host
    configuration.port = address.port
    configuration.hostSetting = hostSetting
    configuration.portSetting = portSetting
    configuration.threads = 2
    let server = Server(configuration: configuration, handler: handler, log: log)
    try server.start()
    return server
  }
}

/// A started server, which stops when its service group shuts down.
private struct RunningServer: Service, CustomStringConvertible {
  let description = "server"
  let server: Server
  /// The time for in-flight requests to complete.
  let drainTimeout: Duration
  /// The work before the drain, while the server still serves.
  var beforeDrain: @Sendable () async -> Void = {}

  func run() async throws {
    try? await gracefulShutdown()
    await beforeDrain()
    await runBlocking { server.stop(grace: drainTimeout) }
  }
}

/// Work in the background, which is cancelled when its service group shuts down.
struct BackgroundService: Service, CustomStringConvertible {
  let description: String
  let work: @Sendable () async -> Void

  func run() async throws { await cancelWhenGracefulShutdown(work) }
}

/// Runs blocking work on a thread of Dispatch, so that it blocks no thread of the concurrency pool.
func runBlocking<Success: Sendable, Failure: Error>(
  _ work: @escaping @Sendable () throws(Failure) -> Success
) async throws(Failure) -> Success {
  let result = await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(returning: Result(catching: work)) }
  }
  return try result.get()
}
