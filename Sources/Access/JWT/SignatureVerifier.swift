internal import Foundation
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

  /// Verifies the signature of a token. Returns its claims, or nil if the signature is invalid.
  ///
  /// Every call uses a collection of this key alone. A collection of several keys falls back to its first one for an
  /// unknown `kid`, does not compare the token's `alg` with the key's, and binds a key without `alg` to the algorithm
  /// of the first token that names it, valid or not.
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

/// The claims of a token as a value. JWTKit's own claim types are unsuitable: its `AudienceClaim` traps on an empty
/// `aud`.
private struct Claims: JWTPayload {
  let value: Value

  init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

  /// Accepts all claims, since ``ClaimRules`` validates them by the service's clock.
  func verify(using algorithm: some JWTAlgorithm) async throws {}
}

/// A JSON decoder that refuses duplicate members. Foundation's takes one of the two, and other libraries may take the
/// other.
struct StrictJSONDecoder: JWTJSONDecoder {
  func decode<Item: Decodable>(_ type: Item.Type, from data: Data) throws -> Item {
    try JSONParser.parse(Array(data)).decode(type)
  }
}
