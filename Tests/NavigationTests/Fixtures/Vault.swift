import Navigation

/// An app with two tabs, a guarded coordinator behind a door, and links to both.
enum Vault {
  static let app = App("vault", title: "Vault", links: [ItemLink.self, SafeLink.self]) { VaultCoordinator() }
}

struct VaultCoordinator: Coordinator {
  struct Result: Codable { var visits: Int }
  static let name = "vault"
  var isOpen = false
  var visits = 0

  func start(_ nav: inout Navigator<Self>) {
    nav.setTabs(.tab(Items(), title: "Items", icon: "box"), .tab(Notes(), title: "Notes"))
  }

  static let wiring = Wiring<Self>()
    .starts(Items.self)
    .starts(Notes.self)
    .starts(Safe.self, cancelled: { me, _ in me.visits += 1 })
    .starts(Door.self, finished: { me, _, _ in me.isOpen = true })
    .guards(Safe.self, until: { me in me.isOpen }, otherwise: { _, nav in nav.present(Door()) })
    .on(OpenSafe.self) { _, _, nav in nav.present(Safe()) }
    .on(LockUp.self) { me, _, _ in me.isOpen = false }
    .on(Jump.self) { _, action, nav in
      switch action.how {
      case .select: nav.select(Notes.self)
      case .reselect: nav.reselect(Items.self)
      case .nowhere: nav.select(Safe.self)
      }
    }
    .on(Mark.self) { _, action, nav in nav.badge(action.count, on: Notes.self) }
    .on(Leave.self) { me, _, nav in nav.finish(Result(visits: me.visits)) }
}

struct Items: Coordinator {
  static let name = "items"
  func start(_ nav: inout Navigator<Self>) { nav.push(ItemList()) }
  static let wiring = Wiring<Self>()
    .shows(ItemList.self)
    .shows(Item.self)
    .on(OpenItem.self) { _, action, nav in nav.push(Item(number: action.number)) }
    .on(FinishTab.self) { _, _, nav in nav.finish() }
}

struct Notes: Coordinator {
  static let name = "notes"
  func start(_ nav: inout Navigator<Self>) { nav.push(NoteList()) }
  static let wiring = Wiring<Self>()
    .shows(NoteList.self)
    .on(MarkOwn.self) { _, action, nav in nav.badge(action.count) }
}

struct Safe: Coordinator {
  static let name = "safe"
  func start(_ nav: inout Navigator<Self>) { nav.push(Treasure()) }
  static let wiring = Wiring<Self>().shows(Treasure.self)
}

struct Door: Coordinator {
  static let name = "door"
  func start(_ nav: inout Navigator<Self>) { nav.push(Lock()) }
  static let wiring = Wiring<Self>().shows(Lock.self).on(Unlock.self) { _, _, nav in nav.finish() }
}

struct ItemList: Screen {
  static let name = "item-list"
  static let title: Title<Self> = "Items"
  static let actions: [any Action.Type] = [
    OpenItem.self, OpenSafe.self, Jump.self, Mark.self, FinishTab.self, Leave.self,
  ]
}

struct Item: Screen {
  static let name = "item"
  static let title = Title<Self> { "Item \($0.number)" }
  static let actions: [any Action.Type] = [OpenSafe.self, Jump.self]
  var number: Int
}

struct NoteList: Screen {
  static let name = "note-list"
  static let title: Title<Self> = "Notes"
  static let actions: [any Action.Type] = [MarkOwn.self]
}

struct Treasure: Screen {
  static let name = "treasure"
  static let title: Title<Self> = "Treasure"
  static let actions: [any Action.Type] = [LockUp.self]
}

struct Lock: Screen {
  static let name = "lock"
  static let title: Title<Self> = "Lock"
  static let actions: [any Action.Type] = [Unlock.self, Leave.self]
}

struct OpenItem: Action {
  static let name = "open"
  static let title: Text = "Open"
  @Field("Number", in: 1...9) var number: Int
}

struct Jump: Action {
  enum How: String, FieldChoice { case select, reselect, nowhere }
  static let name = "jump"
  static let title: Text = "Jump"
  @Field("How") var how: How
}

struct Mark: Action {
  static let name = "mark"
  static let title: Text = "Mark"
  @Field("Count") var count: Int?
}

struct MarkOwn: Action {
  static let name = "mark-own"
  static let title: Text = "Mark"
  @Field("Count") var count: Int?
}

struct OpenSafe: Action {
  static let name = "safe"
  static let title: Text = "Open the safe"
}

struct LockUp: Action {
  static let name = "lock-up"
  static let title: Text = "Lock up"
}

struct Unlock: Action {
  static let name = "unlock"
  static let title: Text = "Unlock"
}

struct FinishTab: Action {
  static let name = "finish-tab"
  static let title: Text = "Finish"
}

struct Leave: Action {
  static let name = "leave-vault"
  static let title: Text = "Leave"
}

struct ItemLink: Link {
  static let pattern = "/items/{number}"
  @Field("Number", in: 1...9) var number: Int

  var steps: [Step] {
    var open = OpenItem()
    open.number = number
    return [.tab(Items.self), .action(open)]
  }
}

struct SafeLink: Link {
  static let pattern = "/safe"
  var steps: [Step] { [.tab(Items.self), .action(OpenSafe())] }
}
