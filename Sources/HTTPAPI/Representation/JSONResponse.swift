internal import MicroHTTP
internal import Values

extension Response {
  static func json(_ json: consuming JSONWriter, status: Int = 200) -> Response {
    var response = Response(status: status, body: WrittenBody(json.detached()))
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
