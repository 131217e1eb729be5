import Navigation

/// An app whose every screen offers every command, so that stacks, modals, tab bars, children, prompts, guards and
/// leave policies nest in any order. A command may be refused: the screen may be sealed, or the stack too short.
enum Nest {
  static let app = App("nest", title: "Nest") { Trunk() }
}

/// A coordinator of the nest.
protocol Nesting: Coordinator where Result == Nothing {
  /// Whether the guard of its ``Hollow``s passes.
  var isOpen: Bool { get set }
  static var canFinish: Bool { get }
  /// Whether it always starts in a tab bar.
  static var hasTabs: Bool { get }
}

extension Nesting {
  func start(_ nav: inout Navigator<Self>) { nav.push(Twig()) }

  static var nesting: Wiring<Self> {
    Wiring<Self>()
      .shows(Twig.self)
      .shows(Hollow.self)
      .asks(Wonder.self)
      .starts(Branch.self)
      .starts(LeftTab.self)
      .starts(RightTab.self)
      .guards(screen: Hollow.self, until: { me in me.isOpen }, otherwise: { _, nav in nav.push(Twig()) })
      .on(Grow.self) { me, action, nav in me.grow(action, &nav) }
  }

  private mutating func grow(_ action: Grow, _ nav: inout Navigator<Self>) {
    let policy: LeavePolicy =
      switch action.policy {
      case .free: .free
      case .confirm: .confirm
      case .sealed: .sealed
      }
    switch action.verb {
    case .push: nav.push(Twig(), leaving: policy)
    case .hide: nav.push(Hollow(), leaving: policy)
    case .front: nav.bringToFront(Hollow(), leaving: policy)
    case .replace: nav.replaceTop(Twig(), leaving: policy)
    case .set: nav.setStack([Twig(), Hollow(), Twig()])
    case .pop: nav.pop()
    case .popToRoot: nav.popToRoot()
    case .present: nav.present(Twig(), leaving: policy)
    case .dismiss: nav.dismiss()
    case .dismissAll: nav.dismissAll()
    case .start: nav.start(Branch())
    case .startModal: nav.present(Branch())
    case .tabs: nav.setTabs(.tab(LeftTab(), title: "Left"), .tab(RightTab(), title: "Right"))
    case .select: if Self.hasTabs { nav.reselect(LeftTab.self) } else { nav.popToRoot() }
    case .ask: nav.ask(Wonder())
    case .turn: isOpen.toggle()
    case .askAndFinish:
      nav.ask(Wonder())
      if Self.canFinish { nav.finish() }
    case .finish: if Self.canFinish { nav.finish() } else { nav.popToRoot() }
    }
  }
}

struct Trunk: Nesting {
  static let name = "trunk"
  static let hasTabs = false
  static let canFinish = false
  static let wiring = nesting
  var isOpen = true
}

struct Branch: Nesting {
  static let name = "branch"
  static let hasTabs = false
  static let canFinish = true
  static let wiring = nesting
  var isOpen = true
}

struct LeftTab: Nesting {
  static let name = "left"
  static let hasTabs = true
  static let canFinish = true
  static let wiring = nesting
  var isOpen = true
}

struct RightTab: Nesting {
  static let name = "right"
  static let hasTabs = true
  static let canFinish = true
  static let wiring = nesting
  var isOpen = true
}

struct Twig: Screen {
  static let name = "twig"
  static let title: Title<Self> = "Twig"
  static let actions: [any Action.Type] = [Grow.self]
}

/// A screen that every coordinator above it guards.
struct Hollow: Screen {
  static let name = "hollow"
  static let title: Title<Self> = "Hollow"
  static let actions: [any Action.Type] = [Grow.self]
}

struct Wonder: Prompt {
  static let name = "wonder"
  static let actions: [any Action.Type] = [Grow.self]
  var title: Text { "Which way?" }
  var message: Text { "All of them are open." }
}

struct Grow: Action {
  enum Verb: String, FieldChoice {
    case push, hide, front, replace, set, pop, popToRoot, present, dismiss, dismissAll, start, startModal, tabs, select,
      ask, turn
    case askAndFinish, finish
  }
  enum Policy: String, FieldChoice { case free, confirm, sealed }

  static let name = "grow"
  static let title: Text = "Grow"
  @Field("Verb") var verb: Verb
  @Field("Policy") var policy: Policy
}

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
