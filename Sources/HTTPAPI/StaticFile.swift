internal import MicroHTTP

/// A static file that a host serves beside its sessions, such as a front end.
public struct StaticFile: Sendable {
  /// The media type, such as `text/html; charset=utf-8`.
  public let type: String
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8], type: String) {
    self.bytes = bytes
    self.type = type
  }

  var response: Response {
    Response(
      status: 200,
      headers: [("Content-Type", type), ("Cache-Control", "max-age=300"), ("X-Content-Type-Options", "nosniff")],
      body: bytes)
  }
}
