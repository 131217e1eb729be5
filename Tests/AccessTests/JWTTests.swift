import Cryptography
import Foundation
import Synchronization
import Testing
import Values

@testable import Access

/// The verification of JSON Web Tokens (RFC 7519).
@Suite struct JWTTests {
  private static let start = 1_795_176_000.0

  private let folder: TestFolder
  private let clock = TestClock(start)
  private let issuer = TestIssuer.p256()

  init() throws { folder = try TestFolder() }

  private func verifier(
    _ keys: String? = nil, rules: ClaimRules = ClaimRules(issuer: "https://id.example", audience: "usher")
  ) throws -> JWTVerifier {
    try JWTVerifier(
      try folder.write("keys", keys ?? TestIssuer.set(issuer.publicKey())), rules, every: .zero, folder.logger,
      now: { [clock] in clock.now })
  }

  /// Valid claims, in which `members` replace those of the same name; null removes a claim.
  private func claims(_ members: (String, Value)...) -> Value {
    let valid: [(String, Value)] = [
      ("iss", "https://id.example"), ("aud", "usher"), ("sub", "ann"), ("exp", Value(Int64(Self.start) + 300)),
    ]
    let names = members.map(\.0)
    return .object(valid.filter { !names.contains($0.0) } + members.filter { !$0.1.isNull })
  }

  private func expectRefusal(
    of token: String, _ error: TokenError = .invalid, by verifier: JWTVerifier? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let verifier = if let verifier { verifier } else { try self.verifier() }
    #expect(throws: error, sourceLocation: location) { try verifier.principal(of: token) }
  }

  // MARK: - Principal

