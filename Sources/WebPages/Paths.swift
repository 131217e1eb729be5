package import Sessions

extension SessionID {
  /// The path of the session.
  package var path: String { "/v1/sessions/\(text)" }
}

extension HandOverOffer {
  /// The path of the offer, which the other device opens.
  package var path: String { "/v1/hand-overs/\(code.text)" }
}
