/// A received request.
public final class Request: Sendable {
  public let method: Method

  /// The target in origin form (RFC 9112, section 3.2.1), exactly as sent: still percent-encoded, and with its query.
  ///
  /// The target is ASCII, and starts with `/` unless it is the `*` of an `OPTIONS` request.
  public let target: String

  /// The whole body, at most `Server.Configuration.bodyLimit` bytes; empty for a request without a body.
  public let body: [UInt8]

  /// The address of the client, or of the nearest proxy. Nil for a request without a socket.
  public let peer: IPAddress?

  private let fields: Fields
  /// Outside of ``fields``, because nearly all lookups end here, without counting a reference.
  private let names: HeaderNameFilter
  /// The authority of a target in absolute form.
  private let authority: String?

  /// Creates a request without a socket, for tests.
  public convenience init(
    method: Method, target: String, headers: [(String, String)] = [], body: [UInt8] = [], peer: IPAddress? = nil
  ) {
    self.init(
      method: method, target: target, authority: nil, fields: .list(headers),
      names: HeaderNameFilter(headers.map(\.0)), body: body, peer: peer)
  }

  init(
    method: Method, target: String, authority: String?, fields: Fields, names: HeaderNameFilter, body: [UInt8],
    peer: IPAddress?
  ) {
    self.method = method
    self.target = target
    self.body = body
    self.peer = peer
    self.fields = fields
    self.names = names
    self.authority = authority
  }

  /// The requested host, with its port if the request names one: the authority of a target in absolute form, or else
  /// `Host` (RFC 9112, section 3.2.2).
  public var host: String? { authority ?? header("Host") }

  /// Returns the value of a header, without surrounding whitespace. Names are case-insensitive. The values of several
  /// headers with the same name are joined by a comma and a space (RFC 9110, section 5.3).
  ///
  /// A received request has no headers after its response is sent, so look them up before.
  public func header(_ name: StaticString) -> String? {
    guard names.mayContain(name) else { return nil }
    switch fields {
    case .received(let headers): return headers.value(of: name, mayRepeat: names.mayRepeat(name))
    case .list(let list):
      let values = list.filter { $0.0.lowercased() == name.description.lowercased() }.map(\.1)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
  }

  /// Received headers are not copied, because most handlers look at only one or two.
  enum Fields: Sendable {
    case list([(String, String)])
    case received(ReceivedHeaders.Reference)
  }
}

/// The method of a request (RFC 9110, section 9).
public enum Method: Sendable, Equatable {
  case get, head, post, put, patch, delete, options
  /// Any other method, spelled as sent. Methods are case-sensitive: `get` is not `GET`.
  case other(String)

  /// The method as spelled in a request line.
  public var name: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .patch: "PATCH"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .other(let name): name
    }
  }

  /// Creates the method with this name, matched exactly.
  public init(_ name: String) {
    self = Self.named.first { $0.name == name } ?? .other(name)
  }

  private static let named = [get, head, post, put, patch, delete, options]

  /// Avoids a `String` for the methods of nearly every request.
  init(cString name: UnsafePointer<CChar>) {
    if name.equals("GET") {
      self = .get
    } else if name.equals("POST") {
      self = .post
    } else {
      self.init(String(cString: name))
    }
  }
}

extension UnsafePointer<CChar> {
  fileprivate func equals(_ text: StaticString) -> Bool {
    for index in 0...text.utf8CodeUnitCount where self[index] != CChar(bitPattern: text.utf8Start[index]) {
      return false
    }
    return true
  }
}
