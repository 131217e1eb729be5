/// The response to a request.
public struct Response: Sendable {
  /// The status code, 200 to 599 (RFC 9110, section 15).
  public var status: Int

  /// The header fields, in the order in which the server sends them. The server adds `Content-Length`, `Date` and
  /// `Connection`, and drops and logs a field whose value contains a control character.
  public var headers: [(name: StaticString, value: String)]

  /// The body. The server does not send it with the status 204 or 304, nor for `HEAD`; with 304 and for `HEAD` it still
  /// sends its length.
  public var body: ResponseBody

  /// The stream that replaces the body of a streamed response.
  public var stream: ResponseStream?

  /// Whether the connection ends after this response, which then has `Connection: close`.
  public var closesConnection: Bool

  public init(
    status: Int,
    headers: [(name: StaticString, value: String)] = [],
    body: ResponseBody = .empty,
    closesConnection: Bool = false
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.closesConnection = closesConnection
  }

  public init(status: Int, headers: [(name: StaticString, value: String)], stream: ResponseStream) {
    self.init(status: status, headers: headers)
    self.stream = stream
  }

  public init(status: Int, headers: [(name: StaticString, value: String)] = [], body: [UInt8]) {
    self.init(status: status, headers: headers, body: .copy(body))
  }
}

/// The body of a response. Its bytes stay in place until the server has sent them and releases the body.
///
/// Subclasses own other kinds of memory, and free it in `deinit`.
open class ResponseBody: @unchecked Sendable {
  /// Valid as long as the body lives.
  public let bytes: UnsafeRawBufferPointer

  /// - Parameter bytes: memory that does not change while the body lives.
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  public var isEmpty: Bool { bytes.isEmpty }

  /// Returns a body with a copy of the bytes.
  public static func copy(_ bytes: [UInt8]) -> ResponseBody { bytes.isEmpty ? .empty : CopiedBody(bytes) }

  public static let empty = ResponseBody(UnsafeRawBufferPointer(start: nil, count: 0))
}

private final class CopiedBody: ResponseBody, @unchecked Sendable {
  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyBytes(from: bytes)
    super.init(UnsafeRawBufferPointer(copy))
  }

  deinit { bytes.deallocate() }
}
