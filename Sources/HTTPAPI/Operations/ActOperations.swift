internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

/// `POST /v1/sessions/{id}/actions/{action}`, and the system navigation: each is one intent on a session.
extension Operations {
  static let act: Operation = { (call: borrowing Call) async throws(Problem) in
    let name = try call.parameter("action")
    guard let form = try call.form() else {
      return try await perform(.action(name: name, input: try call.body()), call)
    }
    let input = form.value(for: try await schema(of: name, call))
    do throws(Problem) {
      return try await perform(.action(name: name, input: input), call)
    } catch {
      throw error.about(form, named: name)
    }
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
    let link = if let form = try call.form() { form["link"] } else { try call.object("link")["link"]?.text }
    guard let link else {
      throw .invalidRequest("The member link is missing or is not a string.")
    }
    return try await perform(.open(link: link), call)
  }

  /// What a form's fields mean: where the form is of an earlier revision, its action may not be the one of that name that shows.
  private static func schema(of action: String, _ call: borrowing Call) async throws(Problem) -> InputSchema {
    let snapshot = try await call.snapshot()
    let seen = try call.seenRevision().revision
    let offered = seen == nil || seen == snapshot.session.revision ? snapshot.visible.input(of: action) : nil
    return offered ?? snapshot.app.input(of: action)
  }

  private static func perform(_ intent: Intent, _ call: borrowing Call) async throws(Problem) -> Response {
    let representation = try call.representation()
    let id = try call.sessionID()
    let seen = try call.seenRevision()
    let request = IntentRequest(intent, revision: seen.revision, idempotency: try call.idempotency())
    do throws(SessionError) {
      let performed = try await call.api.sessions.perform(request, on: id, by: call.owner)
      call.api.check(performed.snapshot)
      return .done(performed, as: representation)
    } catch {
      throw Problem(error, isPrecondition: seen.isFromHeader)
    }
  }
}
