internal import MicroHTTP

/// `GET /openapi.yaml` and `/openapi.json`
extension Operations {
  static let openAPIYAML: Operation = { (call: borrowing Call) throws(Problem) in
    let type = "application/yaml"
    try MediaType.requireAcceptable(call.request.header("Accept"), type)
    _ = try call.query()
    return .document(OpenAPIDocument.yaml, type)
  }

  static let openAPIJSON: Operation = { (call: borrowing Call) throws(Problem) in
    let type = "application/json"
    try MediaType.requireAcceptable(call.request.header("Accept"), type)
    _ = try call.query()
    return .document(try OpenAPIDocument.json(), type)
  }
}

extension Response {
  fileprivate static func document(_ body: [UInt8], _ type: String) -> Response {
    Response(status: 200, headers: [("Content-Type", type), ("Cache-Control", "max-age=3600")], body: body)
  }
}
