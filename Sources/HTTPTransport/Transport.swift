/// A way to send HTTP requests.
///
/// Every transport follows the same rules: it follows no redirects, keeps no cookies, stores no responses, checks the certificates of
/// servers, and cancels a request together with the task that waits for it.
public protocol Transport: Sendable {
  /// Sends a request, and returns once the head of the response has arrived.
  ///
  /// - Throws: a ``TransportError``, or a `CancellationError`.
  func open(_ request: HTTPRequest) async throws -> HTTPResponseStream
}

extension Transport {
  /// Sends a request, and returns the response with its whole body.
  ///
  /// - Parameter limit: the maximum size of the body in bytes.
  /// - Throws: a ``TransportError``, or a `CancellationError`.
  public func send(_ request: HTTPRequest, limit: Int = 16 << 20) async throws -> HTTPResponse {
    let stream = try await open(request)
    var body: [UInt8] = []
    for try await bytes in stream {
      guard body.count + bytes.count <= limit else { throw TransportError.responseTooLarge(limit: limit) }
      body += bytes
    }
    return HTTPResponse(head: stream.head, body: body)
  }
}
