internal import Access
internal import MicroHTTP
internal import Sessions
internal import Values

/// `DELETE /v1/principals/{subject}/sessions`
extension Operations {
  static let eraseSessions: Route.Operation = { call in
    let subject = try call.parameter("subject")
    guard let name = call.api.configuration.authenticator.principalName(ofSubject: subject) else {
      throw Problem(.notFound, "No principal can have this subject. Check --auth, and the encoding of the path.")
    }
    let purge = call[query: "purge"] ?? "true"
    guard let purges = Bool(purge) else {
      throw Problem.invalidRequest("The query parameter purge is \(purge), and not true or false.")
    }
    let count = try await call.api.sessions.erase(sessionsOf: SessionOwner(name: name), purges: purges)
    call.api.log("Erased the sessions of a principal.", by: call, ["subject": subject, "sessions": "\(count)"])
    return .value(.object([("sessions", Value(count))]))
  }
}
