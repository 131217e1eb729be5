internal import Languages
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

extension Problem {
  /// Returns the problem in the representation that the client prefers, and as JSON if it prefers none.
  ///
  /// - Parameters:
  ///   - apps: the hosted apps, for the start page with a refused form, and for the page of a session that has expired.
  ///   - now: the time of the service.
  ///   - page: the page of a problem that concerns no session and no form.
  func response(
    to request: Request, _ requestID: String, _ apps: [AppDefinition], at now: Timestamp,
    page: API.ProblemPageRenderer
  ) -> Response {
    let language = self.language ?? shown?.language ?? request.language
    let representation = try? MediaType.representation(request.header("Accept"))
    var (response, contentLanguage) =
      switch representation {
      case .html: html(request, apps, language, now, page)
      case .text: (text(in: language), language)
      case .json, .siren, nil:
        (json(instance: request.target, requestID, request.knownBlocks, language), language)
      }
    response.headers.append(("Content-Language", contentLanguage.tag))
    if shown == nil, self.language == nil { response.headers.append(("Vary", "Accept-Language")) }
    return response
  }

  /// Returns the problem as a page, with the session or the refused form that it concerns, and the language of the page.
  private func html(
    _ request: Request, _ apps: [AppDefinition], _ language: ServiceLanguage, _ now: Timestamp,
    _ page: API.ProblemPageRenderer
  ) -> (Response, ServiceLanguage) {
    let refusal = PageRefusal(detail: sentence(in: language), form: form)
    var response: Response
    var pageLanguage = language
    if let shown {
      let isEnding = shown.isEnding(at: now)
      response = .page(SessionPage(shown, refusal: refusal, isEnding: isEnding).render(), status: status)
      response.headers.append(("ETag", shown.etag(of: .html, isEnding: isEnding)))
    } else if let address {
      response = .page(address.render(refusal: refusal), status: status)
    } else if form != nil {
      let apps = apps.map { request.localized($0) }
      pageLanguage = request.language
      response = .page(StartPage.render(apps, in: pageLanguage, refusal: refusal), status: status)
    } else if let ended, let app = apps.first(where: { $0.name == ended.app }) {
      pageLanguage = app.serviceLanguage(for: ended.locale)
      response = .page(EndedPage.render(ended, of: app, in: pageLanguage), status: status)
    } else {
      response = page(language, language(kind.title), detail.text(in: language), status)
    }
    response.headers += headers
    return (response, pageLanguage)
  }

  /// Returns the problem as `application/problem+json` (RFC 9457, section 3).
  ///
  /// - Parameters:
  ///   - instance: the target of the request.
  ///   - blocks: the types of block that the client knows; nil if it did not say.
  private func json(
    instance: String, _ requestID: String, _ blocks: KnownBlocks?, _ language: ServiceLanguage
  ) -> Response {
    var json = JSONWriter(capacity: 512)
    json.beginObject()
    json.member("type", "/problems/\(kind.rawValue)")
    json.member("title", language(kind.title))
    json.member("status", status)
    json.member("detail", detail.text(in: language))
    json.member("instance", Self.loggable(instance))
    json.member("requestId", requestID)
    for (name, member) in members {
      json.key(name)
      switch member {
      case .value(let value): json.value(value)
      case .message(let message): json.string(message.text(in: language))
      case .failures(let failures): json.value(.array(failures.map { $0.value(in: language) }))
      case .view(let snapshot): json.view(of: snapshot, nil, blocks)
      }
    }
    json.endObject()
    return Response(
      status: status, headers: [("Content-Type", "application/problem+json")] + headers, body: json.finish())
  }

  /// Returns the target of a request without its secrets, because clients log problems: the address of a signal is one,
  /// and the link and the query of a start address have values of people.
  private static func loggable(_ target: String) -> String {
    if target.hasPrefix(SignalAddress.pathPrefix) { return "/v1/signals" }
    let start = "/start/"
    guard target.hasPrefix(start) else { return target }
    let app = target.dropFirst(start.count).prefix { $0 != "/" && $0 != "?" }
    return "\(start)\(app)"
  }

  /// Returns the problem for people at a terminal, above the current view.
  func text(in language: ServiceLanguage) -> Response {
    var response = Response.text(
      "\(detail.text(in: language))\n" + (shown.map { "\n\($0.text)" } ?? ""), status: status)
    response.headers += headers
    return response
  }

  /// Returns the problem with the refused form, if its page may show the form again: also after an event in the
  /// background, or a new definition of the app, has changed the session.
  ///
  /// - Parameter isCreation: whether the form begins a session. People may send such a form twice, from the history of
  ///   a browser.
  func about(_ form: FormInput, named name: String, isCreation: Bool = false) -> Problem {
    // After a fault of the app, too: people may try the same again.
    let kinds =
      [ProblemKind.actionUnavailable, .staleRevision, .internalError] + (isCreation ? Self.sentBefore : [])
    guard !failures.isEmpty || kinds.contains(kind) else { return self }
    return with(\.form, RefusedForm(name: name, typed: form.texts, failures: failures))
  }

  /// The kinds of a form that has begun a session before.
  private static let sentBefore: [ProblemKind] = [.idempotencyConflict, .sessionExpired]

  /// The sentence above a form that is shown again.
  fileprivate func sentence(in language: ServiceLanguage) -> String {
    if kind == .staleRevision { return language(.sessionMovedOn) }
    return form != nil && Self.sentBefore.contains(kind) ? language(.formSentBefore) : detail.text(in: language)
  }
}

extension API {
  /// The page of the service for a problem that concerns no session and no form.
  package static let problemPage: ProblemPageRenderer = { language, title, detail, status in
    .page(PageTemplates.problem(in: language, title: title, detail: detail), status: status)
  }
}
