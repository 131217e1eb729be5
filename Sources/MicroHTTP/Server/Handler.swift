/// What answers the requests of a server. It is called from several threads at once.
public protocol Handler: Sendable {
  /// The answer to a request.
  ///
  /// It runs on a polling thread and must not block: every other connection of that thread waits meanwhile. What takes
  /// time it awaits, for up to `handlerTimeout`; a later answer is dropped.
  func respond(to request: Request) async -> Response

  /// The answer to a request that the server refuses. It must not block. Of the request there is what could be read: never a
  /// body, and an empty target where that is none.
  ///
  /// Where the connection can no longer be trusted or is about to end, the server closes it after this response,
  /// whatever `closesConnection` says.
  func refuse(_ refusal: Refusal, of request: Request) -> Response
}

/// Why the server itself refuses a request, before or instead of its handler's answer.
public enum Refusal: Sendable, Equatable {
  /// The request's head cannot be trusted; `detail` is one sentence for the client.
  case badRequest(detail: String)
  /// The body is longer than `limit` bytes.
  case bodyTooLarge(limit: Int)
  /// A transfer coding other than `chunked` (RFC 9112, section 6.1).
  case unsupportedTransferEncoding
  /// More requests are in flight than the configuration admits.
  case overloaded
  /// The server is stopping, and the time to finish is over.
  case draining
  /// The handler did not answer within `handlerTimeout`.
  case timedOut

  /// The status code that HTTP has for this refusal.
  public var status: Int {
    switch self {
    case .badRequest: 400
    case .bodyTooLarge: 413
    case .unsupportedTransferEncoding: 501
    case .overloaded, .draining, .timedOut: 503
    }
  }
}
