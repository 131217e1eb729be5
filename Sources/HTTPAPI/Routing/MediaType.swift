/// The media types of requests and responses (RFC 9110, sections 8.3 and 12.5.1).
enum MediaType {
  /// Throws unless a body of this `Content-Type` is JSON. A body without one is taken as JSON.
  static func requireJSON(_ contentType: String?) throws(Problem) {
    guard let contentType, !isJSON(contentType) else { return }
    let type = essence(contentType)
    throw .unsupportedMediaType("The body is \(type.isEmpty ? "of no type" : type), not application/json.")
  }

  static func isJSON(_ contentType: String?) -> Bool {
    guard let contentType else { return false }
    if contentType == Representation.json.mediaType { return true }
    let type = essence(contentType)
    return type == "application/json" || type.hasPrefix("application/") && type.hasSuffix("+json")
  }

  /// The one place that chooses the representation of a response: the one that the client prefers, and JSON where it is all the
  /// same. Throws where the client accepts none.
  static func representation(
    _ accept: String?, among offered: [Representation] = Representation.allCases
  ) throws(Problem) -> Representation {
    guard let accept, !accept.isEmpty, accept != "*/*", accept != Representation.json.mediaType else { return .json }
    var best: (representation: Representation, quality: Double)?
    for representation in offered {
      let quality = quality(of: representation.mediaType, in: accept)
      if quality > best?.quality ?? 0 { best = (representation, quality) }
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
    guard quality(of: offered, in: accept) > 0 else { throw .notAcceptable("This resource is \(offered) only.") }
  }

  /// How much a client wants a type, from 0 to 1: the most specific range that fits decides.
  private static func quality(of offered: String, in accept: String) -> Double {
    let family = offered.prefix { $0 != "/" } + "/*"
    var best: (specificity: Int, quality: Double)?
    for range in accept.split(separator: ",") {
      let specificity: Int
      switch essence(range) {
      case offered: specificity = 3
      case String(family): specificity = 2
      case "*/*": specificity = 1
      default: continue
      }
      if best.map({ specificity > $0.specificity }) ?? true { best = (specificity, quality(of: range)) }
    }
    return best?.quality ?? 0
  }

  /// Whether a body of this `Content-Type` is what a form sends.
  static func isForm(_ contentType: String?) -> Bool {
    // Most bodies are JSON; to take the type apart costs as much as the rest of the request's head.
    guard let contentType, contentType != Representation.json.mediaType else { return false }
    return essence(contentType) == "application/x-www-form-urlencoded"
  }

  /// Type and subtype in lower case, without parameters.
  private static func essence(_ text: some StringProtocol) -> String {
    String(text.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }).lowercased()
  }

  /// The `q` of the range; 1 where it has none that makes sense.
  private static func quality(of range: Substring) -> Double {
    for parameter in range.split(separator: ";").dropFirst() {
      let text = parameter.filter { $0 != " " && $0 != "\t" }.lowercased()
      guard text.hasPrefix("q=") else { continue }
      return Double(text.dropFirst(2)).flatMap { (0...1).contains($0) ? $0 : nil } ?? 1
    }
    return 1
  }
}
