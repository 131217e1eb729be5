import CMicroHTTPD
import Glibc

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

  public init(
    status: Int,
    headers: [(name: StaticString, value: String)] = [],
    body: ResponseBody = .empty,
    stream: ResponseStream? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.stream = stream
  }

  public init(status: Int, headers: [(name: StaticString, value: String)] = [], body: [UInt8]) {
    self.init(status: status, headers: headers, body: .copy(body))
  }
}

/// The body of a response. Its bytes stay at one address until the server has sent them and releases the body.
///
/// Subclasses own other kinds of memory, and free it in `deinit`.
open class ResponseBody: @unchecked Sendable {
  /// The bytes, valid as long as the body lives.
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

/// The functions that pass responses to the library.
enum ResponseWriter {
  /// Queues a response, with `Connection: close` if `closing` is true. The result `.NO` makes the library close the
  /// connection.
  static func queue(
    _ response: Response,
    toHead: Bool = false,
    closing: Bool,
    on connection: OpaquePointer,
    log: @Sendable (String) -> Void
  ) -> MHD_Result {
    let isValid = (200...599).contains(response.status)
    if !isValid {
      log("The handler responded with the invalid status \(response.status). The server sends 500 instead.")
    }
    let status = isValid ? response.status : 500

    let made =
      if let stream = response.stream { toHead ? cmhd_head_of_stream() : stream.makeResponse() } else {
        make(body: status == 204 ? .empty : response.body)
      }
    guard let raw = made else {
      response.stream?.abandon()
      return .NO
    }
    defer { MHD_destroy_response(raw) }
    let headers = response.headers.span
    for index in headers.indices {
      let name = headers[index].name
      let added = headers[index].value.withCString { MHD_add_response_header(raw, name.cString, $0) }
      if added == .NO {
        let value = headers[index].value.debugDescription
        log("The server dropped the response header \(name), because its value is invalid: \(value)")
      }
    }
    if closing { MHD_add_response_header(raw, "Connection", "close") }
    return MHD_queue_response(connection, UInt32(status), raw)
  }

  /// Serializes a response that ends its connection, for a moment at which the library cannot send one.
  static func bytes(of response: Response, toHead: Bool = false) -> [UInt8] {
    let reason = MHD_get_reason_phrase_for(UInt32(response.status)).map { String(cString: $0) } ?? ""
    var lines = ["HTTP/1.1 \(response.status) \(reason)", "Date: \(currentDate())", "Connection: close"]
    lines += response.headers.map { "\($0.name): \($0.value)" }
    lines += ["Content-Length: \(response.body.bytes.count)", "", ""]
    return Array(lines.joined(separator: "\r\n").utf8) + (toHead ? [] : Array(response.body.bytes))
  }

  /// The current time in the format of RFC 9110, section 5.6.7.
  private static func currentDate() -> String {
    var now = time(nil)
    var utc = tm()
    gmtime_r(&now, &utc)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      let count = strftime(text.baseAddress!, text.count, "%a, %d %b %Y %H:%M:%S GMT", &utc)
      return String(decoding: UnsafeRawBufferPointer(text).prefix(count), as: UTF8.self)
    }
  }

  /// Creates the library's response. The library sends the body later and releases it then, so the response retains the
  /// body.
  private static func make(body: ResponseBody) -> OpaquePointer? {
    if body.isEmpty { return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT) }
    let retained = Unmanaged.passRetained(body)
    let response = MHD_create_response_from_buffer_with_free_callback_cls(
      body.bytes.count, UnsafeMutableRawPointer(mutating: body.bytes.baseAddress),
      { Unmanaged<ResponseBody>.fromOpaque($0!).release() }, retained.toOpaque())
    if response == nil { retained.release() }
    return response
  }
}

extension StaticString {
  /// A C string, because static strings end in a NUL byte.
  fileprivate var cString: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
