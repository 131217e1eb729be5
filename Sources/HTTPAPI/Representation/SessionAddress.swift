internal import Sessions
internal import Values

/// The URLs of one session at one revision.
struct SessionAddress {
  private let id: SessionID
  private let revision: UInt64

  init(of snapshot: Snapshot) {
    id = snapshot.id
    revision = snapshot.session.revision
  }

  /// Writes the URL of a part of the session, as a JSON string.
  func write(to json: inout JSONWriter, _ part: StaticString = "") {
    open(&json, part)
    json.bytes.append(UInt8(ascii: "\""))
  }

  /// Writes the members `method` and `href` of an action at this revision. A declared `name` needs no escape.
  func writeLink(to json: inout JSONWriter, _ part: StaticString, _ name: String = "") {
    json.literal("\"method\":\"POST\"")
    json.key(literal: "href")
    open(&json, part)
    json.bytes.append(name)
    json.bytes.append(literal: "?revision=")
    json.bytes.append(decimal: revision)
    json.bytes.append(UInt8(ascii: "\""))
  }

  /// Writes the URL as a string without its closing quote.
  private func open(_ json: inout JSONWriter, _ part: StaticString) {
    json.literal("\"/v1/sessions/")
    json.bytes.append(id.characters.span.extracting(0..<id.count))
    json.bytes.append(literal: part)
  }
}
