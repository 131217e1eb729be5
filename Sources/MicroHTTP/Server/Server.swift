import Glibc
import Synchronization

/// An HTTP/1.1 server.
///
/// A server starts once and stops once. `start` and `stop` block the calling thread, so call them outside of tasks.
public final class Server: Sendable {
  private let context: ServerContext
  private let state = Mutex(State.new)
  private let boundPort = Atomic<UInt16>(0)

  /// - Parameter log: receives one message at a time, from any thread.
  public init(
    configuration: Configuration,
    handler: any Handler,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    context = ServerContext(configuration: configuration, handler: handler, log: log)
  }

  deinit {
    stop(grace: .zero)
  }

  /// The port that the server listens on; 0 before `start`.
  public var port: UInt16 { boundPort.load(ordering: .acquiring) }

  /// The current load.
  public var load: Load { context.load }

  /// Starts to listen, and serves until `stop`.
  ///
  /// Starting raises the process's limit of open files and ignores SIGPIPE. After an error about the address, `start`
  /// may be called again.
  public func start() throws(ServerError) {
    try state.withLock { (state) throws(ServerError) in
      guard case .new = state else { throw .alreadyStarted }
      ProcessSettings.apply()
      let socket = try ListeningSocket(context.configuration)
      boundPort.store(socket.port, ordering: .releasing)
      // A later failure is final: the context accepts no more responses.
      state = .stopped
      state = .running(try ServerRuntime(socket: socket, context: context))
    }
  }

  /// Stops the server. Further calls do nothing, and a server that is stopped before `start` never starts.
  ///
  /// The server refuses new connections, and serves at most one more request on each open connection. After `grace`, it
  /// refuses suspended requests with `Refusal.draining` and closes every connection. The handler of such a request may
  /// outlive the call.
  ///
  /// - Parameter grace: the time for in-flight requests to finish.
  public func stop(grace: Duration) {
    state.withLock { state in
      if case .running(let runtime) = state { runtime.stop(grace: grace) }
      state = .stopped
    }
  }

  private enum State {
    case new
    case running(ServerRuntime)
    case stopped
  }

  /// The load of a server at one moment.
  public struct Load: Sendable, Equatable {
    /// The number of open connections.
    public let connections: Int
    /// The number of in-flight requests: those whose head has arrived and whose response is not yet sent. Streamed
    /// responses do not count.
    public let requests: Int
    /// The number of suspended requests: those whose handlers await something.
    public let suspended: Int
    /// The number of handlers that still run although their client has disconnected, or the server has responded
    /// instead of them.
    public let abandonedHandlers: Int
    /// The number of streamed responses.
    public let streams: Int
  }
}

/// The reason why a server could not start.
public enum ServerError: Error, Equatable, CustomStringConvertible {
  /// Another socket listens on the port. `setting` names the setting of the port.
  case addressInUse(port: UInt16, setting: String)
  /// The system refused the address. `reason` is the system's explanation; `settings` name the host and the port.
  case cannotBind(host: String, port: UInt16, reason: String, settings: String)
  /// The host is neither an address nor a name that resolves to one. `setting` names the setting of the host.
  case badHost(String, reason: String, setting: String)
  /// libmicrohttpd did not start; the log contains its reason.
  case daemonDidNotStart
  /// The system refused to start another thread.
  case noThreads
  /// The server was started or stopped before.
  case alreadyStarted

  public var description: String {
    switch self {
    case .addressInUse(let port, let setting): "Port \(port) is already in use. Choose another one with \(setting)."
    case .cannotBind(let host, let port, let reason, let settings):
      "Cannot listen on port \(port) of \(host): \(reason). Choose another address with \(settings)."
    case .badHost(let host, let reason, let setting):
      "The host \"\(host)\" has no address to listen on: \(reason). Choose another one with \(setting)."
    case .daemonDidNotStart: "libmicrohttpd did not start. The log contains its reason."
    case .noThreads: "The system refused to start another thread. Raise the limit of processes (ulimit -u)."
    case .alreadyStarted: "The server was started or stopped before. A server starts only once."
    }
  }
}

/// A type that responds to the requests of a server, on several threads at once.
public protocol Handler: Sendable {
  /// Begins the response to a request: returns a response that needs no waiting, or the work that awaits it. A handler
  /// that always waits implements only ``respond(to:)``.
  ///
  /// The call runs on a polling thread and must not block.
  func reply(to request: Request) -> Reply

  /// Returns the response to a request.
  ///
  /// The call runs on a polling thread and must not block, because it would block every other connection of that
  /// thread. The call may await anything for up to `handlerTimeout`; the server drops a later response.
  func respond(to request: Request) async -> Response

  /// Returns the response to a request that the server refuses. The call must not block.
  ///
  /// The request has all parts that could be read: never a body, and an empty target if the target is invalid.
  ///
  /// After the response the server closes a connection that can no longer be trusted or is about to end.
  func refuse(_ refusal: Refusal, of request: Request) -> Response
}

extension Handler {
  public func reply(to request: Request) -> Reply { .later { .response(await respond(to: request)) } }
}

/// The response to a request, or the work that leads to it.
public enum Reply: Sendable {
  case response(Response)
  /// Work that awaits something in a task, and the rest of the work.
  case later(@Sendable () async -> Reply)
  /// Work that waits because the client asks for it, in a task that is cancelled when the client disconnects or closes
  /// its side. The wait is not a delay of the server, so admission control ignores the request.
  case waiting(@Sendable () async -> Response)
  /// Work that waits for a callback, without a task, and passes the rest of the work to `resume`, once, on any thread.
  case callback(@Sendable (_ resume: @escaping Resumption) -> Void)

  /// Receives the rest of the work, which runs on the polling thread and must not block.
  public typealias Resumption = @Sendable (_ rest: @escaping @Sendable () -> Reply) -> Void

  /// The response, once it is there.
  public var response: Response {
    get async {
      switch self {
      case .response(let response): response
      case .later(let work): await work().response
      case .waiting(let work): await work()
      case .callback(let begin):
        await withCheckedContinuation { resumed in begin { resumed.resume(returning: $0) } }().response
      }
    }
  }
}

/// The reason why the server itself refuses a request, before or instead of its handler's response.
public enum Refusal: Sendable, Equatable {
  /// The head of the request cannot be trusted; `detail` is one sentence for the client.
  case badRequest(detail: String)
  /// The head needs more than `limit` bytes, see `Server.Configuration.headLimit`.
  case headTooLong(limit: Int)
  /// The body is longer than `limit` bytes.
  case bodyTooLarge(limit: Int)
  /// A transfer coding other than `chunked` (RFC 9112, section 6.1).
  case unsupportedTransferEncoding
  /// The server sheds the request because of its load.
  case overloaded
  /// The server is stopping, and its grace period is over.
  case draining
  /// The handler did not respond within `handlerTimeout`.
  case timedOut

  /// The HTTP status code of this refusal.
  public var status: Int {
    switch self {
    case .badRequest: 400
    case .headTooLong: 431
    case .bodyTooLarge: 413
    case .unsupportedTransferEncoding: 501
    case .overloaded, .draining, .timedOut: 503
    }
  }
}
