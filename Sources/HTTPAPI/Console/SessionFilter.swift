internal import Sessions

/// What the list of sessions is narrowed to, as it stands in the query.
struct SessionFilter {
  var search = SessionSearch()
  let key: SessionKeyPrefix?

  /// A parameter that is empty narrows nothing, because a form sends all of them.
  init(_ query: Query) throws(Problem) {
    func given(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
    search.app = given("app")
    search.screen = given("screen")
    if let status = given("status") {
      guard let known = SessionSummary.Status(rawValue: status) else {
        throw .invalidRequest("The query parameter status is no status of a session.")
      }
      search.status = known
    }
    if let before = given("before") {
      guard let place = SessionPlace(before) else {
        throw .invalidRequest("The query parameter before is no place in the list.")
      }
      search.before = place
    }
    key = try given("key").map { (text) throws(Problem) in
      guard let prefix = SessionKeyPrefix(text) else {
        throw .invalidRequest("The query parameter key is not 8 to 64 hexadecimal digits.")
      }
      return prefix
    }
  }

  /// The address of the list from a place on; the newest where there is none.
  func address(before place: SessionPlace?) -> String {
    let parameters: [(String, String?)] = [
      ("app", search.app), ("screen", search.screen), ("status", search.status?.rawValue), ("before", place?.text),
    ]
    let query = parameters.compactMap { name, value in value.map { "\(name)=\(Self.encoded($0))" } }
    return "/console" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// Percent-encoded but for unreserved characters (RFC 3986, section 2.3).
  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Unicode.Scalar(byte)
      let isPlain = character.isASCII && (character.properties.isAlphabetic || character.properties.numericType != nil)
      return isPlain || "-._~".unicodeScalars.contains(character)
        ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}

extension SessionPlace {
  /// `1795176000000.-8372036854775807`
  fileprivate init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let milliseconds = Int64(parts[0]), let number = Int64(parts[1]) else { return nil }
    self.init(createdAt: Timestamp(milliseconds: milliseconds), number: number)
  }

  fileprivate var text: String { "\(createdAt.milliseconds).\(number)" }
}
