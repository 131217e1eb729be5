internal import Languages
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

/// `POST /v1/sessions/{id}/actions/{action}` and the system navigation. Each operation performs one intent on a
/// session.
extension Operations {
  static let act: Route.Operation = { call in
    let name = try call.parameter("action")
    guard let form = call.form else { return try perform(.action(name: name, input: call.json), call) }
    return .later { [call] in
      do {
        let snapshot = try await call.snapshot()
        let input = form.value(for: try schema(of: name, in: snapshot, call), in: snapshot.language)
        return try perform(.action(name: name, input: input), call)
      } catch {
        throw call.problem(error).about(form, named: name)
      }
    }
  }

  static let answer: Route.Operation = {
    try perform(.action(name: JourneyDefinition.takingName, input: try $0.jsonAlone()), $0)
  }

  static let back: Route.Operation = { try perform(.back, $0) }

  static let dismiss: Route.Operation = { try perform(.dismiss, $0) }

  static let selectTab: Route.Operation = { try perform(.tab(try $0.parameter("tab")), $0) }

  static let reload: Route.Operation = { try perform(.reload(try $0.parameter("property")), $0) }

  static let open: Route.Operation = { try perform(.open(link: try member("link", of: $0)), $0) }

  static let locale: Route.Operation = { try perform(.locale(try locale(try member("locale", of: $0))), $0) }

  /// Tries a stuck event again. The request has no revision, and its repetition changes nothing.
  static let retry = Route.later { call in
    guard let event = UInt32(try call.parameter("event")), event > 0 else { throw Problem.notFound }
    let snapshot = try await call.api.sessions.retryStuck(WorkID(event), of: try call.sessionID(), by: call.owner)
    return .done(SessionResult(snapshot: snapshot, isReplay: false), as: call.viewFormat)
  }

  /// Extends a session. The request has no revision, and its repetition changes nothing but the time.
  static let extend = Route.later { call in
    let snapshot = try await call.api.sessions.extend(try call.sessionID(), by: call.owner)
    return .done(SessionResult(snapshot: snapshot, isReplay: false), as: call.viewFormat)
  }

  /// Returns the text of a field of the form, or of a member of the JSON body.
  private static func member(_ name: String, of call: Call) throws(Problem) -> String {
    guard let text = call.form.map({ $0[name] }) ?? call.json[name]?.text else {
      throw .invalidRequest(.memberMissing, ["name": .text(name)])
    }
    return text
  }

  /// Returns a locale after a check of its syntax (BCP 47, section 2.1).
  static func locale(_ text: String) throws(Problem) -> String {
    guard LanguageTag.isWellFormed(text), text.utf8.count <= 35 else { throw .invalidRequest(.memberNotLocale) }
    return text
  }

  /// Returns the input schema of a form. At an earlier revision, a different action may have had the same name.
  private static func schema(of action: String, in snapshot: Snapshot, _ call: Call) throws -> InputSchema {
    let seen = try call.seenRevision().revision
    let offered = seen == nil || seen == snapshot.session.revision ? snapshot.visible.input(of: action) : nil
    return offered ?? snapshot.app.input(of: action)
  }

  private static func perform(_ intent: Intent, _ call: Call) throws -> Route.Outcome {
    let id = try call.sessionID()
    let seen = try call.seenRevision()
    // A precondition is strict (RFC 9110, section 13.1.1).
    let request = IntentRequest(
      intent, revision: seen.revision, offer: seen.isFromHeader ? nil : try call.seenOffer(),
      idempotency: try call.idempotency(), principal: call.sessionPrincipal)
    // Without the call itself, whose copies count references.
    let waiting = call.request.header("Prefer") == nil ? nil : call
    return outcome(
      of: try call.api.sessions.begin(request, on: id, by: call.owner), call.api, call.viewFormat, waiting)
  }

  /// - Parameter waiting: the call if its response may wait for effects.
  private static func outcome(
    of progress: IntentProgress, _ api: API, _ format: ViewFormat, _ waiting: Call?
  ) -> Route.Outcome {
    switch progress {
    case .performed(let result): .done(result, as: format, api, waiting: waiting)
    case .unstored(let attempt):
      .callback { resume in
        api.sessions.store(attempt) { stored in
          resume { outcome(of: try api.sessions.progress(of: attempt, stored: stored), api, format, waiting) }
        }
      }
    case .unloaded: .later { .done(try await api.sessions.finish(progress), as: format, api, waiting: waiting) }
    }
  }
}
