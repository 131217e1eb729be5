import Navigation
import Testing
import UsherTesting
import Values

@testable import ExampleApps

/// The example app `bank`: tabs, sign-in, transfers and links.
@Suite struct BankTests {
  private var session: TestSession

  init() throws { session = try TestSession(ExampleApps.bank) }

  private mutating func signIn() throws {
    try session.act("transfer")
    try session.act("sign-in", ["pin": "1234"])
  }

  private mutating func enterAmount() throws {
    try signIn()
    try session.act("next", ["to": "bob"])
  }

  private mutating func finishTransfer() throws {
    try enterAmount()
    try session.act("next", ["amount": 12.5])
    try session.act("confirm")
  }

  private func expectIdle() {
    session.expect(
      tree: """
        bank
          accounts
          inbox
        """)
  }

  @Test func `accounts shows three accounts, and offers open, transfer and sign-out`() {
    session.expect(
      screen: """
        [Accounts] Inbox (3)
        Accounts
        2 Everyday – 1,250.50
        3 Savings – 8,200.00
        4 Travel – 340.25
        1 Transfer
        – Sign out: You are signed out.
        t1 Accounts
        t2 Inbox (3)
        """)
    #expect(session.screen(AccountsScreen.self)?.accounts.map(\.id) == ["a1", "a2", "a3"])
    expectIdle()
  }

  @Test mutating func `sign-out is available while signed in`() throws {
    #expect(session.disabledReason(of: "sign-out") == "You are signed out.")
    #expect(throws: Rejection.unavailable(.stated("You are signed out."))) { try session.act("sign-out") }
    try signIn()
    try session.dismiss()
    #expect(session.disabledReason(of: "sign-out") == nil)
    try session.act("sign-out")
    #expect(session.disabledReason(of: "sign-out") == "You are signed out.")
  }

  @Test mutating func `open shows one of the accounts`() throws {
    try session.act("open", ["accountId": "a2"])
    session.expect(stack: ["Accounts", "Savings"])
    session.expect(
      screen: """
        [Accounts] Inbox (3)
        Savings
        Balance 8,200.00
        1 Transfer
        b Back to Accounts
        t1 Accounts
        t2 Inbox (3)
        """)
    let account = session.screen(AccountScreen.self)
    #expect(account?.accountId == "a2" && account?.name == "Savings" && account?.balance == 8200)
    try session.back()
    let rejection = #expect(throws: Rejection.self) { try session.act("open", ["accountId": "a9"]) }
    #expect(rejection?.reasons == ["accountId: “Account” must be one of Everyday, Savings, Travel."])
  }

  @Test mutating func `transfer bubbles to bank, which presents sign-in before transfer-to`() throws {
    try session.act("transfer")
    #expect(session.view.screen.name == "sign-in")
    #expect(session.view.modals == 1)
    #expect(session.view.tabBar == nil)
    session.expect(
      tree: """
        bank
          accounts
          inbox
          sign-in
        """)
    try session.act("sign-in", ["pin": "1234"])
    #expect(session.view.screen.name == "transfer-to")
    #expect(session.view.modals == 1)
    session.expect(
      tree: """
        bank
          accounts
          inbox
          transfer
        """)
  }

  @Test mutating func `transfer requires no sign-in while signed in`() throws {
    try signIn()
    try session.dismiss()
    try session.act("transfer")
    #expect(session.screen(TransferTo.self)?.recipients == ["alice", "bob", "carol"])
  }

  @Test(arguments: [Intent.dismiss, .back])
  mutating func `dismissing sign-in drops the pending transfer`(way: Intent) throws {
    try session.act("transfer")
    try session.perform(way)
    session.expect(stack: ["Accounts"])
    try session.act("transfer")
    try session.perform(way)
    expectIdle()
  }

  @Test(arguments: ["123", "12345", "12a4", 1234] as [Value])
  mutating func `a pin is a string of 4 digits`(pin: Value) throws {
    try session.act("transfer")
    let rejection = #expect(throws: Rejection.self) { try session.act("sign-in", ["pin": pin]) }
    #expect(rejection?.reasons == [pin == 1234 ? "pin: “PIN” must be a text." : "pin: “PIN” must be 4 digits."])
  }

  @Test mutating func `the badge of inbox is the number of unread messages`() throws {
    try session.select(tab: "inbox")
    #expect(session.screen(InboxScreen.self)?.messages.map(\.id) == ["m1", "m2", "m3"])
    for (message, unread) in [("m2", 2), ("m2", 2), ("m1", 1), ("m3", nil)] {
      try session.act("read", ["messageId": Value(message)])
      #expect(session.screen(MessageScreen.self)?.messageId == message)
      #expect(session.view.tabBar?.tabs[1].badge == unread)
      #expect(session.view.actions.isEmpty)
      try session.back()
    }
  }

