internal import MicroHTTP
internal import Navigation
internal import Values

extension Problem {
  /// The problem as the client wants to have it.
  ///
  /// - Parameter apps: what is hosted, for the page that a refused form goes back to.
  func response(to request: Request, _ requestID: String, _ apps: [AppDefinition], _ face: Face) -> Response {
    switch try? MediaType.representation(request.header("Accept")) {
    case .html: page(apps, face)
    case .text: text
    case .json, .siren, nil: json(instance: request.target, requestID)
    }
  }

  /// RFC 9457, section 3.
  ///
  /// - Parameter instance: the target of the request.
  private func json(instance: String, _ requestID: String) -> Response {
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
