internal import Cryptography
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
  private var algorithms: [SignatureAlgorithm] {
    if let use = text("use"), use != "sig" { return [] }
    if let operations = value["key_ops"], !operations.elements.contains(where: { $0.text == "verify" }) { return [] }
    let kind: [SignatureAlgorithm] =
      switch (text("kty"), curve) {
      case ("RSA", _): [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
      case ("EC", .p256): [.es256]
      case ("EC", .p384): [.es384]
      case ("EC", .p521): [.es512]
      case ("OKP", .ed25519): [.edDSA]
      default: []
      }
    guard let own = text("alg") else { return kind }
    return kind.filter { $0.rawValue == own }
  }

  private var curve: PublicKey.Curve? { text("crv").flatMap { PublicKey.Curve(rawValue: $0) } }

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
    guard let key = publicKey else { throw AccessError("The members do not form a valid key.") }
    var verifiers: [String: SignatureVerifier] = [:]
    for algorithm in algorithms {
      verifiers[algorithm.rawValue] = { key.verifies($0.signature, of: $0.signed, by: algorithm) }
    }
    return verifiers
  }

  private var publicKey: PublicKey? {
    if text("kty") == "RSA" { return PublicKey(modulus: bytes("n"), exponent: bytes("e")) }
    return curve.flatMap { PublicKey($0, x: bytes("x"), y: $0 == .ed25519 ? [] : bytes("y")) }
  }

  /// Checks the minimum of 2048 bits (RFC 7518, section 3.3).
  private func checkModulus() throws(AccessError) {
    let modulus = bytes("n").drop { $0 == 0 }
    guard modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0) >= 2048 else {
      throw AccessError("The modulus has less than 2048 bits.")
    }
  }

  private func text(_ name: String) -> String? { value[name]?.text }

  /// Returns the decoded bytes of a member; empty if it is missing or not base64url.
  private func bytes(_ name: String) -> [UInt8] { text(name).flatMap { Base64URL.decode($0) } ?? [] }
}

/// Returns whether a public key has signed a token by one algorithm (RFC 7518, section 3; RFC 8037, section 3.1).
typealias SignatureVerifier = @Sendable (JSONWebToken) -> Bool