  @Test(
    arguments: [
      (0, "must be greater than 0"), (-1, "must be greater than 0"), (10_000.01, "must be at most 10000"),
      ("5", "must be a number"),
    ] as [(Value, String)])
  mutating func `an amount must be greater than 0 and at most 10000`(amount: Value, demand: String) throws {
    try enterAmount()
    let rejection = #expect(throws: Rejection.self) { try session.act("next", ["amount": amount]) }
    #expect(rejection?.reasons == ["amount: “Amount” \(demand)."])
  }

  @Test mutating func `a transfer passes through recipient, amount, review and receipt`() throws {
    try signIn()
    try session.act("next", ["to": "bob"])
    #expect(session.view.data == ["to": "bob"])
    try session.act("next", ["amount": 10000.0])
    #expect(session.view.data == ["to": "bob", "amount": 10000.0])
    try session.act("confirm")
    session.expect(
      screen: """
        Receipt
        (+) 10,000.00 is on its way to bob.
        1 Done
        """)
    #expect(session.screen(Receipt.self)?.reference.isEmpty == false)
  }

  @Test(arguments: [(Intent.back, "Recipient"), (.dismiss, "Accounts")])
  mutating func `leaving transfer-amount by back or dismiss requires a confirmation`(
    way: Intent, target: String
  ) throws {
    try enterAmount()
    let entry = session.view.entry.id
    try session.perform(way)
    session.expect(
      screen: """
        Amount
        Leave this transfer?
        The amount is not saved.
        1 Leave
        2 Stay
        b Back to Amount
        """)
    #expect(session.view.entry.id == entry)
    #expect(throws: Rejection.unavailable(.promptIsOpen)) { try session.act("next", ["amount": 5]) }
    try session.act("stay")
    #expect(session.view.prompt == nil)
    #expect(session.view.entry.id == entry)
    try session.perform(way)
    try session.act("leave")
    #expect(session.title == target)
  }

  @Test mutating func `back closes the prompt`() throws {
    try enterAmount()
    try session.back()
    try session.back()
    #expect(session.title == "Amount")
    #expect(session.view.prompt == nil)
  }

  @Test mutating func `receipt is sealed, and only done leaves it`() throws {
    try finishTransfer()
    // Leaving the screen of the amount forwards requires no confirmation.
    #expect(session.view.prompt == nil)
    #expect(session.view.back == nil && !session.view.canDismiss)
    for way in [Intent.back, .dismiss] {
      #expect(throws: Rejection.unavailable(.screenIsSealed)) { try session.perform(way) }
    }
    #expect(throws: Rejection.self) { try session.open("/accounts/a1") }
    #expect(session.title == "Receipt")
    try session.act("done")
    session.expect(stack: ["Accounts"])
    #expect(session.screen(AccountsScreen.self)?.accounts.first?.balance == 1238)
    expectIdle()
  }

  @Test mutating func `done shows accounts, also from the screen of one account`() throws {
    try session.act("open", ["accountId": "a1"])
    try finishTransfer()
    try session.act("done")
    session.expect(stack: ["Accounts"])
  }

  @Test mutating func `a link to an account shows it over accounts`() throws {
    try session.select(tab: "inbox")
    try session.open("/accounts/a3")
    session.expect(stack: ["Accounts", "Travel"])
    #expect(session.view.tabBar?.selected == 0)
    #expect(session.screen(AccountScreen.self)?.accountId == "a3")
  }

  @Test func `a link to a message shows it over inbox, also at creation`() throws {
    let session = try TestSession(ExampleApps.bank, link: "/inbox/m2")
    session.expect(stack: ["Inbox", "Your statement"])
    #expect(session.view.tabBar?.tabs[1].badge == 2)
  }

  @Test(arguments: [true, false])
  func `a link to transfer is pending behind sign-in while signed out`(isAtCreation: Bool) throws {
    var session = try TestSession(ExampleApps.bank, link: isAtCreation ? "/transfer" : nil)
    if !isAtCreation { try session.open("/transfer") }
    #expect(session.title == "Sign in")
    try session.act("sign-in", ["pin": "1234"])
    #expect(session.title == "Recipient")
  }

  @Test mutating func `selecting the selected tab pops it to its root`() throws {
    try session.act("open", ["accountId": "a1"])
    try session.select(tab: "accounts")
    session.expect(stack: ["Accounts"])
  }
}
