internal import MicroHTTP
internal import Navigation
internal import Sessions

/// The operations of the console. They read, and write nothing.
enum ConsoleOperations {
  static let home: Operation = { (_: borrowing Call) in .seeOther("/console") }

  /// `GET /console`: the sessions, the newest first.
  static let sessions: Operation = { (call: borrowing Call) async throws(Problem) in
    try MediaType.requireAcceptable(call.request.header("Accept"), "text/html")
    let query = try call.query("app", "screen", "status", "key", "before")
    let filter = try SessionFilter(query)
    do throws(SessionError) {
      let page = SessionListPage(apps: call.api.sessions.apps, filter: filter)
      guard let prefix = filter.key else {
        return page.response(try await call.api.sessions.search(filter.search, limit: SessionListPage.size))
      }
      return page.response(try await call.api.sessions.sessions(prefix, limit: 100))
    } catch {
      throw Problem(error)
    }
  }

  /// `POST /console/find`: leads to the session of an id, or to those of a key. Not a `GET`, because the id would be in the address.
  static let find: Operation = { (call: borrowing Call) throws(Problem) in
    _ = try call.query()
    guard let form = try call.form() else { throw .unsupportedMediaType("This takes the form of the console.") }
    let text = (form["session"] ?? "").filter { !$0.isWhitespace }
    if let prefix = SessionKeyPrefix(text) { return .seeOther("/console?key=\(prefix.digits)") }
    // An address is copied as it is found: with a query, of an action, or of this console.
    for part in text.split(whereSeparator: { "/?#".contains($0) }) {
      let key = SessionID(String(part)).map { SessionKey($0) } ?? SessionKey(digits: String(part))
      if let key { return .seeOther(address(of: key)) }
    }
    throw .invalidRequest("There is neither an id of 22 characters in it nor 8 to 64 hexadecimal digits of a key.")
  }

  /// `GET /console/sessions/{key}`: one session, at its latest revision or at `?revision=`.
  static let session: Operation = { (call: borrowing Call) async throws(Problem) in
    try MediaType.requireAcceptable(call.request.header("Accept"), "text/html")
    let revision = try SeenRevision(query: try call.query("revision")["revision"], header: nil).revision
    guard let key = SessionKey(digits: try call.parameter("key")) else { throw unknownKey }
    let sessions = call.api.sessions
    do throws(SessionError) {
      let summary = try await sessions.summary(key)
      let tag = InspectionPage.etag(of: summary, at: revision, sessions)
      // Open pages ask again and again.
      if call.isKnown(tag) { return Response(status: 304, headers: [("ETag", tag)]) }
      let inspection = sessions.inspect(summary, at: revision)
      return InspectionPage(inspection: inspection, asked: revision, etag: tag, apps: sessions.apps).response
    } catch .unknownSession {
      throw unknownKey
    } catch {
      throw Problem(error)
    }
  }

  private static let unknownKey = Problem(.unknownSession, "No session has this key.")

  static func address(of key: SessionKey) -> String { "/console/sessions/\(key.digits)" }

  /// `GET /console/apps/{app}`: what an app declares, and what its sessions did.
  static let app: Operation = { (call: borrowing Call) async throws(Problem) in
    try MediaType.requireAcceptable(call.request.header("Accept"), "text/html")
    _ = try call.query()
    guard let app = call.api.sessions.app(named: try call.parameter("app")) else { throw .notFound }
    do throws(SessionError) {
      let observed = try await call.api.sessions.observedSteps(of: app.name)
      return AppOutlinePage(app: app, observed: observed, apps: call.api.sessions.apps).response
    } catch {
      throw Problem(error)
    }
  }

  static let styles: Operation = { (call: borrowing Call) throws(Problem) in
    try Operations.file(PackageResources.console_css, "text/css", call)
  }

  static let script: Operation = { (call: borrowing Call) throws(Problem) in
    try Operations.file(PackageResources.console_js, "text/javascript", call)
  }
}
