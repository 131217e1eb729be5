internal import Languages
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

/// The entry point of the service, and the documentation of its problem types.
extension Operations {
  static let entryPoint = Route.later { call in
    let apps = call.api.sessions.apps
    let language = call.request.language
    switch call.representation {
    case .html:
      return .page(StartPage.render(apps.map { call.request.localized($0) }, in: language))
        .varyingByLanguage(language.tag)
    case .text:
      let lines = apps.map { "\($0.name)\t\(call.request.localized($0).title.string)\n" }
      return .text(lines.joined()).varyingByLanguage(nil)
    case .json, .siren: break
    }
    return .value([
      "name": "usher", "version": Value(call.api.configuration.version),
      "links": [
        "self": "/", "apps": "/v1/apps", "sessions": "/v1/sessions", "openapi": "/openapi.yaml", "live": "/livez",
        "ready": "/readyz",
      ],
    ])
  }

  static let problem = Route.later { call in
    guard let kind = ProblemKind(rawValue: try call.parameter("slug")) else { throw Problem.notFound }
    return .value([
      "type": Value("/problems/\(kind.rawValue)"), "title": Value(call.request.language(kind.title)),
      "status": Value(kind.status), "advice": Value(kind.advice),
    ])
  }
}
