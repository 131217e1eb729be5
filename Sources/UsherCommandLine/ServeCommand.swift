internal import ArgumentParser
internal import Flows
internal import HTTPAPI
internal import MicroHTTP
internal import Navigation
internal import Settings
internal import Stores
internal import UsherHost

extension RootCommand {
  /// The command `serve`.
  struct Serve: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Serves apps over HTTP until it receives a signal to stop.",
        discussion: """
          Each option is also an environment variable, USHER_ and its name in capitals with underscores, and an entry \
          of the file that --config or USHER_CONFIG names. \(Main.name) config prints the settings in force.

          After SIGINT or SIGTERM, the service accepts no new requests, completes in-flight requests, and exits with 0.
          """)
    }

    @OptionGroup var options: ServeOptions

    func run() async throws {
      let settings = try options.read().settings
      var host = try AppHost(apps: Main.apps, settings: settings)
      let log = HostLog(settings.logs, label: Main.name)
      host.logger = log.logger
      log.measure(in: host.metrics)
      host.files["/schemas/flow.json"] = StaticFile(FlowSchema.json, type: "application/schema+json")
      Main.configure(&host)
      let name = "\(Main.name) \(Main.version)"
      host.started = { [started = host.started] addresses in
        let apps = addresses.apps.isEmpty ? "no apps" : addresses.apps.joined(separator: ", ")
        log.print("\(name) keeps sessions in \(settings.store) and serves \(apps) on http://\(addresses.service)")
        if let console = addresses.console { log.print("The console is at http://\(console)/console") }
        if let admin = addresses.admin { log.print("The metrics are at http://\(admin)/metrics") }
        started(addresses)
      }
      defer { log.flush() }
      do {
        try await host.serve()
      } catch {
        // The log's thread writes the error, because a stalled reader would block the argument parser's own message.
        log.note("Error: \(error)")
        throw ExitCode.failure
      }
    }
  }
}

/// The settings as options. They stay texts here, because ``SettingsReader`` reads texts of all sources in the same
/// way.
struct ServeOptions: ParsableArguments {
  @Option(.port) var port: String?
  @Option(.bind) var bind: String?
  @Option(.adminPort) var adminPort: String?
  @Option(.console) var console: String?
  @Option(.auth) var auth: String?
  @Option(.jwtIssuer) var jwtIssuer: String?
  @Option(.jwtAudience) var jwtAudience: String?
  @Option(.jwtClaims) var jwtClaims: String?
  @Option(.anonymous) var anonymous: String?
  @Option(.trustedProxies) var trustedProxies: String?
  @Option(.allowedHosts) var allowedHosts: String?
  @Option(.corsOrigins) var corsOrigins: String?
  @Option(.rateLimit) var rateLimit: String?
  @Option(.rateBurst) var rateBurst: String?
  @Option(.apps) var apps: String?
  @Option(.flows) var flows: [String] = []
  @Option(.store) var store: String?
  @Option(.cacheSessions) var cacheSessions: String?
  @Option(.sessionTTL) var sessionTTL: String?
  @Option(.maxSessions) var maxSessions: String?
  @Option(.maxSessionsPerPrincipal) var maxSessionsPerPrincipal: String?
  @Option(.maxDepth) var maxDepth: String?
  @Option(.maxSessionBytes) var maxSessionBytes: String?
  @Option(.maxBody) var maxBody: String?
  @Option(.maxConnections) var maxConnections: String?
  @Option(.maxStreamsPerClient) var maxStreamsPerClient: String?
  @Option(.history) var history: String?
  @Option(.service) var service: [String] = []
  @Option(.serviceTokenFile) var serviceTokenFile: [String] = []
  @Option(.maxEffects) var maxEffects: String?
  @Option(.effectLease) var effectLease: String?
  @Option(.maxWaiters) var maxWaiters: String?
  @Option(.publicURL) var publicURL: String?
  @Option(.signalSecretFile) var signalSecretFile: [String] = []
  @Option(.threads) var threads: String?
  @Option(.drainDelay) var drainDelay: String?
  @Option(.drainTimeout) var drainTimeout: String?
  @Option(.logLevel) var logLevel: String?
  @Option(.logFormat) var logFormat: String?
  @Option(.logRequests) var logRequests: String?

  @Option(help: ArgumentHelp("A YAML file of settings, with the names of these options.", valueName: "file"))
  var config: String?

  private var given: [(Setting, String?)] {
    [
      (.port, port), (.bind, bind), (.adminPort, adminPort), (.console, console), (.auth, auth),
      (.jwtIssuer, jwtIssuer), (.jwtAudience, jwtAudience), (.jwtClaims, jwtClaims),
      (.anonymous, anonymous), (.trustedProxies, trustedProxies), (.allowedHosts, allowedHosts),
      (.corsOrigins, corsOrigins),
      (.rateLimit, rateLimit), (.rateBurst, rateBurst), (.apps, apps), (.flows, joined(flows)),
      (.store, store), (.cacheSessions, cacheSessions),
      (.sessionTTL, sessionTTL),
      (.maxSessions, maxSessions), (.maxSessionsPerPrincipal, maxSessionsPerPrincipal), (.maxDepth, maxDepth),
      (.maxSessionBytes, maxSessionBytes), (.maxBody, maxBody), (.maxConnections, maxConnections),
      (.maxStreamsPerClient, maxStreamsPerClient), (.history, history), (.service, joined(service)),
      (.serviceTokenFile, joined(serviceTokenFile)), (.maxEffects, maxEffects), (.effectLease, effectLease),
      (.maxWaiters, maxWaiters), (.publicURL, publicURL), (.signalSecretFile, joined(signalSecretFile)),
      (.threads, threads), (.drainDelay, drainDelay), (.drainTimeout, drainTimeout), (.logLevel, logLevel),
      (.logFormat, logFormat), (.logRequests, logRequests),
    ]
  }

  /// Returns the value of a list whose option may be repeated.
  private func joined(_ values: [String]) -> String? { values.isEmpty ? nil : values.joined(separator: ",") }

  /// Reads the settings in force.
  func read() throws(SettingsError) -> SettingsReader {
    let options = given.compactMap { setting, text in text.map { (setting.name, $0) } }
    return try SettingsReader(options: Dictionary(uniqueKeysWithValues: options), file: config)
  }
}

extension Option<String?> {
  fileprivate init(_ setting: Setting) { self.init(name: .customLong(setting.name), help: setting.argumentHelp) }
}

extension Option<[String]> {
  /// An option that may be repeated.
  fileprivate init(wrappedValue: [String], _ setting: Setting) {
    self.init(wrappedValue: wrappedValue, name: .customLong(setting.name), help: setting.argumentHelp)
  }
}

extension Setting {
  fileprivate var argumentHelp: ArgumentHelp { ArgumentHelp("\(help)", valueName: placeholder) }
}
