internal import MicroHTTP
internal import Navigation

/// The types of block that a client knows.
typealias KnownBlocks = Set<Block.Kind>

/// The form in which a client wants the view of a session.
package struct ViewFormat: Sendable {
  let representation: Representation
  /// The types of block that the client knows, for JSON; nil if it did not say.
  let blocks: KnownBlocks?

  static let json = ViewFormat(representation: .json, blocks: nil)
  static let html = ViewFormat(representation: .html, blocks: nil)

  /// The suffix of entity tags, which differ between formats of one revision.
  var tagSuffix: String {
    guard let blocks else { return representation.tagSuffix }
    let bits = Block.Kind.allCases.reduce(0) { $0 * 2 + (blocks.contains($1) ? 1 : 0) }
    return "\(Self.blocksSuffix)\(String(bits, radix: 16))"
  }

  /// The beginning of the suffix of a view whose client named its types of block.
  static let blocksSuffix = "-blocks-"
  /// The character between the revision and the end of the session in an entity tag.
  static let endMark: Character = "@"
}

/// `Prefer: blocks="text list"` (RFC 7240): the types of block that the client knows, separated by spaces or commas. The
/// service replaces the others. Types that the service does not know are ignored, because a client may be newer.
extension Request {
  /// The types of block in the preference; nil without the preference.
  var knownBlocks: KnownBlocks? {
    guard let header = header("Prefer"), let names = Preference.value("blocks", in: header) else { return nil }
    return Set(names.split { $0 == " " || $0 == "," }.compactMap { Block.Kind(rawValue: String($0)) })
  }
}

extension Call {
  /// The form in which the client wants the view of a session.
  var viewFormat: ViewFormat {
    ViewFormat(
      representation: representation, blocks: representation == .json ? request.knownBlocks : nil)
  }
}
