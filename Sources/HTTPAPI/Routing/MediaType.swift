/// The media types of requests and responses (RFC 9110, sections 8.3 and 12.5.1).
enum MediaType {
  /// Throws unless a body of this `Content-Type` is JSON. A body without one is taken as JSON.
  static func requireJSON(_ contentType: String?) throws(Problem) {
    guard let contentType else { return }
    let type = essence(contentType)
    guard type == "application/json" || (type.hasPrefix("application/") && type.hasSuffix("+json")) else {
      throw .unsupportedMediaType("The body is \(type.isEmpty ? "of no type" : type), not application/json.")
    }
  }

  /// The one place that chooses the representation of a response: JSON is all there is. Throws where the client accepts
  /// something else only.
  static func requireAcceptable(_ accept: String?, _ offered: String = "application/json") throws(Problem) {
    guard let accept, !accept.isEmpty, accept != "*/*", accept != offered else { return }
    let family = offered.prefix { $0 != "/" } + "/*"
    // The most specific range that fits decides.
    var best: (specificity: Int, isAccepted: Bool)?
    for range in accept.split(separator: ",") {
      let specificity: Int
      switch essence(range) {
      case offered: specificity = 3
      case String(family): specificity = 2
      case "*/*": specificity = 1
      default: continue
      }
      if best.map({ specificity > $0.specificity }) ?? true { best = (specificity, !isRefused(range)) }
    }
    guard best?.isAccepted == true else { throw .notAcceptable("This resource is \(offered) only.") }
  }

  /// Type and subtype in lower case, without parameters.
  private static func essence(_ text: some StringProtocol) -> String {
    String(text.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }).lowercased()
  }

  /// Whether the range has `q=0`.
  private static func isRefused(_ range: Substring) -> Bool {
    range.split(separator: ";").dropFirst().contains { parameter in
      let text = parameter.filter { $0 != " " && $0 != "\t" }.lowercased()
      return text.hasPrefix("q=") && Double(text.dropFirst(2)) == 0
    }
  }
}
