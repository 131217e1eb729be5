internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

/// The entry point of the service, and the documentation of its problem types.
extension Operations {
  static let entryPoint: Route.Operation = { call in
    switch call.representation {
    case .html: return .page(StartPage(apps: call.api.sessions.apps).render())
    case .text: return .text(call.api.sessions.apps.map { "\($0.name)\t\($0.title.string)\n" }.joined())
    case .json, .siren: break
    }
    return .value(
      .object([
        ("name", "usher"), ("version", Value(call.api.configuration.version)),
        (
          "links",
          .object([
            ("self", "/"), ("apps", "/v1/apps"), ("sessions", "/v1/sessions"), ("openapi", "/openapi.yaml"),
            ("live", "/livez"), ("ready", "/readyz"),
          ])
        ),
      ]))
  }

  static let problem: Route.Operation = { call in
    guard let kind = ProblemKind(rawValue: try call.parameter("slug")) else { throw Problem.notFound }
    let (status, title, advice) = kind.meaning
    return .value(
      .object([
        ("type", Value("/problems/\(kind.rawValue)")), ("title", Value(title)), ("status", Value(status)),
        ("advice", Value(advice)),
      ]))
  }
}
