/// A type that responds to the requests of a server, on several threads at once.
public protocol Handler: Sendable {
  /// Returns the response to a request.
  ///
  /// The call runs on a polling thread and must not block, because it would block every other connection of that
  /// thread. It may await anything for up to `handlerTimeout`; the server drops a later response.
  func respond(to request: Request) async -> Response

  /// Returns the response to a request that the server refuses. The call must not block.
  ///
  /// The request has all parts that could be read: never a body, and an empty target if the target is invalid.
  ///
  /// After the response the server closes a connection that can no longer be trusted or is about to end, regardless of
  /// `closesConnection`.
  func refuse(_ refusal: Refusal, of request: Request) -> Response
}

/// The reason why the server itself refuses a request, before or instead of its handler's response.
public enum Refusal: Sendable, Equatable {
  /// The head of the request cannot be trusted; `detail` is one sentence for the client.
  case badRequest(detail: String)
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
    case .bodyTooLarge: 413
    case .unsupportedTransferEncoding: 501
    case .overloaded, .draining, .timedOut: 503
    }
  }
}
