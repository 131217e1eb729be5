internal import MicroHTTP

extension Problem {
  /// What the server refuses before a request gets here.
  init(_ refusal: Refusal) {
    switch refusal {
    case .badRequest(let detail):
      self = .invalidRequest(detail)
    case .bodyTooLarge(let limit):
      self = Problem(.tooLarge, "The body is longer than \(limit) bytes.")
    case .unsupportedTransferEncoding:
      self = Problem(.notImplemented, "The only transfer coding is chunked.")
    case .overloaded:
      self = Problem(.overloaded, "Too many requests are under way.").adding(header: "Retry-After", "1")
    case .draining:
      self = Problem(.overloaded, "The service is going down.").adding(header: "Retry-After", "5")
    case .timedOut:
      self = Problem(.overloaded, "The answer took too long.").adding(header: "Retry-After", "1")
    }
  }
}
