internal import Values

/// What the claims of a JSON Web Token have to say (RFC 7519, section 4.1).
struct ClaimRules: Sendable {
  let issuer: String
  let audience: String

  /// Seconds by which the clocks of the issuer and of this service may differ.
  static let leeway = 60.0

  /// Who the claims are about, and until when, in seconds since 1970.
  ///
  /// - Parameter now: seconds since 1970.
  func principal(of claims: Value, now: Double) throws(TokenRefusal) -> (principal: Principal, end: Double) {
    guard claims["iss"]?.text == issuer, Self.texts(claims["aud"]).contains(audience),
      let subject = claims["sub"]?.text, Self.isSubject(subject), let end = claims["exp"]?.double
    else { throw .invalid }
    if let start = claims["nbf"] {
      guard let start = start.double, start <= now + Self.leeway else { throw .invalid }
    }
    guard now < end + Self.leeway else { throw .expired }
    // No issuer has the stroke in it, so that the first one ends it.
    let principal = Principal(name: "jwt:\(issuer)|\(subject)", permissions: Self.permissions(claims))
    return (principal, end + Self.leeway)
  }

  /// It gets into the log.
  private static func isSubject(_ text: String) -> Bool {
    (1...255).contains(text.utf8.count) && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// What `scope` (RFC 8693, section 4.2; RFC 9068, section 2.2.3) or `scp` says; what a person needs where neither is of this service.
  private static func permissions(_ claims: Value) -> Permissions {
    let scopes = (texts(claims["scope"]) + texts(claims["scp"])).flatMap { $0.split(separator: " ") }
    let permissions = scopes.compactMap { Permissions(scope: $0) }
    return permissions.isEmpty ? [.create, .act] : permissions.reduce([]) { $0.union($1) }
  }

  /// A text, or those of an array.
  private static func texts(_ value: Value?) -> [String] {
    guard let value else { return [] }
    return value.text.map { [$0] } ?? value.elements.compactMap(\.text)
  }
}
