/// The revision at which a client saw what it asks for.
struct SeenRevision {
  /// Nil where the client did not say, and acts on the current one.
  let revision: UInt64?
  /// A stale revision from `If-Match` is a failed precondition (412), one from the query a conflict (409).
  let isFromHeader: Bool

  init(revision: UInt64?, isFromHeader: Bool) {
    self.revision = revision
    self.isFromHeader = isFromHeader
  }

  init(query: String?, header: String?) throws(Problem) {
    let fromHeader = try header.map { (header) throws(Problem) in try Self.parse(ifMatch: header) } ?? nil
    guard let query else {
      self.init(revision: fromHeader, isFromHeader: fromHeader != nil)
      return
    }
    guard let revision = Self.number(query) else {
      throw .invalidRequest("The query parameter revision is not a whole number from 1 to \(Int64.max).")
    }
    guard fromHeader == nil || fromHeader == revision else {
      throw .invalidRequest("The query and If-Match name different revisions.")
    }
    self.init(revision: revision, isFromHeader: fromHeader != nil)
  }

  /// One strong entity tag, or `*` for any revision (RFC 9110, section 13.1.1). A weak or foreign tag never matches: it
  /// stands for revision 0, which no session has.
  private static func parse(ifMatch header: String) throws(Problem) -> UInt64? {
    if header == "*" { return nil }
    let isWeak = header.hasPrefix("W/")
    let tag = header.dropFirst(isWeak ? 2 : 0)
    guard tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\""), !tag.dropFirst().dropLast().contains("\"")
    else {
      throw .invalidRequest("If-Match is neither * nor one entity tag such as \"3\".")
    }
    let revision = tag.dropFirst().dropLast()
    let suffix = Representation.allCases.map(\.tagSuffix).first { !$0.isEmpty && revision.hasSuffix($0) } ?? ""
    return isWeak ? 0 : number(String(revision.dropLast(suffix.count))) ?? 0
  }

  private static func number(_ text: String) -> UInt64? {
    guard let first = text.utf8.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first) else { return nil }
    return Int64(text).map { UInt64($0) }
  }
}
