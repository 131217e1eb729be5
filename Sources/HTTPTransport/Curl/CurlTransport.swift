#if !canImport(Darwin)
  internal import CCurl
  internal import Foundation

  /// A transport on libcurl. One thread drives all transfers, and ends half a minute after the last one.
  ///
  /// Requests use HTTP/1.1 unless the configuration allows HTTP/2, so that each has a connection to itself, which the
  /// next request reuses. A timeout or a cancellation therefore affects no other request. A program that calls several
  /// servers should give each a transport of its own, because a slow server would otherwise use up the concurrency of
  /// the others.
  public final class CurlTransport: Transport {
    /// The transport for programs without special requirements.
    public static let shared = CurlTransport()

    private let driver: CurlDriver

    public init(_ configuration: Configuration = Configuration()) { driver = CurlDriver(configuration) }

    // Requests in flight complete.
    deinit { driver.retire() }

    public func open(_ request: HTTPRequest) async throws -> HTTPResponseStream {
      try request.validate()
      try Task.checkCancellation()
      let pending = PendingRequest(request, driver)
      driver.start(pending)
      return try await HTTPResponseStream(pending)
    }

    public struct Configuration: Sendable {
      /// The maximum number of requests in flight, event streams included; at least 1. Further requests wait in a
      /// queue.
      public var concurrency = 512
      /// The maximum length of the queue. Further requests fail with ``TransportError/overloaded(limit:)``.
      public var queueLimit = 1024
      /// Whether to use the proxies of the environment: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
      public var usesEnvironmentProxies = false
      /// Whether to use HTTP/2 over TLS with servers that offer it. Requests then share connections.
      public var allowsHTTP2 = false
      /// The age beyond which a connection is not reused; nil for no limit. It bounds the time for which requests use
      /// an address that has changed, or a connection of HTTP/2 whose other side has disappeared.
      public var connectionLifetime: Duration?
      /// The path of a PEM file with the certificate authorities to trust instead of the system's.
      public var certificateAuthorities: String?
      /// The time for which the thread and the connections remain after the last request.
      public var lingering: Duration = .seconds(30)
      /// The name of the thread. The system keeps 15 bytes of it.
      public var threadName = "usher.http"

      public init() {}
    }
  }

  /// The transport of the operating system.
  public typealias SystemTransport = CurlTransport

  /// Passes requests to the thread of a ``CurlEventLoop``, and starts that thread if there is none.
  final class CurlDriver: RequestDriver {
    enum Command: Sendable { case start(PendingRequest), resume(PendingRequest), cancel(PendingRequest) }

    let configuration: CurlTransport.Configuration
    private let state = Locked(State())

    private struct State {
      var commands: [Command] = []
      /// The multi handle of libcurl, which its thread frees; nil while there is no thread.
      var multi: UnsafeMutableRawPointer?
      var isRetired = false

      /// Without a thread there is nothing to resume or to cancel.
      mutating func add(_ command: Command) {
        guard let multi else { return }
        commands.append(command)
        // The thread takes all commands at once.
        if commands.count == 1 { curl_multi_wakeup(multi) }
      }
    }

    /// The reason why libcurl is unusable, or nil. Loads libcurl at the first request.
    private static let libraryFault: TransportError? =
      if let fault = ccurl_load() {
        .cannotConnect("libcurl cannot be loaded: \(String(cString: fault)). Install the package libcurl4.")
      } else if curl_global_init(Int(CURL_GLOBAL_DEFAULT)) != CURLE_OK {
        .outOfMemory
      } else {
        nil
      }

    init(_ configuration: CurlTransport.Configuration) { self.configuration = configuration }

    func start(_ request: PendingRequest) {
      let fault: TransportError? = state.withLock { state in
        if state.multi == nil {
          if let fault = Self.libraryFault { return fault }
          guard let handle = curl_multi_init() else { return .outOfMemory }
          state.multi = handle
          // Other threads only wake the new one, which libcurl allows.
          nonisolated(unsafe) let multi = handle
          Thread.detachNewThread { [self] in CurlEventLoop(self, multi, configuration).run() }
        }
        state.add(.start(request))
        return nil
      }
      if let fault { request.finish(fault) }
    }

    func resume(_ request: PendingRequest) { state.withLock { $0.add(.resume(request)) } }

    func cancel(_ request: PendingRequest) { state.withLock { $0.add(.cancel(request)) } }

    /// Ends the thread after the last pending request.
    func retire() {
      state.withLock { state in
        state.isRetired = true
        if let multi = state.multi { curl_multi_wakeup(multi) }
      }
    }

    var isRetired: Bool { state.withLock { $0.isRetired } }

    /// Returns the commands since the last call.
    func takeCommands() -> [Command] {
      state.withLock { state in
        defer { state.commands = [] }
        return state.commands
      }
    }

    /// Returns false if there are new commands. After true, nothing refers to the thread's handle any more.
    func endThread() -> Bool {
      state.withLock { state in
        guard state.commands.isEmpty else { return false }
        state.multi = nil
        return true
      }
    }
  }

  extension TransportError {
    static let outOfMemory = TransportError.cannotConnect("libcurl cannot allocate memory.")
  }
#endif
