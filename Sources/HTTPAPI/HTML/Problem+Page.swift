internal import MicroHTTP
internal import Navigation

extension Problem {
  /// The problem as a page for people: where the session is, if it is about one that can be seen, or the form that was refused.
  func page(_ apps: [AppDefinition], _ face: Face) -> Response {
    let sentence = kind == .staleRevision ? "The session has moved on. This is where it is now." : detail
    let refusal = PageRefusal(status: status, detail: sentence, form: form)
    var response: Response
    if let shown {
      response = SessionPage(snapshot: shown, refusal: refusal).response
      response.headers.append(("ETag", shown.etag(of: .html)))
    } else if form != nil {
      response = AppsPage(apps: apps, refusal: refusal).response
    } else {
      response = .page(
        face == .console ? .consoleProblem : .problem,
        [
          "language": "en", "title": .text(kind.title), "detail": .text(detail),
          "frame": face == .console ? .frame(apps, at: .elsewhere) : nil,
        ], status: status)
    }
    response.headers += headers
    return response
  }
}
