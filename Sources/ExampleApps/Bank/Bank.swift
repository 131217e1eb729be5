public import Navigation

extension ExampleApps {
  /// A bank with two tabs. Shows modals, a guard, a badge, leave policies and links.
  public static let bank = App(
    "bank", title: "Bank", summary: "Accounts, an inbox, and transfers once you have signed in.", image: Picture.bank,
    links: [AccountLink.self, MessageLink.self, TransferLink.self]
  ) { Bank() }
}

/// Presents the modal flows, and keeps the data that several screens show. A transfer requires that the user is signed
/// in.
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

  /// Debits the first account.
  private mutating func pay(_ amount: Double) {
    guard !accounts.isEmpty else { return }
    accounts[0].balance -= amount
  }
}

/// The modal that the guard of ``Transfer`` presents.
struct SignIn: Coordinator {
  static let name = "sign-in"

  func start(_ nav: inout Navigator<Self>) { nav.push(SignInScreen()) }

  static let wiring = Wiring<Self>()
    .shows(SignInScreen.self)
    .on(EnterPin.self) { _, _, nav in nav.finish() }
}

struct SignInScreen: Screen {
  static let name = "sign-in"
  static let title: Title<Self> = "Sign in"
  static let actions: [any Action.Type] = [EnterPin.self]

  var content: [Block] { [.text("Any four digits will do.")] }
}

struct EnterPin: Action {
  static let name = "sign-in"
  static let title: Text = "Sign in"
  static let role = ActionRole.primary
  @Field("PIN", digits: 4, isSecret: true) var pin: String
}

enum Money {
  /// Formats an amount with thousands separators and two decimals, such as 1,250.50.
  static func text(_ amount: Double) -> Text {
    guard let cents = Int(exactly: (amount * 100).rounded()) else { return "\(amount)" }
    var digits = String(cents.magnitude / 100)
    for offset in stride(from: digits.count - 3, to: 0, by: -3) {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: offset))
    }
    let fraction = String(cents.magnitude % 100)
    return "\(cents < 0 ? "-" : "")\(digits).\(fraction.count < 2 ? "0" : "")\(fraction)"
  }
}
