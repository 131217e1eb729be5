import Testing
import Values

@testable import Access

/// JWK Sets (RFC 7517): the files with the public keys of an issuer.
@Suite struct JWKSetTests {
  /// The error of the file, or nil.
  private func failure(_ text: String) -> String? {
    do throws(AccessError) {
      _ = try JWKSet(Array(text.utf8), path: "keys")
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `keys for other uses than signatures are ignored`() throws {
    let issuer = TestIssuer.p256()
    let others: [Value] = [
      ["kty": "oct", "k": "AAAA", "kid": "s", "alg": "HS256"], issuer.publicKey([("use", "enc"), ("kid", "e")]),
      issuer.publicKey([("key_ops", ["deriveKey"]), ("kid", "d")]), issuer.publicKey([("alg", "ES384"), ("kid", "f")]),
      ["kty": "EC", "crv": "secp256k1", "kid": "k", "x": "AA", "y": "AA"], ["kty": "new", "kid": "n"], [:],
    ]
    let set = try JWKSet(
      Array(TestIssuer.text(["keys": .array(others + [issuer.publicKey()])]).utf8), path: "keys")
    #expect(set.verifier(for: "ES256", keyID: "a") != nil && set.verifier(for: "ES256", keyID: nil) != nil)
    for id in ["s", "e", "d", "f", "k", "n"] { #expect(set.verifier(for: "ES256", keyID: id) == nil) }
    #expect(set.verifier(for: "HS256", keyID: "s") == nil)
    #expect(failure(TestIssuer.text(["keys": .array(others)]))?.contains("contains no key") == true)
  }

  @Test func `a set with an invalid key is refused, and the error has the number of the key`() throws {
    let issuer = TestIssuer.p256()
    let good = issuer.publicKey()
    // With a byte of x moved to y, only the total length is right (RFC 7518, section 6.2.1.2).
    let point = issuer.key[2...3].flatMap { Base64URL.decode($0.1.text ?? "") ?? [] }
    let shifted = issuer.publicKey([
      ("x", Value(Base64URL.encode(Array(point[..<31])))), ("y", Value(Base64URL.encode(Array(point[31...])))),
      ("kid", "b"),
    ])
    let padded = issuer.publicKey([("x", Value((issuer.key[2].1.text ?? "") + "=")), ("kid", "b")])
    for (key, reason) in [
      (issuer.publicKey([("x", "AAAA"), ("kid", "b")]), "The members do not form a valid key"),
      (issuer.publicKey([("x", .null), ("kid", "b")]), "The members do not form a valid key"),
      (issuer.publicKey([("x", "!"), ("kid", "b")]), "The members do not form a valid key"),
      (shifted, "The members do not form a valid key"), (padded, "The members do not form a valid key"),
      (issuer.publicKey([("d", "AAAA"), ("kid", "b")]), "The key is private"),
      (
        ["kty": "RSA", "kid": "b", "n": Value(Base64URL.encode([1] + Array(repeating: 7, count: 255))), "e": "AQAB"],
        "2048"
      ),
      (
        ["kty": "RSA", "kid": "b", "n": Value(Base64URL.encode(Array(repeating: 255, count: 256))), "e": "AQ"],
        "The members do not form a valid key"
      ), (["kty": "RSA", "kid": "b", "e": "AQAB"], "2048"), (good, "the same kid"), (7, "not a JSON object"),
    ] as [(Value, String)] {
      let description = failure(TestIssuer.set(good, key)) ?? "nothing"
      #expect(description.hasPrefix("keys, key 2: ") && description.contains(reason), "\(description)")
    }
    let nameless = issuer.publicKey([("kid", .null)])
    #expect(failure(TestIssuer.set(nameless)) == nil)
    #expect(failure(TestIssuer.set(nameless, nameless))?.contains("no kid either") == true)
  }

  @Test(arguments: ["", "[", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[]}"#, #"{"keys":[],"keys":[]}"#])
  func `invalid JSON, or a set without keys, is refused with a message of one line`(text: String) throws {
    let description = failure(text) ?? "nothing"
    #expect(description.hasPrefix("keys ") && !description.contains("\n"), "\(description)")
  }
}
