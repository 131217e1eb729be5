import Navigation

/// Shows the list of accounts, and each account. ``Bank`` handles the other actions of these screens.
struct Accounts: Coordinator {
  static let name = "accounts"

  func start(_ nav: inout Navigator<Self>) { nav.push(AccountsScreen()) }

  static let wiring = Wiring<Self>()
    .shows(AccountsScreen.self)
    .shows(AccountScreen.self)
    .on(OpenAccount.self) { _, action, nav in nav.push(AccountScreen(accountId: action.accountId)) }
}

/// ``Bank`` fills in the accounts whenever the screen is shown.
struct AccountsScreen: Screen {
  static let name = "accounts"
  static let title: Title<Self> = "Accounts"
  static let actions: [any Action.Type] = [OpenAccount.self, StartTransfer.self, SignOut.self]
  var accounts: [Account] = []

  var content: [Block] {
    [
      .list(accounts) { account in
        .init(
          Text(account.name), detail: Money.text(account.balance),
          action: OpenAccount.self, ["accountId": .text(account.id)])
      }
    ]
  }
}

struct AccountScreen: Screen {
  static let name = "account"
  static let title = Title<Self> { "\($0.name)" }
  static let actions: [any Action.Type] = [StartTransfer.self]
  var accountId: String
  var name = ""
  var balance = 0.0

  var content: [Block] { [.facts([.init("Balance", Money.text(balance))])] }

  mutating func fill(from accounts: [Account]) {
    guard let account = accounts.first(where: { $0.id == accountId }) else { return }
    name = account.name
    balance = account.balance
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

struct OpenAccount: Action {
  static let name = "open"
  static let title: Text = "Open"
  static let role = ActionRole.primary
  @Field("Account", choices: Account.choices) var accountId: String
}

struct StartTransfer: Action {
  static let name = "transfer"
  static let title: Text = "Transfer"
}

struct SignOut: Action {
  static let name = "sign-out"
  static let title: Text = "Sign out"
  static let role = ActionRole.destructive
}

/// Opens an account: a link selects a tab or performs actions, as a user would.
struct AccountLink: Link {
  static let pattern = "/accounts/{accountId}"
  @Field("Account", choices: Account.choices) var accountId: String

  var steps: [Step] { [.tab(Accounts.self), .action(OpenAccount(accountId: $accountId))] }
}

/// Starts a transfer. The guard asks a user who is signed out to sign in first.
struct TransferLink: Link {
  static let pattern = "/transfer"
  var steps: [Step] { [.tab(Accounts.self), .action(StartTransfer())] }
}
