import Languages
import Navigation

/// An app whose texts have keys in every place that shows one.
struct Kiosk: Coordinator {
  static let name = "kiosk"
  var count = 0

  static let texts = TextCatalogue(
    fallback: "en",
    [
      "en": english, "de": german,
    ])

  static func app(_ texts: TextCatalogue = texts) -> App {
    App("kiosk", title: Text(key: "app"), summary: Text(key: "summary"), input: KioskInput.self) { _ in Kiosk() }
      .texts(texts)
  }

  func start(_ nav: inout Navigator<Self>) {
    nav.setTabs(
      .tab(KioskCounter(), title: Text(key: "tab.counter", ["name": .text(Text(key: "app"))])),
      .tab(KioskHelp(), title: "Help"))
  }

  static let wiring = Wiring<Self>().starts(KioskCounter.self).starts(KioskHelp.self)

  static let english: TextCatalogue.Texts = [
    "app": "Kiosk", "summary": "Sells papers", "guest": "Guest", "tab.counter": "{name}: counter", "papers": "Papers",
    "count": .plural("count", exactly: [0: "No paper"], one: "{count} paper", other: "{count} papers"),
    "buy": "Buy", "buy.number": "Number", "buy.hint": "Up to five", "buy.kind": "Kind", "kind.daily": "Daily",
    "kind.hint": "Every morning",
    "kind.weekly": "Weekly", "buy.tip": "Tip", "unit": "euros", "sold-out": "Sold out", "refused": "Not {count}",
    "sure": "Sure?", "sure.message": "It costs {price}.", "yes": "Yes", "leave": "Leave?",
    "leave.message": "Papers stay.",
    "leave.leave": "Go", "leave.stay": "Stay here", "load.problem": "No news", "news": "News", "extra": "Extra",
  ]

  static let german: TextCatalogue.Texts = [
    "app": "Kiosk (de)", "summary": "Verkauft Zeitungen", "guest": "Gast", "tab.counter": "{name}: Theke",
    "papers": "Zeitungen",
    "count": .plural("count", exactly: [0: "Keine Zeitung"], one: "{count} Zeitung", other: "{count} Zeitungen"),
    "buy": "Kaufen", "buy.number": "Anzahl", "buy.hint": "Bis zu fünf", "buy.kind": "Art", "kind.daily": "Täglich",
    "kind.hint": "Jeden Morgen",
    "kind.weekly": "Wöchentlich", "buy.tip": "Trinkgeld", "unit": "Euro", "sold-out": "Ausverkauft",
    "refused": "Nicht {count}", "sure": "Sicher?", "sure.message": "Das kostet {price}.", "yes": "Ja",
    "leave": "Verlassen?", "leave.message": "Die Zeitungen bleiben.", "leave.leave": "Gehen",
    "leave.stay": "Hier bleiben", "load.problem": "Keine Nachrichten", "news": "Nachrichten", "extra": "Extrablatt",
  ]
}

struct KioskInput: AppInput {
  @Field(Text(key: "guest")) var guest: String = "Ann"
}

struct KioskCounter: Coordinator {
  static let name = "counter"
  var count = 0

  func start(_ nav: inout Navigator<Self>) { nav.push(KioskPapers()) }

  static let wiring = Wiring<Self>()
    .shows(KioskPapers.self) { me, papers in papers.count = me.count }
    .shows(KioskNews.self)
    .asks(KioskSure.self)
    .on(BuyPapers.self, disabled: { $0.count > 5 ? Text(key: "sold-out") : nil }) { me, buy, nav in
      if buy.number == 4 { return nav.refuse(Text(key: "refused", ["count": .integer(4)]), field: "number") }
      me.count += buy.number
    }
    .on(KioskAskSure.self) { _, _, nav in nav.ask(KioskSure()) }
    .on(KioskYes.self) { _, _, _ in }
    .on(ReadNews.self) { me, _, nav in nav.push(KioskNews(count: me.count)) }
}

