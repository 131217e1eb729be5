internal import JWTKit
internal import Values

/// A public key, for the signatures of one algorithm (RFC 7518, section 3; RFC 8037, section 3.1).
enum SignatureVerifier: Sendable {
  case es256(ES256PublicKey)
  case es384(ES384PublicKey)
  case es512(ES512PublicKey)
  case edDSA(EdDSA.PublicKey)
  case rsa(Insecure.RSA.PublicKey, DigestAlgorithm)
  case pss(Insecure.RSA.PublicKey, DigestAlgorithm)

  /// The claims of a token, or nil if the signature is not this key's.
  ///
  /// Each call makes a collection of this one key. A collection of several falls back to its first one where `kid` is unknown,
  /// does not compare the token's `alg` with the key's, and binds a key without `alg` to the algorithm of the first token that names
  /// it, valid or not.
  func claims(of token: String) async -> Value? {
    let parser = DefaultJWTParser(jsonDecoder: StrictJSONDecoder())
    let keys = JWTKeyCollection(defaultJWTParser: parser)
    switch self {
    case .es256(let key): await keys.add(ecdsa: key, parser: parser)
    case .es384(let key): await keys.add(ecdsa: key, parser: parser)
    case .es512(let key): await keys.add(ecdsa: key, parser: parser)
    case .edDSA(let key): await keys.add(eddsa: key, parser: parser)
    case .rsa(let key, let digest): await keys.add(rsa: key, digestAlgorithm: digest, parser: parser)
    case .pss(let key, let digest): await keys.add(pss: key, digestAlgorithm: digest, parser: parser)
    }
    return try? await keys.verify(token, as: Claims.self).value
  }
}

/// The claims as they are. JWTKit's own claim types do not do: its `AudienceClaim` traps where `aud` is an empty array.
private struct Claims: JWTPayload {
  let value: Value

  init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

  /// ``ClaimRules`` checks them, by the service's clock.
  func verify(using algorithm: some JWTAlgorithm) async throws {}
}
