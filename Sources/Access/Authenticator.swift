public import Logging

/// The authentication of requests by their tokens.
public struct Authenticator: Sendable {
  /// An authenticator that gives every request all permissions.
  public static let open = Authenticator(verifier: nil, anonymous: Principal(name: nil, permissions: .all))

  private let verifier: (any TokenVerifier)?
  /// The principal of a request without a token.
  public let anonymous: Principal

  /// Whether tokens are verified; false with the method `none`.
  public var verifiesTokens: Bool { verifier != nil }

  /// Returns the name of the principal whose tokens have a subject: the `sub` of a JSON Web Token, or the name of a
  /// token. Nil if no token has it.
  public func principalName(ofSubject subject: String) -> String? { verifier?.principalName(ofSubject: subject) }

  /// Returns the principal of a token. Without a verifier, every token has the anonymous principal.
  public func principal(of token: String) throws(TokenError) -> Principal {
    guard let verifier else { return anonymous }
    return try verifier.principal(of: token)
  }
}

extension Authenticator {
  /// Creates an authenticator that reads the file of the settings, and reloads it after every change.
  ///
  /// - Parameter logger: receives each reload, and each error in a changed file.
  /// - Throws: ``AccessError`` for invalid settings, and for an invalid or unreadable file.
  public init(_ settings: AccessSettings, logger: Logger) throws(AccessError) {
    try settings.check()
    let anonymous = Principal(name: nil, permissions: settings.anonymous ?? [])
    switch settings.method {
    case .none: self = .open
    case .tokens(let path): self.init(verifier: try TokensFile(path, logger), anonymous: anonymous)
    case .jwt(let path):
      let rules = ClaimRules(
        issuer: settings.jwtIssuer ?? "", audience: settings.jwtAudience ?? "", passedClaims: settings.jwtClaims)
      self.init(verifier: try JWTVerifier(path, rules, logger), anonymous: anonymous)
    }
  }
}

/// A verifier of one kind of tokens.
protocol TokenVerifier: Sendable {
  func principalName(ofSubject subject: String) -> String?
  func principal(of token: String) throws(TokenError) -> Principal
}

/// The reason why a token is refused. It has no details, because they would help only a forger of tokens.
public enum TokenError: Error, Sendable {
  case expired, invalid
}
