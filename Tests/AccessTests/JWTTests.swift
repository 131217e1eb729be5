import Crypto
import Foundation
import Synchronization
import Testing
import Values

@testable import Access

@Suite struct `A JSON Web Token` {
  private static let start = 1_795_176_000.0

  private let folder: TestFolder
  private let clock = TestTime(start)
  private let issuer = TestIssuer.p256()

  init() throws { folder = try TestFolder() }

  private func verifier(_ keys: String? = nil) throws -> JWTVerifier {
    try JWTVerifier(
      try folder.write("keys", keys ?? TestIssuer.set(issuer.publicKey())),
      ClaimRules(issuer: "https://id.example", audience: "usher"), every: .zero, folder.logger,
      now: { [clock] in clock.now })
  }

  /// Claims that are right, with these in their place; null for none.
  private func claims(_ members: (String, Value)...) -> Value {
    let right: [(String, Value)] = [
      ("iss", "https://id.example"), ("aud", "usher"), ("sub", "ann"), ("exp", Value(Int64(Self.start) + 300)),
    ]
    let names = members.map(\.0)
    return .object(right.filter { !names.contains($0.0) } + members.filter { !$0.1.isNull })
  }

  private func isRefused(
    _ token: String, _ refusal: TokenRefusal = .invalid, by verifier: JWTVerifier? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let verifier = if let verifier { verifier } else { try self.verifier() }
    await #expect(throws: refusal, sourceLocation: location) { try await verifier.principal(of: token) }
  }

  // MARK: - Whose it is

  @Test func `of every kind of key says who somebody is`() async throws {
    let rsa = try ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"].map { try TestIssuer.rsa("a", $0) }
    for issuer in [.p256(), .p384(), .p521(), .ed25519()] + rsa {
      for key in [issuer.publicKey(), issuer.publicKey([("alg", Value(issuer.algorithm)), ("use", "sig")])] {
        let principal = try await verifier(TestIssuer.set(key)).principal(of: try issuer.token(claims()))
        #expect(principal == Principal(name: "jwt:https://id.example|ann", permissions: [.create, .act]))
      }
    }
  }

  @Test func `has permissions by its scopes`() async throws {
    let verifier = try verifier()
    for (name, value, permissions) in [
      ("scope", "usher:create", .create), ("scope", "openid usher:act  usher:operate", [.act, .operate]),
      ("scope", "openid profile", [.create, .act]), ("scope", "usher:all", []),
      ("scope", 7, [.create, .act]),
      ("scp", ["usher:operate", "x"], .operate), ("scp", "usher:act", .act), ("scp", [], [.create, .act]),
      ("scope", "create act operate", [.create, .act]), ("scope", "USHER:OPERATE", [.create, .act]),
    ] as [(String, Value, Permissions)] {
      let token = try issuer.token(claims((name, value)))
      #expect(try await verifier.principal(of: token).permissions == permissions, "\(value)")
    }
  }

  @Test func `may be meant for others as well`() async throws {
    let token = try issuer.token(claims(("aud", ["other", "usher"])))
    #expect(try await verifier().principal(of: token).name == "jwt:https://id.example|ann")
  }

  // MARK: - When it is good

  @Test func `is good until it expires, and a minute more for clocks that differ`() async throws {
    let verifier = try verifier()
    let token = try issuer.token(claims())
    for (seconds, isGood) in [(299.0, true), (359, true), (360, false), (1000, false)] {
      clock.now = Self.start + seconds
      if isGood {
        #expect(try await verifier.principal(of: token).name != nil)
      } else {
        try await isRefused(token, .expired, by: verifier)
      }
    }
    try await isRefused(try issuer.token(claims(("exp", Value(Int64(Self.start) - 3600)))), .expired, by: verifier)
  }

  @Test func `is not good before its time`() async throws {
    let verifier = try verifier()
    try await isRefused(try issuer.token(claims(("nbf", Value(Int64(Self.start) + 61)))), by: verifier)
    let token = try issuer.token(claims(("nbf", Value(Int64(Self.start) + 60))))
    #expect(try await verifier.principal(of: token).name != nil)
  }

