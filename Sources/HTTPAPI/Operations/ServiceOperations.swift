internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

/// The service itself: its entry point, and the explanations of its problems.
extension Operations {
  static let entryPoint: Operation = { (call: borrowing Call) throws(Problem) in
    let representation = try call.representation(among: [.json, .html, .text])
    _ = try call.query()
    switch representation {
    case .html: return AppsPage(apps: call.api.sessions.apps).response
    case .text: return .text(call.api.sessions.apps.map { "\($0.name)\t\($0.title.string)\n" }.joined())
    case .json, .siren: break
    }
    return .value(
      .object([
        ("name", "usher"), ("version", Value(call.api.version)),
        (
          "links",
          .object([
            ("self", "/"), ("apps", "/v1/apps"), ("sessions", "/v1/sessions"), ("openapi", "/openapi.yaml"),
            ("live", "/livez"), ("ready", "/readyz"),
          ])
        ),
      ]))
  }

  static let problem: Operation = { (call: borrowing Call) throws(Problem) in
    try MediaType.requireAcceptable(call.request.header("Accept"))
    _ = try call.query()
    guard let kind = ProblemKind(rawValue: try call.parameter("slug")) else { throw .notFound }
    return .value(
      .object([
        ("type", Value("/problems/\(kind.rawValue)")), ("title", Value(kind.title)), ("status", Value(kind.status)),
        ("advice", Value(kind.advice)),
      ]))
  }
}
