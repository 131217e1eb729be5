import Foundation
import Navigation
import TestApps
import TestSupport
import Testing
import UsherClient
import Values

@testable import Sessions

/// A form that an outcome refuses after it was sent, in every representation.
@Suite(.limitedConcurrency) struct RefusedFormTests {
  private static let sentence = "This IBAN has a typing error."

  /// Returns a client of a session whose form the bank answers as the script says.
  private func payee(_ answers: ScriptedBank.Answer...) async throws -> Visitor {
    try await TestService(.socket, apps: [Payee.app(ScriptedBank(answers))]).start("payee")
  }

  /// Sends the form, and returns the answer with the outcome.
  private func send(_ way: String, _ visitor: Visitor) async throws -> Answer {
    try await visitor.service.send(
      "POST", visitor.path + "/actions/send", Payee.input(way), headers: ["Prefer": "wait=10"])
  }

  private func get(_ type: String, _ visitor: Visitor) async throws -> String {
    let answer = try await visitor.service.send("GET", visitor.path, headers: ["Accept": type])
    #expect(answer.status == 200)
    return answer.text
  }

  @Test(arguments: ["push", "stay"])
  func `a client that waits gets the form with the errors and the typed values`(way: String) async throws {
    let visitor = try await payee(.receipt("typo"))
    #expect(visitor.action("send")["errors"].isMissing)
    let answer = try await send(way, visitor)
    #expect(answer.status == 200 && answer.header("Preference-Applied") == "wait=10")
    #expect(answer.json["screen", "name"].string == "contact" && answer.json["session", "pending"].array == [])
    let action = JSON.first(of: answer.json["actions"], named: "send")
    let errors = action["errors"].array
    #expect(errors.compactMap { $0["pointer"].string } == ["/iban"])
    #expect(errors.compactMap { $0["keyword"].string } == ["refused"])
    #expect(errors.compactMap { $0["detail"].string } == [Self.sentence])
    let fields = action["input", "properties"]
    #expect(fields["iban", "default"].string == "DE00" && fields["number", "default"].string == "N-4711")
    #expect(fields["pin", "default"].isMissing && fields["note", "default"].isMissing)
    let contract = Contract(document: try await visitor.service.send("GET", "/openapi.json").json)
    contract.check(answer, "POST", "/v1/sessions/{id}/actions/{action}")
  }

  @Test func `a page is that of a refused form`() async throws {
    let visitor = try await payee(.receipt("both"))
    _ = try await send("push", visitor)
    let page = try await get(browser, visitor)
    #expect(page.ranges(of: Self.sentence).count == 2 && page.contains("<a href=\"#send-iban\">"))
    #expect(page.contains("<li>The account is closed.</li>"))
    #expect(page.contains(#"name="iban" value="DE00""#) && page.contains(#"aria-invalid="true""#))
    #expect(page.contains("data-refused") && page.contains("<h2>This needs another look</h2>"))
    #expect(page.contains("<title>This needs another look · ") && page.contains(" data-stored"))
    #expect(!page.contains("From the address book.") && !page.contains("1234"))
    // The next request ends the refusal.
    try await visitor.act("look")
    let next = try await get(browser, visitor)
    #expect(!next.contains(Self.sentence) && !next.contains("data-refused") && next.contains("From the address book."))
  }

  @Test func `text, Siren and the clients show the sentence`() async throws {
    let visitor = try await payee(.receipt("typo"))
    _ = try await send("push", visitor)
    #expect(try await get("text/plain", visitor).contains("(X) \(Self.sentence)\n"))
    let type = ["Accept": "application/vnd.siren+json"]
    let siren = try await visitor.service.send("GET", visitor.path, headers: type).json
    #expect(siren["properties", "errors"].array.compactMap(\.string) == [Self.sentence])
    let fields = siren["actions"].array.first { $0["name"].string == "send" }?["fields"].array ?? []
    #expect(fields.first { $0["name"].string == "iban" }?["value"].string == "DE00")
    let session = try await UsherService(visitor.service.address).resume(visitor.path)
    let view = await session.view
    #expect(view.actions.first?.errors.map(\.field) == ["iban"])
    #expect(view.actions.first?.errors.map(\.detail) == [Self.sentence])
    #expect(view.actions.first?.input.fields.first { $0.name == "iban" }?.initialText == "DE00")
    #expect(view.text.contains("(X) \(Self.sentence)\n"))
    #expect(view.actions.dropFirst().allSatisfy { $0.errors == [] })
  }

  @Test func `the console hides the sensitive values of a form, before the outcome and after it`() async throws {
    let console = try TestConsole().other([Payee.app()])
    let id = try await console.start(
      "payee",
      .action(name: "send", input: ["way": "push", "iban": "DE00", "number": "N-4711", "pin": "9876"]))
    #expect(await !console.get(console.path(id)).text.contains("N-4711"))
    let work = try #require(try await console.service.snapshot(id).state.work.first)
    _ = try await console.service.apply(.done(work.id, "typo"), to: SessionKey(id))
    let page = await console.get(console.path(id)).text
    #expect(page.contains(Self.sentence) && page.contains("DE00") && !page.contains("N-4711"))
  }

  @Test func `a refusal of a form that is gone is a notice`() async throws {
    let visitor = try await payee(.receipt("typo"))
    let answer = try await send("replace", visitor)
    #expect(answer.json["screen", "name"].string == "one-moment")
    let prompt = answer.json["prompt"]
    #expect(prompt["name"].string == "notice" && prompt["message"].string == Self.sentence)
  }

  @Test func `the form is sent again, and the outcome accepted`() async throws {
    let visitor = try await payee(.receipt("typo"), .receipt("fine"))
    _ = try await send("push", visitor)
    let answer = try await send("push", visitor)
    #expect(answer.json["screen", "name"].string == "confirmed")
    let history = try await visitor.service.send("GET", visitor.path + "/history").json["entries"].array
    #expect(history.compactMap { $0["kind"].string } == ["create", "action", "effect", "action", "effect"])
  }
}
