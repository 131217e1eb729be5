package import Navigation
internal import Synchronization

/// An app with an effect, timers, a signal and a guard: a cashier who charges an amount.
package enum Cashier {
  package static func app(_ bank: any Bank = ScriptedBank()) -> App {
    App("cashier", title: "Cashier", services: bank) { CashierCoordinator() }
  }
}

/// The bank that the effect calls.
package protocol Bank: Sendable {
  func charge(_ amount: Int, key: String, attempt: Int) async throws -> String
}

/// A bank that answers each attempt with the next step of a script, and with a receipt after the last step.
package final class ScriptedBank: Bank {
  package enum Answer: Sendable {
    case receipt(String)
    case retry
    /// As `retry`, but the bank is certain that it has not charged.
    case refuse
    case error
    case wait(Duration)
    /// Answers after ``ScriptedBank/release()``, whatever becomes of its caller.
    case hold
  }
  package struct Call: Sendable, Equatable {
    package let amount: Int
    package let key: String
    package let attempt: Int
  }
  private struct Refused: Error {}

  private let state: Mutex<(script: [Answer], calls: [Call])>
  private let concurrency = Mutex((now: 0, most: 0))
  private let isReleased = Atomic(false)
  package var calls: [Call] { state.withLock { $0.calls } }
  /// The greatest number of calls at once.
  package var mostCallsAtOnce: Int { concurrency.withLock { $0.most } }

  package convenience init(_ script: Answer...) { self.init(script) }

  package init(_ script: [Answer]) { state = Mutex((script, [])) }

  package func charge(_ amount: Int, key: String, attempt: Int) async throws -> String {
    concurrency.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
    defer { concurrency.withLock { $0.now -= 1 } }
    let answer = state.withLock { state in
      state.calls.append(Call(amount: amount, key: key, attempt: attempt))
      return state.script.isEmpty ? .receipt("receipt \(amount)") : state.script.removeFirst()
    }
    switch answer {
    case .receipt(let text): return text
    case .retry: throw Retry("The bank is busy.")
    case .refuse: throw Retry("The bank is closed.", mayHaveHappened: false)
    case .error: throw Refused()
    case .wait(let time):
      try await ContinuousClock().sleep(for: time)
      return "late receipt"
    case .hold:
      while !isReleased.load(ordering: .acquiring) { try? await ContinuousClock().sleep(for: .milliseconds(1)) }
      return "late receipt"
    }
  }

  /// Lets the held calls answer.
  package func release() { isReleased.store(true, ordering: .releasing) }
}

package struct ChargeCard: Effect {
  package typealias Services = any Bank
  package static let name = "charge-card"
  package static let policy = EffectPolicy(timeout: .seconds(20), attempts: 3, pause: .milliseconds(1))
  var amount: Int

  package func run(_ context: EffectContext<Self>) async throws -> String {
    try await context.services.charge(amount, key: context.idempotencyKey, attempt: context.attempt)
  }
}

/// A question to the bank with a short timeout.
struct AskBank: Effect {
  typealias Services = any Bank
  static let name = "ask-bank"
  static let policy = EffectPolicy(timeout: .milliseconds(300), attempts: 100, pause: .milliseconds(1))

  func run(_ context: EffectContext<Self>) async throws -> String {
    try await context.services.charge(0, key: context.idempotencyKey, attempt: context.attempt)
  }
}

/// The rate of the bank, which is the same for everybody.
struct FetchRate: PublicEffect {
  typealias Services = any Bank
  static let name = "fetch-rate"
  static let maximumAge = Duration.seconds(3600)
  static let policy = EffectPolicy(timeout: .seconds(20), attempts: 3, pause: .milliseconds(1))
  var price: Int

  func run(_ context: EffectContext<Self>) async throws -> String {
    try await context.services.charge(price, key: context.idempotencyKey, attempt: context.attempt)
  }
}

package struct OfferExpired: TimedEvent {
  package static let name = "offer-expired"
  var reason: String
}

