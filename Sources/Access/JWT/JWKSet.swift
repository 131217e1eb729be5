internal import Crypto
internal import CryptoExtras
internal import Foundation
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
      switch algorithm {
      case "ES256":
        let key = try P256.Signing.PublicKey(rawRepresentation: point(32))
        return { (try? key.isValidSignature(.init(rawRepresentation: $0.signature), for: $0.signed)) ?? false }
      case "ES384":
        let key = try P384.Signing.PublicKey(rawRepresentation: point(48))
        return { (try? key.isValidSignature(.init(rawRepresentation: $0.signature), for: $0.signed)) ?? false }
      case "ES512":
        let key = try P521.Signing.PublicKey(rawRepresentation: point(66))
        return { (try? key.isValidSignature(.init(rawRepresentation: $0.signature), for: $0.signed)) ?? false }
      case "EdDSA":
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: number("x", 32))
        return { key.isValidSignature($0.signature, for: $0.signed) }
      default:
        let key = try _RSA.Signing.PublicKey(n: number("n"), e: number("e"))
        let padding: _RSA.Signing.Padding = algorithm.hasPrefix("PS") ? .PSS : .insecurePKCS1v1_5
        return switch algorithm.suffix(3) {
        case "256": key.verifier(SHA256.self, padding)
        case "384": key.verifier(SHA384.self, padding)
        default: key.verifier(SHA512.self, padding)
        }
      }
    } catch {
      throw AccessError("The members do not form a valid key.")
    }
  }

  /// Returns the coordinates of a point on a curve, one after the other.
  ///
  /// - Parameter length: the bytes of a coordinate (RFC 7518, section 6.2.1.2).
  private func point(_ length: Int) throws(AccessError) -> [UInt8] {
    try number("x", length) + number("y", length)
  }

  /// Checks the minimum of 2048 bits (RFC 7518, section 3.3), and that the exponent does not leave the message as it is.
  private func checkModulus() throws(AccessError) {
    let (modulus, exponent) = (bytes("n").drop { $0 == 0 }, bytes("e").drop { $0 == 0 })
    guard modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0) >= 2048 else {
      throw AccessError("The modulus has less than 2048 bits.")
    }
    guard exponent != [1] else { throw AccessError("The members do not form a valid key.") }
  }

  private func text(_ name: String) -> String? { value[name]?.text }

  /// Returns a number or a coordinate.
  ///
  /// - Parameter length: the required number of bytes.
  private func number(_ name: String, _ length: Int? = nil) throws(AccessError) -> [UInt8] {
    let bytes = bytes(name)
    guard !bytes.isEmpty, length == nil || bytes.count == length else {
      throw AccessError("The member \(name) is missing or has the wrong length.")
    }
    return bytes
  }

  /// Returns the decoded bytes of a member; empty if it is missing or not base64url.
  private func bytes(_ name: String) -> [UInt8] { text(name).flatMap { Base64URL.decode($0) } ?? [] }
}

/// Returns whether a public key has signed a token by one algorithm (RFC 7518, section 3; RFC 8037, section 3.1).
typealias SignatureVerifier = @Sendable (JSONWebToken) -> Bool

extension _RSA.Signing.PublicKey {
  fileprivate func verifier<Hash: HashFunction>(
    _ hash: Hash.Type, _ padding: _RSA.Signing.Padding
  ) -> SignatureVerifier {
    { token in
      let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
      return isValidSignature(signature, for: Hash.hash(data: token.signed), padding: padding)
    }
  }
}
