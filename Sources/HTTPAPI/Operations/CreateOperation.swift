internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

/// `POST /v1/sessions`
extension Operations {
  static let create: Route.Beginning = { call in
    .later { [call] in
      guard let form = call.form else { return try await create(try request(of: call.json, call), call) }
      let request = try request(of: form, call)
      do {
        return try await create(request, call)
      } catch {
        throw call.problem(error).about(form, named: request.app)
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
    guard let app = body["app"]?.text else { throw .invalidRequest("The member app is missing or is not a string.") }
    var timeToLive: Int64?
    if let member = body["ttl"], !member.isNull {
      guard let seconds = member.int else { throw .invalidRequest("The member ttl is not a whole number of seconds.") }
      timeToLive = seconds
    }
    return CreateRequest(
      app: app, input: body["input"] ?? .emptyObject, link: try text("link", of: body),
      locale: try locale(try text("locale", of: body)), timeToLive: timeToLive, idempotency: try call.idempotency(),
      owner: call.owner, principal: call.sessionPrincipal)
  }

  /// A form has the fields of the app's input with the prefix `input.`, and the idempotency key, which a browser cannot
  /// send as a header.
  private static func request(of form: FormInput, _ call: Call) throws(Problem) -> CreateRequest {
    guard let app = form["app"] else { throw .invalidRequest("The field app is missing.") }
    var timeToLive: Int64?
    if let typed = form["ttl"], !typed.isEmpty {
      guard let seconds = Int64(typed) else { throw .invalidRequest("The field ttl is not a whole number of seconds.") }
      timeToLive = seconds
    }
    var idempotency = try call.idempotency()
    if let key = form["key"] {
      guard idempotency == nil else {
        throw .invalidRequest("The request has both Idempotency-Key and the field key. Send one of them.")
      }
      idempotency = Idempotency(key: try IdempotencyKey.parse(key), request: [Array("form".utf8), call.request.body])
    }
    let schema = call.api.sessions.app(named: app)?.input ?? InputSchema(fields: [])
    return CreateRequest(
      app: app, input: form.value(for: schema, prefix: StartPage.inputPrefix), link: form["link"],
      locale: try locale(form["locale"]), timeToLive: timeToLive, idempotency: idempotency,
      owner: call.owner, principal: call.sessionPrincipal)
  }

  private static func text(_ name: String, of body: Value) throws(Problem) -> String? {
    guard let member = body[name], !member.isNull else { return nil }
    guard let text = member.text else { throw .invalidRequest("The member \(name) is not a string.") }
    return text
  }

  /// Checks the syntax of a language tag (BCP 47, section 2.1).
  private static func locale(_ text: String?) throws(Problem) -> String? {
    guard let locale = text else { return nil }
    let isTag = locale.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { part in
      (1...8).contains(part.utf8.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    guard isTag, locale.utf8.count <= 35 else { throw .invalidRequest("The member locale is not a language tag.") }
    return locale
  }
}
