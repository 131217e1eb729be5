internal import Values

/// What a JSON Web Token (RFC 7519) in the compact form of a signature (RFC 7515, section 7.1) says of itself, not verified: the checks
/// that JWTKit leaves to others.
struct JSONWebToken {
  let algorithm: String
  let keyID: String?

  /// What `typ` may say (RFC 9068, section 2.1): a token that was made for something else is not taken (RFC 8725, section 3.11).
  private static let types: Set<String> = ["jwt", "at+jwt", "application/jwt", "application/at+jwt"]

  /// Nil for a text of another form, base64url that is not canonical included, and for a token that asks for more than is understood
  /// here: `crit` (RFC 7515, section 4.1.11).
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Base64URL.decode($0) }
    guard parts.count == 3, !parts.contains(nil), let bytes = parts[0], let header = try? JSONParser.parse(bytes),
      header.kind == .map, let algorithm = header["alg"]?.text, header["crit"] == nil
    else { return nil }
    if let type = header["typ"] {
      guard let text = type.text, Self.types.contains(text.lowercased()) else { return nil }
    }
    if let id = header["kid"] {
      guard let text = id.text else { return nil }
      keyID = text
    } else {
      keyID = nil
    }
    self.algorithm = algorithm
  }
}
