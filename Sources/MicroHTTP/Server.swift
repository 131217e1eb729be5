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
