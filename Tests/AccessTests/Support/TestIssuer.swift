import TestSupport
import Values

@testable import Access

/// An issuer of JSON Web Tokens, with a new key for each test.
struct TestIssuer {
  /// The members of the public key (RFC 7517), without its id.
  let key: [(String, Value)]
  let algorithm: String
  let id: String
  private let signing: SigningKey

  static func p256(_ id: String = "a") -> TestIssuer { onCurve(.p256, "ES256", id) }
  static func p384(_ id: String = "a") -> TestIssuer { onCurve(.p384, "ES384", id) }
  static func p521(_ id: String = "a") -> TestIssuer { onCurve(.p521, "ES512", id) }

  private static func onCurve(_ curve: SigningKey.Curve, _ algorithm: String, _ id: String) -> TestIssuer {
    let key = SigningKey(curve)
    return TestIssuer(
      key: [("kty", "EC"), ("crv", Value(curve.rawValue)), ("x", encoded(key, 0)), ("y", encoded(key, 1))],
      algorithm: algorithm, id: id, signing: key)
  }

  static func ed25519(_ id: String = "a") -> TestIssuer {
    let key = SigningKey(.ed25519)
    return TestIssuer(
      key: [("kty", "OKP"), ("crv", "Ed25519"), ("x", encoded(key, 0))], algorithm: "EdDSA", id: id, signing: key)
  }

  static func rsa(_ id: String = "a", _ algorithm: String = "RS256") -> TestIssuer {
    let key = SigningKey(nil)
    return TestIssuer(
      key: [("kty", "RSA"), ("n", encoded(key, 0)), ("e", encoded(key, 1))], algorithm: algorithm, id: id, signing: key)
  }

  private static func encoded(_ key: SigningKey, _ index: Int) -> Value { Value(Base64URL.encode(key.numbers[index])) }

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
    let bytes = Array(signed.utf8)
    return signed + "." + Base64URL.encode(try signature?(bytes) ?? signing.signature(of: bytes, algorithm: algorithm))
  }
}