/// The reader has read a card.
struct CardRead: Signal {
  static let name = "card-read"
  @Field("Card", in: 0...9) var card: Int
}

struct CashierCoordinator: Coordinator {
  typealias Services = any Bank
  static let name = "cashier"
  var isOpen = true
  var price = 10
  var receipts: [String] = []
  var failures: [EffectFailure] = []
  var expired: [String] = []

  func start(_ nav: inout Navigator<Self>) { nav.push(Amount()) }

  static let wiring = Wiring<Self>()
    .shows(Amount.self) { me, screen in screen.price = me.price }
    .shows(Charging.self)
    .shows(Rates.self) { me, screen in screen.price = me.price }
    .shows(Paid.self) { me, screen in screen.receipts = me.receipts }
    .shows(NotPaid.self) { me, screen in
      screen.failures = me.failures.map(\.reason.rawValue)
      screen.mayBePaid = me.failures.last?.mayHaveHappened ?? false
    }
    .starts(Sale.self, finished: { me, receipt, _ in me.receipts.append(receipt) })
    .guards(screen: Paid.self, until: { $0.isOpen }, otherwise: { _, _ in })
    .performs(
      ChargeCard.self,
      done: { me, receipt, nav in
        me.receipts.append(receipt)
        nav.replaceTop(Paid())
      },
      failed: { me, failure, nav in
        me.failures.append(failure)
        nav.replaceTop(NotPaid())
      }
    )
    .performs(
      AskBank.self, done: { _, _, nav in nav.push(Paid()) }, failed: { _, _, nav in nav.push(NotPaid()) }
    )
    .on(Ask.self) { _, _, nav in nav.perform(AskBank()) }
    .on(ShowRates.self) { _, _, nav in nav.push(Rates()) }
    .on(PickRate.self) { me, action, _ in me.receipts.append(action.rate) }
    .on(timer: OfferExpired.self) { me, event, nav in
      me.expired.append(event.reason)
      switch event.reason {
      case "quiet": break
      case "price": me.price += 1
      default: nav.push(NotPaid())
      }
    }
    .on(signal: CardRead.self) { me, signal, nav in
      me.receipts.append("card \(signal.card)")
      if signal.card == 9 { nav.push(Paid()) }
    }
    .on(Listen.self) { _, action, nav in
      if action.listens {
        nav.await(CardRead.self, key: action.reader)
      } else {
        nav.cancel(CardRead.self, key: action.reader)
      }
    }
    .on(Charge.self) { _, action, nav in
      nav.perform(ChargeCard(amount: action.amount))
      nav.push(Charging(), leaving: action.asks ? .confirm : .free)
    }
    .on(CancelOrder.self) { _, action, nav in nav.cancel(ChargeCard.self, key: action.order) }
    .on(ChargeOrder.self) { _, action, nav in nav.perform(ChargeCard(amount: action.amount), key: action.order) }
    .on(Offer.self) { _, action, nav in
      nav.schedule(OfferExpired(reason: action.reason), after: .seconds(60), key: action.reason)
    }
    .on(Withdraw.self) { _, action, nav in nav.cancel(OfferExpired.self, key: action.reason) }
    .on(Again.self) { _, _, nav in nav.setStack([Amount()]) }
    .on(Shut.self) { me, action, _ in me.isOpen = action.isOpen }
    .on(Sell.self) { _, action, nav in nav.start(Sale(amount: action.amount, endsAtOnce: action.endsAtOnce)) }
}

/// A child that ends with the receipt of its charge.
struct Sale: Coordinator {
  typealias Services = any Bank
  typealias Result = String
  static let name = "sale"
  var amount: Int
  var endsAtOnce: Bool

  func start(_ nav: inout Navigator<Self>) {
    nav.push(Charging())
    nav.perform(ChargeCard(amount: amount))
    nav.schedule(OfferExpired(reason: "sale"), after: .seconds(60))
    nav.await(CardRead.self)
    if endsAtOnce { nav.finish("nothing") }
  }

