import Foundation
import TestSupport
import Testing

// The example apps as clients see them: the members of the view, statuses, problems and revisions. ExampleAppsTests tests
// the apps themselves.

@Suite(.limitedConcurrency) struct BankOverHTTPTests {
  let service: TestService

  init() throws { service = try TestService() }

  private func atAmount() async throws -> Visitor {
    try await service.start("bank").act("transfer").act("sign-in", #"{"pin":"1234"}"#).act("next", #"{"to":"bob"}"#)
  }

  @Test func `a disabled action has a reason, and is 409 with that reason`() async throws {
    let visitor = try await service.start("bank")
    #expect(visitor.view["actions"].strings("name") == ["open", "transfer", "sign-out"])
    #expect(visitor.action("sign-out")["enabled"].bool == false)
    #expect(visitor.action("sign-out")["reason"].string == "You are signed out.")
    let answer = try await visitor.attempt("/actions/sign-out")
    #expect(answer.status == 409)
    #expect(answer.json["reason"].string == "You are signed out.")
    try await visitor.act("transfer").act("sign-in", #"{"pin":"1234"}"#).post("/dismiss")
    #expect(visitor.action("sign-out")["enabled"].bool == true)
  }

  @Test func `a screen has its data, its title, and the stack below it`() async throws {
    let visitor = try await service.start("bank")
    #expect(visitor.data["accounts"].strings("id") == ["a1", "a2", "a3"])
    #expect(visitor.data["accounts"].array.allSatisfy { $0["name"].string != nil && $0["balance"].double != nil })
    try await visitor.act("open", #"{"accountId":"a2"}"#)
    #expect(visitor.screen == "account")
    #expect(visitor.view["screen", "title"].string == "Savings")
    #expect(visitor.navigation["stack"].strings("title") == ["Accounts", "Savings"])
    #expect(visitor.stack == ["accounts", "account"])
    #expect(visitor.data == JSON(["accountId": "a2", "name": "Savings", "balance": 8200]))
    let wrong = try await service.start("bank").attempt("/actions/open", #"{"accountId":"a9"}"#)
    #expect(wrong.json["errors"][0]["keyword"].string == "enum")
  }

  @Test func `a modal counts, hides the tabs, and is in the tree`() async throws {
    let visitor = try await service.start("bank")
    #expect(try await visitor.tree() == "bank > [accounts, inbox]")
    try await visitor.act("transfer")
    #expect(visitor.screen == "sign-in")
    #expect(visitor.navigation["modals"].int == 1)
    #expect(visitor.navigation["tabs"].isNull)
    #expect(try await visitor.tree() == "bank > [accounts, inbox, sign-in]")
    try await visitor.act("sign-in", #"{"pin":"1234"}"#)
    #expect(visitor.screen == "transfer-to")
    #expect(try await visitor.tree() == "bank > [accounts, inbox, transfer]")
  }

  @Test(arguments: [#"{"pin":"123"}"#, #"{"pin":"12345"}"#, #"{"pin":"12a4"}"#, #"{"pin":1234}"#])
  func `a pin is a string of 4 digits`(body: String) async throws {
    let answer = try await service.start("bank").act("transfer").attempt("/actions/sign-in", body)
    #expect(answer.problem == "invalid-input")
    #expect(answer.json["errors"][0]["pointer"].string == "/pin")
  }

  @Test func `a badge is a number, and null at 0`() async throws {
    let visitor = try await service.start("bank")
    #expect(visitor.tab("inbox")["badge"].int == 3)
    try await visitor.post("/tabs/inbox")
    for message in ["m1", "m2", "m3"] {
      try await visitor.act("read", #"{"messageId":"\#(message)"}"#)
      #expect(visitor.data.keys == ["messageId", "subject", "text"])
      #expect(visitor.view["actions"].array.isEmpty)
      try await visitor.back()
    }
    #expect(visitor.tab("inbox")["badge"].isNull)
  }

  @Test(arguments: [("0", "exclusiveMinimum"), ("-1", "exclusiveMinimum"), ("10000.01", "maximum"), ("\"5\"", "type")])
  func `an amount must be greater than 0 and at most 10000`(amount: String, keyword: String) async throws {
    let answer = try await atAmount().attempt("/actions/next", #"{"amount":\#(amount)}"#)
    #expect(answer.json["errors"][0]["keyword"].string == keyword)
  }

  @Test(arguments: ["/back", "/dismiss"])
  func `a question is a prompt, whose actions alone are enabled`(part: String) async throws {
    let visitor = try await atAmount()
    let screen = visitor.view["screen", "id"]
    try await visitor.post(part)
    #expect(visitor.view["prompt", "actions"].strings("name") == ["leave", "stay"])
    #expect(visitor.view["screen", "id"] == screen)
    #expect(visitor.view["actions"].array.allSatisfy { $0["enabled"].bool == false })
    #expect(try await visitor.attempt("/actions/next", #"{"amount":5}"#).status == 409)
    try await visitor.act("stay")
    #expect(visitor.view["prompt"].isNull)
    #expect(visitor.view["screen", "id"] == screen)
    try await visitor.post(part).act("leave")
    #expect(visitor.screen == (part == "/back" ? "transfer-to" : "accounts"))
  }

  @Test func `a sealed screen has no way out, and a request for one is 409`() async throws {
    let visitor = try await atAmount().act("next", #"{"amount":12.5}"#)
    #expect(visitor.data == JSON(["to": "bob", "amount": 12.5]))
    try await visitor.act("confirm")
    #expect(visitor.screen == "receipt")
    #expect(visitor.view["prompt"].isNull)
    #expect(visitor.data.keys == ["to", "amount", "reference"])
    #expect(visitor.navigation["back"].isNull)
    #expect(visitor.navigation["dismiss"].isNull)
    for part in ["/back", "/dismiss"] {
      let answer = try await visitor.attempt(part)
      #expect(answer.status == 409)
      #expect(answer.problem == "action-unavailable")
    }
    #expect(try await visitor.attempt("/open", #"{"link":"/accounts/a1"}"#).status == 409)
    #expect(try await visitor.act("done").screen == "accounts")
  }

  @Test func `a link opens in a session, and at creation within the first revision`() async throws {
    let visitor = try await service.start("bank").post("/tabs/inbox").post("/open", #"{"link":"/accounts/a3"}"#)
    #expect(visitor.stack == ["accounts", "account"])
    #expect(visitor.navigation["tabs", "selected"].string == "accounts")
    #expect(try await visitor.post("/tabs/accounts").stack == ["accounts"])
    let atCreation = try await service.start("bank", #","link":"/inbox/m2""#)
    #expect(atCreation.stack == ["inbox", "message"])
    #expect(atCreation.revision == 1)
    let waiting = try await service.start("bank", #","link":"/transfer""#)
    #expect(waiting.screen == "sign-in")
    #expect(try await waiting.act("sign-in", #"{"pin":"1234"}"#).screen == "transfer-to")
  }
}

@Suite(.limitedConcurrency) struct PagesOverHTTPTests {
  @Test func `the navigation names the way back and the coordinators`() async throws {
    let visitor = try await TestService().start("pages")
    #expect(visitor.screen == "first")
    #expect(visitor.view["screen", "title"].string == "First")
    #expect(visitor.navigation["back"].isNull)
    #expect(try await visitor.tree() == "first")
    try await visitor.act("next").act("third")
    #expect(visitor.stack == ["first", "second", "third"])
    #expect(visitor.navigation["path"] == JSON(["first", "second"]))
    #expect(visitor.navigation["back", "title"].string == "Second")
    try await visitor.back()
    #expect(visitor.screen == "second")
    #expect(try await visitor.tree() == "first > second")
  }

  @Test func `the removal of two entries and a child is one revision`() async throws {
    let visitor = try await TestService().start("pages").act("next").act("third")
    let before = try #require(visitor.revision)
    try await visitor.act("first")
    #expect(visitor.revision == before + 1)
    #expect(visitor.stack == ["first"])
    #expect(try await visitor.tree() == "first")
  }

  @Test func `a thousand round trips do not grow the session`() async throws {
    let visitor = try await TestService(.inProcess).start("pages").act("next").act("third").act("first")
    let size = visitor.last.bytes.count
    for _ in 0..<1000 { try await visitor.act("next").act("third").act("first") }
    #expect(visitor.stack == ["first"])
    #expect(try await visitor.tree() == "first")
    // The views differ only in the digits of the revision.
    let digits = "\(try #require(visitor.revision))".count - 1
    let mentions = String(decoding: visitor.last.bytes, as: UTF8.self).components(separatedBy: "?revision=").count
    #expect(visitor.last.bytes.count == size + digits * mentions)
  }

  @Test func `two new sessions have the same state`() async throws {
    let service = try TestService()
    let (one, other) = (try await service.start("pages"), try await service.start("pages"))
    #expect(one.path != other.path)
    #expect(one.view["screen"] == other.view["screen"])
    #expect(one.view["navigation"] == other.view["navigation"])
  }
}

@Suite(.limitedConcurrency) struct TabsOverHTTPTests {
  @Test func `replaced tabs have new coordinators`() async throws {
    let visitor = try await TestService().start("tabs")
    let before = try await visitor.nodes()
    try await visitor.post("/tabs/profile").act("restart")
    let after = try await visitor.nodes()
    #expect(try await visitor.tree() == "app > [home, profile]")
    #expect(after["app"] == before["app"])
    #expect(after["home"] != before["home"] && after["profile"] != before["profile"])
    #expect(visitor.screen == "home")
  }

  @Test func `a covered tab bar is null, and selects no tab`() async throws {
    let visitor = try await TestService().start("tabs").act("open", #"{"detailId":"ä/7"}"#)
    #expect(visitor.data["detailId"].string == "ä/7")
    #expect(visitor.navigation["tabs"].isNull)
    let answer = try await visitor.attempt("/tabs/home")
    #expect(answer.status == 409)
    try await visitor.act("close")
    #expect(visitor.navigation["tabs", "selected"].string == "home")
  }

  @Test func `reads and tab changes keep the coordinators and their IDs`() async throws {
    let visitor = try await TestService().start("tabs")
    let (nodes, screen) = (try await visitor.nodes(), visitor.view["screen", "id"])
    for _ in 0..<3 {
      let read = try await visitor.service.send("GET", visitor.path)
      #expect(read.json["screen", "id"] == screen)
      #expect(try await visitor.nodes() == nodes)
    }
    try await visitor.post("/tabs/profile").post("/tabs/home")
    #expect(visitor.view["screen", "id"] == screen)
    #expect(try await visitor.nodes() == nodes)
  }
}

@Suite(.limitedConcurrency) struct ShopOverHTTPTests {
  @Test func `a child has its place in the tree and in the path`() async throws {
    let visitor = try await TestService().start("shop").act("buy", #"{"product":1}"#)
    #expect(visitor.data["selectedProduct"].int == 1)
    #expect(visitor.stack == ["home", "buy"])
    #expect(try await visitor.tree() == "tabs > [main > buy, learn]")
    #expect(visitor.navigation["path"] == JSON(["tabs", "main", "buy"]))
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
  func `a length counts characters`(body: String, keyword: String) async throws {
    let visitor = try await TestService(.inProcess).start("shop").act("create-account")
    let answer = try await visitor.attempt("/actions/next", body)
    #expect(answer.json["errors"][0]["keyword"].string == keyword)
    let longest = String(repeating: "é", count: 80)
    try await visitor.act("next", #"{"name":"\#(longest)"}"#)
    #expect(visitor.data["accountName"].string == longest)
  }

  @Test func `results of children are data and content of their parent`() async throws {
    let visitor = try await TestService().start("shop")
    #expect(visitor.data["purchases"] == JSON([Int]()) && visitor.data["account"].isNull)
    try await visitor.act("buy", #"{"product":1}"#).act("pay").act("buy", #"{"product":0}"#).act("pay")
    try await visitor.act("create-account").act("next", #"{"name":"Ada"}"#).act("sign-up")
    #expect(visitor.data["account"].string == "Ada")
    #expect(visitor.data["purchases"] == JSON([1, 0]))
    #expect(visitor.view["screen", "content"][1]["items"].strings("title") == ["Yearly", "Monthly"])
  }

  @Test func `the tab bar has titles, icons and the selected tab`() async throws {
    let visitor = try await TestService().start("shop")
    #expect(visitor.navigation["tabs", "items"].strings("title") == ["Main", "Learn"])
    #expect(visitor.tab("main")["icon"].string == "favorites")
    #expect(visitor.navigation["tabs", "selected"].string == "main")
    #expect(try await visitor.post("/tabs/learn").stack == ["lessons"])
  }
}
