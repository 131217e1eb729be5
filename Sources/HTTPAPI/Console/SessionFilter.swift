internal import Sessions
internal import Values

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
      guard let cursor = SessionCursor(before) else {
        throw .invalidRequest("The query parameter before is no place in the list.")
      }
      search.before = cursor
    }
    key = query["key"].flatMap { SessionKeyPrefix($0) }
    guard query["key"] == nil || key != nil else {
      throw .invalidRequest("The query parameter key is not 8 to 64 hexadecimal digits.")
    }
    guard key == nil || search.isUnfiltered && search.before == .end else {
      throw .invalidRequest("The query parameter key stands alone.")
    }
  }

  /// The address of the list from there on; the newest where there is none.
  func address(before cursor: SessionCursor?) -> String {
    let parameters: [(String, String?)] = [
      ("app", search.app), ("screen", search.screen), ("status", search.status?.rawValue), ("before", cursor?.text),
    ]
    let query = parameters.compactMap { name, value in value.map { "\(name)=\(percentEncoded($0))" } }
    return "/console" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }
}

extension SessionCursor {
  /// `1795176000000.-8372036854775807`
  fileprivate init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let milliseconds = Int64(parts[0]), let number = Int64(parts[1]) else { return nil }
    self.init(createdAt: Timestamp(milliseconds: milliseconds), number: number)
  }

  fileprivate var text: String { "\(createdAt.milliseconds).\(number)" }
}
