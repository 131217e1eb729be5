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
