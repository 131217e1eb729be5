internal import Access
internal import Languages
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

/// `GET /v1/definitions` and `DELETE /v1/definitions/{digest}/sessions`
extension Operations {
  static let definitions = Route.later { call in
    let current = Set(call.api.sessions.registry.current.map(\.source.digest))
    let definitions = try await call.api.sessions.definitions().map { definition in
      definition.value(isCurrent: current.contains(definition.digest))
    }
    return .value(["definitions": .array(definitions)])
  }

  static let retire = Route.later { call in
    let text = try call.parameter("digest").lowercased()
    guard text.count >= DefinitionDigest.shortLength else { throw unknownDefinition }
    let found = try await call.api.sessions.definitions().filter { $0.digest.hexadecimal.hasPrefix(text) }
    guard found.count == 1, let definition = found.first else { throw unknownDefinition }
    guard call.api.configuration.authenticator.verifiesTokens else { throw withoutAuthentication }
    let count = try await call.api.sessions.retire(definition.digest)
    call.api.log(
      "Ended the sessions of a definition.", by: call,
      ["app": definition.app, "definition": definition.digest.hexadecimal, "sessions": "\(count)"])
    return .value(["sessions": Value(count)])
  }

  /// The address of a session is the permission for it, and no client has those of all sessions.
  private static let withoutAuthentication = Problem(
    .forbidden,
    "Without --auth, every client could end all sessions. Start the service with --auth, and send a token that may operate."
  )

  private static let unknownDefinition = Problem(
    .notFound, "No stored definition has this digest. Give at least its first 12 digits.")
}

extension ListedDefinition {
  fileprivate func value(isCurrent: Bool) -> Value {
    [
      "digest": Value(digest.hexadecimal), "app": Value(app), "version": Value(version),
      "current": Value(isCurrent), "sessions": Value(sessions), "keptSince": Value(keptSince.text),
      "usedAt": Value(usedAt.text),
    ]
  }
}