  @Test(
    arguments: [
      ("iss", "https://evil.example"), ("iss", "https://id.example/"), ("iss", nil), ("iss", ["https://id.example"]),
      ("aud", "other"), ("aud", []), ("aud", nil), ("aud", ["ushe", "usher2"]),
      ("sub", nil), ("sub", ""), ("sub", 7), ("sub", "a\nb"), ("sub", Value(String(repeating: "a", count: 256))),
      ("exp", nil), ("exp", "1895176000"), ("nbf", "1"),
    ] as [(String, Value?)])
  func `is not taken with a claim that is not right`(name: String, value: Value?) async throws {
    try await isRefused(try issuer.token(claims((name, value ?? .null))))
  }

  // MARK: - Who signed it

  @Test func `is not taken without a signature, or with one of another kind`() async throws {
    let rsa = try TestIssuer.rsa()
    let verifier = try verifier(TestIssuer.set(rsa.publicKey()))
    for algorithm in ["none", "None", "NONE", ""] {
      let header: Value = ["typ": "JWT", "alg": Value(algorithm), "kid": "a"]
      try await isRefused(try rsa.token(claims(), header: header) { _ in [] }, by: verifier)
      try await isRefused(try rsa.token(claims(), header: header), by: verifier)
    }
    // The public key as the secret of an HMAC (RFC 8725, section 2.1), in the forms in which it is around.
    let modulus = Base64URL.decode(rsa.key[1].1.text ?? "") ?? []
    for secret in [modulus, rsa.publicKey().json, Array(TestIssuer.set(rsa.publicKey()).utf8)] {
      for header in [["typ": "JWT", "alg": "HS256", "kid": "a"], ["typ": "JWT", "alg": "HS256"]] as [Value] {
        let token = try rsa.token(claims(), header: header) { bytes in
          Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: secret)))
        }
        try await isRefused(token, by: verifier)
      }
    }
    // Another algorithm of the same kind is as good, unless the key says which one it is for.
    let header: Value = ["alg": "PS256", "kid": "a"]
    try await isRefused(try rsa.token(claims(), header: header), by: verifier)
    #expect(try await verifier.principal(of: try rsa.token(claims())).name != nil)
    let bound = try self.verifier(TestIssuer.set(rsa.publicKey([("alg", "PS256")])))
    try await isRefused(try rsa.token(claims()), by: bound)
  }

  @Test func `is not taken by a key that is not there`() async throws {
    let other = TestIssuer.p256("b")
    let both = try verifier(TestIssuer.set(issuer.publicKey(), other.publicKey()))
    for id in ["c", "", "A"] {
      let header: Value = ["alg": "ES256", "kid": Value(id)]
      try await isRefused(try issuer.token(claims(), header: header), by: both)
    }
    try await isRefused(try issuer.token(claims(), header: ["alg": "ES256"]), by: both)
    try await isRefused(try issuer.token(claims(), header: ["alg": "ES256", "kid": 7]), by: both)
    try await isRefused(try other.token(claims(), header: ["alg": "ES256", "kid": "a"]), by: both)
    try await isRefused(try TestIssuer.p256().token(claims()), by: both)
    #expect(try await both.principal(of: try other.token(claims())).name != nil)
    let one = try verifier()
    #expect(try await one.principal(of: try issuer.token(claims(), header: ["alg": "ES256"])).name != nil)
    try await isRefused(try issuer.token(claims(), header: ["alg": "ES256", "kid": "c"]), by: one)
  }

  @Test func `is not taken where it is for something else, or asks for more`() async throws {
    for header in [
      ["alg": "ES256", "kid": "a", "typ": "dpop+jwt"], ["alg": "ES256", "kid": "a", "typ": 1],
      ["alg": "ES256", "kid": "a", "crit": ["b64"], "b64": false], ["alg": "ES256", "kid": "a", "crit": []],
      ["kid": "a"], ["alg": ["ES256"], "kid": "a"],
    ] as [Value] {
      try await isRefused(try issuer.token(claims(), header: header))
    }
  }

  @Test func `that is none is not taken`() async throws {
    let verifier = try verifier()
    let good = try issuer.token(claims())
    let parts = good.split(separator: ".")
    for text in [
      "", ".", "..", "...", "a.b.c", String(good.dropLast(4)), good + "AAAA", good + ".", "\(parts[0]).\(parts[1])",
      "\(parts[0]).\(parts[1]).", "\(parts[1]).\(parts[0]).\(parts[2])", good + "=", " " + good,
      "e30.\(parts[1]).\(parts[2])", "\(parts[0]).e30.\(parts[2])",
    ] {
      try await isRefused(text, by: verifier)
    }
    // A claim that stands twice is read by each library in its own way.
    let doubled = #"{"iss":"https://id.example","aud":"usher","sub":"ann","sub":"bob","exp":1895176000}"#
    let signed = "\(parts[0])." + Base64URL.encode(Array(doubled.utf8))
    try await isRefused(signed + ".\(parts[2])", by: verifier)
  }

  @Test func `with unused bits set in its base64url is not taken`() async throws {
    // The last of the characters of 32 and of 64 bytes has bits to spare (RFC 4648, section 3.5).
    for issuer in [TestIssuer.p256(), .ed25519(), try .rsa()] {
      let verifier = try verifier(TestIssuer.set(issuer.publicKey()))
      let good = try issuer.token(claims())
      #expect(try await verifier.principal(of: good).name != nil)
      let last = try #require(good.utf8.last)
      for bit in UInt8(1)...3 {
        let other = good.dropLast() + String(UnicodeScalar(last + bit))
        #expect(Base64URL.decode(other.split(separator: ".")[2]) == nil, "\(other.suffix(4))")
        try await isRefused(String(other), by: verifier)
      }
    }
  }

  @Test func `that asks for one algorithm leaves the key to the others`() async throws {
    let rsa = try TestIssuer.rsa()
    let verifier = try verifier(TestIssuer.set(rsa.publicKey()))
    for algorithm in ["PS256", "RS512"] {
      try await isRefused(try rsa.token(claims(), header: ["alg": Value(algorithm), "kid": "a"]), by: verifier)
    }
    #expect(try await verifier.principal(of: try rsa.token(claims())).name != nil)
  }

  // MARK: - What is remembered

  @Test func `is forgotten when the keys change`() async throws {
    let verifier = try verifier()
    let token = try issuer.token(claims())
    for _ in 0..<2 { #expect(try await verifier.principal(of: token).name != nil) }
    try folder.write("keys", TestIssuer.set(TestIssuer.p256().publicKey()))
    try await isRefused(token, by: verifier)
    try folder.write("keys", "{}")
    try await isRefused(token, by: verifier)
    #expect(folder.complaints.count == 1)
    try folder.write("keys", TestIssuer.set(issuer.publicKey(), TestIssuer.ed25519("b").publicKey()))
    #expect(try await verifier.principal(of: token).name != nil)
  }

  @Test func `is remembered among a limited number of others`() {
    let tokens = VerifiedTokens(capacity: 8)
    let principal = Principal(name: "ann", permissions: .act)
    for number in 0..<100 {
      let digest = TokenDigest(of: "\(number)")
      tokens.keep(digest, of: principal, until: Double(number) + 3, now: Double(number))
      #expect(tokens.principal(of: digest, now: Double(number) + 2) == principal)
      #expect(tokens.principal(of: digest, now: Double(number) + 3) == nil)
      #expect(tokens.count <= 8)
    }
    for number in 0..<100 { tokens.keep(TokenDigest(of: "x\(number)"), of: principal, until: .infinity, now: 0) }
    #expect(tokens.count <= 8)
  }
}

private final class TestTime: Sendable {
  private let seconds: Mutex<Double>

  init(_ now: Double) { seconds = Mutex(now) }

  var now: Double {
    get { seconds.withLock { $0 } }
    set { seconds.withLock { $0 = newValue } }
  }
}
