internal import MicroHTTP
internal import Values

extension Problem {
  /// The problem as a response (RFC 9457, section 3).
  ///
  /// - Parameter instance: the target of the request.
  func response(instance: String, requestID: String) -> Response {
    var json = JSONWriter(capacity: 512)
    json.beginObject()
    json.key(literal: "type")
    json.string("/problems/\(kind.rawValue)")
    json.key(literal: "title")
    json.string(kind.title)
    json.key(literal: "status")
    json.integer(status)
    json.key(literal: "detail")
    json.string(detail)
    json.key(literal: "instance")
    json.string(instance)
    json.key(literal: "requestId")
    json.string(requestID)
    for (name, member) in members {
      json.key(name)
      switch member {
      case .value(let value): json.value(value)
      case .view(let snapshot): json.view(of: snapshot)
      }
    }
    json.endObject()
    return Response(
      status: status, headers: [("Content-Type", "application/problem+json")] + headers, body: json.finish())
  }
}
