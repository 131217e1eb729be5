internal import Access
internal import Logging
internal import MicroHTTP
internal import Sessions

/// What the log says of requests. No URL is in it, because that of a session is a secret: the route stands for it, and the short
/// form of the session's key. Who makes it is there by name.
struct RequestLog: Sendable {
  let logger: Logger
  /// Whether it has every request, or only those that failed here.
  let hasAll: Bool
  let proxies: TrustedProxies

  func answered(_ exchange: Exchange, _ status: Int) {
    guard hasAll else { return }
    var metadata = self.metadata(exchange)
    metadata["method"] = "\(exchange.request.method.label)"
    if let client = proxies.client(of: exchange.request) { metadata["client"] = "\(client)" }
    metadata["status"] = .stringConvertible(status)
    let microseconds = Int(exchange.start.duration(to: .now) / .microseconds(1))
    metadata["milliseconds"] = .stringConvertible(Double(microseconds) / 1000)
    logger.info("request", metadata: metadata)
  }

  func failed(_ exchange: Exchange, _ cause: String) { logger.error("\(cause)", metadata: metadata(exchange)) }

  private func metadata(_ exchange: Exchange) -> Logger.Metadata {
    let request = exchange.request
    var metadata: Logger.Metadata = ["requestId": "\(exchange.requestID)", "route": "\(exchange.route)"]
    if let name = exchange.principal?.name { metadata["principal"] = "\(name)" }
    if let parent = request.header("traceparent").flatMap({ TraceParent($0) }) {
      metadata["traceId"] = "\(parent.traceID)"
      metadata["parentId"] = "\(parent.parentID)"
    }
    if let id = RequestPath(request.target).sessionID(2) { metadata["session"] = "\(SessionKey(id).short)" }
    return metadata
  }
}
