public import Foundation

/// A request to an HTTP server.
public struct HTTPRequest: Sendable {
  /// Case matters: `GET`.
  public var method: String
  /// Without a user and a password.
  public var url: URL
  /// A transport adds `Host` and the length of the body.
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]
  public var timeouts: Timeouts
  /// Whether the server may receive the request twice: an idempotent request is sent again if the server closes a kept connection at
  /// that very moment. At first as RFC 9110 (section 9.2.2) defines it for the method; set it for a `POST` with an idempotency key.
  public var isIdempotent: Bool

  public init(
    _ method: String = "GET", _ url: URL, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
    timeouts: Timeouts = Timeouts()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    isIdempotent = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(method)
  }

  /// How long a request may take.
  public struct Timeouts: Sendable {
    /// Until a new connection is ready, the lookup of the name and TLS included. Apple's systems have no such timeout.
    public var connect: Duration
    /// From the call to the last byte of the response, the wait for a free place included.
    public var total: Duration?
    /// Without a byte in either direction.
    public var idle: Duration?

    public init(connect: Duration = .seconds(10), total: Duration? = .seconds(60), idle: Duration? = nil) {
      self.connect = connect
      self.total = total
      self.idle = idle
    }
  }
}

extension HTTPRequest {
  /// The scheme, host and port, for messages: a path or a query may be a secret.
  var origin: String {
    let host = url.host() ?? ""
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return "\(url.scheme ?? "")://\(name)\(url.port.map { ":\($0)" } ?? "")"
  }

  func validate() throws(TransportError) {
    guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.host()?.isEmpty == false else {
      throw .invalidRequest("The URL needs a host, and http or https as its scheme.")
    }
    guard url.user() == nil, url.password() == nil else {
      throw .invalidRequest("The URL for \(origin) has a user name or a password. Send credentials in a header.")
    }
    guard Self.isToken(method) else { throw .invalidRequest("The method of the request to \(origin) is not a token.") }
    for (name, value) in headers {
      guard Self.isToken(name) else {
        throw .invalidRequest("The name of a header of the request to \(origin) is not a token.")
      }
      guard value.utf8.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }) else {
        throw .invalidRequest("The header \(name) of the request to \(origin) contains a control character.")
      }
      guard !["content-length", "transfer-encoding"].contains(name.lowercased()) else {
        throw .invalidRequest("The header \(name) of the request to \(origin) is the transport's to set.")
      }
    }
  }

  /// RFC 9110, section 5.6.2.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
