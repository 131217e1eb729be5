import Foundation
import Navigation
import Sessions
import Stores
import TestSupport
import Testing
import UsherClient
import Values

/// Secret fields, whose values no representation shows.
@Suite(.limitedConcurrency) struct SecretFieldTests {
  private let service: TestService

  init() throws { service = try TestService() }

  private func atSignIn() async throws -> Visitor { try await service.start("bank").act("transfer") }

  @Test func `every representation marks secret fields`() async throws {
    let bank = try await atSignIn()
    let pin = bank.action("sign-in")["input", "properties", "pin"]
    #expect(pin["writeOnly"].bool == true && pin["format"].string == "password" && pin["type"].string == "string")
    let session = try await UsherService(service.address).resume(bank.path)
    let fields = await session.view.actions.first { $0.name == "sign-in" }?.input.fields
    #expect(fields?.first?.isSecret == true)
    let siren = try await service.send("GET", bank.path, headers: ["Accept": "application/vnd.siren+json"])
    #expect(siren.json["actions"][0]["fields"][0]["type"].string == "password")
    // Other fields are not marked.
    let recipient = try await bank.act("sign-in", #"{"pin":"1234"}"#).action("next")["input", "properties", "to"]
    #expect(recipient.isObject && recipient["writeOnly"].isMissing && recipient["format"].isMissing)
  }

  @Test func `the input of a secret field is hidden, and empty after a refusal`() async throws {
    let bank = try await atSignIn()
    let page = try await service.send("GET", bank.path, headers: ["Accept": "text/html"]).text
    let input = try #require(page.firstMatch(of: /<input id="[^"]*-pin"[^>]*>/)).output
    #expect(input.contains(#"type="password""#) && input.contains(#"autocomplete="off""#))
    #expect(input.contains(#"inputmode="numeric""#) && input.contains(#"maxlength="4""#))
    let refused = try await service.submit(
      bank.path + "/actions/sign-in?revision=\(bank.revision ?? 0)", ["pin": "98765"])
    #expect(refused.status == 422 && refused.text.contains("“PIN” must be 4 digits."))
    #expect(!refused.text.contains("98765") && refused.text.contains(#"name="pin" value="""#))
    let json = try await service.send("POST", bank.path + "/actions/sign-in", #"{"pin":"98765"}"#)
    #expect(json.status == 422 && !json.text.contains("98765"))
  }

  @Test func `the history shows bullets, and retries are compared by the secret`() async throws {
    let bank = try await atSignIn()
    let revision = try #require(bank.revision)
    try await bank.act("sign-in", #"{"pin":"1234"}"#).act("next", #"{"to":"bob"}"#)
    let history = try await service.send("GET", bank.path + "/history")
    #expect(!history.text.contains("1234"))
    let entries = history.json["entries"].array
    #expect(entries.first { $0["action"].string == "sign-in" }?["input", "pin"].string == "••••")
    #expect(entries.first { $0["action"].string == "next" }?["input", "to"].string == "bob")
    // A request with the same PIN is a retry, and one with another PIN is not.
    let signIn = bank.path + "/actions/sign-in?revision=\(revision)"
    let again = try await service.send("POST", signIn, #"{"pin":"1234"}"#)
    #expect(again.status == 200 && again.header("Idempotency-Replayed") == "true")
    for other in ["4321", "••••"] {
      #expect(try await service.send("POST", signIn, "{\"pin\":\"\(other)\"}").problem == "stale-revision")
    }
  }

  @Test func `the console shows bullets in every revision`() async throws {
    let console = try TestConsole()
    let id = try await console.start(
      "bank", .action(name: "transfer", input: .emptyObject), .action(name: "sign-in", input: ["pin": "9876"]),
      .action(name: "next", input: ["to": "bob"]))
    for target in [console.path(id), console.path(id) + "?revision=3", console.path(id) + "?revision=2"] {
      let page = await console.get(target)
      #expect(page.status == 200 && !page.text.contains("9876"), "\(target)")
      #expect(page.text.contains("••••") && page.text.contains("class=\"screen-title\""), "\(target)")
    }
  }

  @Test func `secrets stay hidden if the app no longer declares them`() async throws {
    let console = try TestConsole()
    let id = try await console.start(
      "bank", .action(name: "transfer", input: .emptyObject), .action(name: "sign-in", input: ["pin": "9876"]))
    // The declarations that marked the secret are gone.
    for apps in [[], [App("bank", title: "Bank") { OtherBank() }]] {
      let page = await (try console.other(apps)).get(console.path(id))
      #expect(page.status == 200 && page.text.contains("sign-in") && !page.text.contains("9876"))
    }
  }
}

/// A build of the bank without the sign-in.
private struct OtherBank: Coordinator {
  static let name = "bank"
  func start(_ nav: inout Navigator<Self>) { nav.push(Closed()) }
  static let wiring = Wiring<Self>().shows(Closed.self)

  struct Closed: Screen {
    static let name = "closed"
    static let title: Title<Self> = "Closed"
  }
}
