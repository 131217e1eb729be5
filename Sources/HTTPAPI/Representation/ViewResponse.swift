internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

extension Response {
  /// The view of a session. Its `ETag` is the revision in quotes.
  static func view(of snapshot: Snapshot, status: Int = 200, isReplay: Bool = false) -> Response {
    var json = JSONWriter(pooled: 2048 + 64 * snapshot.visible.stack.count)
    json.view(of: snapshot)
    var response = Response.json(json, status: status)
    response.headers.append(("ETag", snapshot.etag(of: .json)))
    if isReplay { response.headers.append(("Idempotency-Replayed", "true")) }
    return response
  }
}

extension Snapshot {
  /// The entity tag: the revision in quotes.
  func etag(of representation: Representation) -> String {
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
