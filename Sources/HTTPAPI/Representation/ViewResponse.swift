internal import MicroHTTP
internal import Navigation
package import Sessions
package import Values
internal import WebPages

extension Response {
  /// Creates the response with the view of a session in one representation.
  static func view(
    of snapshot: Snapshot, as representation: Representation, status: Int = 200, isReplay: Bool = false
  ) -> Response {
    var response: Response =
      switch representation {
      case .json: .json(snapshot.json, status: status)
      case .html: .page(SessionPage(snapshot).render(), status: status)
      case .text: .text(snapshot.text, status: status)
      case .siren: .siren(of: snapshot, status: status)
      }
    response.headers.append(("ETag", snapshot.etag(of: representation)))
    if isReplay { response.headers.append(("Idempotency-Replayed", "true")) }
    return response
  }

  /// Creates the response after a change: the new view, or a redirect to it for a browser.
  static func done(
    _ performed: SessionResult, as representation: Representation, status: Int = 200
  ) -> Response {
    let location = performed.snapshot.id.path
    if representation == .html { return .seeOther(location) }
    var response = view(of: performed.snapshot, as: representation, status: status, isReplay: performed.isReplay)
    if status == 201 { response.headers.append(("Location", location)) }
    return response
  }
}

extension Snapshot {
  package var json: JSONWriter {
    var json = JSONWriter(pooled: 2048 + 64 * visible.stack.count)
    json.view(of: self)
    return json
  }
}

extension Snapshot {
  /// Returns the entity tag: the revision and the suffix of the representation, in quotes.
  func etag(of representation: Representation) -> String {
    if isReadOnly { return "\"\(session.revision)\(representation.tagSuffix)-read\"" }
    if representation != .json { return "\"\(session.revision)\(representation.tagSuffix)\"" }
    return String(unsafeUninitializedCapacity: 22) { buffer in
      var place = 22
      func put(_ character: UInt8) {
        place -= 1
        buffer[place] = character
      }
      put(UInt8(ascii: "\""))
      var rest = session.revision
      repeat {
        put(UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      } while rest > 0
      put(UInt8(ascii: "\""))
      let length = 22 - place
      for offset in 0..<length { buffer[offset] = buffer[place + offset] }
      return length
    }
  }
}
