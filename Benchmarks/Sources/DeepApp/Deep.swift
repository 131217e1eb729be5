public import Usher

/// An app whose stack can have any depth, and whose top can be replaced without changing the depth.
public enum Deep {
  public static let app = App("deep", title: "Deep") { DeepCoordinator() }
}

struct DeepCoordinator: Coordinator {
  static let name = "deep"

  func start(_ nav: inout Navigator<Self>) { nav.push(Level()) }

  static let wiring = Wiring<Self>()
    .shows(Level.self)
    .on(Deeper.self) { _, _, nav in nav.push(Level()) }
    .on(Change.self) { _, _, nav in nav.replaceTop(Level()) }
}

struct Level: Screen {
  static let name = "level"
  static let title: Title<Self> = "Level"
  static let actions: [any Action.Type] = [Deeper.self, Change.self]
}

struct Deeper: Action {
  static let name = "deeper"
  static let title: Text = "Deeper"
}

struct Change: Action {
  static let name = "change"
  static let title: Text = "Change"
  /// A text of any length, which only the history keeps.
  @Field("Note") var note: String?
}
