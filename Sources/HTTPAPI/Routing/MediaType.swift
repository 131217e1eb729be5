/// The media types of requests and responses (RFC 9110, sections 8.3 and 12.5.1).
enum MediaType {
  /// Throws unless a body of this `Content-Type` is JSON. A body without one is taken as JSON.
  static func requireJSON(_ contentType: String?) throws(Problem) {
    guard let contentType, !isJSON(contentType) else { return }
    let type = essence(contentType[...].utf8)
    throw .unsupportedMediaType("The body is \(type.isEmpty ? "of no type" : type), not application/json.")
  }

  static func isJSON(_ contentType: String?) -> Bool {
    guard let contentType else { return false }
    if contentType == Representation.json.mediaType { return true }
    let type = essence(contentType[...].utf8)
    return type == "application/json" || type.hasPrefix("application/") && type.hasSuffix("+json")
  }

  /// The one place that chooses the representation of a response: the one that the client prefers, and JSON where it is all the
  /// same. Throws where the client accepts none.
  static func representation(
    _ accept: String?, among offered: [Representation] = Representation.allCases
  ) throws(Problem) -> Representation {
    guard let accept, !accept.isEmpty, accept != "*/*", accept != Representation.json.mediaType else { return .json }
    var best: (representation: Representation, quality: Double)?
    let qualities = try AcceptHeader.qualities(of: offered.map(\.mediaType), in: accept)
    for (representation, quality) in zip(offered, qualities) where quality > best?.quality ?? 0 {
      best = (representation, quality)
    }
    guard let best else {
      let types = offered.map(\.mediaType).joined(separator: ", ")
      throw .notAcceptable("This resource is one of \(types).")
    }
    return best.representation
  }

  static func prefersPage(_ accept: String?) -> Bool { (try? representation(accept)) == .html }

  /// Throws where the client does not accept the only type that there is.
  static func requireAcceptable(_ accept: String?, _ offered: String = "application/json") throws(Problem) {
    guard let accept, !accept.isEmpty, accept != "*/*", accept != offered else { return }
    guard try AcceptHeader.qualities(of: [offered], in: accept)[0] > 0 else { throw .notAcceptable("This resource is \(offered) only.") }
  }

  /// Whether a body of this `Content-Type` is what a form sends.
  static func isForm(_ contentType: String?) -> Bool {
    // Most bodies are JSON; to take the type apart costs as much as the rest of the request's head.
    guard let contentType, contentType != Representation.json.mediaType else { return false }
    return essence(contentType[...].utf8) == "application/x-www-form-urlencoded"
  }

  /// Type and subtype in lower case, without parameters.
  static func essence(_ text: Substring.UTF8View) -> String {
    let bytes = text.lazy.prefix { $0 != UInt8(ascii: ";") }.filter { !isBlank($0) }
    return String(decoding: bytes, as: UTF8.self).lowercased()
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
