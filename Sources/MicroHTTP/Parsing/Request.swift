/// One request, as received.
public final class Request: Sendable {
  public let method: Method

  /// The target in origin form (RFC 9112, section 3.2.1), exactly as sent: still percent-encoded, query included.
  /// It is ASCII, and starts with `/` unless it is the `*` of an `OPTIONS` request.
  public let target: String

  /// The whole body, at most `Server.Configuration.bodyLimit` bytes; empty when there is none.
  public let body: [UInt8]

  /// Where the connection comes from: the client, or the nearest proxy in front. Nil for a request without a socket.
  public let peer: IPAddress?

  private let fields: Fields
  /// Of a target in absolute form.
  private let authority: String?

  /// A request without a socket, as tests make them.
  public init(
    method: Method, target: String, headers: [(String, String)] = [], body: [UInt8] = [], peer: IPAddress? = nil
  ) {
    self.method = method
    self.target = target
    self.body = body
    self.peer = peer
    fields = .list(headers)
    authority = nil
  }

  init(
    method: Method, target: String, authority: String?, head: LiveHead.Reference, body: [UInt8], peer: IPAddress?
  ) {
    self.method = method
    self.target = target
    self.body = body
    self.peer = peer
    fields = .live(head)
    self.authority = authority
  }

  /// The host that the client asks for, with its port if it names one: that of a target in absolute form, or else `Host` (RFC 9112,
  /// section 3.2.2).
  public var host: String? { authority ?? header("Host") }

  /// The value of a header, without surrounding whitespace; names are compared without regard to case. The values of several
  /// headers of one name are joined by a comma and a space (RFC 9110, section 5.3).
  ///
  /// Look headers up while answering: once the answer is sent, a received request knows no headers any more.
  public func header(_ name: StaticString) -> String? {
    switch fields {
    case .live(let head): head.value(of: name)
    case .list(let list): joined(list.filter { $0.0.lowercased() == name.description.lowercased() }.map(\.1))
    }
  }

  private func joined(_ values: [String]) -> String? {
    values.isEmpty ? nil : values.joined(separator: ", ")
  }
}

extension Request {
  /// Received headers are not copied: most requests are answered after looking at one or two.
  private enum Fields: Sendable {
    case list([(String, String)])
    case live(LiveHead.Reference)
  }
}

/// A request's method (RFC 9110, section 9).
public enum Method: Sendable, Equatable {
  case get, head, post, put, patch, delete, options
  /// Any other method, spelled as sent: methods are case-sensitive, so `get` is not `GET`.
  case other(String)

  /// The method as it stands in a request line.
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

  /// The method with this name, matched exactly.
  public init(_ name: String) {
    self =
      switch name {
      case "GET": .get
      case "HEAD": .head
      case "POST": .post
      case "PUT": .put
      case "PATCH": .patch
      case "DELETE": .delete
      case "OPTIONS": .options
      default: .other(name)
      }
  }

  /// Avoids a `String` for the two methods that nearly every request has.
  init(cString name: UnsafePointer<CChar>) {
    if name.holds("GET") {
      self = .get
    } else if name.holds("POST") {
      self = .post
    } else {
      self.init(String(cString: name))
    }
  }
}

extension UnsafePointer<CChar> {
  fileprivate func holds(_ text: StaticString) -> Bool {
    for index in 0...text.utf8CodeUnitCount where self[index] != CChar(bitPattern: text.utf8Start[index]) {
      return false
    }
    return true
  }
}
