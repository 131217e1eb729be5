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
    switch self {
    case .es256(let key):
      (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: signed) }
        ?? false
    case .es384(let key):
      (try? P384.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: signed) }
        ?? false
    case .es512(let key):
      (try? P521.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: signed) }
        ?? false
    case .edDSA(let key):
      key.isValidSignature(signature, for: signed)
    case .rsa(let key, let padding, let hash):
      key.isValidSignature(.init(rawRepresentation: signature), for: hash.hash(data: signed), padding: padding)
    }
  }
}
