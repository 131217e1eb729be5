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
