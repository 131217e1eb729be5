internal import Values

/// A JSON Web Token (RFC 7519) in the compact form of a signature (RFC 7515, section 7.1), taken apart and not verified.
struct JSONWebToken {
  let algorithm: String
  let keyID: String?
  let claims: Value
  /// What the signature is of.
  let signed: [UInt8]
  let signature: [UInt8]

  /// What `typ` may say (RFC 9068, section 2.1): a token that was made for something else is not taken (RFC 8725, section 3.11).
  private static let types: Set<String> = ["jwt", "at+jwt", "application/jwt", "application/at+jwt"]

  /// Nil for what is none, or asks for more than is understood here: `crit` (RFC 7515, section 4.1.11).
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
      let signature = Base64URL.decode(parts[2]), let algorithm = header["alg"]?.text, header["crit"] == nil
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
    self.claims = claims
    self.signature = signature
    signed = Array("\(parts[0]).\(parts[1])".utf8)
  }

  private static func object(_ part: Substring) -> Value? {
    guard let bytes = Base64URL.decode(part), let value = try? JSONParser.parse(bytes), value.kind == .map else {
      return nil
    }
    return value
  }
}
