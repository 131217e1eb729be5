import Access
import Foundation
import HTTPAPI
import Logging
import MicroHTTP
import Navigation
import Sessions
import Stores
import TestSupport
import Testing
import Values

/// The claims of a JSON Web Token, on their way from the request to the code of an app.
@Suite struct TokenClaimsTests {
  private let api: API
  private let key = SigningKey(.p256)

  init() throws {
    let (x, y) = (Base64URL.encode(key.numbers[0]), Base64URL.encode(key.numbers[1]))
    let file = FileManager.default.temporaryDirectory.appending(path: "usher-keys-\(UUID())")
    try #"{"keys": [{"kty": "EC", "crv": "P-256", "x": "\#(x)", "y": "\#(y)"}]}"#.write(
      to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    var settings = AccessSettings()
    settings.method = .jwt(file: file.path)
    (settings.jwtIssuer, settings.jwtAudience) = ("https://id.example", "usher")
    settings.jwtClaims = ["role"]
    settings.anonymous = [.create, .act]
    var configuration = API.Configuration()
    configuration.authenticator = try Authenticator(settings, logger: configuration.logger)
    let app = try AppDefinition(App("mirror", title: "Mirror") { Mirror() })
    api = API(sessions: SessionService(apps: [app], store: MemoryStore()), configuration)
  }

  /// Returns the token of a person, which is valid for five minutes.
  private func token(_ subject: String, role: String?) throws -> String {
    let role = role.map { #","role":"\#($0)""# } ?? ""
    let expiry = Int(Date().timeIntervalSince1970) + 300
    let parts = [
      #"{"alg":"ES256","typ":"JWT"}"#,
      #"{"iss":"https://id.example","aud":"usher","sub":"\#(subject)","exp":\#(expiry),"secret":"s"\#(role)}"#,
    ]
    let signed = parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    return signed + "." + Base64URL.encode(key.signature(of: Array(signed.utf8), algorithm: "ES256"))
  }

  private func send(_ method: MicroHTTP.Method, _ target: String, _ body: String, _ token: String?) async -> Answer {
    let headers = [("Content-Type", "application/json")] + (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
    return Answer(
      await api.respond(to: Request(method: method, target: target, headers: headers, body: Array(body.utf8))))
  }

  private func seen(_ answer: Answer) -> String? { answer.json["screen", "data", "seen"].string }

  @Test func `an app sees the subject, and the chosen claims of each action`() async throws {
    let ann = try token("ann", role: "clerk")
    let created = await send(.post, "/v1/sessions", #"{"app": "mirror"}"#, ann)
    #expect(seen(created) == "ann clerk 1")
    let path = try #require(created.header("Location"))
    let acted = await send(.post, path + "/actions/look", "{}", try token("ann", role: nil))
    #expect(seen(acted) == "ann - 0")
    let again = await send(.post, path + "/actions/look", "{}", try token("ann", role: "owner"))
    #expect(seen(again) == "ann owner 1")
    // Reading changes nothing.
    #expect(seen(await send(.get, path, "", ann)) == "ann owner 1")
    #expect(await send(.get, path, "", try token("bob", role: "clerk")).status == 404)
    let erased = await send(.delete, "/v1/principals/ann/sessions", "", ann)
    #expect(erased.status == 403)
  }

  @Test func `a session without an owner shows no claims of those who use it`() async throws {
    let created = await send(.post, "/v1/sessions", #"{"app": "mirror"}"#, nil)
    #expect(seen(created) == "nobody - 0")
    let path = try #require(created.header("Location"))
    let acted = await send(.post, path + "/actions/look", "{}", try token("ann", role: "clerk"))
    #expect(acted.status == 200)
    #expect(seen(acted) == "nobody - 0")
  }

  private struct Look: Action {
    static let name = "look"
    static let title: Text = "Look"
  }

  private struct Glass: Screen {
    static let name = "glass"
    static let title: Title<Self> = "Glass"
    static let actions: [any Action.Type] = [Look.self]
    var seen = ""
  }

  private struct Mirror: Coordinator {
    static let name = "mirror"
    static let wiring = Wiring<Self>()
      .shows(Glass.self) { _, screen, context in
        let (principal, claims) = (context.principal, context.principal?.claims.count ?? 0)
        screen.seen = "\(principal?.subject ?? "nobody") \(principal?.claim("role") ?? "-") \(claims)"
      }
      .on(Look.self) { _, _, _ in }
    func start(_ nav: inout Navigator<Self>) { nav.push(Glass()) }
  }
}
