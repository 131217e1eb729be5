internal import JWTKit
internal import Values

/// One public key of a set (RFC 7517, section 4; RFC 7518, section 6; RFC 8037, section 2).
struct PublicKey {
  let id: String?
  private let value: Value

  init(_ value: Value) {
    self.value = value
    id = value["kid"]?.text
  }

  /// The names of the algorithms that signatures of this key may be of: the one that it says, or all of its kind; none where it is not
  /// for signatures.
  var algorithms: [String] {
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

  /// - Throws: why it must not be used.
  func check() throws(AccessError) {
    guard value["d"] == nil else { throw AccessError("It is a private key, which belongs to the issuer alone.") }
    guard text("kty") == "RSA" else { return }
    // RFC 7518, section 3.3.
    let modulus = text("n").flatMap { Base64URL.decode($0) }?.drop { $0 == 0 } ?? []
    guard modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0) >= 2048 else {
      throw AccessError("Its modulus has less than 2048 bits.")
    }
  }

  /// What verifies signatures of this algorithm.
  func algorithm(_ name: String) async throws(AccessError) -> any JWTAlgorithm {
    let id = JWKIdentifier(string: "key")
    let algorithm = JWK.Algorithm(rawValue: name)
    let curve = text("crv") ?? ""
    let key: JWK =
      switch text("kty") {
      case "RSA": .rsa(algorithm, identifier: id, modulus: text("n"), exponent: text("e"))
      case "EC": .ecdsa(algorithm, identifier: id, x: text("x"), y: text("y"), curve: ECDSACurve(rawValue: curve))
      default:
        .octetKeyPair(algorithm, identifier: id, x: text("x"), y: nil, curve: EdDSACurve(rawValue: curve))
      }
    do {
      return try await JWTKeyCollection().add(jwk: key).getKey(for: id)
    } catch {
      throw AccessError("Its members make no key.")
    }
  }

  private func text(_ name: String) -> String? { value[name]?.text }
}
