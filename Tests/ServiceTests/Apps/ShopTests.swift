import Navigation
import Testing

/// The shop app over HTTP: children, their results, inputs and tabs.
@Suite(.limitedConcurrency) struct ShopTests {
  @Test func `buy starts the child buy under main`() async throws {
    let visitor = try await TestService().start("shop").act("buy", #"{"product":1}"#)
    #expect(visitor.screen == "buy")
    #expect(visitor.stack == ["home", "buy"])
    #expect(try await visitor.tree() == "tabs > [main > buy, learn]")
    #expect(visitor.navigation["path"] == JSON(["tabs", "main", "buy"]))
  }

  @Test(arguments: ["buy", "create-account"])
  func `the end of a child leaves its siblings unchanged`(child: String) async throws {
    let visitor = try await TestService().start("shop")
    let before = try await visitor.nodes()
    try await visitor.act(child, child == "buy" ? #"{"product":0}"# : nil)
    #expect(try await visitor.nodes()[child] != nil)
    try await visitor.back()
    #expect(try await visitor.nodes() == before)
  }

  @Test func `back from the only screen of buy ends it without a purchase`() async throws {
    let visitor = try await TestService().start("shop").act("buy", #"{"product":2}"#).back()
    #expect(visitor.screen == "home")
    #expect(visitor.data["purchases"] == JSON([Int]()))
    #expect(try await visitor.tree() == "tabs > [main, learn]")
  }

  @Test func `back on the second screen of a child does not end it`() async throws {
    let visitor = try await TestService().start("shop").act("create-account").act("next", #"{"name":"Ada"}"#)
    #expect(visitor.stack == ["home", "account-name", "account-confirm"])
    try await visitor.back()
    #expect(visitor.screen == "account-name")
    #expect(try await visitor.tree() == "tabs > [main > create-account, learn]")
    try await visitor.back()
    #expect(try await visitor.tree() == "tabs > [main, learn]")
    #expect(visitor.data["account"].isNull)
  }

  @Test func `a push within a child keeps it`() async throws {
    let visitor = try await TestService().start("shop").act("create-account")
    let child = try await visitor.nodes()["create-account"]
    try await visitor.act("next", #"{"name":"Ada"}"#)
    #expect(try await visitor.nodes()["create-account"] == child)
  }

  @Test func `create-account returns the name to main and ends`() async throws {
    let visitor = try await TestService().start("shop")
      .act("create-account").act("next", #"{"name":"Ada"}"#).act("sign-up")
    #expect(visitor.screen == "home")
    #expect(visitor.data["account"].string == "Ada")
    #expect(try await visitor.tree() == "tabs > [main, learn]")
  }

  @Test func `main passes the product to buy`() async throws {
    let visitor = try await TestService().start("shop").act("buy", #"{"product":2}"#)
    #expect(visitor.data["selectedProduct"].int == 2)
  }

  @Test(arguments: [
    (#"{"product":3}"#, "maximum"), (#"{"product":-1}"#, "minimum"), (#"{"product":"1"}"#, "type"),
    (#"{"product":1.5}"#, "type"), (#"{"product":null}"#, "type"), ("{}", "required"),
    (#"{"product":123456789012345678901234567890}"#, "maximum"), (#"{"product":9223372036854775808}"#, "maximum"),
  ])
  func `an invalid product is rejected with 422, the field and the keyword`(body: String, keyword: String) async throws
  {
    let visitor = try await TestService(.inProcess).start("shop")
    let answer = try await visitor.attempt("/actions/buy", body)
    #expect(answer.status == 422)
    #expect(answer.problem == "invalid-input")
    #expect(answer.json["errors"][0]["pointer"].string == "/product")
    #expect(answer.json["errors"].strings("keyword") == [keyword])
  }

  @Test(arguments: [
    (#"{"name":""}"#, "minLength"), (#"{"name":"\#(String(repeating: "é", count: 81))"}"#, "maxLength"),
  ])
  func `a name has 1 to 80 characters`(body: String, keyword: String) async throws {
    let visitor = try await TestService(.inProcess).start("shop").act("create-account")
    let answer = try await visitor.attempt("/actions/next", body)
    #expect(answer.json["errors"][0]["keyword"].string == keyword)
    let longest = String(repeating: "é", count: 80)
    try await visitor.act("next", #"{"name":"\#(longest)"}"#)
    #expect(visitor.data["accountName"].string == longest)
  }

  @Test func `pay adds the purchase to home`() async throws {
    let visitor = try await TestService().start("shop")
      .act("buy", #"{"product":1}"#).act("pay").act("buy", #"{"product":0}"#).act("pay")
    #expect(visitor.screen == "home")
    #expect(visitor.data["purchases"] == JSON([1, 0]))
    #expect(visitor.view["screen", "content"][1]["items"].strings("title") == ["Yearly", "Monthly"])
    #expect(try await visitor.tree() == "tabs > [main, learn]")
  }

  @Test func `each tab keeps its own stack, and a push keeps the tab bar visible`() async throws {
    let visitor = try await TestService().start("shop")
    #expect(visitor.navigation["tabs", "items"].strings("title") == ["Main", "Learn"])
    #expect(visitor.tab("main")["icon"].string == "favorites")
    try await visitor.act("buy", #"{"product":1}"#)
    #expect(visitor.navigation["tabs", "selected"].string == "main")
    try await visitor.post("/tabs/learn")
    #expect(visitor.screen == "lessons")
    #expect(visitor.stack == ["lessons"])
    try await visitor.post("/tabs/main")
    #expect(visitor.stack == ["home", "buy"])
  }

  @Test func `a screen compiles without any coordinator in scope`() throws {
    #expect(Standalone(label: "x").content == [.text("x")])
  }
}

/// A screen with an action. This file declares no coordinator.
private struct Standalone: Screen {
  static let name = "standalone"
  static let title: Title<Self> = "Standalone"
  static let actions: [any Action.Type] = [Tap.self]
  var label: String
  var content: [Block] { [.text("\(label)")] }

  struct Tap: Action {
    static let name = "tap"
    static let title: Text = "Tap"
  }
}
