internal import Languages
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import TimeZones
internal import Values
internal import WebPages

/// `POST /v1/sessions`
extension Operations {
  static let create: Route.Operation = { call in
    .later { [call] in
      let form = call.form.map { ($0, language: language(of: $0, call)) }
      let request = try form.map { try Self.request(of: $0, in: $1, call) } ?? Self.request(of: call.json, call)
      do {
        return try await created(request, call)
      } catch {
        let problem = call.problem(error)
        guard let (form, language) = form else {
          let app = call.api.sessions.app(named: request.app)
          throw problem.with(\.language, app?.serviceLanguage(for: request.locale) ?? problem.language)
        }
        throw problem.with(\.language, language).about(form, named: request.app, isCreation: true)
      }
    }
  }

  /// Creates a session, and returns the response with its view.
  static func created(_ request: CreateRequest, _ call: Call) async throws -> Route.Outcome {
    let created = try await call.api.sessions.create(request)
    return .done(created, as: call.viewFormat, status: 201, call.api, waiting: call)
  }

  private static func request(of body: Value, _ call: Call) throws(Problem) -> CreateRequest {
    guard let app = body["app"]?.text else { throw .invalidRequest(.memberMissing, ["name": "app"]) }
    let link = try member("link", of: body, \.text, .memberNotString)
    let locale = try member("locale", of: body, \.text, .memberNotString)
    return try request(
      of: body, app, body["input"] ?? .emptyObject, link: link, locale: try Self.locale(locale, app, call), call)
  }

  /// Returns the request of a JSON body, for an app, an input, a link and a locale.
  static func request(
    of body: Value, _ app: String, _ input: Value, link: String?, locale: String?, _ call: Call
  ) throws(Problem) -> CreateRequest {
    CreateRequest(
      app: app, input: input, link: link, locale: locale,
      timeZone: try member("timeZone", of: body, \.text, .memberNotString),
      timeToLive: try member("ttl", of: body, \.int, .memberNotSeconds),
      idempotency: try call.idempotency(), owner: call.owner, principal: call.sessionPrincipal)
  }

  /// A form has the fields of the app's input with the prefix `input.`.
  private static func request(
    of form: FormInput, in language: ServiceLanguage, _ call: Call
  ) throws(Problem) -> CreateRequest {
    guard let app = form["app"] else { throw .invalidRequest(.formFieldMissing, ["name": "app"]) }
    let schema = call.api.sessions.app(named: app)?.input ?? InputSchema(fields: [])
    return try request(
      of: form, app, form.value(for: schema, prefix: StartPage.inputPrefix, in: language), link: form["link"],
      locale: try locale(form["locale"], app, call), call)
  }

  /// Returns the request of a form, for an app, an input, a link and a locale.
  ///
  /// The form has the idempotency key, which a browser cannot send as a header. The script of the page fills in the time
  /// zone of the browser, which people cannot correct. A zone that this machine lacks therefore counts as none.
  static func request(
    of form: FormInput, _ app: String, _ input: Value, link: String?, locale: String?, _ call: Call
  ) throws(Problem) -> CreateRequest {
    var timeToLive: Int64?
    if let typed = form["ttl"], !typed.isEmpty {
      guard let seconds = Int64(typed) else { throw .invalidRequest(.formFieldNotSeconds, ["name": "ttl"]) }
      timeToLive = seconds
    }
    var idempotency = try call.idempotency()
    // A form of another site may have one key for all visitors, who would share a session.
    if let key = form["key"], call.isSameSite {
      guard idempotency == nil else {
        throw .invalidRequest(.twoKeys)
      }
      // A start address has the link.
      idempotency = Idempotency(
        key: try IdempotencyKey.parse(key),
        request: [Array("form".utf8), Array(call.request.target.utf8), call.request.body])
    }
    return CreateRequest(
      app: app, input: input, link: link, locale: locale,
      timeZone: form["timeZone"].flatMap { NamedTimeZone($0)?.name },
      timeToLive: timeToLive, idempotency: idempotency, owner: call.owner, principal: call.sessionPrincipal)
  }

  /// Returns the language of a form and of the errors in it: that of the session if the form names one, and otherwise
  /// that of the form on the start page.
  private static func language(of form: FormInput, _ call: Call) -> ServiceLanguage {
    let language = call.request.language
    guard let app = form["app"].flatMap({ call.api.sessions.app(named: $0) }) else { return language }
    if let locale = form["locale"] { return app.serviceLanguage(for: locale) }
    return StartPage.language(of: call.request.localized(app), otherwise: language)
  }

  /// Returns a member; nil if it is absent or null. Throws a problem with this detail for a member of another type.
  private static func member<Member>(
    _ name: String, of body: Value, _ read: (Value) -> Member?, _ detail: ServiceText
  ) throws(Problem) -> Member? {
    guard let value = body[name], !value.isNull else { return nil }
    guard let member = read(value) else { throw .invalidRequest(detail, ["name": .text(name)]) }
    return member
  }

  /// Returns the locale of a new session: the one that the client names, or else the best language for its header.
  static func locale(_ text: String?, _ app: String, _ call: Call) throws(Problem) -> String? {
    if let text { return try locale(text) }
    let languages = call.api.sessions.app(named: app)?.languagesByPreference ?? []
    let tags = languages.isEmpty ? ServiceLanguage.all.map(\.tag) : languages
    return call.request.preferredLanguage(among: tags).map { tags[$0] }
  }
}
