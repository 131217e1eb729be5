internal import HTTPServices
internal import Navigation

/// Pays a quote on a page of the payment provider. The provider says by a signal what happened there.
///
/// All requests for a payment have one key until the provider declines the payment, so that the user pays at most once.
/// At most one request is pending, because only a screen without one offers another. If the user leaves while one is
/// pending, the provider withdraws the payment, unless it is paid.
struct Payment: Coordinator {
  struct Result: Codable {
    var number: String
    var cents: Int
  }

  static let name = "payment"
  var quote: Quote
  /// The number of payments that were declined.
  var declined = 0
  /// The payment of the provider; nil while it is not known.
  var id: String?

  func start(_ nav: inout Navigator<Self>) {
    nav.await(PaymentSettled.self)
    request(&nav)
    nav.push(OpeningPayment())
  }

  private func request(_ nav: inout Navigator<Self>) {
    nav.perform(
      OpenPayment(quote: quote.id, cents: quote.cents), key: "\(quote.id) \(declined)",
      compensate: WithdrawPayment(quote: quote.id))
  }

  private mutating func decline(_ nav: inout Navigator<Self>) {
    declined += 1
    id = nil
    nav.cancel(PaymentOverdue.self)
    nav.replaceTop(PaymentFailed(.declined))
  }

  static let wiring = Wiring<Self>()
    .shows(OpeningPayment.self)
    .shows(PayOutside.self)
    .shows(PaymentFailed.self)
    .performs(
      OpenPayment.self,
      done: { me, page, nav in
        // Another attempt finds the payment as an earlier one has left it.
        switch page.status {
        case "paid": nav.finish(Result(number: page.id, cents: me.quote.cents))
        case "declined": me.decline(&nav)
        default:
          me.id = page.id
          nav.schedule(PaymentOverdue(), after: .seconds(900))
          nav.replaceTop(PayOutside(cents: me.quote.cents, page: page.url))
        }
      },
      failed: { _, failure, nav in
        if failure.mayHaveHappened {
          nav.replaceTop(PaymentFailed(.unknown), leaving: .confirm)
        } else {
          nav.replaceTop(PaymentFailed(.away))
        }
      }
    )
    .performs(detached: WithdrawPayment.self)
    .on(signal: PaymentSettled.self) { me, settled, nav in
      if settled.status == .paid, settled.cents == me.quote.cents {
        nav.finish(Result(number: settled.payment, cents: settled.cents))
      } else if settled.payment == me.id, settled.status == .declined {
        me.decline(&nav)
      } else if settled.status == .paid {
        nav.replaceTop(PaymentFailed(.otherAmount), leaving: .confirm)
      }
    }
    .on(timer: PaymentOverdue.self) { _, _, nav in nav.replaceTop(PaymentFailed(.overdue), leaving: .confirm) }
    .on(PayAgain.self) { me, _, nav in
      me.id = nil
      nav.cancel(PaymentOverdue.self)
      me.request(&nav)
      nav.replaceTop(OpeningPayment(), leaving: .confirm)
    }
}

/// The provider's page for one payment.
struct PaymentPage: Codable {
  var id: String
  var url: String
  /// `open`, `paid`, `declined` or, after the coordinator has ended, `withdrawn`.
  var status: String
}

struct OpenPayment: Effect {
  private struct Order: Codable {
    var quote: String
    var cents: Int
    var callback: String
  }

  static let name = "open-payment"
  static let policy = EffectPolicy(timeout: .seconds(3), attempts: 4)
  static let httpServices = [ExampleApps.checkoutService.name]
  var quote: String
  var cents: Int

  func run(_ context: EffectContext<Self>) async throws -> PaymentPage {
    let order = Order(quote: quote, cents: cents, callback: try await context.callback(for: PaymentSettled.self))
    return try await context.service(ExampleApps.checkoutService.name).post("/payments", order)
  }
}

/// Ends the payment for a quote that the user has left.
struct WithdrawPayment: Effect {
  static let name = "withdraw-payment"
  static let policy = EffectPolicy(timeout: .seconds(3), attempts: 10)
  static let httpServices = [ExampleApps.checkoutService.name]
  var quote: String

  func run(_ context: EffectContext<Self>) async throws -> Nothing {
    try await context.service(ExampleApps.checkoutService.name).post("/withdrawals", self)
  }
}

/// The provider has received the money, or has not.
struct PaymentSettled: Signal {
  enum Status: String, FieldChoice {
    case paid, declined
    var title: Text { self == .paid ? "Paid" : "Declined" }
  }

  static let name = "payment-settled"
  @Field("Payment", length: 1...64) var payment: String
  @Field("Status") var status: Status
  @Field("Cents", in: 0...10_000_000) var cents: Int
}

struct PaymentOverdue: TimedEvent { static let name = "payment-overdue" }

// MARK: - Screens

private let leavePayment = LeaveQuestion(
  "Leave the payment?", message: "If you have paid already, stay here until the payment has arrived.")

struct OpeningPayment: Screen {
  static let name = "opening-payment"
  static let title: Title<Self> = "One moment"
  static let leaveQuestion = leavePayment
  var content: [Block] { [.text("We are opening the page of the payment provider.")] }
}

struct PayOutside: Screen {
  static let name = "pay-outside"
  static let title: Title<Self> = "Pay"
  static let leavePolicy = LeavePolicy.confirm
  static let leaveQuestion = leavePayment
  var cents: Int
  var page: String

  var content: [Block] {
    [
      .text("Please pay \(Price.text(cents).string). This screen changes once the payment has arrived."),
      .link("Open the payment page", href: page),
    ]
  }
}

struct PaymentFailed: Screen {
  enum Reason: String, Codable {
    /// The request has not reached the provider.
    case away
    /// The request may have reached the provider.
    case unknown
    case declined
    case overdue
    case otherAmount
  }

  static let name = "not-paid"
  static let title: Title<Self> = "Not paid"
  static let leaveQuestion = leavePayment
  static let actions: [any Action.Type] = [PayAgain.self]
  var reason: Reason

  init(_ reason: Reason) { self.reason = reason }

  var content: [Block] {
    let text: Text =
      switch reason {
      case .away: "The payment provider does not answer. You have not paid."
      case .unknown: "The payment provider has not answered. Try again: you pay once at most."
      case .declined: "The payment was declined."
      case .overdue: "The payment has not arrived in time. Try again: you pay once at most."
      case .otherAmount: "The provider has received another amount. Please ask the ticket office before you pay again."
      }
    return [.notice(text, tone: .error)]
  }
}

struct PayAgain: Action {
  static let name = "pay-again"
  static let title: Text = "Try again"
  static let role = ActionRole.primary
}
