import Testing

/// The bank app over HTTP: tabs, sign-in, transfers and links.
@Suite(.limitedConcurrency) struct BankTests {
  let service: TestService

  init() throws { service = try TestService() }

  private func signedIn() async throws -> Visitor {
    try await service.start("bank").act("transfer").act("sign-in", #"{"pin":"1234"}"#)
  }

  private func atAmount() async throws -> Visitor { try await signedIn().act("next", #"{"to":"bob"}"#) }

  private func atReceipt() async throws -> Visitor {
    try await atAmount().act("next", #"{"amount":12.5}"#).act("confirm")
  }

  @Test func `accounts shows three accounts, and offers open, transfer and sign-out`() async throws {
    let visitor = try await service.start("bank")
    #expect(visitor.screen == "accounts")
    #expect(visitor.data["accounts"].strings("id") == ["a1", "a2", "a3"])
    #expect(visitor.data["accounts"].array.allSatisfy { $0["name"].string != nil && $0["balance"].double != nil })
    #expect(visitor.view["actions"].strings("name") == ["open", "transfer", "sign-out"])
    #expect(try await visitor.tree() == "bank > [accounts, inbox]")
  }

  @Test func `sign-out is disabled with a reason while signed out`() async throws {
    let visitor = try await service.start("bank")
    #expect(visitor.action("sign-out")["enabled"].bool == false)
    #expect(visitor.action("sign-out")["reason"].string == "You are signed out.")
    let answer = try await visitor.attempt("/actions/sign-out")
    #expect(answer.status == 409)
    #expect(answer.json["reason"].string == "You are signed out.")
    let other = try await signedIn().post("/dismiss")
    #expect(other.action("sign-out")["enabled"].bool == true)
    #expect(try await other.act("sign-out").action("sign-out")["enabled"].bool == false)
  }

  @Test func `open shows one of the accounts`() async throws {
    let visitor = try await service.start("bank").act("open", #"{"accountId":"a2"}"#)
    #expect(visitor.screen == "account")
    #expect(visitor.data["accountId"].string == "a2")
    #expect(visitor.view["screen", "title"].string == "Savings")
    #expect(visitor.navigation["stack"].strings("title") == ["Accounts", "Savings"])
    #expect(visitor.data["name"].string == "Savings")
    #expect(visitor.data["balance"].double == 8200)
    #expect(visitor.view["actions"].strings("name") == ["transfer"])
    let wrong = try await service.start("bank").attempt("/actions/open", #"{"accountId":"a9"}"#)
    #expect(wrong.json["errors"][0]["keyword"].string == "enum")
  }

  @Test func `transfer bubbles to bank, which presents sign-in before transfer-to`() async throws {
    let visitor = try await service.start("bank").act("transfer")
    #expect(visitor.screen == "sign-in")
    #expect(visitor.navigation["modals"].int == 1)
    #expect(visitor.navigation["tabs"].isNull)
    #expect(try await visitor.tree() == "bank > [accounts, inbox, sign-in]")
    try await visitor.act("sign-in", #"{"pin":"1234"}"#)
    #expect(visitor.screen == "transfer-to")
    #expect(visitor.navigation["modals"].int == 1)
    #expect(try await visitor.tree() == "bank > [accounts, inbox, transfer]")
  }

  @Test func `transfer requires no sign-in while signed in`() async throws {
    let visitor = try await signedIn().post("/dismiss").act("transfer")
    #expect(visitor.screen == "transfer-to")
    #expect(visitor.data["recipients"].array.isEmpty == false)
  }

  @Test(arguments: ["/dismiss", "/back"])
  func `dismissing sign-in drops the pending transfer`(part: String) async throws {
    let visitor = try await service.start("bank").act("transfer").post(part)
    #expect(visitor.screen == "accounts")
    try await visitor.act("transfer").post(part)
    #expect(try await visitor.tree() == "bank > [accounts, inbox]")
  }

  @Test(arguments: [#"{"pin":"123"}"#, #"{"pin":"12345"}"#, #"{"pin":"12a4"}"#, #"{"pin":1234}"#])
  func `a pin is a string of 4 digits`(body: String) async throws {
    let answer = try await service.start("bank").act("transfer").attempt("/actions/sign-in", body)
    #expect(answer.problem == "invalid-input")
    #expect(answer.json["errors"][0]["pointer"].string == "/pin")
  }

  @Test func `the badge of inbox is the number of unread messages, null at 0`() async throws {
    let visitor = try await service.start("bank")
    #expect(visitor.tab("inbox")["badge"].int == 3)
    try await visitor.post("/tabs/inbox")
    #expect(visitor.data["messages"].strings("id") == ["m1", "m2", "m3"])
    for (message, left) in [("m2", 2), ("m2", 2), ("m1", 1)] {
      try await visitor.act("read", #"{"messageId":"\#(message)"}"#)
      #expect(visitor.screen == "message")
      #expect(visitor.data["messageId"].string == message)
      #expect(visitor.data.keys == ["messageId", "subject", "text"])
      #expect(visitor.tab("inbox")["badge"].int == left)
      try await visitor.back()
    }
    try await visitor.act("read", #"{"messageId":"m3"}"#)
    #expect(visitor.tab("inbox")["badge"].isNull)
    #expect(visitor.view["actions"].array.isEmpty)
  }

  @Test(arguments: [("0", "exclusiveMinimum"), ("-1", "exclusiveMinimum"), ("10000.01", "maximum"), ("\"5\"", "type")])
  func `an amount must be greater than 0 and at most 10000`(amount: String, keyword: String) async throws {
    let answer = try await atAmount().attempt("/actions/next", #"{"amount":\#(amount)}"#)
    #expect(answer.json["errors"][0]["keyword"].string == keyword)
  }

  @Test func `a transfer passes through recipient, amount, review and receipt`() async throws {
    let visitor = try await signedIn()
    try await visitor.act("next", #"{"to":"bob"}"#)
    #expect(visitor.screen == "transfer-amount")
    #expect(visitor.data == JSON(["to": "bob"]))
    try await visitor.act("next", #"{"amount":10000}"#)
    #expect(visitor.screen == "transfer-review")
    #expect(visitor.data == JSON(["to": "bob", "amount": 10000]))
    try await visitor.act("confirm")
    #expect(visitor.screen == "receipt")
    #expect(visitor.data.keys == ["to", "amount", "reference"])
  }

  @Test(arguments: ["/back", "/dismiss"])
  func `leaving transfer-amount by back or dismiss requires a confirmation`(part: String) async throws {
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

  @Test func `back closes the prompt`() async throws {
    let visitor = try await atAmount().back().back()
    #expect(visitor.screen == "transfer-amount")
    #expect(visitor.view["prompt"].isNull)
  }

  @Test func `leaving transfer-amount forwards requires no confirmation`() async throws {
    #expect(try await atReceipt().view["prompt"].isNull)
  }

  @Test func `receipt is sealed, and only done leaves it`() async throws {
    let visitor = try await atReceipt()
    #expect(visitor.navigation["back"].isNull)
    #expect(visitor.navigation["dismiss"].isNull)
    for part in ["/back", "/dismiss"] {
      let answer = try await visitor.attempt(part)
      #expect(answer.status == 409)
      #expect(answer.problem == "action-unavailable")
    }
    #expect(try await visitor.attempt("/open", #"{"link":"/accounts/a1"}"#).status == 409)
    try await visitor.act("done")
    #expect(visitor.screen == "accounts")
    #expect(try await visitor.tree() == "bank > [accounts, inbox]")
  }

  @Test func `done shows accounts, also from the screen of one account`() async throws {
    let visitor = try await service.start("bank").act("open", #"{"accountId":"a1"}"#)
      .act("transfer").act("sign-in", #"{"pin":"0000"}"#)
    #expect(visitor.screen == "transfer-to")
    try await visitor.act("next", #"{"to":"alice"}"#).act("next", #"{"amount":1}"#).act("confirm").act("done")
    #expect(visitor.stack == ["accounts"])
  }

  @Test func `a link to an account shows it over accounts`() async throws {
    let visitor = try await service.start("bank").post("/tabs/inbox").post("/open", #"{"link":"/accounts/a3"}"#)
    #expect(visitor.stack == ["accounts", "account"])
    #expect(visitor.navigation["tabs", "selected"].string == "accounts")
    #expect(visitor.data["accountId"].string == "a3")
  }

  @Test func `a link to a message shows it over inbox, also at creation`() async throws {
    let visitor = try await service.start("bank", #","link":"/inbox/m2""#)
    #expect(visitor.stack == ["inbox", "message"])
    #expect(visitor.revision == 1)
    #expect(visitor.tab("inbox")["badge"].int == 2)
  }

  @Test func `a link to transfer is pending behind sign-in while signed out`() async throws {
    let visitor = try await service.start("bank").post("/open", #"{"link":"/transfer"}"#)
    #expect(visitor.screen == "sign-in")
    try await visitor.act("sign-in", #"{"pin":"1234"}"#)
    #expect(visitor.screen == "transfer-to")
    let atCreation = try await service.start("bank", #","link":"/transfer""#)
    #expect(atCreation.screen == "sign-in")
    #expect(try await atCreation.act("sign-in", #"{"pin":"1234"}"#).screen == "transfer-to")
  }

  @Test func `selecting the selected tab pops it to its root`() async throws {
    let visitor = try await service.start("bank").act("open", #"{"accountId":"a1"}"#).post("/tabs/accounts")
    #expect(visitor.stack == ["accounts"])
  }
}
