import HTTPAPI
import Navigation
import Testing

/// Inputs that a handler refuses. Every representation has all sentences of the author, and a page keeps the input.
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

  @Test func `a page shows the refusal of a field in the summary and beside the field`() async throws {
    let page = try await register("future")
    #expect(page.status == 422)
    #expect(page.text.ranges(of: "This is not a date in the past, such as 1980-12-31.").count == 2)
    #expect(!page.text.contains("is required"))
    #expect(page.text.contains("<a href=\"#register-birthDate\">"))
    expectTyped(page)
  }

  @Test func `a page keeps the input after a refusal without a field`() async throws {
    let page = try await register("closed")
    #expect(page.status == 409)
    #expect(page.text.contains("The desk is closed.") && page.text.contains("Come again on Monday."))
    expectTyped(page)
  }

  @Test func `a page tells of a fault of the app in words for people, and keeps the input`() async throws {
    let page = try await register("unavailable")
    #expect(page.status == 500 && page.text.contains("Something went wrong. Try again later."))
    #expect(!page.text.contains("popped"))
    expectTyped(page)
  }

  @Test func `several refusals are all reported in JSON`() async throws {
    let refused = try await register("two", as: "application/json")
    #expect(refused.status == 422 && refused.problem == "invalid-input")
    #expect(refused.json["errors"].strings("pointer") == ["/birthDate", "/name", ""])
    #expect(refused.json["errors"].strings("keyword") == ["refused", "refused", "refused"])
    #expect(
      refused.json["errors"].strings("detail") == [
        "This is not a date in the past, such as 1980-12-31.", "This name is taken.", "The desk closes soon.",
      ])
    let closed = try await register("closed", as: "application/json")
    #expect(closed.status == 409 && closed.problem == "action-unavailable")
    #expect(closed.json["errors"].strings("detail") == ["The desk is closed.", "Come again on Monday."])
    #expect(closed.json["reason"].string == "The desk is closed. Come again on Monday.")
    #expect(closed.json["view", "screen", "name"].string == "form")
  }

  @Test(arguments: ["text/plain", browser]) func `several refusals are all shown on pages and in text`(
    type: String
  ) async throws {
    let refused = try await register("two", as: type)
    #expect(refused.status == 422)
    for reason in [
      "This is not a date in the past, such as 1980-12-31.", "This name is taken.", "The desk closes soon.",
    ] {
      #expect(refused.text.contains(reason), "\(reason)")
    }
  }

  @Test func `the refusal of an undeclared field is a fault with its location`() async throws {
    let answer = try await register("misspelt", as: "application/json")
    #expect(answer.status == 500 && answer.problem == "internal-error")
    let lines = log.lines.filter {
      $0["message"].string?.hasPrefix("registry › desk › register › birthdate: ") == true
    }
    #expect(lines.map { $0["app"].string } == ["registry"] && lines.map { $0["screen"].string } == ["form"])
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

  @Test func `an action behind a prompt is refused for the advertised reason`() async throws {
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

/// An app whose handlers refuse one field, several fields, a whole action, and an undeclared field.
enum Registry {
  static let app = App("registry", title: "Registry", input: RegistryInput.self) { RegistryDesk(office: $0.office) }
}

struct RegistryInput: AppInput {
  @Field("Office") var office: String
}

struct RegistryDesk: Coordinator {
  static let name = "desk"
  var office: String

  func start(_ nav: inout Navigator<Self>) {
    nav.push(RegistryForm())
    if office == "unknown" { nav.refuse("No office has this name.", field: "office") }
    if office == "misspelt" { nav.refuse("No office has this name.", field: "offices") }
    if office == "closed" { nav.refuse("All offices are closed.") }
  }

  static let wiring = Wiring<Self>()
    .shows(RegistryForm.self)
    .on(Register.self) { _, person, nav in
      switch person.mood {
      case "future": nav.refuse("This is not a date in the past, such as 1980-12-31.", field: "birthDate")
      case "two":
        nav.refuse("This is not a date in the past, such as 1980-12-31.", field: "birthDate")
        nav.refuse("This name is taken.", field: "name")
        nav.refuse("The desk closes soon.")
      case "closed":
        nav.refuse("The desk is closed.")
        nav.refuse("Come again on Monday.")
      case "misspelt": nav.refuse("This is not a date in the past.", field: "birthdate")
      default: nav.pop(9)
      }
    }
}

struct RegistryForm: Screen {
  static let name = "form"
  static let title: Title<Self> = "Register"
  static let actions: [any Action.Type] = [Register.self]
}

struct Register: Action {
  static let name = "register"
  static let title: Text = "Register"
  @Field("Name", length: 1...80) var name: String
  @Field("Birth date") var birthDate: String
  @Field("Mood") var mood: String
  @Field("PIN", digits: 4, isSecret: true) var pin: String
}
