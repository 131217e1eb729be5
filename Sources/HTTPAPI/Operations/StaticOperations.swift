internal import MicroHTTP
internal import OpenAPI
internal import Values

/// What is the same for everybody: the contract, and what pages and clients load.
extension Operations {
  static let openAPIYAML: Operation = { (call: borrowing Call) throws(Problem) in
    try file(OpenAPIDocument.yaml, "application/yaml", call)
  }

  static let openAPIJSON: Operation = { (call: borrowing Call) throws(Problem) in
    guard let json = OpenAPIDocument.json else { throw .internalError("The OpenAPI document cannot be read as YAML.") }
    return try file(json, "application/json", call)
  }

  static let styles: Operation = { (call: borrowing Call) throws(Problem) in
    try file(PackageResources.usher_css, "text/css", call)
  }

  static let pageScript: Operation = { (call: borrowing Call) throws(Problem) in
    try file(PackageResources.page_js, "text/javascript", call)
  }

  static let client: Operation = { (call: borrowing Call) throws(Problem) in
    try file(PackageResources.usher_js, "text/javascript", call)
  }

  static func file(_ bytes: [UInt8], _ type: String, _ call: borrowing Call) throws(Problem) -> Response {
    try MediaType.requireAcceptable(call.request.header("Accept"), type)
    _ = try call.query()
    let parameter = type.hasPrefix("text/") ? "; charset=utf-8" : ""
    return StaticFile(bytes, type: type + parameter).response
  }
}
