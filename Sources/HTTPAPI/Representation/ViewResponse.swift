internal import MicroHTTP
internal import Sessions
internal import Values

extension Response {
  /// The view of a session. Its `ETag` is the revision in quotes.
  static func view(of snapshot: Snapshot, status: Int = 200, isReplay: Bool = false) -> Response {
    var json = JSONWriter(capacity: 2048)
    json.view(of: snapshot)
    var response = Response.json(json, status: status)
    response.headers.append(("ETag", snapshot.etag))
    if isReplay { response.headers.append(("Idempotency-Replayed", "true")) }
    return response
  }

  static func json(_ json: consuming JSONWriter, status: Int = 200) -> Response {
    Response(status: status, headers: [("Content-Type", "application/json")], body: json.finish())
  }
}

extension Snapshot {
  var etag: String { "\"\(record.revision)\"" }
}
