internal import HTTPServices
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

/// The tickets on sale, which the backend knows.
struct Tickets: Screen {
  static let name = "tickets"
  static let title: Title<Self> = "Tickets"
  static let actions: [any Action.Type] = [ChooseTicket.self]
  static let loads = [
    Load<Self>(\.tickets, problem: "The ticket office does not answer.", isData: false) { _ in FetchTickets() }
  ]
  static let choices = [
    Choices<Self>("kind", of: ChooseTicket.self, isListed: false) { screen in
      (screen.tickets ?? []).map { Choice($0.id, title: Text($0.title)) }
    }
  ]
  var tickets: [TicketOnSale]?

  var content: [Block] {
    guard let tickets else { return [] }
    return [
      .list(tickets) { ticket in
        .init(
          Text(ticket.title), detail: Price.text(ticket.cents), action: ChooseTicket.self, ["kind": .text(ticket.id)])
      }
    ]
  }
}

struct TicketOnSale: Codable {
  var id: String
  var title: String
  var cents: Int
}

/// The same for all visitors, so that one call serves them for half a minute.
struct FetchTickets: PublicEffect {
  static let name = "fetch-tickets"
  static let policy = EffectPolicy(timeout: .seconds(3), attempts: 4)
  static let httpServices = [ExampleApps.checkoutService.name]

  func run(_ context: EffectContext<Self>) async throws -> [TicketOnSale] {
    try await context.service(ExampleApps.checkoutService.name).get("/tickets")
  }
}

struct ChooseTicket: Action {
  static let name = "choose"
  static let title: Text = "Ask for the price"
  static let role = ActionRole.primary
  @Field("Ticket", length: 1...64) var kind: String
}

/// The bought ticket. The only way to leave it is its action.
struct Ticket: Screen {
  static let name = "ticket"
  static let title: Title<Self> = "Thank you"
  static let actions: [any Action.Type] = [BuyAnother.self]
  static let leavePolicy = LeavePolicy.sealed
  /// The title of the ticket.
  var kind: String
  var cents: Int
  var number: String

  var content: [Block] {
    [
      .notice("The payment has arrived.", tone: .success),
      .facts([.init("Ticket", Text(kind)), .init("Paid", Price.text(cents)), .init("Number", "\(number)")]),
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
