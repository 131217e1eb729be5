internal import Access
internal import Languages
internal import MicroHTTP
internal import Sessions
internal import Values

/// `DELETE /v1/principals/{subject}/sessions`
extension Operations {
  static let eraseSessions = Route.later { call in
    let subject = try call.parameter("subject")
    guard let name = call.api.configuration.authenticator.principalName(ofSubject: subject) else {
      throw Problem(.notFound, .noSuchPrincipal)
    }
    let purge = call[query: "purge"] ?? "true"
    guard let purges = Bool(purge) else {
      throw Problem.invalidRequest(.queryNotFlag, ["name": "purge", "value": .text(purge)])
    }
    let count = try await call.api.sessions.erase(sessionsOf: SessionOwner(name: name), purges: purges)
    call.api.log("Erased the sessions of a principal.", by: call, ["subject": subject, "sessions": "\(count)"])
    return .value(["sessions": Value(count)])
  }
}
