internal import MicroHTTP
internal import Sessions

/// `GET` and `DELETE /v1/sessions/{id}`
extension Operations {
  static let view: Operation = { (call: borrowing Call) async throws(Problem) in
    let representation = try call.representation()
    _ = try call.query()
    let snapshot = try await call.snapshot()
    let view = Response.view(of: snapshot, as: representation)
    if let known = call.request.header("If-None-Match") {
      let tag = snapshot.etag(of: representation)
      // The body is not sent, but its length is (RFC 9110, section 8.6).
      if isCurrent(known, tag) { return Response(status: 304, headers: [("ETag", tag)], body: view.body) }
    }
    return view
  }

  static let delete: Operation = { (call: borrowing Call) async throws(Problem) in
    _ = try call.query()
    let id = try call.sessionID()
    do throws(SessionError) {
      try await call.api.sessions.delete(id)
    } catch {
      throw Problem(error)
    }
    return Response(status: 204)
  }

  /// Whether `If-None-Match` names the tag; the comparison is weak (RFC 9110, section 13.1.2).
  private static func isCurrent(_ header: String, _ etag: String) -> Bool {
    header == "*"
      || header.split(separator: ",").contains { tag in
        let tag = tag.drop { $0 == " " || $0 == "\t" }
        return (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag).prefix { $0 != " " && $0 != "\t" } == etag
      }
  }
}
