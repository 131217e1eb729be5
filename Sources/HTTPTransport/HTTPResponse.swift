/// The status and the headers of a response.
public struct HTTPResponseHead: Sendable {
  public let status: Int
  /// The headers in the order of the response. A name may occur more than once.
  public let headers: [(name: String, value: String)]

  /// The value of the first header of that name, in any case.
  public subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// A response with its whole body.
public struct HTTPResponse: Sendable {
  public let head: HTTPResponseHead
  public let body: [UInt8]

  public var status: Int { head.status }
}

/// A response whose body one task reads while it arrives.
///
/// Releasing the stream before its end cancels the request.
public struct HTTPResponseStream: AsyncSequence, Sendable {
  public let head: HTTPResponseHead
  private let body: Body

  /// Waits for the head.
  init(_ request: PendingRequest) async throws {
    let body = Body(request)
    head = try await request.head()
    self.body = body
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body) }

  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    fileprivate let body: Body

    /// Returns the bytes that have arrived since the last call, at least one, or nil at the end of the body.
    ///
    /// - Throws: a ``TransportError`` if the body is not complete, or a `CancellationError`.
    public mutating func next() async throws -> [UInt8]? { try await body.request.bytes() }
  }

  fileprivate final class Body: Sendable {
    let request: PendingRequest

    init(_ request: PendingRequest) { self.request = request }

    deinit { request.cancel() }
  }
}
