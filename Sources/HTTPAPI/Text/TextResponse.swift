internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import Views

extension Response {
  static func text(_ text: String, status: Int = 200) -> Response {
    Response(status: status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8))
  }
}

extension Snapshot {
  /// The view as the terminal client shows it. Both read the same JSON, so that they never differ. A view that cannot
  /// be read becomes its title alone; the tests read every view.
  var text: String {
    let view = try? SessionView(JSONValue(parsing: json.finish()))
    return view?.text ?? "\(visible.title.string)\n"
  }
}

extension Problem {
  /// The problem for people at a terminal, above the current view.
  var text: Response {
    var response = Response.text("\(detail)\n" + (shown.map { "\n\($0.text)" } ?? ""), status: status)
    response.headers += headers
    return response
  }
}
