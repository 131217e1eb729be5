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
