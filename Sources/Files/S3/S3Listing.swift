internal import Values

/// A page of ListObjectsV2 (Amazon S3 API Reference).
struct S3Listing: Equatable {
  struct Object: Equatable {
    let name: String
    let writtenAt: Timestamp
  }

  var objects: [Object] = []
  /// The token of the next page; nil for the last page.
  var continuation: String?

  /// Reads a response. Returns nil unless it is a complete listing.
  init?(_ document: [UInt8]) {
    guard let elements = XMLElements(document), elements.root == "ListBucketResult" else { return nil }
    var (name, time, isTruncated): (String?, String?, Bool) = (nil, nil, false)
    for (path, text) in elements.ended {
      switch path {
      case "ListBucketResult/Contents/Key": name = text
      case "ListBucketResult/Contents/LastModified": time = text
      case "ListBucketResult/Contents":
        guard let key = name, let seconds = time.flatMap({ RFC3339.secondsSince1970($0) }) else { return nil }
        objects.append(Object(name: key, writtenAt: Timestamp(milliseconds: Int64(seconds * 1000))))
        (name, time) = (nil, nil)
      case "ListBucketResult/IsTruncated": isTruncated = text == "true"
      case "ListBucketResult/NextContinuationToken": continuation = text
      default: break
      }
    }
    guard isTruncated == (continuation != nil) else { return nil }
  }
}

/// The elements of an XML document of a server, in the order of their ends.
///
/// The responses of S3 consist of elements, text, character references and the five predefined entities (XML 1.0,
/// sections 4.1 and 4.6). Every other construct is refused: a document type, a comment, a section of character data. A
/// library for these few elements would be one more parser of foreign data in the process.
struct XMLElements {
  /// The names of an element and of those around it, with slashes between them, and the text since the last tag.
  private(set) var ended: [(path: String, text: String)] = []
  private(set) var root = ""

  /// Returns nil unless the document is complete and has no other construct.
  init?(_ document: [UInt8]) {
    guard let text = String(validating: document, as: UTF8.self) else { return nil }
    var rest = Self.withoutDeclaration(text[...])
    var (open, content): ([Substring], Substring) = ([], "")
    while let start = rest.firstIndex(of: "<") {
      content = rest[..<start]
      guard let end = rest[start...].firstIndex(of: ">") else { return nil }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      guard !open.isEmpty || content.allSatisfy(\.isWhitespace), let text = Self.decoded(content) else { return nil }
      if tag.hasPrefix("/") {
        guard let name = open.last, tag.dropFirst() == name else { return nil }
        ended.append((open.joined(separator: "/"), text))
        open.removeLast()
      } else {
        let isEmpty = tag.hasSuffix("/")
        let name = tag.prefix { $0.isLetter || $0.isNumber }
        let next = tag.dropFirst(name.count).first ?? "/"
        guard !name.isEmpty, next == " " || next == "/", open.count < 8, !open.isEmpty || root.isEmpty else {
          return nil
        }
        if open.isEmpty { root = String(name) }
        open.append(name)
        if isEmpty {
          ended.append((open.joined(separator: "/"), ""))
          open.removeLast()
        }
      }
    }
    guard open.isEmpty, !root.isEmpty, rest.allSatisfy(\.isWhitespace) else { return nil }
  }

  private static func withoutDeclaration(_ text: Substring) -> Substring {
    guard text.hasPrefix("<?xml "), let end = text.firstIndex(of: ">") else { return text }
    return text[text.index(after: end)...]
  }

  private static let entities: [Substring: Character] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

  /// Returns the character of an entity or a reference, without the signs around it.
  private static func character(_ name: Substring) -> Character? {
    guard name.hasPrefix("#") else { return entities[name] }
    let isHexadecimal = name.hasPrefix("#x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap { Unicode.Scalar($0) }.map { Character($0) }
  }

  /// Returns nil for an unknown entity.
  private static func decoded(_ text: Substring) -> String? {
    var (decoded, rest) = ("", text)
    while let start = rest.firstIndex(of: "&") {
      decoded += rest[..<start]
      guard let end = rest[start...].firstIndex(of: ";"),
        let character = character(rest[start..<end].dropFirst())
      else { return nil }
      decoded.append(character)
      rest = rest[rest.index(after: end)...]
    }
    return decoded + rest
  }
}
