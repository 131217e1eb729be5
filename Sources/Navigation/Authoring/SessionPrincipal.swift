public import Values

/// The owner of a session, for the code of its app. A session that was created without a token has none.
///
/// Handlers read it as ``Navigator/principal``, and guards, fills and reasons why an action is disabled as
/// ``Context/principal``. The type is a class, because each step copies the principal several times.
public final class SessionPrincipal: Sendable, Equatable {
  /// The `sub` of a JSON Web Token, or the name of a token. The subject never changes during a session.
  public let subject: String
  /// The claims that the operator passes to apps (`--jwt-claims`), as an object.
  ///
  /// The claims are those of the owner's latest action. The first step after the expiry of its token removes them.
  public let claims: Value
  /// The time at which the claims lapse; nil if there are none.
  package let expiresAt: Timestamp?

  /// - Parameters:
  ///   - claims: an object.
  ///   - expiresAt: the time at which the claims lapse; nil keeps them.
  public init(subject: String, claims: Value = .emptyObject, expiresAt: Timestamp? = nil) {
    self.subject = subject
    self.claims = claims
    self.expiresAt = claims == .emptyObject ? nil : expiresAt
  }

  /// Returns a claim; nil if the token does not have it, or if it is of another type.
  public func claim<Claim: Decodable>(_ name: String, as type: Claim.Type = Claim.self) -> Claim? {
    claims[name].flatMap { try? $0.decode(type) }
  }

  func hasLapsedClaims(at time: Timestamp) -> Bool { expiresAt.map { $0 <= time } ?? false }

  public static func == (a: SessionPrincipal, b: SessionPrincipal) -> Bool {
    a === b || a.subject == b.subject && a.claims == b.claims && a.expiresAt == b.expiresAt
  }
}

extension SessionState {
  /// Returns the state for a step that the owner causes, with the claims of the owner's token; nil if nothing changes.
  /// The subject stays, and a session without an owner ignores the claims.
  public func acting(with principal: SessionPrincipal) -> SessionState? {
    guard let own = environment.principal, own != principal else { return nil }
    let principal = SessionPrincipal(subject: own.subject, claims: principal.claims, expiresAt: principal.expiresAt)
    return copy(of: self) { $0.environment = environment.with(principal: principal) }
  }
}
