public import Navigation

extension ExampleApps {
  /// A shop with two tabs. Buying and signing up are child coordinators, which return a result to their parent.
  public static let shop = App(
    "shop", title: "Shop", summary: "Choose a subscription and pay for it, or create an account.", image: Picture.shop
  ) { ShopTabs() }
}

struct ShopTabs: Coordinator {
  static let name = "tabs"

  func start(_ nav: inout Navigator<Self>) {
    nav.setTabs(
      .tab(MainCoordinator(), title: "Main", icon: "favorites"),
      .tab(LearnCoordinator(), title: "Learn", icon: "book"))
  }

  static let wiring = Wiring<Self>()
    .starts(MainCoordinator.self)
    .starts(LearnCoordinator.self)
}

struct LearnCoordinator: Coordinator {
  static let name = "learn"

  func start(_ nav: inout Navigator<Self>) { nav.push(Lessons()) }

  static let wiring = Wiring<Self>().shows(Lessons.self)
}

struct Lessons: Screen {
  static let name = "lessons"
  static let title: Title<Self> = "Lessons"

  var content: [Block] { [.text("Your lessons will be here.")] }
}

// MARK: - The main tab

/// Starts the two flows, and collects their results.
struct MainCoordinator: Coordinator {
  static let name = "main"
  var purchases: [Int] = []
  var account: String?

  func start(_ nav: inout Navigator<Self>) { nav.push(Home()) }

  static let wiring = Wiring<Self>()
    .shows(Home.self) { me, home in
      home.purchases = me.purchases
      home.account = me.account
    }
    .starts(BuyCoordinator.self, finished: { me, purchase, _ in me.purchases.append(purchase.product) })
    .starts(CreateAccountCoordinator.self, finished: { me, account, _ in me.account = account.name })
    .on(BuySubscription.self) { _, action, nav in nav.start(BuyCoordinator(product: action.product)) }
    .on(CreateAccount.self) { _, _, nav in nav.start(CreateAccountCoordinator()) }
}

struct Home: Screen {
  static let name = "home"
  static let title: Title<Self> = "Home"
  static let actions: [any Action.Type] = [BuySubscription.self, CreateAccount.self]
  var purchases: [Int] = []
  var account: String?

  var content: [Block] {
    let greeting: Block = .heading("Welcome\(account.map { ", \($0)" } ?? "")!")
    if purchases.isEmpty { return [greeting] }
    return [greeting, .list(purchases.map { .init(Text(Product.name(of: $0))) })]
  }
}

struct BuySubscription: Action {
  static let name = "buy"
  static let title: Text = "Buy"
  static let role = ActionRole.primary
  @Field("Product", description: "0 is Monthly, 1 is Yearly, 2 is Lifetime.", in: 0...2) var product: Int
}

struct CreateAccount: Action {
  static let name = "create-account"
  static let title: Text = "Create account"
}

enum Product {
  private static let names = ["Monthly", "Yearly", "Lifetime"]

  static func name(of product: Int) -> String {
    names.indices.contains(product) ? names[product] : "Product \(product)"
  }
}

// MARK: - Buying

/// Sells one product. The result is the product that was paid for.
struct BuyCoordinator: Coordinator {
  struct Result: Codable { var product: Int }
  static let name = "buy"
  var product: Int

  func start(_ nav: inout Navigator<Self>) { nav.push(Buy(selectedProduct: product)) }

  static let wiring = Wiring<Self>()
    .shows(Buy.self)
    .on(Pay.self) { me, _, nav in nav.finish(Result(product: me.product)) }
}

struct Buy: Screen {
  static let name = "buy"
  static let title: Title<Self> = "Buy"
  static let actions: [any Action.Type] = [Pay.self]
  var selectedProduct: Int

  var content: [Block] { [.text("You chose \(Product.name(of: selectedProduct)).")] }
}

struct Pay: Action {
  static let name = "pay"
  static let title: Text = "Pay"
  static let role = ActionRole.primary
}

// MARK: - Signing up

/// Asks for a name, and for its confirmation. The result is the name.
struct CreateAccountCoordinator: Coordinator {
  struct Result: Codable { var name: String }
  static let name = "create-account"
  var accountName = ""

  func start(_ nav: inout Navigator<Self>) { nav.push(AccountName()) }

  static let wiring = Wiring<Self>()
    .shows(AccountName.self)
    .shows(AccountConfirm.self)
    .on(ChooseName.self) { me, action, nav in
      me.accountName = action.name
      nav.push(AccountConfirm(accountName: action.name))
    }
    .on(SignUp.self) { me, _, nav in nav.finish(Result(name: me.accountName)) }
}

struct AccountName: Screen {
  static let name = "account-name"
  static let title: Title<Self> = "Your name"
  static let actions: [any Action.Type] = [ChooseName.self]
}

struct AccountConfirm: Screen {
  static let name = "account-confirm"
  static let title: Title<Self> = "Confirm"
  static let actions: [any Action.Type] = [SignUp.self]
  var accountName: String

  var content: [Block] { [.facts([.init("Name", Text(accountName))])] }
}

struct ChooseName: Action {
  static let name = "next"
  static let title: Text = "Next"
  static let role = ActionRole.primary
  @Field("Name", length: 1...80) var name: String
}

struct SignUp: Action {
  static let name = "sign-up"
  static let title: Text = "Sign up"
  static let role = ActionRole.primary
}
