internal import Foundation
internal import Logging

/// The JSON Web Tokens of an issuer, by its keys as they are in a file now.
struct JWTVerifier: TokenVerifier {
  /// What is known of tokens goes with the keys that they were verified with.
  private struct Contents: Sendable {
    let keys: JWKSet
    let verified = VerifiedTokens()
  }

  private let file: WatchedFile<Contents>
  private let rules: ClaimRules
  private let now: @Sendable () -> Double

  /// - Parameters:
  ///   - interval: how long a change of the keys may go unseen.
  ///   - now: seconds since 1970.
  init(
    _ path: String, _ rules: ClaimRules, every interval: Duration = .seconds(1), _ logger: Logger,
    now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 }
  ) throws(AccessError) {
    self.rules = rules
    self.now = now
    file = try WatchedFile(path, every: interval, logger) { (bytes) throws(AccessError) in
      Contents(keys: try JWKSet(bytes, path: path))
    }
  }

  func principal(of token: String) async throws(TokenRefusal) -> Principal {
    let contents = file.current()
    let digest = TokenDigest(of: token)
    let now = now()
    if let known = contents.verified.principal(of: digest, now: now) { return known }
    guard let parsed = JSONWebToken(token),
      let verifier = contents.keys.verifier(for: parsed.algorithm, keyID: parsed.keyID),
      let claims = await verifier.claims(of: token)
    else { throw .invalid }
    let (principal, end) = try rules.principal(of: claims, now: now)
    contents.verified.keep(digest, of: principal, until: end, now: now)
    return principal
  }
}
