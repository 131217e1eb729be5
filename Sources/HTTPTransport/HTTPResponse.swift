/// The status and the headers of a response.
public struct HTTPResponseHead: Sendable {
  public let status: Int
  /// In the order of the response; a name may occur more than once.
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
  init(_ exchange: Exchange) async throws {
    let body = Body(exchange)
    head = try await exchange.head()
    self.body = body
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let body: Body

    /// The bytes that have arrived since the last call, at least one; nil at the end of the body.
    ///
    /// - Throws: a ``TransportError`` where the body is not complete, or a `CancellationError`.
    public mutating func next() async throws -> [UInt8]? { try await body.exchange.bytes() }
  }

  fileprivate final class Body: Sendable {
    let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    deinit { exchange.cancel() }
  }
}
