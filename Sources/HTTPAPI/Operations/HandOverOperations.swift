internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

/// `POST` and `GET /v1/sessions/{id}/hand-over`, `GET` and `POST /v1/hand-overs/{code}`: a session moves to another device.
extension Operations {
  private static let representations: [Representation] = [.json, .html, .text]

  static let offer: Operation = { (call: borrowing Call) async throws(Problem) in
    let representation = try call.representation(among: representations)
    _ = try call.query()
    try call.requireNoMembers()
    let id = try call.sessionID()
    let revision = try call.matchingRevision()
    let offer: HandOverOffer
    do throws(SessionError) {
      offer = try await call.api.sessions.offer(id, by: call.owner, at: revision)
    } catch {
      throw Problem(error, isPrecondition: true)
    }
    // A page of its own, because a reload of this one would be another offer, and void the link that may be on its way.
    if representation == .html { return .seeOther("\(id.path)/hand-over?code=\(offer.code.text)") }
    var response = link(offer, of: id, as: representation, call)
    response.status = 201
    if representation == .json { response.headers.append(("Location", offer.path)) }
    return response
  }

  /// The offer that the session has made under a code, for as long as the code is good. Stores know the code's digest only, hence
  /// the parameter.
  static let ownOffer: Operation = { (call: borrowing Call) async throws(Problem) in
    let representation = try call.representation(among: representations)
    let code = try call.query("code")["code"]
    let id = try call.sessionID()
    guard let code else {
      // A browser that comes again to where a refusal was shown.
      if representation == .html { return .seeOther(id.path) }
      throw .invalidRequest("The query parameter code is missing.")
    }
    do throws(SessionError) {
      let offer = try await call.api.sessions.offer(HandOverCode(code), of: id, by: call.owner)
      return link(offer, of: id, as: representation, call)
    } catch .unknownOffer where representation == .html {
      // Another device has taken the session over, or the link has expired: the session's page tells which.
      return .seeOther(id.path)
    } catch {
      throw Problem(error)
    }
  }

  private static func link(
    _ offer: HandOverOffer, of id: SessionID, as representation: Representation, _ call: borrowing Call
  ) -> Response {
    switch representation {
    case .html: HandOverPage(offer: offer).offering(to: id, at: call.origin)
    case .text: .text("\(call.origin)\(offer.path)\n")
    case .json, .siren: .value(offer.value)
    }
  }

  /// It changes nothing, so that whatever looks at a link before its reader does not use it up.
  static let offered: Operation = { (call: borrowing Call) async throws(Problem) in
    let representation = try call.representation(among: representations)
    _ = try call.query()
    let offer: HandOverOffer
    do throws(SessionError) {
      offer = try await call.api.sessions.offer(under: try call.offerCode(), by: call.owner)
    } catch {
      throw Problem(error)
    }
    switch representation {
    case .html: return HandOverPage(offer: offer).taking
    case .text: return .text("\(offer.app.title.string)\n")
    case .json, .siren: return .value(offer.value)
    }
  }

  static let takeOver: Operation = { (call: borrowing Call) async throws(Problem) in
    let representation = try call.representation()
    _ = try call.query()
    let retryKey: String?
    if let form = try call.form() {
      retryKey = try form["key"].map { key throws(Problem) in try IdempotencyKey.parse(key) }
    } else {
      try call.requireNoMembers()
      retryKey = try call.idempotency()?.key
    }
    do throws(SessionError) {
      let performed = try await call.api.sessions.takeOver(try call.offerCode(), by: call.owner, retryKey: retryKey)
      return .done(performed, as: representation, status: 201)
    } catch {
      throw Problem(error)
    }
  }
}

extension Call {
  /// The code that the path names. A text that is none is as unknown as one that nothing is offered under.
  fileprivate func offerCode() throws(SessionError) -> HandOverCode {
    guard let code = path.segment(2).flatMap({ HandOverCode($0) }) else { throw .unknownOffer }
    return code
  }
}

extension HandOverOffer {
  var path: String { "/v1/hand-overs/\(code.text)" }

  fileprivate var value: Value {
    .object([
      ("app", Value(app.name)), ("title", Value(app.title.string)), ("method", "POST"), ("href", Value(path)),
      ("expiresAt", Value(expiresAt.text)),
    ])
  }
}
