internal import MicroHTTP
internal import Values

extension Response {
  static func json(_ json: consuming JSONWriter, status: Int = 200) -> Response {
    var response = Response(status: status, body: JSONBody(json))
    response.headers.reserveCapacity(5)
    response.headers.append(("Content-Type", "application/json"))
    return response
  }

  static func value(_ value: Value) -> Response {
    var json = JSONWriter(capacity: 1024)
    json.value(value)
    return .json(json)
  }
}

/// JSON text as it was written.
private final class JSONBody: ResponseBody, @unchecked Sendable {
  private let text: DetachedBytes

  init(_ json: consuming JSONWriter) {
    text = json.detached()
    super.init(text.bytes)
  }

  deinit { text.free() }
}
