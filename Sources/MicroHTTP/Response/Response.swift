/// The answer to one request.
public struct Response: Sendable {
  /// The status code, 200 to 599 (RFC 9110, section 15).
  public var status: Int

  /// Header fields in the order in which they are sent. `Content-Length`, `Date` and `Connection` are added by the
  /// server. A value with a control character is never sent: the field is left out and the log says so.
  public var headers: [(name: StaticString, value: String)]

  /// The body; not sent with 204, nor with 304 and for `HEAD`, which still name its length.
  public var body: ResponseBody

  /// What is sent in the body's place, where the answer goes on.
  public var stream: ResponseStream?

  /// Whether the connection ends with this response, which then says `Connection: close`.
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

/// The body of a response. It keeps its bytes where they are until it is released, which is after they were sent.
///
/// Subclasses own other kinds of memory, and free it when they end.
open class ResponseBody: @unchecked Sendable {
  /// Valid as long as the body lives.
  public let bytes: UnsafeRawBufferPointer

  /// - Parameter bytes: memory that nobody changes while the body lives.
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  public var isEmpty: Bool { bytes.isEmpty }

  /// A body that is a copy of these bytes.
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
