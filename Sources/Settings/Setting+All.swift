internal import Access
internal import HTTPAPI
internal import Logging
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Stores
internal import UsherHost

/// Everything that an operator can set, in the order in which it is explained.
extension Setting {
  public static let port = Setting(
    "port", "port", .number(0...65535), \.server.port, "The TCP port to listen on; 0 lets the system choose.")
  public static let bind = Setting(
    "bind", "address", .text, \.server.host, "The address to listen on; 0.0.0.0 or :: for all.")
  public static let adminPort = Setting(
    "admin-port", "port", .number(0...65535), \.adminPort,
    "The port for /metrics, /livez and /readyz on the same address; /metrics is on the service's own port if not given."
  )
  public static let console = Setting(
    "console", "address", .address, \.console,
    "Where the console is served, such as 127.0.0.1:8081; nowhere if not given. It shows every session to whoever reaches it and may operate."
  )
  public static let auth = Setting(
    "auth", "method", .method, \.access.method,
    "Who may do what: none, everybody everything; tokens:FILE, by tokens that the command token makes; jwt:FILE, by JSON Web Tokens, with the keys of a JWK Set."
  )
  public static let jwtIssuer = Setting(
    "jwt-issuer", "issuer", .text, \.access.jwtIssuer, "What iss of a JSON Web Token has to be; needed with jwt:FILE.")
  public static let jwtAudience = Setting(
    "jwt-audience", "audience", .text, \.access.jwtAudience,
    "What has to be in aud of a JSON Web Token; needed with jwt:FILE.")
  public static let anonymous = Setting(
    "anonymous", "permissions", .anonymous, \.access.anonymous,
    "What may be done without a token, create, act or both; nothing if not given.")
  public static let trustedProxies = Setting(
    "trusted-proxies", "ranges", .proxies, \.trustedProxies,
    "Addresses and ranges, such as 10.0.0.0/8, of proxies whose X-Forwarded-For, -Proto and -Host are believed; none if not given."
  )
  public static let corsOrigins = Setting(
    "cors-origins", "origins", .origins, \.allowedOrigins,
    "Origins such as https://app.example whose pages may use the service from a browser, or * for all; only its own if not given."
  )
  public static let allowedHosts = Setting(
    "allowed-hosts", "names", .hosts, \.allowedHosts,
    "Host names such as app.example.com by which clients reach the service, or * for all. IP addresses, localhost and names without a dot are always allowed. If not given, other names are allowed with --auth only."
  )
  public static let rateLimit = Setting(
    "rate-limit", "number", .decimal(0...1_000_000), \.rateLimit,
    "Requests a second that each client may make, such as 20 or 0.5; 0, as if not given, for no limit.")
  public static let rateBurst = Setting(
    "rate-burst", "count", .number(1...1_000_000), \.rateBurst,
    "Requests of each client that may come at once; those of five seconds, and at least 10, if not given.")
  public static let apps = Setting(
    "apps", "names", .list, \.apps, "The apps to serve, separated by commas; all if not given.")
  public static let store = Setting(
    "store", "store", .store, \.store, isSecret: true,
    "Where sessions live: sqlite:PATH, postgres://USER@HOST/DATABASE, or memory, which ends with the process.")
  public static let cacheSessions = Setting(
    "cache-sessions", "count", .number(1...10_000_000), \.limits.cachedSessions,
    "Sessions of a database that are in memory as well.")
  public static let sessionTTL = Setting(
    "session-ttl", "seconds", .number(1...2_592_000), \.sessions.timeToLive,
    "How long a session lives from its creation, unless its creator says otherwise.")
  public static let maxSessions = Setting(
    "max-sessions", "count", .number(1...1_000_000_000), \.limits.sessions,
    "Live sessions at most; 1000000 in memory and no limit in a database if not given.")
  public static let maxSessionsPerPrincipal = Setting(
    "max-sessions-per-principal", "count", .number(1...1_000_000_000), \.sessions.ownerLimit,
    "Live sessions of one principal at most, about; no limit if not given.")
  public static let maxDepth = Setting(
    "max-depth", "count", .number(1...1000), \.navigation.depth, "Screens on one stack at most.")
  public static let maxSessionBytes = Setting(
    "max-session-bytes", "bytes", .number(16_384...16_777_216), \.sessions.stateLimit,
    "Bytes that the state of a session may have; an action that would make more is refused.")
  public static let maxBody = Setting(
    "max-body", "bytes", .number(1024...1_048_576), \.server.bodyLimit, "Bytes of a request's body at most.")
  public static let maxConnections = Setting(
    "max-connections", "count", .number(16...1_000_000), \.server.connectionLimit,
    "Open connections at most; one more is closed. Each takes a file descriptor.")
  public static let maxStreamsPerClient = Setting(
    "max-streams-per-client", "count", .number(1...1_000_000), \.streamsPerClient,
    "Event streams of each client at most: of the principal that a token names, or else of an address.")
  public static let history = Setting(
    "history", "count", .number(16...10_000), \.sessions.journalLimit,
    "Entries of a session's history that are kept; only the last 16 once they come to more than 64 KiB.")
  public static let threads = Setting(
    "threads", "count", .number(1...256), \.server.threads, "Threads that serve connections; two a core if not given.")
  public static let drainDelay = Setting(
    "drain-delay", "seconds", .seconds(0...3600), \.drainDelay,
    "How long to serve on after a signal to stop while /readyz says no, for balancers that look at that.")
  public static let drainTimeout = Setting(
    "drain-timeout", "seconds", .seconds(0...3600), \.drainTimeout,
    "How long what is under way may take to finish then.")
  public static let logLevel = Setting(
    "log-level", "level", .choice, \.logs.level, "What is less than this is not logged.")
  public static let logFormat = Setting(
    "log-format", "format", .choice, \.logs.format,
    "json, an object on each line, or text; text only where the log goes to a terminal if not given.")
  public static let logRequests = Setting(
    "log-requests", "flag", .flag, \.logs.requests,
    "Whether every request is logged: its route, client and principal, and no address of a session.")

  public static let all = [
    port, bind, adminPort, console, auth, jwtIssuer, jwtAudience, anonymous, trustedProxies, allowedHosts, corsOrigins,
    rateLimit, rateBurst, apps, store, cacheSessions, sessionTTL, maxSessions, maxSessionsPerPrincipal, maxDepth,
    maxSessionBytes, maxBody, maxConnections, maxStreamsPerClient, history, threads, drainDelay, drainTimeout, logLevel,
    logFormat, logRequests,
  ]
}
