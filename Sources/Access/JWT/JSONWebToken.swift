internal import Values

/// A JSON Web Token (RFC 7519) in the compact form (RFC 7515, section 7.1), before the verification of its signature.
struct JSONWebToken {
  let algorithm: String
  let keyID: String?
  /// The bytes that the signature covers: the first two parts of the token.
  let signed: [UInt8]
  let signature: [UInt8]
  private let payload: [UInt8]

  /// The accepted values of `typ` (RFC 9068, section 2.1). A token made for another purpose is refused (RFC 8725,
  /// section 3.11).
  private static let types: Set<String> = ["jwt", "at+jwt", "application/jwt", "application/at+jwt"]

  /// Parses a token. Nil for another form, for base64url that is not canonical, and for critical extensions (`crit`;
  /// RFC 7515, section 4.1.11), none of which are supported.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let head = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
      let signature = Base64URL.decode(parts[2]), let header = try? JSONParser.parse(head), header.kind == .map,
      let algorithm = header["alg"]?.text, header["crit"] == nil
    else { return nil }
    if let type = header["typ"], !Self.types.contains(type.text?.lowercased() ?? "") { return nil }
    keyID = header["kid"]?.text
    if keyID == nil, header["kid"] != nil { return nil }
    signed = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
    (self.algorithm, self.payload, self.signature) = (algorithm, payload, signature)
  }

  /// The claims; nil if the payload is not JSON, or has two members of one name, of which other libraries may take the
  /// other one.
  var claims: Value? { try? JSONParser.parse(payload) }
}

/// The rules for the claims of a JSON Web Token (RFC 7519, section 4.1).
struct ClaimRules: Sendable {
  let issuer: String
  let audience: String
  /// The names of the claims that apps receive.
  var passedClaims: [String] = []

  /// The tolerated difference between the clocks of the issuer and of this service, in seconds.
  static let leeway = 60.0

  /// Validates claims. Returns their principal, and the end of its validity in seconds since 1970.
  ///
  /// - Parameter now: seconds since 1970.
  func principal(of claims: Value, now: Double) throws(TokenError) -> (principal: Principal, end: Double) {
    guard claims["iss"]?.text == issuer, Self.texts(claims["aud"]).contains(audience),
      let subject = claims["sub"]?.text, let name = principalName(of: subject), let end = claims["exp"]?.double
    else { throw .invalid }
    if let start = claims["nbf"] {
      guard let start = start.double, start <= now + Self.leeway else { throw .invalid }
    }
    guard now < end + Self.leeway else { throw .expired }
    let principal = Principal(
      name: name, permissions: Self.permissions(claims), subject: subject,
      claims: .object(passedClaims.compactMap { name in claims[name].map { (name, $0) } }), expiry: end)
    return (principal, end + Self.leeway)
  }

  /// Returns the name of a principal; nil for an invalid subject.
  func principalName(of subject: String) -> String? {
    // An issuer contains no vertical bar, so that the first one separates it from the subject.
    Self.isSubject(subject) ? "jwt:\(issuer)|\(subject)" : nil
  }

  /// Returns whether a subject is short and free of control characters, since it appears in the log.
  private static func isSubject(_ text: String) -> Bool {
    (1...255).contains(text.utf8.count) && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// Returns the permissions of `scope` (RFC 8693, section 4.2; RFC 9068, section 2.2.3) and `scp`. Without a scope of
  /// this service, these are the permissions of an end user: `create` and `act`.
  private static func permissions(_ claims: Value) -> Permissions {
    let scopes = (texts(claims["scope"]) + texts(claims["scp"])).flatMap { $0.split(separator: " ") }
    let permissions = scopes.compactMap { Permissions(scope: $0) }
    return permissions.isEmpty ? [.create, .act] : permissions.reduce([]) { $0.union($1) }
  }

  /// Returns a text, or the texts of an array.
  private static func texts(_ value: Value?) -> [String] {
    guard let value else { return [] }
    return value.text.map { [$0] } ?? value.elements.compactMap(\.text)
  }
}
