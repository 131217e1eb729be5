/// What knows whose a token is.
protocol TokenVerifier: Sendable {
  func principal(of token: String) async throws(TokenRefusal) -> Principal
}

/// Why a token is not taken. It says no more than that: what exactly is wrong helps nobody but who makes tokens up.
public enum TokenRefusal: Error, Sendable {
  case expired, invalid
}
