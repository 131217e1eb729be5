public import MicroHTTP
public import Sessions

/// The HTTP API of Usher: routes a request to its operation, and turns what goes wrong into a problem.
public final class API: Handler {
  let sessions: SessionService
  let version: String
  private let face: Face
  private let files: [String: StaticFile]
  private let requestIDs = RequestIDs()
  private let log: @Sendable (String) -> Void

  /// - Parameters:
  ///   - version: of the service, as it is shown at the entry point.
  ///   - files: by their paths, which begin with a slash; those that an operation has are not served.
  ///   - log: gets one sentence for everything that is the service's own fault.
  public convenience init(
    sessions: SessionService, version: String, files: [String: StaticFile] = [:],
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.init(sessions: sessions, version: version, files: files, log: log, face: .service)
  }

  init(
    sessions: SessionService, version: String, files: [String: StaticFile],
    log: @escaping @Sendable (String) -> Void, face: Face
  ) {
    self.face = face
    self.sessions = sessions
    self.version = version
    self.files = files
    self.log = log
  }

  public func respond(to request: Request) async -> Response {
    let requestID = requestIDs.id(for: request)
    var response: Response
    do throws(Problem) {
      response = try await answer(request)
    } catch {
      if let cause = error.cause { log("\(requestID): \(cause)") }
      response = error.response(to: request, requestID, sessions.apps, face)
    }
    response.finish(requestID)
    return response
  }

  public func refuse(_ refusal: Refusal, of request: Request) -> Response {
    response(to: request, Problem(refusal))
  }

  /// The answer to a request that no operation has seen.
  func response(to request: Request, _ problem: Problem) -> Response {
    let requestID = requestIDs.id(for: request)
    var response = problem.response(to: request, requestID, sessions.apps, face)
    response.finish(requestID)
    return response
  }

  private func answer(_ request: Request) async throws(Problem) -> Response {
    let path = RequestPath(request.target)
    let method = request.method == .head ? .get : request.method
    var allowed: [Method] = []
    for route in face.routes where path.matches(route) {
      if route.method == method {
        return try await route.operation(Call(api: self, request: request, path: path, route: route))
      }
      allowed.append(route.method)
    }
    if allowed.isEmpty, let file = files[String(request.target.prefix { $0 != "?" })] {
      if method == .get { return file.response }
      allowed = [.get]
    }
    if request.method == .options, request.target == "*" {
      return Response(status: 204, headers: [("Allow", "GET, HEAD, POST, DELETE, OPTIONS")])
    }
    guard !allowed.isEmpty else { throw .notFound }
    let names = allowed.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.name] } + ["OPTIONS"]
    let allow = names.joined(separator: ", ")
    guard request.method == .options else {
      // A browser that comes again to where a refused form was shown.
      if method == .get, let id = path.sessionID(2), MediaType.prefersPage(request.header("Accept")) {
        return .seeOther(id.path)
      }
      throw .methodNotAllowed(allow)
    }
    return Response(status: 204, headers: [("Allow", allow)])
  }
}

extension Response {
  /// Adds what every response has. Nothing that depends on a session may be stored by a cache; what is static says so
  /// itself.
  fileprivate mutating func finish(_ requestID: String) {
    headers.append(("X-Request-Id", requestID))
    if !headers.contains(where: { $0.name.isSame(as: "Cache-Control") }) {
      headers.append(("Cache-Control", "no-store"))
    }
  }
}
