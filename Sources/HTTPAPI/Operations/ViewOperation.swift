internal import MicroHTTP
internal import Sessions

/// `GET` and `DELETE /v1/sessions/{id}`
extension Operations {
  static let view: Route.Operation = { call in
    let snapshot = try await call.snapshot()
    call.api.check(snapshot)
    let view = Response.view(of: snapshot, as: call.representation)
    let etag = snapshot.etag(of: call.representation)
    // A 304 response has no body but states its length (RFC 9110, section 8.6).
    if call.isKnown(etag) { return Response(status: 304, headers: [("ETag", etag)], body: view.body) }
    return view
  }

  static let delete: Route.Operation = { call in
    try await call.api.sessions.delete(
      try call.sessionID(), by: call.owner, at: try call.seenRevision().revision)
    return Response(status: 204)
  }
}
