internal import Languages
internal import MicroHTTP
internal import Sessions
internal import Values

/// The revision of the session that the client saw when it made its request.
package struct SeenRevision {
  /// The revision; nil if the request names none and applies to the current one.
  package let revision: UInt64?
  /// Whether the revision comes from `If-Match`. A stale revision is then a failed precondition (412), otherwise a
  /// conflict (409).
  let isFromHeader: Bool
}

extension SeenRevision {
  package init(query: String?, header: String?) throws(Problem) {
    let fromHeader = try header.map { (header) throws(Problem) in try Self.parse(ifMatch: header) } ?? nil
    guard let query else {
      self.init(revision: fromHeader, isFromHeader: fromHeader != nil)
      return
    }
    guard let revision = Self.number(query) else {
      throw .invalidRequest(
        .queryNotWholeNumber, ["name": "revision", "minimum": 1, "maximum": .integer(Int(Int64.max))])
    }
    guard fromHeader == nil || fromHeader == revision else {
      throw .invalidRequest(.differentRevisions)
    }
    self.init(revision: revision, isFromHeader: fromHeader != nil)
  }

  /// Parses one strong entity tag, or `*` for any revision (RFC 9110, section 13.1.1). A weak or foreign tag never
  /// matches, so it becomes revision 0, which no session has.
  private static func parse(ifMatch header: String) throws(Problem) -> UInt64? {
    if header == "*" { return nil }
    let isWeak = header.hasPrefix("W/")
    let tag = header.dropFirst(isWeak ? 2 : 0)
    guard tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\""), !tag.dropFirst().dropLast().contains("\"")
    else {
      throw .invalidRequest(.ifMatchMalformed)
    }
    let revision = tag.dropFirst().dropLast()
    if isWeak { return 0 }
    if let suffix = revision.firstRange(of: ViewFormat.blocksSuffix) {
      return number(beforeEnd: revision[..<suffix.lowerBound])
    }
    let suffix = Representation.allCases.map(\.tagSuffix).first { !$0.isEmpty && revision.hasSuffix($0) } ?? ""
    return number(beforeEnd: revision.dropLast(suffix.count))
  }

  /// Returns the revision of a tag without its suffix. The end of a session does not matter: it moves without a change.
  private static func number(beforeEnd tag: Substring) -> UInt64 {
    number(String(tag.prefix { $0 != ViewFormat.endMark })) ?? 0
  }

  private static func number(_ text: String) -> UInt64? {
    guard let first = text.utf8.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first) else { return nil }
    return Int64(text).map { UInt64($0) }
  }
}

extension Call {
  /// Returns the revision in the query or in `If-Match`.
  func seenRevision() throws(Problem) -> SeenRevision {
    let parameter = self[query: "revision"]
    let header = request.header("If-Match")
    if parameter == nil, header == nil { return SeenRevision(revision: nil, isFromHeader: false) }
    return try SeenRevision(query: parameter, header: header)
  }

  /// Returns the offer in the query; see `Snapshot.offer(of:)`.
  func seenOffer() throws(Problem) -> String? {
    guard let offer = self[query: "offer"] else { return nil }
    guard offer.utf8.count == 8, Base64URL.decode(offer) != nil else {
      throw .invalidRequest(.offerMalformed)
    }
    return offer
  }

  /// Returns whether the client has the representation with this entity tag: `If-None-Match` lists it, by the weak
  /// comparison (RFC 9110, section 13.1.2).
  package func isKnown(_ etag: @autoclosure () -> String) -> Bool {
    guard let header = request.header("If-None-Match") else { return false }
    let etag = etag()
    return header == "*"
      || header.utf8.split(separator: UInt8(ascii: ",")).contains { tag in
        let tag = tag.drop(while: MediaType.isBlank)
        let opaque = tag.starts(with: "W/".utf8) ? tag.dropFirst(2) : tag
        return opaque.prefix { !MediaType.isBlank($0) }.elementsEqual(etag.utf8)
      }
  }

  /// Returns the `Idempotency-Key` with the request that it identifies; nil if there is none.
  ///
  /// The revision is not part of that request: a replay ignores the query and `If-Match`. The query of a start address is
  /// part of it, because the values of a link are in the query.
  func idempotency() throws(Problem) -> Idempotency? {
    guard let header = request.header("Idempotency-Key") else { return nil }
    let key = try IdempotencyKey.parse(header)
    let hasQuery = route?.takesAnyQuery ?? false
    let path = request.target.utf8.prefix { hasQuery || $0 != UInt8(ascii: "?") }
    return Idempotency(key: key, request: [Array(request.method.name.utf8), Array(path), request.body])
  }
}

/// The syntax of `Idempotency-Key` (IETF draft draft-ietf-httpapi-idempotency-key-header): a quoted string, or the key
/// without quotes. An unquoted key contains no comma, which would join two headers.
enum IdempotencyKey {
  static func parse(_ header: String) throws(Problem) -> String {
    var key = Substring(header)
    let isQuoted = key.hasPrefix("\"")
    if isQuoted {
      guard key.count >= 2, key.hasSuffix("\"") else {
        throw .invalidRequest(.keyWithoutQuote)
      }
      key = key.dropFirst().dropLast()
    }
    let isPlain = key.utf8.allSatisfy {
      (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    guard !key.isEmpty, key.utf8.count <= 255, isPlain, isQuoted || !key.utf8.contains(UInt8(ascii: ",")) else {
      throw .invalidRequest(.keyMalformed)
    }
    return String(key)
  }
}
