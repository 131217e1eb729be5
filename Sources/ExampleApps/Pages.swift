public import Navigation

extension ExampleApps {
  /// Three screens in a row, which belong to two coordinators. The smallest example of a child coordinator.
  public static let pages = App(
    "pages", title: "Pages", summary: "Three screens in a row, and a short way back to the first.",
    image: Picture.pages
  ) { FirstCoordinator() }
}

/// Shows the first screen, and starts the child that shows the others.
struct FirstCoordinator: Coordinator {
  static let name = "first"

  func start(_ nav: inout Navigator<Self>) { nav.push(First()) }

  static let wiring = Wiring<Self>()
    .shows(First.self)
    .starts(SecondCoordinator.self)
    .on(Next.self) { _, _, nav in nav.start(SecondCoordinator()) }
}

/// Shows the second and the third screen. When it finishes, its screens leave the stack and the first one is visible
/// again.
struct SecondCoordinator: Coordinator {
  static let name = "second"

  func start(_ nav: inout Navigator<Self>) { nav.push(Second()) }

  static let wiring = Wiring<Self>()
    .shows(Second.self)
    .shows(Third.self)
    .on(ToThird.self) { _, _, nav in nav.push(Third()) }
    .on(ToFirst.self) { _, _, nav in nav.finish() }
}

struct First: Screen {
  static let name = "first"
  static let title: Title<Self> = "First"
  static let actions: [any Action.Type] = [Next.self]
}

struct Second: Screen {
  static let name = "second"
  static let title: Title<Self> = "Second"
  static let actions: [any Action.Type] = [ToThird.self, ToFirst.self]
}

struct Third: Screen {
  static let name = "third"
  static let title: Title<Self> = "Third"
  static let actions: [any Action.Type] = [ToFirst.self]
}

struct Next: Action {
  static let name = "next"
  static let title: Text = "Next"
  static let role = ActionRole.primary
}

struct ToThird: Action {
  static let name = "third"
  static let title: Text = "To the third page"
  static let role = ActionRole.primary
}

struct ToFirst: Action {
  static let name = "first"
  static let title: Text = "To the first page"
}
