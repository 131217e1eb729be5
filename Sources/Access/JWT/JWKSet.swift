internal import Foundation
internal import JWTKit
internal import Values

/// The public keys of an issuer (JWK Set, RFC 7517), each with its permitted algorithms.
///
/// A key never verifies an algorithm of another kind, so that a public key cannot serve as an HMAC secret (RFC 8725,
/// section 2.1). Keys for encryption, symmetric keys and keys of an unknown kind are ignored.
struct JWKSet: Sendable {
  /// The verifiers by key id and name of the algorithm. At most one key has no id.
  private var keys: [String?: [String: SignatureVerifier]] = [:]

  /// - Throws: ``AccessError`` for a file that is not a JWK Set, and for an invalid key.
  init(_ bytes: [UInt8], path: String) throws(AccessError) {
    let set: Value
    do throws(JSONError) {
      set = try JSONParser.parse(bytes)
    } catch {
      throw AccessError("\(path) is not JSON: \(error).")
    }
    guard let list = set["keys"], list.kind == .array else {
      throw AccessError("\(path) is not a JWK Set: the array \"keys\" is missing.")
    }
    for (index, value) in list.elements.enumerated() {
      do throws(AccessError) {
        try add(value)
      } catch {
        throw AccessError("\(path), key \(index + 1): \(error)")
      }
    }
    guard !keys.isEmpty else { throw AccessError("\(path) contains no key for the verification of signatures.") }
  }

  private mutating func add(_ value: Value) throws(AccessError) {
    guard value.kind == .map else { throw AccessError("The key is not a JSON object.") }
    let key = JSONWebKey(value)
    let verifiers = try key.verifiers()
    guard !verifiers.isEmpty else { return }
    guard keys[key.id] == nil else {
      throw AccessError(
        key.id == nil ? "Another key has no kid either. Give each key a kid." : "Another key has the same kid.")
    }
    keys[key.id] = verifiers
  }

  /// Returns the verifier for the key and the algorithm that a token names, or nil. A token without a key id means the
  /// only key of the set.
  func verifier(for algorithm: String, keyID: String?) -> SignatureVerifier? {
    let verifiers = keyID == nil && keys.count == 1 ? keys.values.first : keys[keyID]
    return verifiers?[algorithm]
  }
}

/// A public key of a set (RFC 7517, section 4; RFC 7518, section 6; RFC 8037, section 2).
struct JSONWebKey {
  let id: String?
  private let value: Value

  init(_ value: Value) {
    self.value = value
    id = value["kid"]?.text
  }

  /// The algorithm of the member `alg`, or all algorithms of the kind of the key; empty for a key not meant for
  /// signatures.
  private var algorithms: [String] {
    if let use = text("use"), use != "sig" { return [] }
    if let operations = value["key_ops"], !operations.elements.contains(where: { $0.text == "verify" }) { return [] }
    let kind: [String] =
      switch (text("kty"), text("crv")) {
      case ("RSA", _): ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]
      case ("EC", "P-256"): ["ES256"]
      case ("EC", "P-384"): ["ES384"]
      case ("EC", "P-521"): ["ES512"]
      case ("OKP", "Ed25519"): ["EdDSA"]
      default: []
      }
    guard let own = text("alg") else { return kind }
    return kind.filter { $0 == own }
  }

  /// Returns the verifiers of the key by the name of their algorithm; empty for a key not meant for signatures.
  ///
  /// - Throws: ``AccessError`` for an invalid, private or too short key.
  func verifiers() throws(AccessError) -> [String: SignatureVerifier] {
    let algorithms = algorithms
    guard !algorithms.isEmpty else { return [:] }
    guard value["d"] == nil else {
      throw AccessError("The key is private, and belongs to the issuer alone. Use its public part.")
    }
    if text("kty") == "RSA" { try checkModulus() }
    var verifiers: [String: SignatureVerifier] = [:]
    for algorithm in algorithms { verifiers[algorithm] = try verifier(for: algorithm) }
    return verifiers
  }

  private func verifier(for algorithm: String) throws(AccessError) -> SignatureVerifier {
    do {
      return switch algorithm {
      case "ES256": .es256(try ES256PublicKey(parameters: (number("x", 32), number("y", 32))))
      case "ES384": .es384(try ES384PublicKey(parameters: (number("x", 48), number("y", 48))))
      case "ES512": .es512(try ES512PublicKey(parameters: (number("x", 66), number("y", 66))))
      case "EdDSA": .edDSA(try EdDSA.PublicKey(x: number("x", 32), curve: .ed25519))
      case "PS256", "PS384", "PS512": .pss(try rsaKey(), digest(algorithm))
      default: .rsa(try rsaKey(), digest(algorithm))
      }
    } catch {
      throw AccessError("The members do not form a valid key.")
    }
  }

  private func rsaKey() throws -> Insecure.RSA.PublicKey {
    try Insecure.RSA.PublicKey(modulus: number("n"), exponent: number("e"))
  }

  /// Checks the minimum of 2048 bits (RFC 7518, section 3.3). JWTKit counts whole bytes, and accepts keys of 2041 bits.
  private func checkModulus() throws(AccessError) {
    let modulus = bytes("n").drop { $0 == 0 }
    guard modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0) >= 2048 else {
      throw AccessError("The modulus has less than 2048 bits.")
    }
  }

  private func digest(_ algorithm: String) -> DigestAlgorithm {
    switch algorithm.suffix(3) {
    case "256": .sha256
    case "384": .sha384
    default: .sha512
    }
  }

  private func text(_ name: String) -> String? { value[name]?.text }

  /// Returns a number or a coordinate in base64url, the form that JWTKit expects.
  ///
  /// - Parameter length: the required number of bytes. JWTKit only checks the total length of two coordinates.
  private func number(_ name: String, _ length: Int? = nil) throws(AccessError) -> String {
    let bytes = bytes(name)
    guard let text = text(name), !bytes.isEmpty, length == nil || bytes.count == length else {
      throw AccessError("The member \(name) is missing or has the wrong length.")
    }
    return text
  }

  /// Returns the decoded bytes of a member; empty if it is missing or not base64url.
  private func bytes(_ name: String) -> [UInt8] { text(name).flatMap { Base64URL.decode($0) } ?? [] }
}

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
