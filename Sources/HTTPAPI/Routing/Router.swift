internal import MicroHTTP
internal import Sessions
internal import WebPages

/// Finds the route of a request, and answers requests that have none.
struct Router: Sendable {
  let routes: [Route]
  /// The files of the host, by path.
  let files: [String: StaticFile]

  /// Returns the index of the route with this method and path. `HEAD` has the route of `GET`.
  func index(_ method: Method, _ path: borrowing RequestPath) -> Int? {
    let method = method == .head ? .get : method
    for index in routes.indices where routes[index].method == method && path.matches(routes[index]) { return index }
    return nil
  }

  /// Answers a request without a route: a file, `OPTIONS`, or a problem.
  func respond(to request: Request, _ path: RequestPath) throws(Problem) -> Response {
    let method = request.method == .head ? .get : request.method
    var allowed = routes.filter { path.matches($0) }.map(\.method)
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
      // A browser that reloads the page of a refused form asks for the path of the form's action.
      if method == .get, let id = path.sessionID(2), MediaType.prefersPage(request.header("Accept")) {
        return .seeOther(id.path)
      }
      throw .methodNotAllowed(allow)
    }
    return Response(status: 204, headers: [("Allow", allow)])
  }
}
