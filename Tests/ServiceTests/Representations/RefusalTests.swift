import HTTPAPI
import Testing

/// An input that a handler refuses: every representation has all of the author's sentences, and a page keeps the input.
@Suite struct RefusalTests {
  private let service: TestService
  private let log = TestLog()

  init() throws {
    let log = log
    service = try TestService(.inProcess, apps: [Registry.app]) { $0.logger = log.logger }
  }

  private func register(_ mood: String, as type: String = browser) async throws -> Answer {
    let session = try await service.start("registry", #","input":{"office":"north"}"#)
    return try await service.submit(
      session.path + "/actions/register?revision=1",
      ["name": "Ann Lee", "birthDate": "2999-01-01", "mood": mood, "pin": "4711"], headers: ["Accept": type])
  }

  private func expectTyped(_ page: Answer) {
    for typed in ["value=\"Ann Lee\"", "value=\"2999-01-01\""] { #expect(page.text.contains(typed), "\(typed)") }
    #expect(!page.text.contains("4711"))
  }

  @Test func `a page says what the author says of a field, on top and beside it`() async throws {
    let page = try await register("future")
    #expect(page.status == 422)
    #expect(page.text.ranges(of: "This is no date in the past, such as 1980-12-31.").count == 2)
    #expect(!page.text.contains("is required"))
    #expect(page.text.contains("<a href=\"#register-birthDate\">"))
    expectTyped(page)
  }

  @Test func `a page of a refusal that concerns no field keeps the input`() async throws {
    let page = try await register("closed")
    #expect(page.status == 409)
    #expect(page.text.contains("The desk is closed.") && page.text.contains("Come again on Monday."))
    expectTyped(page)
  }

  @Test func `a page of an action that is not available keeps the input`() async throws {
    let page = try await register("unavailable")
    #expect(page.status == 409 && page.text.contains("9 of 1 screens cannot be popped."))
    expectTyped(page)
  }

  @Test func `several refusals are all reported in JSON`() async throws {
    let refused = try await register("two", as: "application/json")
    #expect(refused.status == 422 && refused.problem == "invalid-input")
    #expect(refused.json["errors"].strings("pointer") == ["/birthDate", "/name", ""])
    #expect(refused.json["errors"].strings("keyword") == ["refused", "refused", "refused"])
    #expect(
      refused.json["errors"].strings("detail") == [
        "This is no date in the past, such as 1980-12-31.", "This name is taken.", "The desk closes soon.",
      ])
    let closed = try await register("closed", as: "application/json")
    #expect(closed.status == 409 && closed.problem == "action-unavailable")
    #expect(closed.json["errors"].strings("detail") == ["The desk is closed.", "Come again on Monday."])
    #expect(closed.json["reason"].string == "The desk is closed. Come again on Monday.")
    #expect(closed.json["view", "screen", "name"].string == "form")
  }

  @Test(arguments: ["text/plain", browser]) func `several refusals are all on the page and in text`(
    type: String
  ) async throws {
    let refused = try await register("two", as: type)
    #expect(refused.status == 422)
    for reason in [
      "This is no date in the past, such as 1980-12-31.", "This name is taken.", "The desk closes soon.",
    ] {
      #expect(refused.text.contains(reason), "\(reason)")
    }
  }

  @Test func `a field that the input does not have is a fault that names its place`() async throws {
    let answer = try await register("misspelt", as: "application/json")
    #expect(answer.status == 500 && answer.problem == "internal-error")
    let messages = log.lines.compactMap { $0["message"].string ?? $0["msg"].string }
    #expect(messages.contains { $0.hasPrefix("registry › desk › register › birthdate: ") }, "\(log.lines)")
  }

  @Test func `an input at creation is refused in the same ways`() async throws {
    func create(_ office: String, as type: String) async throws -> Answer {
      try await service.submit(
        "/v1/sessions", ["app": "registry", "input.office": office], headers: ["Accept": type])
    }
    let refused = try await create("unknown", as: "application/json")
    #expect(refused.status == 422 && refused.json["errors"].strings("pointer") == ["/office"])
    let page = try await create("unknown", as: browser)
    #expect(page.text.ranges(of: "No office has this name.").count == 2)
    let closed = try await create("closed", as: browser)
    #expect(closed.text.contains("All offices are closed.") && closed.text.contains("value=\"closed\""))
    #expect(try await create("misspelt", as: "application/json").status == 500)
  }

  @Test func `under a prompt an action is refused for the reason that is advertised`() async throws {
    let service = try TestService(.inProcess)
    let bank = try await service.start("bank")
    for (action, input) in [("transfer", "{}"), ("sign-in", #"{"pin":"1234"}"#), ("next", #"{"to":"bob"}"#)] {
      try await bank.act(action, input)
    }
    try await bank.back()
    #expect(bank.view["prompt", "name"].string == "leave")
    let advertised = bank.action("next")["reason"].string
    let refused = try await bank.attempt("/actions/next", #"{"amount":1}"#)
    #expect(refused.status == 409)
    #expect(refused.json["reason"].string == advertised)
  }
}
