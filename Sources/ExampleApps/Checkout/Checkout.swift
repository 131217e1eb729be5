public import Navigation

extension ExampleApps {
  /// A purchase with a backend, `Examples/Backend`: a quote that expires, a payment on a page of somebody else, and a
  /// receipt.
  public static let checkout = App(
    "checkout", title: "Checkout", summary: "Ask for the price of a ticket, and pay for it on another page.",
    image: Picture.checkout
  ) { Checkout() }

  /// The HTTP service of ``checkout``, and the address that `Examples/Backend` has by default.
  public static let checkoutService = (name: "tickets", address: "http://127.0.0.1:8090")
}

/// Sells one ticket after the other.
struct Checkout: Coordinator {
  static let name = "checkout"

  func start(_ nav: inout Navigator<Self>) { nav.push(Tickets()) }

  static let wiring = Wiring<Self>()
    .shows(Tickets.self)
    .shows(Ticket.self)
    .on(ChooseTicket.self) { _, action, nav in nav.start(Purchase(kind: action.kind)) }
    .starts(Purchase.self, finished: { _, ticket, nav in nav.push(ticket) })
    .on(BuyAnother.self) { _, _, nav in nav.setStack([Tickets()]) }
}

struct Tickets: Screen {
  static let name = "tickets"
  static let title: Title<Self> = "Tickets"
  static let actions: [any Action.Type] = [ChooseTicket.self]
}

struct ChooseTicket: Action {
  static let name = "choose"
  static let title: Text = "Ask for the price"
  static let role = ActionRole.primary
  @Field("Ticket") var kind: TicketKind
}

enum TicketKind: String, FieldChoice {
  case day, week, month

  var title: Text {
    switch self {
    case .day: "Day ticket"
    case .week: "Week ticket"
    case .month: "Month ticket"
    }
  }
}

/// The bought ticket. The only way to leave it is its action.
struct Ticket: Screen {
  static let name = "ticket"
  static let title: Title<Self> = "Thank you"
  static let actions: [any Action.Type] = [BuyAnother.self]
  static let leavePolicy = LeavePolicy.sealed
  var kind: TicketKind
  var cents: Int
  var number: String

  var content: [Block] {
    [
      .notice("The payment has arrived.", tone: .success),
      .facts([.init("Ticket", kind.title), .init("Paid", Price.text(cents)), .init("Number", "\(number)")]),
    ]
  }
}

struct BuyAnother: Action {
  static let name = "again"
  static let title: Text = "Buy another ticket"
}

enum Price {
  static func text(_ cents: Int) -> Text { Money.text(Double(cents) / 100) }
}
