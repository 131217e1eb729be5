package import Navigation
package import Sessions

extension SessionID {
  /// The path of the session.
  package var path: String { "/v1/sessions/\(text)" }
}

extension HandOverOffer {
  /// The path of the offer, which the other device opens.
  package var path: String { "/v1/hand-overs/\(code.text)" }
}

extension Snapshot {
  /// Returns the path of the request that tries a stuck event again, without a revision, because a repetition of the
  /// request changes nothing.
  package func pathToRetry(_ event: WorkID) -> String { "\(id.path)/retry/\(event)" }
}