  @Test func `a token signed with any kind of key has the principal of its subject`() throws {
    let rsa = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"].map { TestIssuer.rsa("a", $0) }
    for issuer in [.p256(), .p384(), .p521(), .ed25519()] + rsa {
      for key in [issuer.publicKey(), issuer.publicKey([("alg", Value(issuer.algorithm)), ("use", "sig")])] {
        let principal = try verifier(TestIssuer.set(key)).principal(of: try issuer.token(claims()))
        #expect(
          principal
            == Principal(
              name: "jwt:https://id.example|ann", permissions: [.create, .act], subject: "ann",
              expiry: Self.start + 300))
      }
    }
  }

  @Test func `apps receive the claims that the operator chose`() throws {
    let groups: Value = [["clerk", ["deep": true]]]
    let token = try issuer.token(claims(("email", "ann@example.com"), ("groups", groups), ("secret", "s")))
    let rules = ClaimRules(
      issuer: "https://id.example", audience: "usher", passedClaims: ["groups", "phone", "email", "exp"])
    let verifier = try verifier(rules: rules)
    for _ in 0..<2 {
      let principal = try verifier.principal(of: token)
      #expect(
        principal.claims == ["groups": groups, "email": "ann@example.com", "exp": Value(Int64(Self.start) + 300)])
      #expect(principal.subject == "ann")
      #expect(principal.expiry == Self.start + 300)
    }
  }

  @Test func `a token has the permissions of its scopes`() throws {
    let verifier = try verifier()
    for (name, value, permissions) in [
      ("scope", "usher:create", .create), ("scope", "openid usher:act  usher:operate", [.act, .operate]),
      ("scope", "openid profile", [.create, .act]), ("scope", "usher:all", []),
      ("scope", 7, [.create, .act]),
      ("scp", ["usher:operate", "x"], .operate), ("scp", "usher:act", .act), ("scp", [], [.create, .act]),
      ("scope", "create act operate", [.create, .act]), ("scope", "USHER:OPERATE", [.create, .act]),
    ] as [(String, Value, Permissions)] {
      let token = try issuer.token(claims((name, value)))
      #expect(try verifier.principal(of: token).permissions == permissions, "\(value)")
    }
  }

  @Test func `a token may have several audiences`() throws {
    let token = try issuer.token(claims(("aud", ["other", "usher"])))
    #expect(try verifier().principal(of: token).name == "jwt:https://id.example|ann")
  }

  // MARK: - Validity

  @Test func `a token is valid until a minute after its expiry`() throws {
    let verifier = try verifier()
    let token = try issuer.token(claims())
    for (seconds, isValid) in [(299.0, true), (359, true), (360, false), (1000, false)] {
      clock.now = Self.start + seconds
      if isValid {
        #expect(try verifier.principal(of: token).name != nil)
      } else {
        try expectRefusal(of: token, .expired, by: verifier)
      }
    }
    try expectRefusal(
      of: try issuer.token(claims(("exp", Value(Int64(Self.start) - 3600)))), .expired, by: verifier)
  }

  @Test func `a token is valid from a minute before its start`() throws {
    let verifier = try verifier()
    try expectRefusal(of: try issuer.token(claims(("nbf", Value(Int64(Self.start) + 61)))), by: verifier)
    let token = try issuer.token(claims(("nbf", Value(Int64(Self.start) + 60))))
    #expect(try verifier.principal(of: token).name != nil)
  }

  @Test(
    arguments: [
      ("iss", "https://evil.example"), ("iss", "https://id.example/"), ("iss", nil), ("iss", ["https://id.example"]),
      ("aud", "other"), ("aud", []), ("aud", nil), ("aud", ["ushe", "usher2"]),
      ("sub", nil), ("sub", ""), ("sub", 7), ("sub", "a\nb"), ("sub", Value(String(repeating: "a", count: 256))),
      ("exp", nil), ("exp", "1895176000"), ("nbf", "1"),
    ] as [(String, Value?)])
  func `a token with an invalid claim is refused`(name: String, value: Value?) throws {
    try expectRefusal(of: try issuer.token(claims((name, value ?? .null))))
  }

  // MARK: - Signature

  @Test func `a token without a signature, or with one of another kind, is refused`() throws {
    let rsa = TestIssuer.rsa()
    let verifier = try verifier(TestIssuer.set(rsa.publicKey()))
    for algorithm in ["none", "None", "NONE", ""] {
      let header: Value = ["typ": "JWT", "alg": Value(algorithm), "kid": "a"]
      try expectRefusal(of: try rsa.token(claims(), header: header) { _ in [] }, by: verifier)
      try expectRefusal(of: try rsa.token(claims(), header: header), by: verifier)
    }
    // The public key as an HMAC secret (RFC 8725, section 2.1), in all forms in which an attacker has it.
    let modulus = Base64URL.decode(rsa.key[1].1.text ?? "") ?? []
    for secret in [modulus, rsa.publicKey().json, Array(TestIssuer.set(rsa.publicKey()).utf8)] {
      for header in [["typ": "JWT", "alg": "HS256", "kid": "a"], ["typ": "JWT", "alg": "HS256"]] as [Value] {
        let token = try rsa.token(claims(), header: header) { bytes in
          HMAC.code(of: bytes, key: secret)
        }
        try expectRefusal(of: token, by: verifier)
      }
    }
    // A key accepts every algorithm of its kind, unless it names one.
    let header: Value = ["alg": "PS256", "kid": "a"]
    try expectRefusal(of: try rsa.token(claims(), header: header), by: verifier)
    #expect(try verifier.principal(of: try rsa.token(claims())).name != nil)
    let bound = try self.verifier(TestIssuer.set(rsa.publicKey([("alg", "PS256")])))
    try expectRefusal(of: try rsa.token(claims()), by: bound)
  }

  @Test func `a token of an unknown key is refused`() throws {
    let other = TestIssuer.p256("b")
    let both = try verifier(TestIssuer.set(issuer.publicKey(), other.publicKey()))
    for id in ["c", "", "A"] {
      let header: Value = ["alg": "ES256", "kid": Value(id)]
      try expectRefusal(of: try issuer.token(claims(), header: header), by: both)
    }
    try expectRefusal(of: try issuer.token(claims(), header: ["alg": "ES256"]), by: both)
    try expectRefusal(of: try issuer.token(claims(), header: ["alg": "ES256", "kid": 7]), by: both)
    try expectRefusal(of: try other.token(claims(), header: ["alg": "ES256", "kid": "a"]), by: both)
    try expectRefusal(of: try TestIssuer.p256().token(claims()), by: both)
    #expect(try both.principal(of: try other.token(claims())).name != nil)
    let one = try verifier()
    #expect(try one.principal(of: try issuer.token(claims(), header: ["alg": "ES256"])).name != nil)
    try expectRefusal(of: try issuer.token(claims(), header: ["alg": "ES256", "kid": "c"]), by: one)
  }

  @Test func `a token of another type, or with an unsupported extension, is refused`() throws {
    for header in [
      ["alg": "ES256", "kid": "a", "typ": "dpop+jwt"], ["alg": "ES256", "kid": "a", "typ": 1],
      ["alg": "ES256", "kid": "a", "crit": ["b64"], "b64": false], ["alg": "ES256", "kid": "a", "crit": []],
      ["kid": "a"], ["alg": ["ES256"], "kid": "a"],
    ] as [Value] {
      try expectRefusal(of: try issuer.token(claims(), header: header))
    }
  }

  @Test func `a malformed token is refused`() throws {
    let verifier = try verifier()
    let good = try issuer.token(claims())
    let parts = good.split(separator: ".")
    for text in [
      "", ".", "..", "...", "a.b.c", String(good.dropLast(4)), good + "AAAA", good + ".", "\(parts[0]).\(parts[1])",
      "\(parts[0]).\(parts[1]).", "\(parts[1]).\(parts[0]).\(parts[2])", good + "=", " " + good,
      "e30.\(parts[1]).\(parts[2])", "\(parts[0]).e30.\(parts[2])",
    ] {
      try expectRefusal(of: text, by: verifier)
    }
    // Of two duplicate claims, some libraries use the first, and others the last.
    let doubled = #"{"iss":"https://id.example","aud":"usher","sub":"ann","sub":"bob","exp":1895176000}"#
    let signed = "\(parts[0])." + Base64URL.encode(Array(doubled.utf8))
    try expectRefusal(of: signed + ".\(parts[2])", by: verifier)
  }

  @Test func `a token with unused bits set in its base64url is refused`() throws {
    // The last character of 32 and of 64 bytes has unused bits (RFC 4648, section 3.5).
    for issuer in [TestIssuer.p256(), .ed25519(), .rsa()] {
      let verifier = try verifier(TestIssuer.set(issuer.publicKey()))
      let good = try issuer.token(claims())
      #expect(try verifier.principal(of: good).name != nil)
      let last = try #require(good.utf8.last)
      for bit in UInt8(1)...3 {
        let other = good.dropLast() + String(UnicodeScalar(last + bit))
        #expect(Base64URL.decode(other.split(separator: ".")[2]) == nil, "\(other.suffix(4))")
        try expectRefusal(of: String(other), by: verifier)
      }
    }
  }

  @Test func `a refused token does not bind the key to its algorithm`() throws {
    let rsa = TestIssuer.rsa()
    let verifier = try verifier(TestIssuer.set(rsa.publicKey()))
    for algorithm in ["PS256", "RS512"] {
      try expectRefusal(of: try rsa.token(claims(), header: ["alg": Value(algorithm), "kid": "a"]), by: verifier)
    }
    #expect(try verifier.principal(of: try rsa.token(claims())).name != nil)
  }

  // MARK: - Cache

  @Test func `a token is verified again after a change of the keys`() throws {
    let verifier = try verifier()
    let token = try issuer.token(claims())
    for _ in 0..<2 { #expect(try verifier.principal(of: token).name != nil) }
    try folder.write("keys", TestIssuer.set(TestIssuer.p256().publicKey()))
    try expectRefusal(of: token, by: verifier)
    try folder.write("keys", "{}")
    try expectRefusal(of: token, by: verifier)
    #expect(folder.errors.count == 1)
    try folder.write("keys", TestIssuer.set(issuer.publicKey(), TestIssuer.ed25519("b").publicKey()))
    #expect(try verifier.principal(of: token).name != nil)
  }

  @Test func `the cache holds a limited number of tokens until they expire`() {
    let tokens = VerifiedTokenCache(capacity: 8)
    let principal = Principal(name: "ann", permissions: .act)
    for number in 0..<100 {
      let digest = Digest256(ofToken: "\(number)")
      tokens.insert(digest, of: principal, until: Double(number) + 3, now: Double(number))
      #expect(tokens.principal(of: digest, now: Double(number) + 2) == principal)
      #expect(tokens.principal(of: digest, now: Double(number) + 3) == nil)
      #expect(tokens.count <= 8)
    }
    for number in 0..<100 { tokens.insert(Digest256(ofToken: "x\(number)"), of: principal, until: .infinity, now: 0) }
    #expect(tokens.count <= 8)
  }
}

/// A clock that the test sets, in seconds since 1970.
private final class TestClock: Sendable {
  private let seconds: Mutex<Double>

  init(_ now: Double) { seconds = Mutex(now) }

  var now: Double {
    get { seconds.withLock { $0 } }
    set { seconds.withLock { $0 = newValue } }
  }
}
