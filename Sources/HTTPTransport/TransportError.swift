/// The reason why a request has no complete response.
public enum TransportError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Not sent.
  case invalidRequest(String)
  /// Not sent: as many requests as allowed wait already.
  case overloaded(limit: Int)
  /// Not sent.
  case cannotConnect(String)
  /// Not sent: the server's certificate is not trusted.
  case untrustedServer(String)
  case timedOut(Timeout, String)
  /// The connection ended before the response did.
  case connectionLost(String)
  /// The bytes that arrived are not HTTP/1.1, or more headers than allowed.
  case invalidResponse(String)
  case responseTooLarge(limit: Int)

  public enum Timeout: Sendable {
    /// Not sent.
    case connect
    case total
    case idle
  }

  public var description: String {
    switch self {
    case .invalidRequest(let text), .cannotConnect(let text), .untrustedServer(let text), .timedOut(_, let text),
      .connectionLost(let text), .invalidResponse(let text):
      text
    case .overloaded(let limit): "\(limit) requests wait for a connection already. Try again later."
    case .responseTooLarge(let limit): "The response is larger than \(limit) bytes."
    }
  }

  static func timedOut(_ timeout: Timeout, _ request: HTTPRequest) -> TransportError {
    let (subject, limit) =
      switch timeout {
      case .connect: ("is not connected", request.timeouts.connect as Duration?)
      case .total: ("has not answered completely", request.timeouts.total)
      case .idle: ("has sent nothing", request.timeouts.idle)
      }
    let seconds = limit.map { $0 / .seconds(1) } ?? 0
    let number = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    return .timedOut(timeout, "\(request.origin) \(subject) within \(number) seconds.")
  }
}
