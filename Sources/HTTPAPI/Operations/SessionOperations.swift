internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

/// `GET` and `DELETE /v1/sessions/{id}`
extension Operations {
  static let view: Route.Operation = { call in
    let pages = try call.listPages()
    if let snapshot = try call.api.sessions.snapshotInMemory(try call.sessionID(), by: call.owner) {
      return outcome(snapshot, call, pages)
    }
    return .later { [call] in outcome(try await call.snapshot(), call, pages) }
  }

  private static func outcome(_ snapshot: Snapshot, _ call: Call, _ pages: ListPages?) -> Route.Outcome {
    let format = call.viewFormat
    let waited =
      call.request.header("Prefer") == nil
      ? nil : call.waiting(for: snapshot) { respond(with: $0, as: format, call, pages) }
    return waited ?? .response(respond(with: snapshot, as: format, call, pages))
  }

  private static func respond(
    with snapshot: Snapshot, as format: ViewFormat, _ call: Call, _ pages: ListPages?
  ) -> Response {
    call.api.check(snapshot)
    let isEnding = format.representation == .html && snapshot.isEnding(at: call.api.sessions.now)
    let view = Response.view(of: snapshot, as: format, pages: pages, isEnding: isEnding)
    let etag = snapshot.etag(of: format, isEnding: isEnding)
    // A 304 response has no body but states its length (RFC 9110, section 8.6).
    if call.isKnown(etag) { return Response(status: 304, headers: [("ETag", etag)], body: view.body) }
    return view
  }

  static let delete = Route.later { call in
    try await call.api.sessions.delete(
      try call.sessionID(), by: call.owner, at: try call.seenRevision().revision)
    return Response(status: 204)
  }

  // `GET /v1/sessions/{id}/tree`
  static let tree = Route.later { call in
    let snapshot = try await call.snapshot()
    var json = JSONWriter(capacity: 1024)
    json.beginObject()
    json.member("revision", Int(clamping: snapshot.session.revision))
    let entries = snapshot.state.entriesByOwner
    json.object("root", snapshot.state.nodes.first) { $0.members(of: $1, in: snapshot, entries) }
    json.endObject()
    var response = Response.json(json)
    response.headers.append(("ETag", snapshot.etag(of: .json)))
    return response
  }
}

extension JSONWriter {
  fileprivate mutating func members(of node: Node, in snapshot: Snapshot, _ entries: [NodeID: [EntryID]]) {
    member("id", Int(node.id.rawValue))
    member("name", snapshot.app.name(of: node))
    member("parent", node.parent.map { Int($0.rawValue) })
    beginArray("screens")
    for entry in entries[node.id] ?? [] { integer(Int(entry.rawValue)) }
    endArray()
    objects("children", snapshot.state.nodes.filter { $0.parent == node.id }) {
      $0.members(of: $1, in: snapshot, entries)
    }
  }
}
