internal import Languages
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

/// `POST` and `GET /v1/sessions/{id}/hand-over`, `GET` and `POST /v1/hand-overs/{code}`: a session moves to another
/// device.
extension Operations {
  static let offer = Route.later { call in
    let id = try call.sessionID()
    let offer = try await call.api.sessions.offer(id, by: call.owner, at: try call.seenRevision().revision)
    // The link has a page of its own. A reload of this response would make another offer, and invalidate a link that
    // the user may already have sent.
    if call.representation == .html { return .seeOther("\(id.path)/hand-over?code=\(offer.code.text)") }
    var response = link(offer, of: id, call)
    response.status = 201
    if call.representation == .json { response.headers.append(("Location", offer.path)) }
    return response
  }

  /// Shows the offer on the device that made it, until the offer expires. The code is a query parameter, because stores
  /// keep only its digest.
  static let showOwnOffer = Route.later { call in
    let id = try call.sessionID()
    guard let code = call[query: "code"] else {
      // A reload of the page with a refused offer has no code.
      if call.representation == .html { return .seeOther(id.path) }
      throw Problem.invalidRequest(.queryMissing, ["name": "code"])
    }
    do throws(SessionError) {
      return link(try await call.api.sessions.offer(HandOverCode(code), of: id, by: call.owner), of: id, call)
    } catch .unknownOffer where call.representation == .html {
      // Another device has taken the session over, or the link has expired. The session's page shows which.
      return .seeOther(id.path)
    }
  }

  private static func link(_ offer: HandOverOffer, of id: SessionID, _ call: Call) -> Response {
    switch call.representation {
    case .html: .page(offer.renderLink(from: id, origin: call.publicOrigin))
    case .text: .text("\(call.publicOrigin)\(offer.path)\n")
    case .json, .siren: .value(offer.value)
    }
  }

  /// Shows the offer without taking it, so that a link preview does not use the link up.
  static let showOffer = Route.later { call in
    let offer = try await call.api.sessions.offer(under: try call.offerCode(), by: call.owner)
    switch call.representation {
    case .html: return .page(offer.renderQuestion())
    case .text: return .text("\(offer.app.title.string)\n")
    case .json, .siren: return .value(offer.value)
    }
  }

  static let takeOver = Route.later { call in
    let key =
      if let form = call.form {
        try form["key"].map { key throws(Problem) in try IdempotencyKey.parse(key) }
      } else {
        try call.idempotency()?.key
      }
    let performed = try await call.api.sessions.takeOver(try call.offerCode(), by: call.owner, retryKey: key)
    return .done(performed, as: call.viewFormat, status: 201)
  }
}

extension Call {
  /// Returns the code in the path. Throws the same error for a malformed code as for a code without an offer.
  fileprivate func offerCode() throws(SessionError) -> HandOverCode {
    guard let code = path.segment(2).flatMap({ HandOverCode($0) }) else { throw .unknownOffer }
    return code
  }
}

extension HandOverOffer {
  fileprivate var value: Value {
    [
      "app": Value(app.name), "title": Value(app.title.string), "method": "POST", "href": Value(path),
      "expiresAt": Value(expiresAt.text),
    ]
  }
}
