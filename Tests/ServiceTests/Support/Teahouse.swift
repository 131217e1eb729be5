import Languages
import Navigation

/// An app in English and German.
struct Teahouse: Coordinator {
  static let name = "teahouse"

  static let app = App("teahouse", title: Text(key: "app"), summary: Text(key: "summary")) { Teahouse() }.texts(texts)

  static let texts = TextCatalogue(
    fallback: "en",
    [
      "en": [
        "app": "Teahouse", "summary": "Tea", "menu": "Menu", "order": "Order", "cups": "Cups",
        "ordered": .plural("cups", exactly: [0: "Nothing yet"], one: "{cups} cup", other: "{cups} cups"),
        "closed": "We are closed.", "tab": "Tea", "full": "No more than {cups}",
      ],
      "de": [
        "app": "Teehaus", "summary": "Tee", "menu": "Karte", "order": "Bestellen", "cups": "Tassen",
        "ordered": .plural("cups", exactly: [0: "Noch nichts"], one: "{cups} Tasse", other: "{cups} Tassen"),
        "closed": "Wir haben geschlossen.", "tab": "Tee", "full": "Höchstens {cups}",
      ],
    ])

  func start(_ nav: inout Navigator<Self>) {
    nav.setTabs(.tab(TeaTable(), title: Text(key: "tab")))
  }

  static let wiring = Wiring<Self>().starts(TeaTable.self)
    .on(LeaveTeahouse.self) { _, _, nav in nav.finish() }
}

struct TeaTable: Coordinator {
  static let name = "table"
  var cups = 0

  func start(_ nav: inout Navigator<Self>) { nav.push(TeaMenu()) }

  static let wiring = Wiring<Self>()
    .shows(TeaMenu.self) { me, menu, context in (menu.cups, menu.locale) = (me.cups, context.locale) }
    .shows(TeaNote.self)
    .on(OrderTea.self, disabled: { $0.cups > 6 ? Text(key: "closed") : nil }) { me, order, nav in
      if order.cups == 5 { return nav.refuse(Text(key: "full", ["cups": 4])) }
      me.cups += order.cups
    }
    .on(WriteNote.self) { _, _, nav in nav.push(TeaNote()) }
}

struct TeaMenu: Screen {
  static let name = "menu", title = Title<Self>(key: "menu")
  static let actions: [any Action.Type] = [OrderTea.self, WriteNote.self, LeaveTeahouse.self]
  var cups = 0
  var locale: String?
  var content: [Block] {
    [.text(Text(key: "ordered", ["cups": .integer(cups)])), .progress(step: 1, of: 2)]
  }
}

struct OrderTea: Action {
  static let name = "order", title = Text(key: "order")
  @Field(Text(key: "cups"), in: 1...8) var cups: Int
}

struct WriteNote: Action { static let name = "write", title: Text = "Write" }

struct LeaveTeahouse: Action { static let name = "leave-house", title: Text = "Leave" }

/// A screen with the question and the texts of the service.
struct TeaNote: Screen {
  static let name = "note", title: Title<Self> = "Note"
  static let leavePolicy = LeavePolicy.confirm
}
