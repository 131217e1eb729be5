import Foundation
import Testing
import Values

@testable import Access

/// The methods of authentication: none, a tokens file, and JSON Web Tokens.
@Suite struct AuthenticatorTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `every request is accepted by default`() throws {
    let open = try Authenticator(AccessSettings(), logger: folder.logger)
    #expect(!open.verifiesTokens && open.anonymous == Principal(name: nil, permissions: .all))
    #expect(try open.principal(of: "anything") == open.anonymous)
  }

  @Test func `a token is verified with the tokens file`() throws {
    let ann = try #require(TokenName("ann"))
    let token = NewToken(name: ann, permissions: .act)
    var settings = AccessSettings()
    settings.method = .tokens(file: try folder.write("tokens", token.line))
    settings.anonymous = .create
    let authenticator = try Authenticator(settings, logger: folder.logger)
    #expect(authenticator.verifiesTokens && authenticator.anonymous.permissions == .create)
    #expect(try authenticator.principal(of: token.text).name == "token:ann")
    #expect(throws: TokenError.invalid) { try authenticator.principal(of: "x") }
  }

  @Test func `a JSON Web Token is verified with the keys of its issuer and the clock of the system`() throws {
    let issuer = TestIssuer.ed25519()
    var settings = AccessSettings()
    settings.method = .jwt(file: try folder.write("keys", TestIssuer.set(issuer.publicKey())))
    (settings.jwtIssuer, settings.jwtAudience) = ("https://id.example", "usher")
    let authenticator = try Authenticator(settings, logger: folder.logger)
    #expect(authenticator.anonymous == Principal(name: nil, permissions: []))
    func claims(_ seconds: Double) -> Value {
      let end = Int64(Date().timeIntervalSince1970 + seconds)
      return ["iss": "https://id.example", "aud": "usher", "sub": "ann", "exp": Value(end)]
    }
    #expect(try authenticator.principal(of: try issuer.token(claims(30))).name == "jwt:https://id.example|ann")
    #expect(throws: TokenError.expired) {
      try authenticator.principal(of: try issuer.token(claims(-120)))
    }
  }

  @Test func `invalid settings and an unreadable file are refused`() throws {
    var settings = AccessSettings()
    settings.method = .jwt(file: folder.path("none"))
    #expect(throws: AccessError.self) { try Authenticator(settings, logger: folder.logger) }
    (settings.jwtIssuer, settings.jwtAudience) = ("i", "a")
    #expect(throws: AccessError.self) { try Authenticator(settings, logger: folder.logger) }
  }
}
