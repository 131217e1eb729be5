public import Navigation

extension ExampleApps {
  /// Modals, a guard, a badge, leave policies and deep links.
  public static let bank = App("bank", title: "Bank", links: [AccountLink.self, MessageLink.self, TransferLink.self]) {
    Bank()
  }
}

struct Bank: Coordinator {
  static let name = "bank"
  var accounts = Account.samples
  var isSignedIn = false

  func start(_ nav: inout Navigator<Self>) {
    nav.setTabs(
      .tab(Accounts(), title: "Accounts", icon: "wallet"),
      .tab(Inbox(), title: "Inbox", icon: "tray"))
  }

  static let wiring = Wiring<Self>()
    .starts(Accounts.self)
    .starts(Inbox.self)
    .starts(
      Transfer.self,
      finished: { me, receipt, nav in
        me.pay(receipt.amount)
        nav.reselect(Accounts.self)
      }
    )
    .starts(SignIn.self, finished: { me, _, _ in me.isSignedIn = true })
    .guards(Transfer.self, until: { me in me.isSignedIn }, otherwise: { _, nav in nav.present(SignIn()) })
    .fills(AccountsScreen.self) { me, screen in screen.accounts = me.accounts }
    .fills(AccountScreen.self) { me, screen in screen.fill(from: me.accounts) }
    .on(StartTransfer.self) { _, _, nav in nav.present(Transfer()) }
    .on(SignOut.self, disabled: { me in me.isSignedIn ? nil : "You are signed out." }) { me, _, _ in
      me.isSignedIn = false
    }

  /// Takes the money from the first account.
  private mutating func pay(_ amount: Double) {
    guard !accounts.isEmpty else { return }
    accounts[0].balance -= amount
  }
}

struct Account: Codable {
  var id: String
  var name: String
  var balance: Double

  static let samples = [
    Account(id: "a1", name: "Everyday", balance: 1250.5),
    Account(id: "a2", name: "Savings", balance: 8200),
    Account(id: "a3", name: "Travel", balance: 340.25),
  ]

  static var choices: [Choice] { samples.map { Choice($0.id, title: Text($0.name)) } }
}
