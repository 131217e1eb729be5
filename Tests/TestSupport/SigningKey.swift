private import CGnuTLS

/// A new private key of an issuer of JSON Web Tokens.
public final class SigningKey: Sendable {
  public enum Curve: String, Sendable {
    case p256 = "P-256", p384 = "P-384", p521 = "P-521", ed25519 = "Ed25519"

    fileprivate var parameters: (algorithm: gnutls_pk_algorithm_t, curve: gnutls_ecc_curve_t, size: Int) {
      switch self {
      case .p256: (GNUTLS_PK_ECDSA, GNUTLS_ECC_CURVE_SECP256R1, 32)
      case .p384: (GNUTLS_PK_ECDSA, GNUTLS_ECC_CURVE_SECP384R1, 48)
      case .p521: (GNUTLS_PK_ECDSA, GNUTLS_ECC_CURVE_SECP521R1, 66)
      case .ed25519: (GNUTLS_PK_EDDSA_ED25519, GNUTLS_ECC_CURVE_ED25519, 32)
      }
    }
  }

  private static let algorithms = [
    "RS256": GNUTLS_SIGN_RSA_SHA256, "RS384": GNUTLS_SIGN_RSA_SHA384, "RS512": GNUTLS_SIGN_RSA_SHA512,
    "PS256": GNUTLS_SIGN_RSA_PSS_RSAE_SHA256, "PS384": GNUTLS_SIGN_RSA_PSS_RSAE_SHA384,
    "PS512": GNUTLS_SIGN_RSA_PSS_RSAE_SHA512, "ES256": GNUTLS_SIGN_ECDSA_SHA256, "ES384": GNUTLS_SIGN_ECDSA_SHA384,
    "ES512": GNUTLS_SIGN_ECDSA_SHA512, "EdDSA": GNUTLS_SIGN_EDDSA_ED25519,
  ]

  /// The numbers of the public key: the coordinates, or modulus and exponent.
  public let numbers: [[UInt8]]
  private let curve: Curve?
  /// A signature only reads the key.
  nonisolated(unsafe) private let key: gnutls_privkey_t

  /// - Parameter curve: nil for RSA.
  public init(_ curve: Curve?) {
    var key: gnutls_privkey_t?
    gnutls_privkey_init(&key)
    // The macro GNUTLS_CURVE_TO_BITS marks a curve with the highest bit.
    let size = curve.map { UInt32(1) << 31 | UInt32($0.parameters.curve.rawValue) } ?? 2048
    let status = gnutls_privkey_generate(key, curve?.parameters.algorithm ?? GNUTLS_PK_RSA, size, 0)
    guard let key, status >= 0 else { fatalError("No key: \(String(cString: gnutls_strerror(status)))") }
    var (first, second) = (gnutls_datum_t(), gnutls_datum_t())
    if curve == nil {
      gnutls_privkey_export_rsa_raw2(key, &first, &second, nil, nil, nil, nil, nil, nil, 0)
    } else {
      gnutls_privkey_export_ecc_raw(key, nil, &first, &second, nil)
    }
    (self.curve, self.key) = (curve, key)
    numbers = [first, second].map { Self.number($0, curve?.parameters.size) }
  }

  deinit { gnutls_privkey_deinit(key) }

  /// Returns the signature of a message by an algorithm of JSON Web Signatures, such as `ES256`.
  public func signature(of message: [UInt8], algorithm: String) -> [UInt8] {
    var message = message
    var signature = gnutls_datum_t()
    let status = message.withUnsafeMutableBufferPointer { buffer in
      var data = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
      return gnutls_privkey_sign_data2(key, Self.algorithms[algorithm]!, 0, &data, &signature)
    }
    guard status >= 0 else { fatalError("No signature by \(algorithm): \(String(cString: gnutls_strerror(status)))") }
    guard let curve, curve != .ed25519 else { return Self.number(signature, Int(signature.size)) }
    var (r, s) = (gnutls_datum_t(), gnutls_datum_t())
    gnutls_decode_rs_value(&signature, &r, &s)
    cgnutls_free(signature.data)
    return [r, s].flatMap { Self.number($0, curve.parameters.size) }
  }

  /// Takes a number from GnuTLS.
  ///
  /// - Parameter size: the number of bytes; nil for no leading zeros.
  private static func number(_ data: gnutls_datum_t, _ size: Int?) -> [UInt8] {
    defer { cgnutls_free(data.data) }
    let bytes = Array(UnsafeMutableBufferPointer(start: data.data, count: Int(data.size)))
    let digits = Array(bytes.drop { $0 == 0 })
    return [UInt8](repeating: 0, count: max(0, (size ?? 0) - digits.count)) + digits
  }
}
