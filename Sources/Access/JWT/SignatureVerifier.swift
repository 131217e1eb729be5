internal import Crypto
internal import CryptoExtras

/// A public key, for the signatures of one algorithm (RFC 7518, section 3; RFC 8037, section 3.1).
enum SignatureVerifier: Sendable {
  case es256(P256.Signing.PublicKey)
  case es384(P384.Signing.PublicKey)
  case es512(P521.Signing.PublicKey)
  case edDSA(Curve25519.Signing.PublicKey)
  case rsa(_RSA.Signing.PublicKey, _RSA.Signing.Padding, any HashFunction.Type)

  func isValid(_ signature: [UInt8], of signed: [UInt8]) -> Bool {
    // What is not as long as a signature of the curve is none.
    (try? verify(signature, of: signed)) ?? false
  }

  private func verify(_ signature: [UInt8], of signed: [UInt8]) throws -> Bool {
    switch self {
    case .es256(let key): key.isValidSignature(try .init(rawRepresentation: signature), for: signed)
    case .es384(let key): key.isValidSignature(try .init(rawRepresentation: signature), for: signed)
    case .es512(let key): key.isValidSignature(try .init(rawRepresentation: signature), for: signed)
    case .edDSA(let key): key.isValidSignature(signature, for: signed)
    case .rsa(let key, let padding, let hash):
      key.isValidSignature(.init(rawRepresentation: signature), for: hash.hash(data: signed), padding: padding)
    }
  }
}
