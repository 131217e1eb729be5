internal import MicroHTTP
internal import Sessions

/// `GET` and `DELETE /v1/sessions/{id}`
extension Operations {
  static let view: Operation = { (call: borrowing Call) async throws(Problem) in
    let representation = try call.representation()
    _ = try call.query()
    let snapshot = try await call.snapshot()
    call.api.check(snapshot)
    let view = Response.view(of: snapshot, as: representation)
    // The body is not sent, but its length is (RFC 9110, section 8.6).
    if call.isKnown(snapshot.etag(of: representation)) {
      return Response(status: 304, headers: [("ETag", snapshot.etag(of: representation))], body: view.body)
    }
    return view
  }

  static let delete: Operation = { (call: borrowing Call) async throws(Problem) in
    _ = try call.query()
    let id = try call.sessionID()
    let revision = try call.matchingRevision()
    do throws(SessionError) {
      try await call.api.sessions.delete(id, by: call.owner, at: revision)
    } catch {
      throw Problem(error, isPrecondition: true)
    }
    return Response(status: 204)
  }
}
