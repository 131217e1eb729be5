public import Navigation

extension ExampleApps {
  /// A tab bar over a shop: buying and signing up are child coordinators that report back to their parent.
  public static let shop = App("shop", title: "Shop") { ShopTabs() }
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
