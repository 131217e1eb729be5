public import Access
public import Logging
internal import MicroHTTP
public import Observability

extension API {
  /// What an API is told beside the sessions.
  public struct Configuration: Sendable {
    /// Of the service, as it is shown at the entry point.
    public var version = ""
    /// By their paths, which begin with a slash; those that an operation has are not served.
    public var files: [String: StaticFile] = [:]
    /// Gets what is the service's own fault, and every request if that is wanted; nothing of it unless set.
    public var logger = Logger(label: "usher") { _ in SwiftLogNoOpLogHandler() }
    public var logsRequests = false
    /// Where requests are counted.
    public var metrics = PrometheusRegistry()
    /// Whether the metrics can be read here.
    public var servesMetrics = true
    public var readiness = Readiness()
    /// Tells who makes a request.
    public var authenticator = Authenticator.open
    public var trustedProxies = TrustedProxies.none
    /// Whose pages may use the service itself, beside its own. The console, and what an operator's machines read, are for none of
    /// them.
    public var allowedOrigins = AllowedOrigins.none
    /// The names by which clients may reach the service. An authenticator that asks for a token makes the check unnecessary: a page of
    /// another site has none.
    public var allowedHosts = AllowedHosts.local
    /// Of the service itself; none unless set.
    public var rateLimit: RateLimit?
    /// Event streams of each client at most.
    public var streamsPerClient = 256

    public init() {}
  }
}
