internal import MicroHTTP
internal import Sessions
internal import Values

/// `POST /v1/sessions`
extension Operations {
  static let create: Operation = { (call: borrowing Call) async throws(Problem) in
    try MediaType.requireAcceptable(call.request.header("Accept"))
    _ = try call.query()
    let body = try call.object("app", "input", "link", "locale", "ttl")
    guard let app = body["app"]?.text else { throw .invalidRequest("The member app is missing or is not a string.") }
    let request = CreateRequest(
      app: app, input: body["input"] ?? .emptyObject, link: try text("link", of: body),
      locale: try locale(of: body), timeToLive: try timeToLive(of: body), idempotency: try call.idempotency())
    do throws(SessionError) {
      let created = try await call.api.sessions.create(request)
      var response = Response.view(of: created.snapshot, status: 201, isReplay: created.isReplay)
      response.headers.append(("Location", "/v1/sessions/\(created.snapshot.id.text)"))
      return response
    } catch {
      throw Problem(error)
    }
  }

  private static func text(_ name: String, of body: Value) throws(Problem) -> String? {
    guard let member = body[name], !member.isNull else { return nil }
    guard let text = member.text else { throw .invalidRequest("The member \(name) is not a string.") }
    return text
  }

  /// A language tag, by its characters only (BCP 47, section 2.1).
  private static func locale(of body: Value) throws(Problem) -> String? {
    guard let locale = try text("locale", of: body) else { return nil }
    let isTag = locale.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { part in
      (1...8).contains(part.utf8.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    guard isTag, locale.utf8.count <= 35 else { throw .invalidRequest("The member locale is no language tag.") }
    return locale
  }

  private static func timeToLive(of body: Value) throws(Problem) -> Int64? {
    guard let member = body["ttl"], !member.isNull else { return nil }
    guard let seconds = member.int else { throw .invalidRequest("The member ttl is not a whole number of seconds.") }
    return seconds
  }
}
