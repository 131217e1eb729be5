internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

/// `GET /v1/apps` and `GET /v1/apps/{app}`
extension Operations {
  static let apps = Route.later { call in
    let apps = call.api.sessions.apps.map { Value.object(call.request.localized($0).members) }
    return .value(["apps": .array(apps)]).varyingByLanguage(nil)
  }

  static let app = Route.later { call in
    let app = call.request.localized(try call.hostedApp())
    return Response.value(
      .object(
        app.members + [
          ("input", app.input.jsonSchema),
          ("coordinators", .array(app.coordinators.map { ["name": Value($0.definition.name)] })),
          ("screens", .array(app.screens.map(\.value))),
          ("prompts", .array(app.prompts.map(\.value))),
          ("links", .array(app.links.map { $0.value(in: app) })),
          ("signals", .array(app.signals.map { $0.value(in: app) })),
        ])
    ).varyingByLanguage(app.language)
  }
}

extension Call {
  /// Returns the app of the path. While flows load, an app may be one of them.
  func hostedApp() throws -> AppDefinition {
    let name = try parameter("app")
    do throws(SessionError) {
      return try api.sessions.hostedApp(name)
    } catch .unknownApp {
      throw Problem.notFound
    }
  }
}

extension AppDefinition {
  fileprivate var members: [(String, Value)] {
    [
      ("name", Value(name)), ("title", Value(title.string)), ("summary", summary.map { Value($0.string) } ?? .null),
      ("image", image.map { Value($0) } ?? .null), ("version", Value(version)), ("href", Value("/v1/apps/\(name)")),
      ("start", Value(startPath)),
    ] + (digest.map { [("definition", Value($0.hexadecimal))] } ?? [])
  }
}

extension ScreenDefinition {
  fileprivate var value: Value {
    [
      "name": Value(name), "title": fixedTitle.map { Value($0.string) } ?? .null,
      "actions": .array(actions.filter { !$0.takesAnswers }.map(\.value)),
    ]
  }
}

extension PromptDefinition {
  fileprivate var value: Value { ["name": Value(name), "actions": .array(actions.map(\.value))] }
}

extension ActionDefinition {
  fileprivate var value: Value {
    [
      "name": Value(name), "title": Value(title.string), "role": Value(role.rawValue),
      "input": input.jsonSchema,
    ]
  }
}

extension LinkDefinition {
  fileprivate func value(in app: AppDefinition) -> Value {
    ["pattern": Value(pattern.text), "input": input.jsonSchema, "start": Value(app.startPath + pattern.text)]
  }
}

extension SignalDefinition {
  fileprivate func value(in app: AppDefinition) -> Value {
    [
      "name": Value(name), "input": input.jsonSchema, "sender": sender.map { Value($0) } ?? .null,
      "href": Value("/v1/apps/\(app.name)/signals/\(name)"),
    ]
  }
}
