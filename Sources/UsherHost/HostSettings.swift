public import Access
public import HTTPAPI
public import Logging
public import MicroHTTP
public import Navigation
public import Sessions
public import Stores

/// What an operator decides about a host; everything else is the author's.
public struct HostSettings: Sendable {
  /// Where it listens, port 8080 of 127.0.0.1 unless set, and the limits that it keeps.
  public var server = Server.Configuration()
  /// The port of what an operator's machines read, on the same host; nil has the metrics served beside the sessions.
  public var adminPort: UInt16?
  /// Where the console can be reached, which shows every session to whoever may operate; nil for nowhere.
  public var console: ListenAddress?
  /// What stands in front and says where requests come from; nobody is believed unless set.
  public var trustedProxies: TrustedProxies?
  /// Whose pages may use the service from a browser, beside its own; none unless set.
  public var allowedOrigins: AllowedOrigins?
  /// The names by which clients may reach it. Unless set, those that no other site can have where nobody is asked who they are, and
  /// all where somebody is.
  public var allowedHosts: AllowedHosts?
  /// Requests a second that each client may make; nil or 0 for no limit.
  public var rateLimit: Double?
  /// Requests of each client that may come at once where they are limited; as ``RateLimit`` says unless set.
  public var rateBurst: Int?
  /// Event streams of each client at most.
  public var streamsPerClient = 256
  /// The names of the apps that are served, in their order; nil for all.
  public var apps: [String]?
  public var navigation = AppDefinition.Limits()
  /// How long sessions live and are remembered.
  public var sessions = SessionService.Settings()
  /// Where sessions live: in the file `usher.sqlite` unless set.
  public var store = StoreLocation.standard
  /// Sessions at most, at once and in memory; one more at once is refused with `limit-reached`.
  public var limits = StoreLimits()
  /// How long it serves on after it was told to stop, not ready, for balancers that look at that.
  public var drainDelay = Duration.zero
  /// How long what is under way may take to finish when it stops.
  public var drainTimeout = Duration.seconds(10)
  /// Who may do what: everybody everything unless set.
  public var access = AccessSettings()
  public var logs = Logs()

  public init() { server.port = 8080 }

  public struct Logs: Sendable {
    public enum Format: String, Sendable, CaseIterable {
      /// An object on each line.
      case json
      case text
    }

    /// What is less is not logged.
    public var level = Logger.Level.info
    /// JSON unless somebody looks on.
    public var format: Format?
    /// Whether every request is logged.
    public var requests = false

    public init() {}
  }
}
