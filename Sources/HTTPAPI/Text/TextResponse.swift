internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import UsherClient
internal import Values

extension Response {
  static func text(_ text: String, status: Int = 200) -> Response {
    Response(status: status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8))
  }
}

extension Snapshot {
  /// The screen as the terminal client shows it, which reads it from the same JSON: so the two never differ. What that client cannot
  /// read is the title alone, and the tests read every view.
  var text: String {
    let json = try? JSONParser.parse(json.finish(), depth: Value.maximumDepth)
    return (try? json?.decode(View.self))?.text ?? "\(visible.title.string)\n"
  }
}

extension Problem {
  /// The problem for people at a terminal, above where the session is.
  var text: Response {
    var response = Response.text("\(detail)\n" + (shown.map { "\n\($0.text)" } ?? ""), status: status)
    response.headers += headers
    return response
  }
}
