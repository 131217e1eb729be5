import TestSupport
import Testing

/// The title of a screen as the label of its only field: the flow `Tests/Flows/cases/title-fields`.
@Suite(.limitedConcurrency) struct TitleFieldTests {
  private static let heading = "<h1 id=\"title\" tabindex=\"-1\" autofocus>"

  private func page(_ screen: String) async throws -> String {
    let service = try await FlowService.cases("title-fields")
    let path = try await service.start("title-fields")
    #expect(try await service.send("POST", "\(path)/actions/to-\(screen)", "{}").status == 200)
    return try await service.send("GET", path, headers: ["Accept": "text/html"]).text
  }

  @Test func `the title is the label of a control, with the unit and the marks of the field`() async throws {
    let page = try await page("price")
    let label = #"<label for="send-price-price">Price <span class="hint">(EUR)</span> "#
    #expect(page.contains(#"\#(Self.heading)\#(label)<span class="hint">(optional)</span></label></h1>"#))
    #expect(page.ranges(of: "</label>").count == 1 && page.contains("<title>Price · "))
  }

  @Test(arguments: [("kind", "Which kind?"), ("days", "Days"), ("arrival", "Arrival")])
  func `the title is the label of a group of controls`(screen: String, title: String) async throws {
    let page = try await page(screen)
    #expect(page.contains("\(Self.heading)\(title)</h1>") && page.contains(#" aria-labelledby="title""#))
    #expect(!page.contains("<legend>"))
  }

  @Test(arguments: [
    ("terms", "Terms", "> Terms</label>"), ("two", "Name", #"<label for="send-two-name">Name</label>"#),
    ("other", "Your name", #"<label for="send-other-name">Name</label>"#),
  ])
  func `a checkbox, one of several fields, and a field with another label have their own label`(
    screen: String, title: String, label: String
  ) async throws {
    let page = try await page(screen)
    #expect(page.contains("<h1 tabindex=\"-1\" autofocus>\(title)</h1>") && page.contains(label))
    #expect(!page.contains("aria-labelledby"))
  }

  @Test func `a screen behind a prompt keeps the title as its label`() async throws {
    let service = try TestService(.inProcess)
    let bank = try await service.start("bank").act("transfer").act("sign-in", #"{"pin":"1234"}"#)
    try await bank.act("next", #"{"to":"bob"}"#)
    let label = #"<label for="next-amount">Amount</label></h1>"#
    #expect(try await service.send("GET", bank.path, headers: ["Accept": browser]).text.contains(label))
    try await bank.back()
    #expect(bank.view["prompt"].isObject)
    #expect(try await service.send("GET", bank.path, headers: ["Accept": browser]).text.contains(label))
  }
}
