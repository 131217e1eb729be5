import CMicroHTTPD
import Glibc

/// Hands responses to the library.
enum ResponseWriter {
  /// Queues a response, with `Connection: close` when `closing`. `.NO` tells the library to drop the connection.
  static func queue(
    _ response: Response,
    toHead: Bool = false,
    closing: Bool,
    on connection: OpaquePointer,
    log: @Sendable (String) -> Void
  ) -> MHD_Result {
    let isValid = (200...599).contains(response.status)
    if !isValid { log("The handler answered with the status \(response.status), which is sent as 500.") }
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
    for (name, value) in response.headers {
      let added = value.withCString { MHD_add_response_header(raw, name.cString, $0) }
      if added == .NO { log("The response header \(name) cannot be sent: \(value.debugDescription)") }
    }
    if closing || response.closesConnection { MHD_add_response_header(raw, "Connection", "close") }
    return MHD_queue_response(connection, UInt32(status), raw)
  }

  /// A response that ends its connection, as it is sent where the library cannot send it.
  static func bytes(of response: Response) -> [UInt8] {
    var date = [CChar](repeating: 0, count: 64)
    var now = time(nil)
    var utc = tm()
    gmtime_r(&now, &utc)
    strftime(&date, date.count, "%a, %d %b %Y %H:%M:%S GMT", &utc)
    let reason = MHD_get_reason_phrase_for(UInt32(response.status)).map { String(cString: $0) } ?? ""
    var lines = ["HTTP/1.1 \(response.status) \(reason)", "Date: \(String(cString: date))", "Connection: close"]
    lines += response.headers.map { "\($0.name): \($0.value)" }
    lines += ["Content-Length: \(response.body.bytes.count)", "", ""]
    return Array(lines.joined(separator: "\r\n").utf8) + response.body.bytes
  }

  /// The library sends the body after this call, so the body is kept until it says that it is done with it.
  private static func make(body: ResponseBody) -> OpaquePointer? {
    if body.isEmpty { return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT) }
    let kept = Unmanaged.passRetained(body)
    let response = MHD_create_response_from_buffer_with_free_callback_cls(
      body.bytes.count, UnsafeMutableRawPointer(mutating: body.bytes.baseAddress),
      { Unmanaged<ResponseBody>.fromOpaque($0!).release() }, kept.toOpaque())
    if response == nil { kept.release() }
    return response
  }
}

extension StaticString {
  /// Static strings end in a NUL.
  fileprivate var cString: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
