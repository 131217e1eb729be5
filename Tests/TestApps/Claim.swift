package import Navigation
package import Values

/// A journey in Swift with all that its declaration may have: an answer that is there at the start, rules about several
/// answers, items on two pages, as many as an answer says, and a declaration. Handlers read, change and send the answers.
package enum Claim {
  package static let app = App("claim", title: "Claim") { Parcel(name: "Mai") }
  /// The next version, which takes another type for one answer, and asks one question more.
  package static let next = App("claim", title: "Claim", version: 2) { NextParcel() }
  /// Questions that are none.
  package static let faulty = App("claim", title: "Claim") { Faulty() }
  /// A coordinator that sends answers of no journey.
  package static let silent = App("claim", title: "Claim") { Silent() }

  struct Parcel: Coordinator {
    static let name = "parcel"
    var name: String?
    var note: String?
    var isUrgent: Bool?
    var first: CalendarDate?
    var last: CalendarDate?
    var count: Int?
    var things: [Thing]?
    var reason: String?
    var isTrue: Bool?
    var looks = 0

    func start(_ nav: inout Navigator<Self>) {}

    static let journey = Journey<Self> {
      Page("name", title: "You") {
        Question(\.name, Field("Name", length: 1...10))
        Question(optional: \.note, Field("Note"))
        Question(\.isUrgent, Field(wrappedValue: false, "Urgent"))
      }
      Page("dates", title: "Dates") {
        Question(\.first, Field("First day"))
        Question(\.last, Field("Last day")).refuses { answers in
          guard let first = answers.first, let last = answers.last, last < first else { return nil }
          return "The last day is before the first one."
        }
      }
      .title { "Dates of \($0.name ?? "")" }
      Page("count") { Question(\.count, Field("How many things?", in: 0...3)) }
      Page(
        "things",
        Items(
          \.things, "Things", count: { $0.count }, title: { Text($0.name ?? "") },
          detail: { $0.watts.map { "\($0) W" } ?? "" }, pageTitle: { "Thing \($0.number) of \($0.count)" }
        ) {
          ItemPage { Question(\.name, Field("What?")).choices { _ in ["lamp", "amplifier"] } }
          ItemPage {
            Question(\.watts, Field("Watts", in: 1...5000)).when { $0.name == "amplifier" }
              .title { "Watts of \($0.journey.name ?? "")" }
          }
        })
      Page(exit: "nothing", title: "Nothing").when { $0.name == "Nobody" }
      Page("declaration", title: "Declaration") {
        Question(\.reason, Field("Why nothing?")).when { $0.count == 0 }
        Question(\.isTrue, Field("All of this is true.", mustBeTrue: true), confirms: true)
      }
    }
    .check("overview", title: "Overview", submit: "Claim") { [.text("\($0.things?.count ?? 0) things")] }

    static let wiring = Wiring<Self>()
      .journey(journey) { me, nav in
        me.looks += 1
        nav.push(Intro())
      }
      .shows(Intro.self) { me, screen in screen.name = me.name ?? "" }
      .shows(Vault.self)
      .guards(screen: Vault.self, until: { $0.looks > 9 }, otherwise: { me, _ in me.name = "Kim" })
      .on(Open.self) { _, _, nav in nav.push(Vault()) }
      .on(Look.self) { me, _, _ in me.looks += 1 }
      .on(Fill.self) { me, fill, nav in
        me.name = fill.name
        if fill.sends { nav.perform { Order(answers: $0) } }
      }
      .on(Lend.self) { me, _, _ in me.things?.append(Thing(name: "lamp")) }
      .on(Send.self) { _, _, nav in nav.perform { Order(answers: $0) } }
      .on(Ask.self) { _, _, nav in nav.perform(Order(answers: .null)) }
      .on(Drop.self) { me, drop, nav in
        me.name = drop.name ?? me.name
        nav.cancel(Order.self)
      }
      .performs(
        Order.self, mayRefuse: true, done: { _, _, nav in nav.refuse("The name is not known.", field: "name") },
        failed: { _, _, _ in })
  }

  struct Thing: Codable {
    var name: String?
    var watts: Int?
  }

  struct NextParcel: Coordinator {
    static let name = "parcel"
    var name: Int?
    var count: Int?
    var color: String?

    func start(_ nav: inout Navigator<Self>) {}

    static let wiring = Wiring<Self>()
      .journey(
        Journey {
          Page("count") { Question(\.count, Field("How many things?", in: 0...3)) }
          Page("name") { Question(\.name, Field("Number")) }
          Page("color") { Question(\.color, Field("Color")) }
        }.check("overview")
      ) { _, nav in nav.push(Intro()) }
      .shows(Intro.self)
      .on(Open.self) { _, _, _ in }
      .on(Look.self) { _, _, _ in }
      .on(Fill.self) { _, _, _ in }
      .on(Lend.self) { _, _, _ in }
      .on(Send.self) { _, _, _ in }
      .on(Ask.self) { _, _, _ in }
      .on(Drop.self) { _, _, _ in }
  }

  struct Faulty: Coordinator {
    static let name = "faulty"
    var name: String?
    var journey: String?
    var pin: String?
    var items: [Item]?
    var short: String? { name }

    struct Item: Codable {
      var number: Int?
    }

    func start(_ nav: inout Navigator<Self>) {}

    static let wiring = Wiring<Self>()
      .journey(
        Journey {
          Page("first", title: "First") {
            Question(\.name, Field("Name"))
            Question(\.short, Field("Short"))
            Question(\.journey, Field("Journey"))
            Question(\.pin, Field("PIN", digits: 4, isSecret: true))
          }
          Page("second") { Question(\.name, Field("Name")) }
          Page("third", title: "Third") {}
          Page(
            "items",
            Items(\.items, "Items", count: 1...2, title: { _ in "" }) { Question(\.number, Field("Number")) })
        }
      ) { _, _ in }
  }

  struct Silent: Coordinator {
    static let name = "silent"

    func start(_ nav: inout Navigator<Self>) { nav.push(Quiet()) }

    static let wiring = Wiring<Self>()
      .shows(Quiet.self)
      .on(Send.self) { _, _, nav in nav.perform { Order(answers: $0) } }
      .performs(Order.self, done: { _, _, _ in }, failed: { _, _, _ in })
  }

  // MARK: Screens and actions

  struct Intro: Screen {
    static let name = "intro"
    static let title: Title<Self> = "Intro"
    static let actions: [any Action.Type] = [
      Look.self, Fill.self, Lend.self, Send.self, Ask.self, Drop.self, Open.self,
    ]
    var name = ""
  }

  struct Vault: Screen {
    static let name = "vault"
    static let title: Title<Self> = "Vault"
  }

  struct Quiet: Screen {
    static let name = "quiet"
    static let title: Title<Self> = "Quiet"
    static let actions: [any Action.Type] = [Send.self]
  }

  struct Look: Action {
    static let name = "look"
    static let title: Text = "Look"
  }

  struct Fill: Action {
    static let name = "fill"
    static let title: Text = "Fill"
    @Field("Name") var name: String?
    @Field("Send") var sends: Bool = false
  }

  struct Lend: Action {
    static let name = "lend"
    static let title: Text = "Lend"
  }

  struct Open: Action {
    static let name = "open"
    static let title: Text = "Open"
  }

  struct Send: Action {
    static let name = "send"
    static let title: Text = "Send"
  }

  struct Ask: Action {
    static let name = "ask"
    static let title: Text = "Ask"
  }

  struct Drop: Action {
    static let name = "drop"
    static let title: Text = "Drop"
    @Field("Name") var name: String?
  }

  package struct Order: Effect {
    package static let name = "order"
    package var answers: Value

    package func run(_ context: EffectContext<Self>) async throws -> Nothing { Nothing() }
  }
}
