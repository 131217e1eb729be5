internal import Foundation
internal import Logging
internal import Synchronization
internal import Values

/// The verifier of the JSON Web Tokens of an issuer. The file with the issuer's keys is reloaded after a change.
struct JWTVerifier: TokenVerifier {
  /// The keys, and the tokens verified with them. New keys start with an empty cache.
  private struct Contents: Sendable {
    let keys: JWKSet
    let verified = VerifiedTokenCache()
  }

  private let file: WatchedFile<Contents>
  private let rules: ClaimRules
  private let now: @Sendable () -> Double

  /// - Parameters:
  ///   - interval: the longest time for which a change of the keys may go unnoticed.
  ///   - now: returns the seconds since 1970.
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

  func principalName(ofSubject subject: String) -> String? { rules.principalName(of: subject) }

  func principal(of token: String) throws(TokenError) -> Principal {
    let contents = file.current()
    let digest = Digest256(ofToken: token)
    let now = now()
    if let known = contents.verified.principal(of: digest, now: now) { return known }
    guard let parsed = JSONWebToken(token),
      let verifier = contents.keys.verifier(for: parsed.algorithm, keyID: parsed.keyID), verifier(parsed),
      let claims = parsed.claims
    else { throw .invalid }
    let (principal, end) = try rules.principal(of: claims, now: now)
    contents.verified.insert(digest, of: principal, until: end, now: now)
    return principal
  }
}

/// The principals of verified tokens, so that not every request costs the verification of a signature.
final class VerifiedTokenCache: Sendable {
  private let capacity: Int
  private let known = Mutex<[Digest256: (principal: Principal, end: Double)]>([:])

  init(capacity: Int = 4096) { self.capacity = capacity }

  /// Returns the principal of a token that was verified and has not expired.
  ///
  /// - Parameter now: seconds since 1970.
  func principal(of token: Digest256, now: Double) -> Principal? {
    known.withLock { known in known[token].flatMap { now < $0.end ? $0.principal : nil } }
  }

  /// Inserts a verified token. A full cache first removes the expired tokens.
  ///
  /// - Parameters:
  ///   - end: the expiry of the token, in seconds since 1970.
  ///   - now: the current time, in seconds since 1970.
  func insert(_ token: Digest256, of principal: Principal, until end: Double, now: Double) {
    known.withLock { known in
      if known.count >= capacity { known = known.filter { now < $0.value.end } }
      // The choice of a token to evict would take as long as some verifications.
      if known.count >= capacity { known = [:] }
      known[token] = (principal, end)
    }
  }

  var count: Int { known.withLock { $0.count } }
}
