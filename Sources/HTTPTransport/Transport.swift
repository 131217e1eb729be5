/// A way to send HTTP requests.
///
/// Every transport follows no redirects, keeps no cookies, caches no responses, verifies the certificates of servers,
/// and cancels a request together with the task that waits for it.
public protocol Transport: Sendable {
  /// Sends a request, and returns once the head of the response has arrived.
  ///
  /// - Throws: a ``TransportError`` or a `CancellationError`.
  func open(_ request: HTTPRequest) async throws -> HTTPResponseStream
}

extension Transport {
  /// Sends a request, and returns the response with its whole body.
  ///
  /// - Parameter limit: the maximum size of the body in bytes.
  /// - Throws: a ``TransportError`` or a `CancellationError`.
  public func send(_ request: HTTPRequest, limit: Int = 16 << 20) async throws -> HTTPResponse {
    let stream = try await open(request)
    return HTTPResponse(head: stream.head, body: try await stream.body(limit: limit))
  }
}

/// The reason why a request has no complete response.
public enum TransportError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Thrown before anything is sent.
  case invalidRequest(String)
  /// The queue of requests is full. Thrown before anything is sent.
  case overloaded(limit: Int)
  /// Thrown before anything is sent.
  case cannotConnect(String)
  /// The server's certificate is not trusted. Thrown before anything is sent.
  case untrustedServer(String)
  case timedOut(Timeout, String)
  /// The connection ended before the response did.
  case connectionLost(String)
  /// The response is not HTTP/1.1, or its headers are larger than 64 KiB.
  case invalidResponse(String)
  case responseTooLarge(limit: Int)

  /// A timeout of ``HTTPRequest/Timeouts``. After a connect timeout nothing has been sent.
  public enum Timeout: Sendable {
    case connect, total, idle
  }

  public var description: String {
    switch self {
    case .invalidRequest(let text), .cannotConnect(let text), .untrustedServer(let text), .timedOut(_, let text),
      .connectionLost(let text), .invalidResponse(let text):
      text
    case .overloaded(let limit): "The queue of \(limit) requests is full. Try again later."
    case .responseTooLarge(let limit): "The response is larger than \(limit) bytes."
    }
  }

  /// Whether the error proves that the server has received nothing of the request.
  public var provesNothingWasSent: Bool {
    switch self {
    case .invalidRequest, .overloaded, .cannotConnect, .untrustedServer, .timedOut(.connect, _): true
    case .timedOut, .connectionLost, .invalidResponse, .responseTooLarge: false
    }
  }

  static func timedOut(_ timeout: Timeout, _ request: HTTPRequest) -> TransportError {
    let (problem, limit) =
      switch timeout {
      case .connect: ("accepted no connection", request.timeouts.connect as Duration?)
      case .total: ("did not complete its response", request.timeouts.total)
      case .idle: ("sent nothing", request.timeouts.idle)
      }
    let seconds = limit.map { $0 / .seconds(1) } ?? 0
    let number = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    return .timedOut(timeout, "\(request.origin) \(problem) within \(number) seconds.")
  }
}
