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
      case "ES256": .es256(try ES256PublicKey(parameters: (number("x", 32), number("y", 32))))
      case "ES384": .es384(try ES384PublicKey(parameters: (number("x", 48), number("y", 48))))
      case "ES512": .es512(try ES512PublicKey(parameters: (number("x", 66), number("y", 66))))
      case "EdDSA": .edDSA(try EdDSA.PublicKey(x: number("x", 32), curve: .ed25519))
      case "PS256", "PS384", "PS512": .pss(try rsaKey(), digest(algorithm))
      default: .rsa(try rsaKey(), digest(algorithm))
      }
    } catch {
      throw AccessError("Its members make no key.")
    }
  }

  private func rsaKey() throws -> Insecure.RSA.PublicKey {
    try Insecure.RSA.PublicKey(modulus: number("n"), exponent: number("e"))
  }

  /// RFC 7518, section 3.3. JWTKit counts whole bytes, and takes keys of 2041 bits.
  private func checkModulus() throws(AccessError) {
    let modulus = bytes("n").drop { $0 == 0 }
    guard modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0) >= 2048 else {
      throw AccessError("Its modulus has less than 2048 bits.")
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

  /// A number or a coordinate in base64url, as JWTKit takes it.
  ///
  /// - Parameter length: the bytes that it must have. JWTKit puts two coordinates together and looks at the length of both.
  private func number(_ name: String, _ length: Int? = nil) throws(AccessError) -> String {
    let bytes = bytes(name)
    guard let text = text(name), !bytes.isEmpty, length == nil || bytes.count == length else {
      throw AccessError("\(name) is missing or has the wrong length.")
    }
    return text
  }

  /// None where the member is missing or is no base64url.
  private func bytes(_ name: String) -> [UInt8] { text(name).flatMap { Base64URL.decode($0) } ?? [] }
}