  static let wiring = Wiring<Self>()
    .shows(Charging.self)
    .performs(
      ChargeCard.self, done: { _, receipt, nav in nav.finish(receipt) }, failed: { _, _, nav in nav.finish("none") }
    )
    .on(timer: OfferExpired.self) { _, _, nav in nav.finish("expired") }
    .on(signal: CardRead.self) { _, signal, nav in nav.finish("card \(signal.card)") }
}

struct Amount: Screen {
  static let name = "amount"
  static let title: Title<Self> = "Amount"
  static let actions: [any Action.Type] = [
    Charge.self, ChargeOrder.self, CancelOrder.self, Ask.self, Offer.self, Withdraw.self, Listen.self, Shut.self,
    Sell.self, ShowRates.self,
  ]
  static let agreements = [Agreement<Self>(Charge.self) { $0.price }]
  var price = 0
}

/// A screen with data that the bank knows: one rate for the price, and one that it looks up by the first.
struct Rates: Screen {
  static let name = "rates"
  static let title: Title<Self> = "Rates"
  static let actions: [any Action.Type] = [ShowRates.self, Offer.self, Ask.self, PickRate.self]
  static let choices = [
    Choices<Self>("rate", of: PickRate.self) { screen in
      [screen.rate, screen.next].compactMap { $0 }.map { Choice($0, title: Text($0)) }
    }
  ]
  static let loads = [
    Load<Self>(\.rate, fresh: .seconds(30)) { FetchRate(price: $0.price) },
    Load<Self>(\.next, problem: "The next rate is not known.") { screen in
      screen.rate.map { FetchRate(price: 100 + $0.utf8.count) }
    },
  ]
  var price = 0
  var rate: String?
  var next: String?
}

struct ShowRates: Action {
  static let name = "rates"
  static let title: Text = "Rates"
}

struct PickRate: Action {
  static let name = "pick"
  static let title: Text = "Pick"
  @Field("Rate") var rate: String
}

struct Charging: Screen {
  static let name = "charging"
  static let title: Title<Self> = "Charging"
  static let actions: [any Action.Type] = [CancelOrder.self, Shut.self]
}

package struct Paid: Screen {
  package static let name = "paid"
  package static let title: Title<Self> = "Paid"
  package static let actions: [any Action.Type] = [Again.self]
  var receipts: [String] = []

  package init() {}
}

struct NotPaid: Screen {
  static let name = "not-paid"
  static let title: Title<Self> = "Not paid"
  static let actions: [any Action.Type] = [Again.self]
  var failures: [String] = []
  var mayBePaid = false
}

struct Ask: Action {
  static let name = "ask"
  static let title: Text = "Ask the bank"
}

struct Again: Action {
  static let name = "again"
  static let title: Text = "Again"
}

struct Charge: Action {
  static let name = "charge"
  static let title: Text = "Charge"
  @Field("Amount", in: 0...1000) var amount: Int
  @Field("Ask before leaving") var asks: Bool
}

struct ChargeOrder: Action {
  static let name = "charge-order"
  static let title: Text = "Charge an order"
  @Field("Amount", in: 0...1000) var amount: Int
  @Field("Order") var order: String
}

struct CancelOrder: Action {
  static let name = "cancel-order"
  static let title: Text = "Cancel an order"
  @Field("Order") var order: String?
}

struct Offer: Action {
  static let name = "offer"
  static let title: Text = "Offer"
  @Field("Reason") var reason: String
}

struct Withdraw: Action {
  static let name = "withdraw"
  static let title: Text = "Withdraw"
  @Field("Reason") var reason: String
}

struct Listen: Action {
  static let name = "listen"
  static let title: Text = "Listen to the card reader"
  @Field("Listens") var listens: Bool
  @Field("Reader", length: 0...300) var reader: String?
}

struct Shut: Action {
  static let name = "shut"
  static let title: Text = "Open or shut"
  @Field("Open") var isOpen: Bool
}

struct Sell: Action {
  static let name = "sell"
  static let title: Text = "Sell"
  @Field("Amount", in: 0...1000) var amount: Int
  @Field("End at once") var endsAtOnce: Bool
}
