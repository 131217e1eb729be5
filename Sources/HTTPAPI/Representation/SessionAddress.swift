internal import Sessions
internal import Values

/// The URLs of one session at one revision.
struct SessionAddress {
  private let path: String
  private let query: String

  init(of snapshot: Snapshot) {
    path = "/v1/sessions/\(snapshot.id.text)"
    query = "?revision=\(snapshot.record.revision)\""
  }

  /// Writes the URL of a part of the session, as a JSON string.
  func write(to json: inout JSONWriter, _ part: StaticString = "") {
    json.open(path, part)
    json.bytes.append(UInt8(ascii: "\""))
  }

  /// Writes `method` and `href` of something that can be done at this revision. `name` is a declared one and needs no
  /// escape.
  func writeLink(to json: inout JSONWriter, _ part: StaticString, _ name: String = "") {
    json.literal("\"method\":\"POST\"")
    json.key(literal: "href")
    json.open(path, part)
    json.bytes.append(name)
    json.bytes.append(query)
  }
}

extension JSONWriter {
  /// Writes a string up to its closing quote.
  fileprivate mutating func open(_ path: String, _ part: StaticString) {
    literal("\"")
    bytes.append(path)
    bytes.append(literal: part)
  }
}
