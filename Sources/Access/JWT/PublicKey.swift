internal import Crypto
internal import CryptoExtras
internal import Values

/// One public key of a set (RFC 7517, section 4; RFC 7518, section 6; RFC 8037, section 2).
struct PublicKey {
  let id: String?
  private let value: Value

  init(_ value: Value) {
    self.value = value
    id = value["kid"]?.text
  }

  /// The one that it says, or all of its kind; none where it is not for signatures.
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

  /// What verifies signatures of this key, by the names of the algorithms that they may be of; none where it is not for signatures.
  ///
  /// - Throws: why it must not be used, or that it is none.
  func verifiers() throws(AccessError) -> [String: SignatureVerifier] {
    let algorithms = algorithms
    guard !algorithms.isEmpty else { return [:] }
    guard value["d"] == nil else { throw AccessError("It is a private key, which belongs to the issuer alone.") }
    if text("kty") == "RSA" { try checkModulus() }
    var verifiers: [String: SignatureVerifier] = [:]
    for algorithm in algorithms { verifiers[algorithm] = try verifier(for: algorithm) }
    return verifiers
  }

  private func verifier(for algorithm: String) throws(AccessError) -> SignatureVerifier {
    do {
      return switch algorithm {
      case "ES256": .es256(try P256.Signing.PublicKey(rawRepresentation: bytes("x") + bytes("y")))
      case "ES384": .es384(try P384.Signing.PublicKey(rawRepresentation: bytes("x") + bytes("y")))
      case "ES512": .es512(try P521.Signing.PublicKey(rawRepresentation: bytes("x") + bytes("y")))
      case "EdDSA": .edDSA(try Curve25519.Signing.PublicKey(rawRepresentation: bytes("x")))
      default: .rsa(try _RSA.Signing.PublicKey(n: bytes("n"), e: bytes("e")), padding(algorithm), hash(algorithm))
      }
    } catch {
      throw AccessError("Its members make no key.")
    }
  }

  /// RFC 7518, section 3.3.
  private func checkModulus() throws(AccessError) {
    let modulus = bytes("n").drop { $0 == 0 }
    guard modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0) >= 2048 else {
      throw AccessError("Its modulus has less than 2048 bits.")
    }
  }

  private func padding(_ algorithm: String) -> _RSA.Signing.Padding {
    algorithm.hasPrefix("PS") ? .PSS : .insecurePKCS1v1_5
  }

  private func hash(_ algorithm: String) -> any HashFunction.Type {
    switch algorithm.suffix(3) {
    case "256": SHA256.self
    case "384": SHA384.self
    default: SHA512.self
    }
  }

  private func text(_ name: String) -> String? { value[name]?.text }

  /// Of a number or a coordinate; none where it is not there, which makes no key.
  private func bytes(_ name: String) -> [UInt8] { text(name).flatMap { Base64URL.decode($0) } ?? [] }
}
