internal import Languages
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

/// `POST /v1/sessions`
extension Operations {
  static let create: Route.Beginning = { call in
    .later { [call] in
      let form = call.form.map { ($0, language: language(of: $0, call)) }
      let request = try form.map { try Self.request(of: $0, in: $1, call) } ?? Self.request(of: call.json, call)
      do {
        return try await create(request, call)
      } catch {
        let problem = call.problem(error)
        guard let (form, language) = form else {
          let app = call.api.sessions.app(named: request.app)
          throw problem.written(in: app?.serviceLanguage(for: request.locale))
        }
        throw problem.written(in: language).about(form, named: request.app, isCreation: true)
      }
    }
  }

  private static func create(_ request: CreateRequest, _ call: Call) async throws -> Route.Outcome {
    let created = try await call.api.sessions.create(request)
    call.api.check(created.snapshot)
    let format = call.viewFormat
    let waited = call.waiting(for: created.snapshot) { snapshot in
      .done(SessionResult(snapshot: snapshot, isReplay: created.isReplay), as: format, status: 201)
    }
    return waited ?? .response(.done(created, as: format, status: 201))
  }

  private static func request(of body: Value, _ call: Call) throws(Problem) -> CreateRequest {
    guard let app = body["app"]?.text else { throw .invalidRequest(.memberMissing, ["name": "app"]) }
    var timeToLive: Int64?
    if let member = body["ttl"], !member.isNull {
      guard let seconds = member.int else { throw .invalidRequest(.memberNotSeconds, ["name": "ttl"]) }
      timeToLive = seconds
    }
    return CreateRequest(
      app: app, input: body["input"] ?? .emptyObject, link: try text("link", of: body),
      locale: try locale(try text("locale", of: body), app, call), timeToLive: timeToLive,
      idempotency: try call.idempotency(),
      owner: call.owner, principal: call.sessionPrincipal)
  }

  /// A form has the fields of the app's input with the prefix `input.`, and the idempotency key, which a browser cannot
  /// send as a header.
  private static func request(
    of form: FormInput, in language: ServiceLanguage, _ call: Call
  ) throws(Problem) -> CreateRequest {
    guard let app = form["app"] else { throw .invalidRequest(.formFieldMissing, ["name": "app"]) }
    var timeToLive: Int64?
    if let typed = form["ttl"], !typed.isEmpty {
      guard let seconds = Int64(typed) else { throw .invalidRequest(.formFieldNotSeconds, ["name": "ttl"]) }
      timeToLive = seconds
    }
    var idempotency = try call.idempotency()
    if let key = form["key"] {
      guard idempotency == nil else {
        throw .invalidRequest(.twoKeys)
      }
      idempotency = Idempotency(key: try IdempotencyKey.parse(key), request: [Array("form".utf8), call.request.body])
    }
    let schema = call.api.sessions.app(named: app)?.input ?? InputSchema(fields: [])
    return CreateRequest(
      app: app, input: form.value(for: schema, prefix: StartPage.inputPrefix, in: language), link: form["link"],
      locale: try locale(form["locale"], app, call), timeToLive: timeToLive, idempotency: idempotency,
      owner: call.owner, principal: call.sessionPrincipal)
  }

  /// Returns the language of a form and of the errors in it: that of the session if the form names one, and otherwise
  /// that of the form on the start page.
  private static func language(of form: FormInput, _ call: Call) -> ServiceLanguage {
    let language = call.request.language
    guard let app = form["app"].flatMap({ call.api.sessions.app(named: $0) }) else { return language }
    if let locale = form["locale"] { return app.serviceLanguage(for: locale) }
    return StartPage.language(of: call.request.localized(app), otherwise: language)
  }

  private static func text(_ name: String, of body: Value) throws(Problem) -> String? {
    guard let member = body[name], !member.isNull else { return nil }
    guard let text = member.text else { throw .invalidRequest(.memberNotString, ["name": .text(name)]) }
    return text
  }

  /// Returns the locale of a new session: the one that the client names, or else the best language for its header.
  private static func locale(_ text: String?, _ app: String, _ call: Call) throws(Problem) -> String? {
    if let text { return try locale(text) }
    guard let header = call.request.header("Accept-Language") else { return nil }
    let languages = call.api.sessions.app(named: app)?.languagesByPreference ?? []
    let tags = languages.isEmpty ? ServiceLanguage.all.map(\.tag) : languages
    return AcceptLanguage(header).best(among: tags).map { tags[$0] }
  }
}

extension Problem {
  /// Returns the problem in the language of the input that it concerns; nil for an app that does not exist.
  fileprivate func written(in language: ServiceLanguage?) -> Problem {
    with(\.language, language ?? self.language)
  }
}
