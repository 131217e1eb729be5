import Navigation

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
    .on(BuySubscription.self) { _, event, nav in nav.start(BuyCoordinator(product: event.product)) }
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
