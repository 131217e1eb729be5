internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

/// `POST /v1/sessions/{id}/actions/{action}`, and the system navigation: each is one intent on a session.
extension Operations {
  static let act: Operation = { (call: borrowing Call) throws(Problem) in
    try perform(call) { (call: borrowing Call) throws(Problem) in
      .action(name: try call.parameter(4), input: try call.body())
    }
  }

  static let back: Operation = { (call: borrowing Call) throws(Problem) in
    try perform(call) { (call: borrowing Call) throws(Problem) in
      try call.requireNoMembers()
      return .back
    }
  }

  static let dismiss: Operation = { (call: borrowing Call) throws(Problem) in
    try perform(call) { (call: borrowing Call) throws(Problem) in
      try call.requireNoMembers()
      return .dismiss
    }
  }

  static let selectTab: Operation = { (call: borrowing Call) throws(Problem) in
    try perform(call) { (call: borrowing Call) throws(Problem) in
      try call.requireNoMembers()
      return .tab(try call.parameter(4))
    }
  }

  static let open: Operation = { (call: borrowing Call) throws(Problem) in
    try perform(call) { (call: borrowing Call) throws(Problem) in
      guard let link = try call.object("link")["link"]?.text else {
        throw .invalidRequest("The member link is missing or is not a string.")
      }
      return .open(link: link)
    }
  }

  private static func perform(
    _ call: borrowing Call, _ intent: (borrowing Call) throws(Problem) -> Intent
  ) throws(Problem) -> Response {
    try MediaType.requireAcceptable(call.request.header("Accept"))
    let id = try call.sessionID()
    let seen = try call.seenRevision()
    let request = IntentRequest(try intent(call), revision: seen.revision, idempotency: try call.idempotency())
    do throws(SessionError) {
      let performed = try call.api.sessions.perform(request, on: id)
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
