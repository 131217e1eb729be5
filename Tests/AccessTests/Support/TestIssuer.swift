import Crypto
import CryptoExtras
import Foundation
import Values

@testable import Access

/// An issuer of JSON Web Tokens, with a new key for each test.
struct TestIssuer {
  /// The members of the public key (RFC 7517), without its id.
  let key: [(String, Value)]
  let algorithm: String
  let id: String
  private let sign: @Sendable ([UInt8]) throws -> [UInt8]

  static func p256(_ id: String = "a") -> TestIssuer {
    let key = P256.Signing.PrivateKey()
    return onCurve("P-256", key.publicKey.rawRepresentation, algorithm: "ES256", id) {
      Array(try key.signature(for: $0).rawRepresentation)
    }
  }

  static func p384(_ id: String = "a") -> TestIssuer {
    let key = P384.Signing.PrivateKey()
    return onCurve("P-384", key.publicKey.rawRepresentation, algorithm: "ES384", id) {
      Array(try key.signature(for: $0).rawRepresentation)
    }
  }

  static func p521(_ id: String = "a") -> TestIssuer {
    let key = P521.Signing.PrivateKey()
    return onCurve("P-521", key.publicKey.rawRepresentation, algorithm: "ES512", id) {
      Array(try key.signature(for: $0).rawRepresentation)
    }
  }

  /// - Parameter point: Both coordinates, concatenated.
  private static func onCurve(
    _ curve: String, _ point: Data, algorithm: String, _ id: String,
    sign: @escaping @Sendable ([UInt8]) throws -> [UInt8]
  ) -> TestIssuer {
    let (x, y) = (Array(point.prefix(point.count / 2)), Array(point.suffix(point.count / 2)))
    return TestIssuer(
      key: [
        ("kty", "EC"), ("crv", Value(curve)), ("x", Value(Base64URL.encode(x))), ("y", Value(Base64URL.encode(y))),
      ], algorithm: algorithm, id: id, sign: sign)
  }

  static func ed25519(_ id: String = "a") -> TestIssuer {
    let key = Curve25519.Signing.PrivateKey()
    return TestIssuer(
      key: [
        ("kty", "OKP"), ("crv", "Ed25519"), ("x", Value(Base64URL.encode(Array(key.publicKey.rawRepresentation)))),
      ], algorithm: "EdDSA", id: id
    ) { Array(try key.signature(for: $0)) }
  }

  static func rsa(_ id: String = "a", _ algorithm: String = "RS256") throws -> TestIssuer {
    let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    let parts = try key.publicKey.getKeyPrimitives()
    let padding: _RSA.Signing.Padding = algorithm.hasPrefix("PS") ? .PSS : .insecurePKCS1v1_5
    return TestIssuer(
      key: [
        ("kty", "RSA"), ("n", Value(Base64URL.encode(Array(parts.modulus)))),
        ("e", Value(Base64URL.encode(Array(parts.publicExponent)))),
      ], algorithm: algorithm, id: id
    ) { bytes in
      let signature =
        switch algorithm.suffix(3) {
        case "256": try key.signature(for: SHA256.hash(data: bytes), padding: padding)
        case "384": try key.signature(for: SHA384.hash(data: bytes), padding: padding)
        default: try key.signature(for: SHA512.hash(data: bytes), padding: padding)
        }
      return Array(signature.rawRepresentation)
    }
  }

  /// The public key as an element of a JWK Set. `members` replace those of the same name; null removes one.
  func publicKey(_ members: [(String, Value)] = []) -> Value {
    let names = members.map(\.0)
    return .object((key + [("kid", Value(id))]).filter { !names.contains($0.0) } + members.filter { !$0.1.isNull })
  }

  static func set(_ keys: Value...) -> String { text(["keys": .array(keys)]) }

  static func text(_ value: Value) -> String { String(decoding: value.json, as: UTF8.self) }

  /// A signed token of the claims. `header` and `signature` replace the valid ones.
  func token(_ claims: Value, header: Value? = nil, signature: (([UInt8]) throws -> [UInt8])? = nil) throws -> String {
    let header = header ?? ["typ": "at+jwt", "alg": Value(algorithm), "kid": Value(id)]
    let signed = Base64URL.encode(header.json) + "." + Base64URL.encode(claims.json)
    return signed + "." + Base64URL.encode(try (signature ?? sign)(Array(signed.utf8)))
  }
}
