package import Navigation
package import Sessions

extension SessionID {
  /// The path of the session.
  package var path: String { "/v1/sessions/\(text)" }
}

extension HandOverOffer {
  /// The path of the offer, which the other device opens.
  package var path: String { code.path }
}

extension AppDefinition {
  /// The path of the app's start address.
  package var startPath: String { "/start/\(name)" }
}

extension Snapshot {
  /// Returns the path of the request that tries a stuck event again, without a revision, because a repetition of the
  /// request changes nothing.
  package func pathToRetry(_ event: WorkID) -> String { "\(id.path)/retry/\(event)" }

  /// The path of the request that extends the session, without a revision, because the request has none.
  package var pathToExtend: String { "\(id.path)/extend" }
}
