internal import Languages

/// A content type of sessions, lists and problems.
package enum Representation: String, CaseIterable {
  case json, html, text, siren

  package var mediaType: String {
    switch self {
    case .json: "application/json"
    case .html: "text/html"
    case .text: "text/plain"
    case .siren: "application/vnd.siren+json"
    }
  }

  /// The suffix of entity tags, which differ between representations of one revision.
  var tagSuffix: String { self == .json ? "" : "-\(rawValue)" }
}

/// The media types of requests and responses (RFC 9110, sections 8.3 and 12.5.1).
enum MediaType {
  /// Throws unless a body of this `Content-Type` is JSON. A body without a type counts as JSON.
  static func requireJSON(_ contentType: String?) throws(Problem) {
    guard let contentType, !isJSON(contentType) else { return }
    let type = essence(contentType[...].utf8)
    throw Problem(.unsupportedMediaType, .bodyType, ["type": .text(type.isEmpty ? "\"\"" : type)])
  }

  /// Throws if a body has a content coding. The limit of a body counts bytes, and a compressed one would exceed it.
  static func requireNoCoding(_ contentEncoding: String?) throws(Problem) {
    guard let contentEncoding else { return }
    let codings = contentEncoding.split(separator: ",").map { essence($0.utf8) }
    guard let coding = codings.first(where: { !$0.isEmpty && $0 != "identity" }) else { return }
    throw Problem(.unsupportedMediaType, .bodyCoding, ["coding": .text(coding)])
  }

  static func isJSON(_ contentType: String?) -> Bool {
    guard let contentType else { return false }
    if contentType == Representation.json.mediaType { return true }
    let type = essence(contentType[...].utf8)
    return type == "application/json" || type.hasPrefix("application/") && type.hasSuffix("+json")
  }

  /// Returns the representation that the client prefers, and the first one, mostly JSON, if it prefers none. Throws if the
  /// client accepts none.
  static func representation(
    _ accept: String?, among offered: [Representation] = Representation.allCases
  ) throws(Problem) -> Representation {
    guard let accept, !accept.isEmpty, accept != "*/*" else { return offered[0] }
    // Every resource with representations has this one.
    if accept == Representation.json.mediaType { return .json }
    return offered[try preferred(accept, among: offered.map(\.mediaType))]
  }

  static func prefersPage(_ accept: String?) -> Bool { (try? representation(accept)) == .html }

  /// Throws unless the client accepts the only type that a resource has.
  static func requireAcceptable(_ accept: String?, _ offered: String) throws(Problem) {
    if let accept { _ = try preferred(accept, among: [offered]) }
  }

  /// Returns the index of the type that the client prefers, the first one among equals. Throws if it accepts none.
  private static func preferred(_ accept: String, among offered: [String]) throws(Problem) -> Int {
    if accept.isEmpty || accept == "*/*" || accept == offered[0] { return 0 }
    let qualities = try AcceptHeader.qualities(of: offered, in: accept)
    guard let best = qualities.max(), best > 0, let index = qualities.firstIndex(of: best) else {
      throw Problem(.notAcceptable, .onlyTypes, ["types": .text(offered.joined(separator: ", "))])
    }
    return index
  }

  /// Returns whether a body of this `Content-Type` is an HTML form.
  static func isForm(_ contentType: String?) -> Bool {
    // Most bodies are JSON. Parsing the type costs as much as the rest of the request's head.
    guard let contentType, contentType != Representation.json.mediaType else { return false }
    return essence(contentType[...].utf8) == "application/x-www-form-urlencoded"
  }

  /// Returns type and subtype in lower case, without parameters.
  static func essence(_ text: Substring.UTF8View) -> String {
    let bytes = text.lazy.prefix { $0 != UInt8(ascii: ";") }.filter { !isBlank($0) }
    return String(decoding: bytes, as: UTF8.self).lowercased()
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

/// The media ranges of an `Accept` header (RFC 9110, section 12.5.1).
enum AcceptHeader {
  /// The maximum number of media ranges. Browsers send ten or fewer, and each one costs time.
  static let rangeLimit = 64

  /// Returns the quality of each type, from 0 to 1. The most specific range that matches a type decides.
  static func qualities(of types: [String], in text: String) throws(Problem) -> [Double] {
    // A list may have empty elements (RFC 9110, section 5.6.1.2).
    let ranges = text.utf8.split(separator: UInt8(ascii: ",")).filter { !$0.allSatisfy(MediaType.isBlank) }
    guard ranges.count <= rangeLimit else {
      throw Problem(.notAcceptable, .tooManyMediaRanges, ["limit": .integer(rangeLimit)])
    }
    let families = types.map { $0.prefix { $0 != "/" } + "/*" }
    var best = types.map { _ in (specificity: 0, quality: 0.0) }
    for range in ranges {
      let essence = MediaType.essence(range)
      for (index, type) in types.enumerated() {
        let specificity = essence == type ? 3 : essence == families[index] ? 2 : essence == "*/*" ? 1 : 0
        if specificity > best[index].specificity { best[index] = (specificity, quality(of: range)) }
      }
    }
    return best.map(\.quality)
  }

  /// Returns the quality value of the range; 1 if it is missing or malformed.
  private static func quality(of range: Substring.UTF8View) -> Double {
    for parameter in range.split(separator: UInt8(ascii: ";")).dropFirst() {
      let bytes = parameter.lazy.filter { !MediaType.isBlank($0) }
      guard bytes.starts(with: "q=".utf8) || bytes.starts(with: "Q=".utf8) else { continue }
      let number = Double(String(decoding: bytes.dropFirst(2), as: UTF8.self))
      return number.flatMap { (0...1).contains($0) ? $0 : nil } ?? 1
    }
    return 1
  }
}
