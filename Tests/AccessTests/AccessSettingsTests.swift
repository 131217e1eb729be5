import Testing

@testable import Access

/// The settings of authentication, and the names of permissions.
@Suite struct AccessSettingsTests {
  @Test(arguments: ["none", "tokens:/etc/usher/tokens", "jwt:keys.json", "tokens:a:b"])
  func `a method is formatted as it is parsed`(text: String) {
    #expect(AccessSettings.Method(text)?.description == text)
  }

  @Test(arguments: ["", ":", "none:", "tokens", "tokens:", "jwt:", "Tokens:x", "basic:x", "none:x"])
  func `the text of an invalid method is refused`(text: String) { #expect(AccessSettings.Method(text) == nil) }

  @Test func `invalid combinations are refused`() throws {
    func check(
      _ method: AccessSettings.Method, _ issuer: String? = nil, _ audience: String? = nil,
      _ anonymous: Permissions? = nil, claims: [String] = []
    ) -> String? {
      var settings = AccessSettings()
      (settings.method, settings.jwtIssuer, settings.jwtAudience) = (method, issuer, audience)
      (settings.anonymous, settings.jwtClaims) = (anonymous, claims)
      do throws(AccessError) {
        try settings.check()
        return nil
      } catch {
        return error.description
      }
    }
    #expect(check(.none) == nil && check(.jwt(file: "k"), "i", "a", .act) == nil)
    #expect(check(.tokens(file: "t"), nil, nil, [.create, .act]) == nil)
    #expect(check(.jwt(file: "k"), nil, "a")?.contains("requires jwt-issuer") == true)
    #expect(check(.jwt(file: "k"), "i", nil)?.contains("requires jwt-audience") == true)
    #expect(check(.jwt(file: "k"), "i|j", "a")?.contains("vertical bar") == true)
    #expect(check(.tokens(file: "t"), "i", nil)?.hasPrefix("jwt-issuer requires") == true)
    #expect(check(.none, nil, "a")?.hasPrefix("jwt-audience requires") == true)
    #expect(check(.jwt(file: "k"), "i", "a", claims: ["email"]) == nil)
    #expect(check(.tokens(file: "t"), claims: ["email"])?.hasPrefix("jwt-claims requires") == true)
    #expect(check(.none, nil, nil, .create)?.hasPrefix("anonymous is set") == true)
    for permission in [.operate, .signal] as [Permissions] {
      #expect(check(.tokens(file: "t"), nil, nil, permission) == "anonymous must not contain operate or signal.")
    }
  }

  @Test func `permissions are parsed by name and by scope`() {
    #expect(Permissions(names: "operate,create")?.names == "create,operate")
    #expect(Permissions(names: "") == nil && Permissions(names: "create,") == nil && Permissions(names: "all") == nil)
    #expect(Permissions([.create, .act]).scopes == "usher:create usher:act")
    #expect(
      Permissions(scope: "usher:act") == .act && Permissions(scope: "act") == nil && Permissions(scope: "usher:") == [])
  }
}
