internal import ArgumentParser
internal import Settings

/// The settings as options. Each is a text here: what it means is the same wherever it stands.
struct ServeOptions: ParsableArguments {
  @Option(.port) var port: String?
  @Option(.bind) var bind: String?
  @Option(.adminPort) var adminPort: String?
  @Option(.console) var console: String?
  @Option(.auth) var auth: String?
  @Option(.jwtIssuer) var jwtIssuer: String?
  @Option(.jwtAudience) var jwtAudience: String?
  @Option(.anonymous) var anonymous: String?
  @Option(.trustedProxies) var trustedProxies: String?
  @Option(.allowedHosts) var allowedHosts: String?
  @Option(.corsOrigins) var corsOrigins: String?
  @Option(.rateLimit) var rateLimit: String?
  @Option(.rateBurst) var rateBurst: String?
  @Option(.apps) var apps: String?
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
  @Option(.threads) var threads: String?
  @Option(.drainDelay) var drainDelay: String?
  @Option(.drainTimeout) var drainTimeout: String?
  @Option(.logLevel) var logLevel: String?
  @Option(.logFormat) var logFormat: String?
  @Option(.logRequests) var logRequests: String?

  @Option(help: ArgumentHelp("A YAML file of settings by these names.", valueName: "file"))
  var config: String?

  private var given: [(Setting, String?)] {
    [
      (.port, port), (.bind, bind), (.adminPort, adminPort), (.console, console), (.auth, auth),
      (.jwtIssuer, jwtIssuer), (.jwtAudience, jwtAudience), (.anonymous, anonymous),
      (.trustedProxies, trustedProxies), (.allowedHosts, allowedHosts), (.corsOrigins, corsOrigins),
      (.rateLimit, rateLimit), (.rateBurst, rateBurst),
      (.apps, apps), (.store, store), (.cacheSessions, cacheSessions), (.sessionTTL, sessionTTL),
      (.maxSessions, maxSessions), (.maxSessionsPerPrincipal, maxSessionsPerPrincipal), (.maxDepth, maxDepth),
      (.maxSessionBytes, maxSessionBytes), (.maxBody, maxBody), (.maxConnections, maxConnections),
      (.maxStreamsPerClient, maxStreamsPerClient), (.history, history), (.threads, threads), (.drainDelay, drainDelay),
      (.drainTimeout, drainTimeout), (.logLevel, logLevel), (.logFormat, logFormat), (.logRequests, logRequests),
    ]
  }

  /// What is in force.
  ///
  /// - Throws: a sentence about what is wrong.
  func read() async throws(SettingsError) -> SettingsReader {
    let options = given.compactMap { setting, text in text.map { (setting.name, $0) } }
    return try await SettingsReader(options: Dictionary(uniqueKeysWithValues: options), file: config)
  }
}

extension Option<String?> {
  fileprivate init(_ setting: Setting) {
    self.init(
      name: .customLong(setting.name), help: ArgumentHelp("\(setting.help)", valueName: setting.placeholder))
  }
}