struct KioskPapers: Screen {
  static let name = "papers", title = Title<Self>(key: "papers")
  static let actions: [any Action.Type] = [BuyPapers.self, KioskAskSure.self, ReadNews.self]
  static let choices = [
    Choices<Self>("extra", of: KioskAskSure.self) { _ in [Choice("x", title: Text(key: "extra"))] }
  ]
  var count = 0
  var content: [Block] {
    let text = Text(key: "count", ["count": .integer(count)])
    return [
      .text(text), .heading(text), .facts([.init(text, text)]), .list([.init(text, detail: text)]),
      .list([count]) { .init(Text(key: "count", ["count": .integer($0)])) },
      .table([text], title: text, rows: [[text]]), .progress(step: 1, of: 2, title: text),
      .section(text, [.text(text)]), .image(source: "/a.png", alternative: text), .notice(text, tone: .error),
      .link(text, href: "/"), .text("Words"), .text(.money(150, currency: "EUR")),
    ]
  }
}

enum PaperKind: String, FieldChoice {
  case daily, weekly
  var title: Text { Text(key: "kind.\(rawValue)") }
  var hint: Text? { self == .daily ? Text(key: "kind.hint") : nil }
}

struct BuyPapers: Action {
  static let name = "buy", title = Text(key: "buy")
  @Field(Text(key: "buy.number"), description: Text(key: "buy.hint"), in: 1...5) var number: Int
  @Field(Text(key: "buy.kind")) var kind: PaperKind = .daily
  @Field(Text(key: "buy.kind"), count: 0...2) var more: [PaperKind] = []
  @Field(Text(key: "buy.tip"), decimals: 2, unit: Text(key: "unit"), in: 0...500) var tip: Int = 0
}

struct KioskAskSure: Action {
  static let name = "ask", title: Text = "Ask"
  @Field("Extra") var extra: String?
}

struct ReadNews: Action { static let name = "read", title: Text = "Read" }

struct KioskSure: Prompt {
  static let name = "sure"
  static let actions: [any Action.Type] = [KioskYes.self]
  var title: Text { Text(key: "sure") }
  var message: Text { Text(key: "sure.message", ["price": .text(.money(150, currency: "EUR"))]) }
}

struct KioskYes: Action { static let name = "yes", title = Text(key: "yes") }

struct KioskNews: Screen {
  static let name = "news"
  static let title = Title<Self> { Text(key: "count", ["count": .integer($0.count)]) }
  static let leavePolicy = LeavePolicy.confirm
  static let leaveQuestion = LeaveQuestion(
    Text(key: "leave"), message: Text(key: "leave.message"), leave: Text(key: "leave.leave"),
    stay: Text(key: "leave.stay"))
  static let loads = [Load<Self>(\.news, problem: Text(key: "load.problem")) { _ in FetchNews() }]
  var count = 0
  var news: String?
}

struct FetchNews: Effect {
  static let name = "fetch-news"
  func run(_ context: EffectContext<Self>) async throws -> String { "" }
}

/// A coordinator with one screen and one action.
struct KioskStand: Coordinator {
  static let name = "stand"
  func start(_ nav: inout Navigator<Self>) { nav.push(KioskStandScreen()) }
  static let wiring = Wiring<Self>().shows(KioskStandScreen.self).on(KioskStandBuy.self) { _, _, _ in }
}

struct KioskStandScreen: Screen {
  static let name = "stand", title = Title<Self>(key: "papers")
  static let actions: [any Action.Type] = [KioskStandBuy.self]
}

struct KioskStandBuy: Action { static let name = "buy", title = Text(key: "buy") }

struct KioskHelp: Coordinator {
  static let name = "help"
  func start(_ nav: inout Navigator<Self>) { nav.push(HelpScreen()) }
  static let wiring = Wiring<Self>().shows(HelpScreen.self)
}

struct HelpScreen: Screen { static let name = "help", title: Title<Self> = "Help" }
