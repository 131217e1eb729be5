public import Navigation

extension ExampleApps {
  /// Two tabs inside an outer stack. The detail screen is on the outer stack, so that it covers the tab bar.
  public static let tabs = App(
    "tabs", title: "Tabs", summary: "Two tabs, and a detail screen that covers them.", image: Picture.tabs
  ) { AppCoordinator() }
}

/// Owns the outer stack, and handles the actions of both tabs' screens.
struct AppCoordinator: Coordinator {
  static let name = "app"

  func start(_ nav: inout Navigator<Self>) { Self.showTabs(&nav) }

  static func showTabs(_ nav: inout Navigator<Self>) {
    nav.setTabs(
      .tab(HomeCoordinator(), title: "Home", icon: "history"),
      .tab(ProfileCoordinator(), title: "Profile", icon: "person"))
  }

  static let wiring = Wiring<Self>()
    .starts(HomeCoordinator.self)
    .starts(ProfileCoordinator.self)
    .shows(HomeDetail.self)
    .on(OpenDetail.self) { _, action, nav in nav.push(HomeDetail(detailId: action.detailId)) }
    .on(CloseDetail.self) { _, _, nav in nav.pop() }
    .on(Restart.self) { _, _, nav in showTabs(&nav) }
}

struct HomeCoordinator: Coordinator {
  static let name = "home"

  func start(_ nav: inout Navigator<Self>) { nav.push(HomeScreen()) }

  static let wiring = Wiring<Self>().shows(HomeScreen.self)
}

struct ProfileCoordinator: Coordinator {
  static let name = "profile"

  func start(_ nav: inout Navigator<Self>) { nav.push(Profile()) }

  static let wiring = Wiring<Self>().shows(Profile.self)
}

struct HomeScreen: Screen {
  static let name = "home"
  static let title: Title<Self> = "Home"
  static let actions: [any Action.Type] = [OpenDetail.self]
}

struct HomeDetail: Screen {
  static let name = "home-detail"
  static let title: Title<Self> = "Detail"
  static let actions: [any Action.Type] = [CloseDetail.self]
  var detailId: String

  var content: [Block] { [.text("Detail \(detailId)")] }
}

struct Profile: Screen {
  static let name = "profile"
  static let title: Title<Self> = "Profile"
  static let actions: [any Action.Type] = [Restart.self]
}

struct OpenDetail: Action {
  static let name = "open"
  static let title: Text = "Open"
  static let role = ActionRole.primary
  @Field("Detail") var detailId: String
}

struct CloseDetail: Action {
  static let name = "close"
  static let title: Text = "Close"
}

struct Restart: Action {
  static let name = "restart"
  static let title: Text = "Restart"
  static let role = ActionRole.destructive
}
