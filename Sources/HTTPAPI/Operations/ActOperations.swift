internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

/// `POST /v1/sessions/{id}/actions/{action}`, and the system navigation: each is one intent on a session.
extension Operations {
  static let act: Operation = { (call: borrowing Call) async throws(Problem) in
    try await perform(.action(name: try call.parameter("action"), input: try call.body()), call)
  }

  static let back: Operation = { (call: borrowing Call) async throws(Problem) in
    try call.requireNoMembers()
    return try await perform(.back, call)
  }

  static let dismiss: Operation = { (call: borrowing Call) async throws(Problem) in
    try call.requireNoMembers()
    return try await perform(.dismiss, call)
  }

  static let selectTab: Operation = { (call: borrowing Call) async throws(Problem) in
    try call.requireNoMembers()
    return try await perform(.tab(try call.parameter("tab")), call)
  }

  static let open: Operation = { (call: borrowing Call) async throws(Problem) in
    guard let link = try call.object("link")["link"]?.text else {
      throw .invalidRequest("The member link is missing or is not a string.")
    }
    return try await perform(.open(link: link), call)
  }

  private static func perform(_ intent: Intent, _ call: borrowing Call) async throws(Problem) -> Response {
    try MediaType.requireAcceptable(call.request.header("Accept"))
    let id = try call.sessionID()
    let seen = try call.seenRevision()
    let request = IntentRequest(intent, revision: seen.revision, idempotency: try call.idempotency())
    do throws(SessionError) {
      let performed = try await call.api.sessions.perform(request, on: id)
      return .view(of: performed.snapshot, isReplay: performed.isReplay)
    } catch {
      throw Problem(error, isPrecondition: seen.isFromHeader)
    }
  }
}

extension Call {
  /// For operations that take no input: an empty body or `{}`.
  fileprivate func requireNoMembers() throws(Problem) { _ = try object() }
}
