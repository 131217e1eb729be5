internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

/// `POST /v1/sessions/{id}/actions/{action}` and the system navigation. Each operation performs one intent on a
/// session.
extension Operations {
  static let act: Route.Operation = { call in
    let name = try call.parameter("action")
    guard let form = call.form else { return try await perform(.action(name: name, input: call.json), call) }
    do {
      let input = form.value(for: try await schema(of: name, call))
      return try await perform(.action(name: name, input: input), call)
    } catch {
      throw call.problem(error).about(form, named: name)
    }
  }

  static let back: Route.Operation = { try await perform(.back, $0) }

  static let dismiss: Route.Operation = { try await perform(.dismiss, $0) }

  static let selectTab: Route.Operation = { try await perform(.tab(try $0.parameter("tab")), $0) }

  static let open: Route.Operation = { call in
    guard let link = call.form.map({ $0["link"] }) ?? call.json["link"]?.text else {
      throw Problem.invalidRequest("The member link is missing or is not a string.")
    }
    return try await perform(.open(link: link), call)
  }

  /// Returns the input schema of a form. At an earlier revision, a different action may have had the same name.
  private static func schema(of action: String, _ call: borrowing Call) async throws -> InputSchema {
    let snapshot = try await call.snapshot()
    let seen = try call.seenRevision().revision
    let offered = seen == nil || seen == snapshot.session.revision ? snapshot.visible.input(of: action) : nil
    return offered ?? snapshot.app.input(of: action)
  }

  private static func perform(_ intent: Intent, _ call: borrowing Call) async throws -> Response {
    let id = try call.sessionID()
    let request = IntentRequest(
      intent, revision: try call.seenRevision().revision, idempotency: try call.idempotency())
    let performed = try await call.api.sessions.perform(request, on: id, by: call.owner)
    call.api.check(performed.snapshot)
    return .done(performed, as: call.representation)
  }
}
