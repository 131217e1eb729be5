internal import HTTPServices
internal import Navigation

/// Asks the backend for the price of a ticket, and sells it. The result is the paid ticket.
///
/// If the user goes back, the coordinator ends, and with it the request for the price.
struct Purchase: Coordinator {
  typealias Result = Ticket
  static let name = "purchase"
  /// The id of the ticket at the ticket office.
  var kind: String
  /// Nil before the first answer.
  var quote: Quote?
  var hasExpired = false

  func start(_ nav: inout Navigator<Self>) {
    nav.perform(FetchQuote(kind: kind))
    nav.push(AskingForPrice())
  }

  private var title: String { quote?.title ?? kind }

  static let wiring = Wiring<Self>()
    .shows(AskingForPrice.self)
    .shows(PriceUnknown.self)
    .shows(Offered.self) { me, screen in
      screen.kind = me.title
      screen.cents = me.quote?.cents ?? 0
      screen.quote = me.quote?.id ?? ""
      screen.hasExpired = me.hasExpired
    }
    .performs(
      FetchQuote.self,
      done: { me, quote, nav in
        (me.quote, me.hasExpired) = (quote, false)
        nav.schedule(QuoteExpired(), after: .seconds(quote.seconds))
        nav.replaceTop(Offered())
      },
      failed: { _, _, nav in nav.replaceTop(PriceUnknown()) }
    )
    .on(AskAgain.self) { me, _, nav in
      nav.perform(FetchQuote(kind: me.kind))
      nav.replaceTop(AskingForPrice())
    }
    .on(timer: QuoteExpired.self) { me, _, _ in me.hasExpired = true }
    .on(BuyTicket.self, disabled: { me in me.hasExpired ? "This price is no longer valid." : nil }) { me, _, nav in
      if let quote = me.quote { nav.start(Payment(quote: quote)) }
    }
    .starts(
      Payment.self,
      finished: { me, paid, nav in nav.finish(Ticket(kind: me.title, cents: paid.cents, number: paid.number)) },
      // Another payment is one for another quote.
      cancelled: { me, nav in
        me.hasExpired = true
        nav.cancel(QuoteExpired.self)
      })
}

/// The price that the backend grants for a time.
struct Quote: Codable {
  var id: String
  /// The title of the ticket; nil in a quote that an earlier version has stored.
  var title: String?
  var cents: Int
  /// How long the price is valid.
  var seconds: Int
}

struct FetchQuote: Effect {
  static let name = "fetch-quote"
  static let policy = EffectPolicy(timeout: .seconds(3), attempts: 4)
  static let httpServices = [ExampleApps.checkoutService.name]
  var kind: String

  func run(_ context: EffectContext<Self>) async throws -> Quote {
    try await context.service(ExampleApps.checkoutService.name).post("/quotes", ["kind": kind])
  }
}

struct QuoteExpired: TimedEvent { static let name = "quote-expired" }

struct AskingForPrice: Screen {
  static let name = "asking"
  static let title: Title<Self> = "One moment"
  var content: [Block] { [.text("We are asking for the price.")] }
}

struct PriceUnknown: Screen {
  static let name = "price-unknown"
  static let title: Title<Self> = "No price"
  static let actions: [any Action.Type] = [AskAgain.self]
  var content: [Block] { [.notice("The ticket office does not answer. Nothing was bought.", tone: .error)] }
}

struct AskAgain: Action {
  static let name = "ask-again"
  static let title: Text = "Ask again"
}

/// The price. The user agrees to it by buying.
struct Offered: Screen {
  static let name = "offer"
  static let title: Title<Self> = "Your ticket"
  static let actions: [any Action.Type] = [BuyTicket.self, AskAgain.self]
  static let agreements = [Agreement<Self>(BuyTicket.self) { $0.cents }]
  var kind = ""
  var cents = 0
  /// The id of the quote at the ticket office.
  var quote = ""
  var hasExpired = false

  var content: [Block] {
    let facts = Block.facts([.init("Ticket", Text(kind)), .init("Price", Price.text(cents))])
    return hasExpired ? [facts, .notice("This price is no longer valid.", tone: .warning)] : [facts]
  }
}

struct BuyTicket: Action {
  static let name = "pay"
  static let title: Text = "Pay"
  static let role = ActionRole.primary
}
