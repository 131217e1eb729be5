import Glibc
import Synchronization

/// An HTTP/1.1 server.
///
/// It starts once and stops once. Both block the calling thread, so call them outside of tasks.
public final class Server: Sendable {
  private let configuration: Configuration
  private let engine: Engine
  private let state = Mutex(State.new)
  private let boundPort = Atomic<UInt16>(0)

  /// `log` receives one sentence at a time, from any thread.
  public init(
    configuration: Configuration,
    handler: any Handler,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.configuration = configuration
    engine = Engine(configuration: configuration, handler: handler, log: log)
  }

  deinit {
    stop(grace: .zero)
  }

  /// The port that the server listens on; 0 before `start`.
  public var port: UInt16 { boundPort.load(ordering: .acquiring) }

  /// What is under way.
  public var load: Load { engine.load }

  /// Listens, and serves until `stop`. It raises the process's limit of open files and ignores SIGPIPE.
  ///
  /// After an error about the address it may be tried again.
  public func start() throws(ServerError) {
    try state.withLock { (state) throws(ServerError) in
      guard case .new = state else { throw .alreadyStarted }
      ProcessSettings.raiseDescriptorLimit()
      ProcessSettings.ignoreBrokenPipes()
      let listener = try Listener(
        host: configuration.host, port: configuration.port, backlog: configuration.backlog)
      boundPort.store(listener.port, ordering: .releasing)
      state = .stopped  // past this point a failure is final: the engine takes no more answers
      state = .running(try Running(listener: listener, configuration: configuration, engine: engine))
    }
  }

  /// Stops: new connections are refused, and each that is open gets one more answer at most. Requests have `grace` to finish, then
  /// suspended ones are answered with `Refusal.draining` and every connection is closed. Calling it again does nothing.
  /// A server that is stopped before `start` never starts.
  ///
  /// The handler may still be awaiting something for a request that was answered in its place.
  public func stop(grace: Duration) {
    state.withLock { state in
      if case .running(let running) = state { running.stop(grace: grace) }
      state = .stopped
    }
  }

  private enum State {
    case new
    case running(Running)
    case stopped
  }
}

extension Server {
  /// What a server is doing at a moment.
  public struct Load: Sendable, Equatable {
    /// Open connections.
    public let connections: Int
    /// Requests whose head has arrived and whose answer is not yet sent, but for answers that go on.
    public let requests: Int
    /// Requests that are suspended because their handlers wait.
    public let suspended: Int
    /// Handlers that still run although their clients have left, or were answered in their place.
    public let abandonedHandlers: Int
    /// Answers that go on.
    public let streams: Int
  }
}

/// Why a server could not start.
public enum ServerError: Error, Equatable, CustomStringConvertible {
  /// Another socket listens on this address.
  case addressInUse(host: String, port: UInt16)
  /// The system refused the address; `reason` is its own explanation.
  case cannotBind(host: String, port: UInt16, reason: String)
  /// The host is neither an address nor a name that resolves to one.
  case badHost(String, reason: String)
  /// The HTTP library refused to start; the log has its reason.
  case daemonDidNotStart
  /// The system has no more threads to give.
  case noThreads
  /// A server is started once.
  case alreadyStarted

  public var description: String {
    switch self {
    case .addressInUse(let host, let port): "Port \(port) of \(host) is already in use."
    case .cannotBind(let host, let port, let reason): "Cannot listen on port \(port) of \(host): \(reason)."
    case .badHost(let host, let reason): "The host \"\(host)\" has no address to listen on: \(reason)."
    case .daemonDidNotStart: "The HTTP library did not start; the log says why."
    case .noThreads: "The system refused to start another thread."
    case .alreadyStarted: "This server was started or stopped before; a server starts once."
    }
  }
}
