public import Access
public import HTTPAPI
public import HTTPServices
public import Logging
public import MicroHTTP
public import Navigation
public import Sessions
public import Stores
internal import Values

/// The settings of a host, which its operator chooses. The author of the apps decides everything else.
public struct HostSettings: Sendable {
  /// The address and the limits of the server; port 8080 of 127.0.0.1 by default.
  public var server = Server.Configuration()
  /// The port for metrics and health checks, on the same host. If nil, the service itself serves the metrics.
  public var adminPort: UInt16?
  /// The address of the console, which shows every session to operators; nil for no console.
  public var console: ListenAddress?
  /// The proxies whose `X-Forwarded-*` headers are trusted; none by default.
  public var trustedProxies: TrustedProxies?
  /// The origins of other sites whose pages may use the service from a browser; none by default.
  public var allowedOrigins: AllowedOrigins?
  /// The host names by which clients may reach the service. By default, any name if the service requires
  /// authentication, and otherwise only names that no other site can have.
  public var allowedHosts: AllowedHosts?
  /// The maximum number of requests a second by each client; nil or 0 for no limit.
  public var rateLimit: Double?
  /// The maximum number of requests at once by each client; the default is that of ``RateLimit``.
  public var rateBurst: Int?
  /// The maximum number of event streams of each client.
  public var streamsPerClient = 256
  /// The maximum number of requests that wait for effects with `Prefer: wait`. Further ones are answered at once.
  public var waiters = 1024
  /// The URL by which the senders of signals reach the service; by default its own address, unless it listens on all.
  public var publicURL: PublicURL?
  /// The paths of the files with the secrets of the senders of signals (`--signal-secret-file`).
  public var signalSecretFiles: [HTTPServiceSettings.Entry] = []
  /// The names of the apps of the host to serve, in their order; nil for all apps, and `none` alone for none. Flows are
  /// not among them.
  public var apps: [String]?
  /// The folders whose sub-folders are flows: apps that are defined by files.
  public var flows: [String] = []
  /// The limits of the growth of a session, for every app.
  public var navigation = AppDefinition.Limits()
  /// The lifetime, history and limits of sessions.
  public var sessions = SessionService.Settings()
  /// The maximum lifetime of a session in seconds, whether its app or its creator chooses it (`--max-session-life`).
  public var maximumLife: Int64 {
    get { sessions.allowedTimeToLive.upperBound }
    set {
      sessions.allowedTimeToLive = 1...newValue
      navigation.life = .seconds(newValue)
    }
  }
  /// The store of the sessions; the SQLite file `usher.sqlite` by default.
  public var store = StoreLocation.standard
  /// The maximum numbers of sessions and tombstones in the ``store``. A session beyond the maximum is refused with
  /// `limit-reached`.
  public var limits = StoreLimits()
  /// The time to keep serving after a signal to stop, while `/readyz` reports that the service is not ready.
  public var drainDelay = Duration.zero
  /// The time for in-flight requests to complete after ``drainDelay``.
  public var drainTimeout = Duration.seconds(10)
  /// Authentication and permissions; by default every client may do everything.
  public var access = AccessSettings()
  /// The effects and timers of the apps.
  public var work = WorkRunner.Settings()
  /// The HTTP services that effects call.
  public var services = HTTPServiceSettings()
  public var logs = Logs()

  public init() { server.port = 8080 }

  public struct Logs: Sendable {
    public enum Format: String, Sendable, CaseIterable {
      /// One JSON object a line.
      case json
      case text
    }

    /// The minimum level.
    public var level = Logger.Level.info
    /// By default, text if the log goes to a terminal, and JSON otherwise.
    public var format: Format?
    /// Whether to log every request.
    public var requests = false

    public init() {}
  }
}

/// The scheme, host and port by which others reach the service, such as `https://app.example.com`.
public struct PublicURL: Sendable, Equatable, LosslessStringConvertible {
  public let text: String

  /// Returns nil unless the text is an origin: `http://` or `https://`, a host and perhaps a port, without a path.
  public init?(_ text: String) {
    guard let scheme = ["http://", "https://"].first(where: { text.hasPrefix($0) }),
      HTTPServiceSettings.isAddress(text), !text.dropFirst(scheme.count).contains("/")
    else { return nil }
    self.text = text
  }

  public var description: String { text }
}

/// A host and a port to listen on.
public struct ListenAddress: Sendable, Equatable, LosslessStringConvertible {
  public let host: String
  public let port: UInt16

  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads `127.0.0.1:8081`, `[::1]:8081` or `name:8081`. Returns nil for any other text.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    guard let port = UInt16(digits: text[text.index(after: colon)...]) else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty, host != "*" else { return nil }
    self.init(host: String(host), port: port)
  }

  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// The URL of the address; nil if it stands for all addresses of the machine.
  var origin: String? { ["0.0.0.0", "::", "*"].contains(host) ? nil : "http://\(self)" }
}
