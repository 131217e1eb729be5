internal import Access
internal import Console
internal import HTTPAPI
internal import Logging
internal import MicroHTTP
internal import Observability
internal import ServiceLifecycle
internal import Sessions

/// The servers of a host. They listen as soon as they are made.
struct HostServers {
  let addresses: HostAddresses
  /// What serves until the host stops; the last is to be stopped first.
  let services: [any Service]

  init(
    _ host: AppHost, _ sessions: SessionService, _ readiness: Readiness, _ authenticator: Authenticator,
    _ log: @escaping @Sendable (String) -> Void
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

    // The public one last, so that nobody has begun to use a host that does not start.
    let console = try settings.console.map { address in
      try Self.small(
        address, Console(sessions: sessions, host: address.host, configuration), log, hostSetting: "--console",
        portSetting: "--console")
    }
    let admin = try settings.adminPort.map { port in
      try Self.small(
        ListenAddress(host: settings.server.host, port: port), API.admin(sessions: sessions, configuration), log,
        hostSetting: "--bind", portSetting: "--admin-port")
    }
    var server = settings.server
    server.lingerTime = min(.seconds(1), settings.drainTimeout)
    server.alwaysServed = API.alwaysServed
    let service = Server(configuration: server, handler: API(sessions: sessions, configuration), log: log)
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
    host.metrics.observeGauge(.abandonedHandlers) { Double(service.load.abandonedHandlers) }
    host.metrics.observeGauge(.listeners) { Double(service.load.streams) }
    // What tells of the end is there until the end.
    services =
      [console, admin].compactMap { $0 }.map { ServingUntilShutdown(server: $0, timeout: .zero) } + [
        ServingUntilShutdown(server: service, timeout: settings.drainTimeout) {
          readiness.drain()
          host.logger.info("stopping", metadata: ["delay": "\(settings.drainDelay)"])
          try? await Task.sleep(for: settings.drainDelay)
        }
      ]
  }

  /// For a few engineers and machines.
  private static func small(
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
