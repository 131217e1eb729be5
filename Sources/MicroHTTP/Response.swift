/// The answer to one request.
public struct Response: Sendable {
  /// The status code, 200 to 599 (RFC 9110, section 15).
  public var status: Int

  /// Header fields in the order in which they are sent. `Content-Length`, `Date` and `Connection` are added by the
  /// server. A value with a control character is never sent: the field is left out and the log says so.
  public var headers: [(name: StaticString, value: String)]

  /// The body; not sent with 204, nor with 304 and for `HEAD`, which still name its length.
  public var body: ResponseBody

  /// What is sent in the body's place, where the answer goes on.
  public var stream: ResponseStream?

  /// Whether the connection ends with this response, which then says `Connection: close`.
  public var closesConnection: Bool

  public init(
    status: Int,
    headers: [(name: StaticString, value: String)] = [],
    body: ResponseBody = .empty,
    closesConnection: Bool = false
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.closesConnection = closesConnection
  }

  public init(status: Int, headers: [(name: StaticString, value: String)], stream: ResponseStream) {
    self.init(status: status, headers: headers)
    self.stream = stream
  }

  public init(status: Int, headers: [(name: StaticString, value: String)] = [], body: [UInt8]) {
    self.init(status: status, headers: headers, body: .copy(body))
  }
}
