internal import MicroHTTP

/// The contract of the service.
extension Operations {
  static let openAPIYAML = Route.later { _ in StaticFile(OpenAPIDocument.yaml, type: "application/yaml").response }

  static let openAPIJSON = Route.later { _ in
    guard let json = OpenAPIDocument.json else {
      throw Problem.internalError("The OpenAPI document cannot be parsed as YAML.")
    }
    return StaticFile(json, type: "application/json").response
  }
}

/// A static file that the service serves beside the API, such as a part of a front end.
public struct StaticFile: Sendable {
  /// The media type, such as `text/html; charset=utf-8`.
  public let type: String
  private let bytes: @Sendable () -> [UInt8]

  /// - Parameter bytes: the contents, evaluated for each response.
  public init(_ bytes: @autoclosure @escaping @Sendable () -> [UInt8], type: String) {
    self.bytes = bytes
    self.type = type
  }

  var response: Response {
    Response(
      status: 200,
      headers: [("Content-Type", type), ("Cache-Control", "max-age=300"), ("X-Content-Type-Options", "nosniff")],
      body: bytes())
  }
}
