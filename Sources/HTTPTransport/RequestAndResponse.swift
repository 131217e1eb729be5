public import Foundation

/// A request to an HTTP server.
public struct HTTPRequest: Sendable {
  /// The method, which is case-sensitive: `GET`.
  public var method: String
  /// The URL, with the scheme http or https, and without a user name and a password.
  public var url: URL
  /// The headers. The transport adds `Host` and the length of the body.
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]
  public var timeouts: Timeouts
  /// Whether the server may receive the request twice.
  ///
  /// A transport repeats an idempotent request if the server closes a reused connection at that moment. The default is
  /// that of the method (RFC 9110, section 9.2.2). Set it for a `POST` with an idempotency key.
  public var isIdempotent: Bool
  /// The source of a body that does not fit into memory, in the place of ``body``; nil for ``body``. `URLSession` does
  /// not support it.
  package var upload: Upload?
  /// The signature that the transport adds; nil for none. `URLSession` does not support it.
  package var signature: Signature?

  public init(
    _ method: String = "GET", _ url: URL, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
    timeouts: Timeouts = Timeouts()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    isIdempotent = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(method)
  }

  /// A body that the transport reads in pieces.
  package struct Upload: Sendable {
    /// The number of bytes.
    package let size: Int64
    /// Fills a buffer from an offset of the body, and returns the number of bytes; nil ends the request. Must be fast,
    /// because the thread of all requests calls it.
    package let read: @Sendable (_ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) -> Int?

    package init(size: Int64, read: @escaping @Sendable (UnsafeMutableRawBufferPointer, Int64) -> Int?) {
      self.size = size
      self.read = read
    }
  }

  /// The credentials of a signature of Amazon S3 (AWS Signature Version 4). The request has the digest of its body in
  /// the header `x-amz-content-sha256`, and its query is sorted and percent-encoded.
  package struct Signature: Sendable {
    package let region: String
    package let accessKey: String
    package let secret: String

    package init(region: String, accessKey: String, secret: String) {
      self.region = region
      self.accessKey = accessKey
      self.secret = secret
    }
  }

  /// The timeouts of a request.
  public struct Timeouts: Sendable {
    /// The time until a new connection is ready, with name resolution and TLS. `URLSession` does not support it.
    public var connect: Duration
    /// The time until the last byte of the response, with the time in the queue; nil for no limit.
    public var total: Duration?
    /// The time without a byte in either direction; nil for no limit.
    public var idle: Duration?

    public init(connect: Duration = .seconds(10), total: Duration? = .seconds(60), idle: Duration? = nil) {
      self.connect = connect
      self.total = total
      self.idle = idle
    }
  }
}

extension HTTPRequest {
  /// The scheme, host and port, for messages. A path or a query may be secret.
  var origin: String {
    let host = url.host() ?? ""
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return "\(url.scheme ?? "")://\(name)\(url.port.map { ":\($0)" } ?? "")"
  }

  /// Throws a ``TransportError/invalidRequest(_:)`` for a request that no transport may send.
  func validate() throws(TransportError) {
    guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.host()?.isEmpty == false else {
      throw .invalidRequest("The URL needs a host, and http or https as its scheme.")
    }
    guard url.user() == nil, url.password() == nil else {
      throw .invalidRequest("The URL for \(origin) has a user name or a password. Send credentials in a header.")
    }
    guard Self.isToken(method) else { throw .invalidRequest("The method of the request to \(origin) is not a token.") }
    for (name, value) in headers {
      guard Self.isToken(name) else {
        throw .invalidRequest("The name of a header of the request to \(origin) is not a token.")
      }
      guard value.utf8.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }) else {
        throw .invalidRequest("The header \(name) of the request to \(origin) contains a control character.")
      }
      guard !["content-length", "transfer-encoding"].contains(name.lowercased()) else {
        throw .invalidRequest("The header \(name) of the request to \(origin) is set by the transport.")
      }
    }
  }

  /// Returns whether a text is a token (RFC 9110, section 5.6.2).
  package static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

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

  /// Reads the whole body.
  ///
  /// - Throws: ``TransportError/responseTooLarge(limit:)`` as soon as the body exceeds the limit in bytes, another
  ///   ``TransportError`` if the body is not complete, or a `CancellationError`.
  public func body(limit: Int) async throws -> [UInt8] {
    var body: [UInt8] = []
    for try await bytes in self {
      guard body.count + bytes.count <= limit else { throw TransportError.responseTooLarge(limit: limit) }
      body += bytes
    }
    return body
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
