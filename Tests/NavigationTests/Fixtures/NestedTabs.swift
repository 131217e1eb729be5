import Navigation

/// An app of tab bars in tab bars, to a given depth.
struct NestedTabs: Coordinator {
  static let app = App("dolls", title: "Dolls", input: Count.self) { NestedTabs(inside: $0.inside) }
  static let name = "doll"
  /// The number of tab bars inside of this one.
  var inside: Int

  struct Count: AppInput {
    @Field("Inside", in: 0...99) var inside: Int
  }

  func start(_ nav: inout Navigator<Self>) {
    if inside == 0 { nav.push(Core()) } else { nav.setTabs(.tab(NestedTabs(inside: inside - 1), title: "Inside")) }
  }

  static let wiring = Wiring<Self>().shows(Core.self).starts(NestedTabs.self)

  struct Core: Screen {
    static let name = "core"
    static let title: Title<Self> = "Core"
  }
}
