internal import Access
internal import HTTPAPI
internal import HTTPServices
internal import Logging
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Stores
internal import UsherHost

/// All settings, in the order of the help.
extension Setting {
  public static let port = Setting(
    "port", "port", .number(0...65535), \.server.port, "The TCP port to listen on; 0 lets the system choose.")
  public static let bind = Setting(
    "bind", "address", .text, \.server.host, "The address to listen on; 0.0.0.0 or :: for all.")
  public static let adminPort = Setting(
    "admin-port", "port", .number(0...65535), \.adminPort,
    "The port for /metrics, /livez and /readyz on the same address. By default, the service's own port serves them."
  )
  public static let console = Setting(
    "console", "address", .described("an address such as 127.0.0.1:8081 or [::1]:8081"), \.console,
    "The address of the console, such as 127.0.0.1:8081; none by default. The console shows every session to each "
      + "client that reaches it and may operate."
  )
  public static let auth = Setting(
    "auth", "method", .described("none, tokens:FILE or jwt:FILE"), \.access.method,
    "The authentication: none, where every client may do everything; tokens:FILE, with tokens that the command "
      + "token creates; jwt:FILE, with JSON Web Tokens and the keys of a JWK Set."
  )
  public static let jwtIssuer = Setting(
    "jwt-issuer", "issuer", .text, \.access.jwtIssuer,
    "The required iss claim of a JSON Web Token; mandatory with jwt:FILE.")
  public static let jwtAudience = Setting(
    "jwt-audience", "audience", .text, \.access.jwtAudience,
    "The required aud claim of a JSON Web Token; mandatory with jwt:FILE.")
  public static let jwtClaims = Setting(
    "jwt-claims", "claims", .list, \.access.jwtClaims,
    "The claims of a JSON Web Token that apps receive, separated by commas; none by default.")
  public static let anonymous = Setting(
    "anonymous", "permissions", .anonymous, \.access.anonymous,
    "The permissions of clients without a token: create, act or both; none by default.")
  public static let trustedProxies = Setting(
    "trusted-proxies", "ranges", .proxies, \.trustedProxies,
    "The addresses and ranges, such as 10.0.0.0/8, of proxies whose X-Forwarded-For, -Proto and -Host headers are "
      + "trusted; none by default."
  )
  public static let corsOrigins = Setting(
    "cors-origins", "origins", .origins, \.allowedOrigins,
    "The origins, such as https://app.example, whose pages may use the service from a browser, or * for all; by "
      + "default only the service's own."
  )
  public static let allowedHosts = Setting(
    "allowed-hosts", "names", .hosts, \.allowedHosts,
    "The host names, such as app.example.com, by which clients reach the service, or * for all. IP addresses, "
      + "localhost and names without a dot are always allowed. By default, other names require --auth."
  )
  public static let rateLimit = Setting(
    "rate-limit", "number", .decimal(0...1_000_000), \.rateLimit,
    "The maximum requests a second by each client, such as 20 or 0.5; by default, and with 0, there is no limit.")
  public static let rateBurst = Setting(
    "rate-burst", "count", .number(1...1_000_000), \.rateBurst,
    "The maximum requests at once by each client; by default those of five seconds, and at least 10.")
  public static let apps = Setting(
    "apps", "names", .list, \.apps,
    "The built-in apps to serve, separated by commas, or none; all by default. Flows are served beside them.")
  public static let flows = Setting(
    "flows", "folders", .paths, \.flows,
    "The folders whose sub-folders with a flow.yaml are apps, separated by commas; none by default.")
  public static let store = Setting(
    "store", "store", .store, \.store, isSecret: true,
    "The store of the sessions: sqlite:PATH, postgres://USER@HOST/DATABASE, or memory, which keeps them until the "
      + "process ends.")
  public static let cacheSessions = Setting(
    "cache-sessions", "count", .number(1...10_000_000), \.limits.cachedSessions,
    "The maximum sessions of a database to cache in memory.")
  public static let sessionTTL = Setting(
    "session-ttl", "seconds", .number(1...2_592_000), \.sessions.timeToLive,
    "The lifetime of a session from its creation, unless its app or its creator chooses another.")
  public static let maxSessionLife = Setting(
    "max-session-life", "seconds", .number(60...315_360_000), \.maximumLife,
    "The maximum lifetime of a session from its creation, for --session-ttl, apps and creators alike.")
  public static let maxSessions = Setting(
    "max-sessions", "count", .number(1...1_000_000_000), \.limits.sessions,
    "The maximum number of live sessions; by default 1000000 in memory, and no limit in a database.")
  public static let maxSessionsPerPrincipal = Setting(
    "max-sessions-per-principal", "count", .number(1...1_000_000_000), \.sessions.ownerLimit,
    "The approximate maximum number of live sessions of each principal; no limit by default.")
  public static let maxDepth = Setting(
    "max-depth", "count", .number(1...1000), \.navigation.depth, "The maximum number of screens on a stack.")
  public static let maxSessionBytes = Setting(
    "max-session-bytes", "bytes", .number(16_384...16_777_216), \.sessions.stateLimit,
    "The maximum size of a session's state; an action that would exceed it is refused.")
  public static let maxBody = Setting(
    "max-body", "bytes", .number(1024...1_048_576), \.server.bodyLimit, "The maximum size of a request body.")
  public static let maxConnections = Setting(
    "max-connections", "count", .number(16...1_000_000), \.server.connectionLimit,
    "The maximum number of open connections, each of which takes a file descriptor. Further ones are closed.")
  public static let maxStreamsPerClient = Setting(
    "max-streams-per-client", "count", .number(1...1_000_000), \.streamsPerClient,
    "The maximum number of event streams of each client: a principal, or an address without a token.")
  public static let history = Setting(
    "history", "count", .number(16...10_000), \.sessions.journalLimit,
    "The number of history entries to keep for a session; only the last 16 if all exceed 64 KiB.")
  public static let maxEffects = Setting(
    "max-effects", "count", .number(1...10_000), \.work.limit,
    "The maximum number of effects that the process works on at once; more wait. Due timers may come on top.")
  public static let effectLease = Setting(
    "effect-lease", "seconds", .seconds(1...3600), \.work.lease,
    "The time after which another process takes over the effects of one that does not answer.")
  public static let maxWaiters = Setting(
    "max-waiters", "count", .number(0...100_000), \.waiters,
    "The maximum number of requests that wait for effects with Prefer: wait; further ones are answered at once.")
  public static let service = Setting(
    "service", "services", .named("URL"), \.services.addresses,
    "The addresses of the HTTP services that apps use, such as shop=https://shop.internal/api, separated by commas.")
  public static let serviceTokenFile = Setting(
    "service-token-file", "files", .named("FILE"), \.services.tokenFiles,
    "The files with the bearer tokens of HTTP services, such as shop=/run/secrets/shop, separated by commas.")
  public static let serviceHeaderFile = Setting(
    "service-header-file", "files", .headerFiles, \.services.headerFiles,
    "The files with other headers for HTTP services, such as shop=X-Api-Key:/run/secrets/shop, separated by commas.")
  public static let publicURL = Setting(
    "public-url", "URL", .described("a URL such as https://app.example.com, without a path or a slash at the end"),
    \.publicURL,
    "The URL, such as https://app.example.com, at which people and the senders of signals reach the service; by default "
      + "its own address, unless it listens on all.")
  public static let signalSecretFile = Setting(
    "signal-secret-file", "files", .named("FILE"), \.signalSecretFiles,
    "The files with the secrets of the senders that sign their signals, such as bank=/run/secrets/bank, separated by "
      + "commas.")
  public static let threads = Setting(
    "threads", "count", .number(1...256), \.server.threads,
    "The number of threads that serve connections; by default two a core.")
  public static let drainDelay = Setting(
    "drain-delay", "seconds", .seconds(0...3600), \.drainDelay,
    "The time to keep serving after a signal to stop, while /readyz reports not ready, so that load balancers notice.")
  public static let drainTimeout = Setting(
    "drain-timeout", "seconds", .seconds(0...3600), \.drainTimeout,
    "The time for in-flight requests to complete after --drain-delay.")
  public static let logLevel = Setting(
    "log-level", "level", .choice, \.logs.level, "The minimum level of log lines.")
  public static let logFormat = Setting(
    "log-format", "format", .choice, \.logs.format,
    "The format of the log: json, with an object a line, or text. By default text on a terminal, and json otherwise.")
  public static let logRequests = Setting(
    "log-requests", "flag", .described("true or false"), \.logs.requests,
    "Whether to log every request: its route, client and principal, but no address of a session.")

  public static let all = [
    port, bind, adminPort, console, auth, jwtIssuer, jwtAudience, jwtClaims, anonymous, trustedProxies, allowedHosts,
    corsOrigins, rateLimit, rateBurst, apps, flows, store, cacheSessions, sessionTTL, maxSessionLife, maxSessions,
    maxSessionsPerPrincipal,
    maxDepth,
    maxSessionBytes, maxBody, maxConnections, maxStreamsPerClient, history, maxEffects, effectLease, maxWaiters,
    service, serviceTokenFile, serviceHeaderFile, publicURL, signalSecretFile, threads, drainDelay, drainTimeout,
    logLevel, logFormat, logRequests,
  ]
}
