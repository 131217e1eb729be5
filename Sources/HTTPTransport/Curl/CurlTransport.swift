#if !canImport(Darwin)
  /// A transport on libcurl, which one thread drives while there are requests, and for half a minute after the last one.
  ///
  /// Requests go over HTTP/1.1: each has a connection to itself, which is kept for the next one, so that a timeout or a cancellation
  /// concerns no other request. A program that calls several servers gives each a transport of its own: a slow server then takes no
  /// other's places.
  public final class CurlTransport: Transport {
    /// The transport of programs that need no other.
    public static let shared = CurlTransport()

    private let driver: CurlDriver

    public init(_ configuration: Configuration = Configuration()) { driver = CurlDriver(configuration) }

    // Requests in flight complete.
    deinit { driver.retire() }

    public func open(_ request: HTTPRequest) async throws -> HTTPResponseStream {
      try request.validate()
      try Task.checkCancellation()
      let exchange = Exchange(request, driver)
      driver.start(exchange)
      return try await HTTPResponseStream(exchange)
    }

    public struct Configuration: Sendable {
      /// Requests in flight at once, event streams among them; at least 1. Further ones wait for their turn, in the order in which
      /// they came.
      public var concurrency = 512
      /// Requests that wait. Further ones fail with ``TransportError/overloaded(limit:)``.
      public var queueLimit = 1024
      /// Whether the proxies are used that `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the environment name.
      public var usesEnvironmentProxies = false
      /// The path of a PEM file with the certificate authorities to trust in the place of the system's.
      public var certificateAuthorities: String?
      /// How long the thread and the connections stay after the last request.
      public var lingering: Duration = .seconds(30)
      /// At most 15 bytes of it are the system's name of the thread.
      public var threadName = "usher.http"

      public init() {}
    }
  }

  /// The transport of this system.
  public typealias SystemTransport = CurlTransport
#endif
