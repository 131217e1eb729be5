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
        commandName: "serve",
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

/// The settings as options.
struct ServeOptions: ParsableArguments {
  @Option(.port) var port: OptionText?
  @Option(.bind) var bind: OptionText?
  @Option(.adminPort) var adminPort: OptionText?
  @Option(.console) var console: OptionText?
  @Option(.auth) var auth: OptionText?
  @Option(.jwtIssuer) var jwtIssuer: OptionText?
  @Option(.jwtAudience) var jwtAudience: OptionText?
  @Option(.jwtClaims) var jwtClaims: OptionText?
  @Option(.anonymous) var anonymous: OptionText?
  @Option(.trustedProxies) var trustedProxies: OptionText?
  @Option(.allowedHosts) var allowedHosts: OptionText?
  @Option(.corsOrigins) var corsOrigins: OptionText?
  @Option(.rateLimit) var rateLimit: OptionText?
  @Option(.rateBurst) var rateBurst: OptionText?
  @Option(.apps) var apps: OptionText?
  @Option(.flows) var flows: [OptionText] = []
  @Option(.store) var store: OptionText?
  @Option(.cacheSessions) var cacheSessions: OptionText?
  @Option(.sessionTTL) var sessionTTL: OptionText?
  @Option(.maxSessionLife) var maxSessionLife: OptionText?
  @Option(.maxSessions) var maxSessions: OptionText?
  @Option(.maxSessionsPerPrincipal) var maxSessionsPerPrincipal: OptionText?
  @Option(.maxDepth) var maxDepth: OptionText?
  @Option(.maxSessionBytes) var maxSessionBytes: OptionText?
  @Option(.maxBody) var maxBody: OptionText?
  @Option(.maxConnections) var maxConnections: OptionText?
  @Option(.maxStreamsPerClient) var maxStreamsPerClient: OptionText?
  @Option(.history) var history: OptionText?
  @Option(.service) var service: [OptionText] = []
  @Option(.serviceTokenFile) var serviceTokenFile: [OptionText] = []
  @Option(.serviceHeaderFile) var serviceHeaderFile: [OptionText] = []
  @Option(.maxEffects) var maxEffects: OptionText?
  @Option(.effectLease) var effectLease: OptionText?
  @Option(.maxWaiters) var maxWaiters: OptionText?
  @Option(.publicURL) var publicURL: OptionText?
  @Option(.signalSecretFile) var signalSecretFile: [OptionText] = []
  @Option(.threads) var threads: OptionText?
  @Option(.drainDelay) var drainDelay: OptionText?
  @Option(.drainTimeout) var drainTimeout: OptionText?
  @Option(.logLevel) var logLevel: OptionText?
  @Option(.logFormat) var logFormat: OptionText?
  @Option(.logRequests) var logRequests: OptionText?

  @Option(help: ArgumentHelp("A YAML file of settings, with the names of these options.", valueName: "file"))
  var config: String?

  /// The options of the command line. Options with lists may be repeated.
  private var given: [OptionText] {
    Mirror(reflecting: self).children.flatMap { child in
      switch child.value {
      case let option as Option<OptionText?>: option.wrappedValue.map { [$0] } ?? []
      case let options as Option<[OptionText]>: options.wrappedValue
      default: [OptionText]()
      }
    }
  }

  /// Reads the settings in force.
  func read() throws(SettingsError) -> SettingsReader {
    let options = Dictionary(given.map { ($0.setting, $0.text) }) { "\($0),\($1)" }
    return try SettingsReader(options: options, file: config)
  }
}

/// An option of the command line, still a text, because ``SettingsReader`` reads the texts of all sources in the same
/// way.
struct OptionText {
  /// The name of the setting.
  let setting: String
  let text: String
}

extension Option<OptionText?> {
  fileprivate init(_ setting: Setting) {
    self.init(name: .customLong(setting.name), help: setting.argumentHelp, transform: setting.optionText)
  }
}

extension Option<[OptionText]> {
  /// An option that may be repeated.
  fileprivate init(wrappedValue: [OptionText], _ setting: Setting) {
    self.init(
      wrappedValue: wrappedValue, name: .customLong(setting.name), help: setting.argumentHelp,
      transform: setting.optionText)
  }
}

extension Setting {
  fileprivate var argumentHelp: ArgumentHelp { ArgumentHelp("\(help)", valueName: placeholder) }

  fileprivate func optionText(_ text: String) -> OptionText { OptionText(setting: name, text: text) }
}
