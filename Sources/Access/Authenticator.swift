public import Logging

/// Tells who makes a request by the token that comes with it.
public struct Authenticator: Sendable {
  /// Everybody may do everything, and nobody is asked who they are.
  public static let open = Authenticator(nil, anonymous: Principal(name: nil, permissions: .all))

  private let verifier: (any TokenVerifier)?
  /// Who comes without a token.
  public let anonymous: Principal

  private init(_ verifier: (any TokenVerifier)?, anonymous: Principal) {
    self.verifier = verifier
    self.anonymous = anonymous
  }

  /// Reads the file that the settings name, and from then on whenever it has changed.
  ///
  /// - Parameter logger: hears when the file is read again, and what is wrong with it then.
  /// - Throws: what is wrong with the settings or the file.
  public init(_ settings: AccessSettings, logger: Logger) throws(AccessError) {
    try settings.check()
    let anonymous = Principal(name: nil, permissions: settings.anonymous ?? [])
    switch settings.method {
    case .none: self = .open
    case .tokens(let path): self.init(try TokensFile(path, logger), anonymous: anonymous)
    case .jwt(let path):
      let rules = ClaimRules(issuer: settings.jwtIssuer ?? "", audience: settings.jwtAudience ?? "")
      self.init(try JWTVerifier(path, rules, logger), anonymous: anonymous)
    }
  }

  /// Whether anybody is asked.
  public var asks: Bool { verifier != nil }

  public func principal(of token: String) async throws(TokenRefusal) -> Principal {
    guard let verifier else { return anonymous }
    return try await verifier.principal(of: token)
  }
}
