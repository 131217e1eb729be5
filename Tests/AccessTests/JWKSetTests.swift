import Testing
import Values

@testable import Access

@Suite struct `A set of keys` {
  private func sentence(_ text: String) -> String? {
    do throws(AccessError) {
      _ = try JWKSet(Array(text.utf8), path: "keys")
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `passes over what signatures are not verified with`() throws {
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
    #expect(sentence(TestIssuer.text(["keys": .array(others)]))?.contains("has no key") == true)
  }

  @Test func `with a bad key says which`() throws {
    let issuer = TestIssuer.p256()
    let good = issuer.publicKey()
    // A byte of x at the front of y: together they are as long as they should be (RFC 7518, section 6.2.1.2).
    let point = issuer.key[2...3].flatMap { Base64URL.decode($0.1.text ?? "") ?? [] }
    let shifted = issuer.publicKey([
      ("x", Value(Base64URL.encode(Array(point[..<31])))), ("y", Value(Base64URL.encode(Array(point[31...])))),
      ("kid", "b"),
    ])
    let padded = issuer.publicKey([("x", Value((issuer.key[2].1.text ?? "") + "=")), ("kid", "b")])
    for (key, reason) in [
      (issuer.publicKey([("x", "AAAA"), ("kid", "b")]), "Its members make no key"),
      (issuer.publicKey([("x", .null), ("kid", "b")]), "Its members make no key"),
      (issuer.publicKey([("x", "!"), ("kid", "b")]), "Its members make no key"),
      (shifted, "Its members make no key"), (padded, "Its members make no key"),
      (issuer.publicKey([("d", "AAAA"), ("kid", "b")]), "It is a private key"),
      (
        ["kty": "RSA", "kid": "b", "n": Value(Base64URL.encode([1] + Array(repeating: 7, count: 255))), "e": "AQAB"],
        "2048"
      ),
      (["kty": "RSA", "kid": "b", "e": "AQAB"], "2048"), (good, "the same kid"), (7, "not an object"),
    ] as [(Value, String)] {
      let said = sentence(TestIssuer.set(good, key)) ?? "nothing"
      #expect(said.hasPrefix("keys, key 2: ") && said.contains(reason), "\(said)")
    }
    let nameless = issuer.publicKey([("kid", .null)])
    #expect(sentence(TestIssuer.set(nameless)) == nil)
    #expect(sentence(TestIssuer.set(nameless, nameless))?.contains("no kid either") == true)
  }

  @Test(arguments: ["", "[", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[]}"#, #"{"keys":[],"keys":[]}"#])
  func `that is none is refused in one sentence`(text: String) throws {
    let said = sentence(text) ?? "nothing"
    #expect(said.hasPrefix("keys ") && !said.contains("\n"), "\(said)")
  }
}
