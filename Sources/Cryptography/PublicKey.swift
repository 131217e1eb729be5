internal import CGnuTLS

/// An algorithm of signatures, by its name in JSON Web Signatures (RFC 7518, section 3.1; RFC 8037, section 3.1).
package enum SignatureAlgorithm: String, Sendable {
  case rs256 = "RS256", rs384 = "RS384", rs512 = "RS512"
  case ps256 = "PS256", ps384 = "PS384", ps512 = "PS512"
  case es256 = "ES256", es384 = "ES384", es512 = "ES512"
  case edDSA = "EdDSA"

  fileprivate var identifier: gnutls_sign_algorithm_t {
    switch self {
    case .rs256: GNUTLS_SIGN_RSA_SHA256
    case .rs384: GNUTLS_SIGN_RSA_SHA384
    case .rs512: GNUTLS_SIGN_RSA_SHA512
    case .ps256: GNUTLS_SIGN_RSA_PSS_RSAE_SHA256
    case .ps384: GNUTLS_SIGN_RSA_PSS_RSAE_SHA384
    case .ps512: GNUTLS_SIGN_RSA_PSS_RSAE_SHA512
    case .es256: GNUTLS_SIGN_ECDSA_SECP256R1_SHA256
    case .es384: GNUTLS_SIGN_ECDSA_SECP384R1_SHA384
    case .es512: GNUTLS_SIGN_ECDSA_SECP521R1_SHA512
    case .edDSA: GNUTLS_SIGN_EDDSA_ED25519
    }
  }
}

/// A public key that verifies signatures.
package struct PublicKey: Sendable {
  package enum Curve: String, Sendable {
    case p256 = "P-256", p384 = "P-384", p521 = "P-521"
    case ed25519 = "Ed25519"

    /// The number of bytes of a coordinate.
    fileprivate var size: Int {
      switch self {
      case .p256, .ed25519: 32
      case .p384: 48
      case .p521: 66
      }
    }

    fileprivate var identifier: gnutls_ecc_curve_t {
      switch self {
      case .p256: GNUTLS_ECC_CURVE_SECP256R1
      case .p384: GNUTLS_ECC_CURVE_SECP384R1
      case .p521: GNUTLS_ECC_CURVE_SECP521R1
      case .ed25519: GNUTLS_ECC_CURVE_ED25519
      }
    }
  }

  /// The members as big-endian numbers; those of Ed25519 as RFC 8032 encodes them, without a second coordinate.
  private enum Members: Sendable {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    case point(Curve, x: [UInt8], y: [UInt8])
  }
  private let members: Members

  /// An RSA key. Returns nil for numbers that form none, and for a modulus of more than 8192 bits or an exponent of
  /// more than 32, with which a verification could take seconds. GnuTLS checks neither.
  package init?(modulus: [UInt8], exponent: [UInt8]) {
    let (modulus, exponent) = (Array(modulus.drop { $0 == 0 }), Array(exponent.drop { $0 == 0 }))
    let areOdd = [modulus, exponent].allSatisfy { ($0.last ?? 0) & 1 == 1 }
    // A signature with the exponent 1 is the message itself.
    guard areOdd, modulus.count <= 1024, exponent.count <= 4, exponent != [1] else { return nil }
    self.init(.rsa(modulus: modulus, exponent: exponent))
  }

  /// A point on a curve. Returns nil if it is not on the curve. One of Ed25519 is checked with its signatures.
  ///
  /// - Parameter y: the second coordinate; empty for Ed25519.
  package init?(_ curve: Curve, x: [UInt8], y: [UInt8]) {
    guard x.count == curve.size, y.count == (curve == .ed25519 ? 0 : curve.size) else { return nil }
    self.init(.point(curve, x: x, y: y))
  }

  private init?(_ members: Members) {
    self.members = members
    guard withKey({ gnutls_pubkey_verify_params($0) >= 0 }) == true else { return nil }
  }

  /// Returns whether the key has signed a message.
  ///
  /// - Parameter signature: the form of JSON Web Signatures: both numbers of ECDSA in the size of a coordinate, one
  ///   after the other (RFC 7518, section 3.4).
  package func verifies(_ signature: [UInt8], of message: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
    guard case .point(let curve, _, _) = members, curve != .ed25519 else {
      return isValid(signature, of: message, by: algorithm)
    }
    guard signature.count == 2 * curve.size else { return false }
    var encoded = gnutls_datum_t()
    defer { cgnutls_free(encoded.data) }
    let status = withData(Array(signature[..<curve.size]), Array(signature[curve.size...])) {
      gnutls_encode_rs_value(&encoded, $0, $0 + 1)
    }
    // GnuTLS has no encoder any more while the process ends.
    guard status >= 0 else { return false }
    return isValid(
      Array(UnsafeMutableBufferPointer(start: encoded.data, count: Int(encoded.size))), of: message, by: algorithm)
  }

  private func isValid(_ signature: [UInt8], of message: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
    withKey { key in
      withData(message, signature) { gnutls_pubkey_verify_data2(key, algorithm.identifier, 0, $0, $0 + 1) >= 0 }
    } ?? false
  }

  /// Calls a function with a key of GnuTLS, which one thread at a time may use; nil if the members do not form one.
  private func withKey<Result>(_ body: (gnutls_pubkey_t?) -> Result) -> Result? {
    var key: gnutls_pubkey_t?
    require(gnutls_pubkey_init(&key))
    defer { gnutls_pubkey_deinit(key) }
    let status =
      switch members {
      case .rsa(let modulus, let exponent):
        withData(modulus, exponent) { gnutls_pubkey_import_rsa_raw(key, $0, $0 + 1) }
      case .point(.ed25519, let x, _):
        withData(x) { gnutls_pubkey_import_ecc_raw(key, GNUTLS_ECC_CURVE_ED25519, $0, nil) }
      case .point(let curve, let x, let y):
        withData(x, y) { gnutls_pubkey_import_ecc_raw(key, curve.identifier, $0, $0 + 1) }
      }
    return status >= 0 ? body(key) : nil
  }
}
