import Navigation
import Synchronization
import Values

/// An app that waits for signals: a pay point whose sales are paid elsewhere.
enum PayPoint {
  static func app(_ payments: Payments) -> App {
    App("pay-point", title: "Pay point", services: payments) { PayPointCoordinator() }
  }
}

/// The other side, which learns the addresses.
final class Payments: Sendable {
  private let known = Mutex<[String]>([])

  /// The path of the latest address.
  var path: String { known.withLock { $0.last ?? "" } }
  var count: Int { known.withLock { $0.count } }

  func add(_ address: String) { known.withLock { $0.append(address) } }
}

struct PayPointCoordinator: Coordinator {
  typealias Services = Payments
  static let name = "pay-point"
  var isOpen = true
  var amounts: [Int] = []
  var failure = ""

  func start(_ nav: inout Navigator<Self>) { nav.push(Till()) }

  static let wiring = Wiring<Self>()
    .shows(Till.self) { me, screen in (screen.amounts, screen.failure) = (me.amounts, me.failure) }
    .shows(Thanks.self)
    .guards(screen: Thanks.self, until: { $0.isOpen }, otherwise: { _, _ in })
    .starts(PayPointSale.self, finished: { me, amount, _ in me.amounts.append(amount) })
    .performs(RequestPayment.self, done: { _, _, _ in }, failed: { me, failure, _ in me.failure = failure.detail })
    .on(AwaitPayment.self) { _, _, nav in
      nav.await(PaymentArrived.self)
      nav.perform(RequestPayment())
    }
    .on(RequestOnly.self) { _, _, nav in nav.perform(RequestPayment()) }
    .on(AwaitRefund.self) { _, _, nav in
      nav.await(RefundArrived.self)
      nav.perform(RequestPayment(isRefund: true))
    }
    .performs(
      EchoPayment.self, done: { me, echo, nav in if echo == "broken" { nav.pop(9) } else { me.failure = echo } },
      failed: { me, failure, _ in
        me.failure = "\(failure) \(failure.detail) \(failure.body?["callback"]?.text ?? "none")"
      }
    )
    .on(EchoAddress.self) { _, action, nav in
      nav.await(PaymentArrived.self)
      nav.perform(EchoPayment(form: action.form))
    }
    .on(signal: RefundArrived.self) { me, _, _ in me.amounts.append(-1) }
    .on(ForgetPayment.self) { _, _, nav in nav.cancel(PaymentArrived.self) }
    .on(AwaitOrder.self) { _, action, nav in
      if action.isRefund == true {
        nav.await(RefundArrived.self, key: action.order)
      } else {
        nav.await(PaymentArrived.self, key: action.order)
      }
    }
    .on(ForgetOrder.self) { _, action, nav in
      nav.cancel(PaymentArrived.self, key: action.order)
    }
    .on(OpenTill.self) { me, action, _ in me.isOpen = action.isOpen }
    .on(StartSale.self) { _, _, nav in nav.start(PayPointSale()) }
    .on(signal: PaymentArrived.self) { me, signal, nav in
      me.amounts.append(signal.amount)
      switch signal.amount {
      case 99: nav.push(Thanks())
      case 98: nav.refuse("Too much")
      case 97 where !me.isOpen: nav.pop(9)
      default: break
      }
    }
}

/// A child that ends with the first payment.
struct PayPointSale: Coordinator {
  typealias Services = Payments
  typealias Result = Int
  static let name = "pay-point-sale"

  func start(_ nav: inout Navigator<Self>) {
    nav.push(Till())
    nav.await(PaymentArrived.self)
    nav.perform(RequestPayment())
  }

  static let wiring = Wiring<Self>()
    .shows(Till.self)
    .performs(RequestPayment.self, done: { _, _, _ in }, failed: { _, _, _ in })
    .on(signal: PaymentArrived.self) { _, signal, nav in nav.finish(signal.amount) }
}

struct PaymentArrived: Signal {
  static let name = "paid"
  @Field("Amount", in: 0...100) var amount: Int
  @Field("Note", length: 0...1000) var note: String?
}

/// A signal that its sender signs.
struct RefundArrived: Signal {
  static let name = "refund"
  static let sender: String? = "bank"
}

struct AwaitRefund: Action {
  static let name = "await-refund"
  static let title: Text = "Wait for a refund"
}

struct RequestPayment: Effect {
  typealias Services = Payments
  static let name = "request-payment"
  var isRefund = false

  func run(_ context: EffectContext<Self>) async throws -> Nothing {
    let address =
      isRefund
      ? try await context.callback(for: RefundArrived.self) : try await context.callback(for: PaymentArrived.self)
    context.services.add(address)
    return Nothing()
  }
}

/// An effect whose backend repeats the address in its response.
struct EchoPayment: Effect {
  typealias Services = Payments
  static let name = "echo-payment"
  var form: String

  func run(_ context: EffectContext<Self>) async throws -> String {
    let address = try await context.callback(for: PaymentArrived.self)
    context.services.add(address)
    switch form {
    case "whole": return "see \(address)"
    case "code": return String(address.suffix(22))
    case "broken": return form
    case "body":
      throw EffectFailure(
        .status, detail: "The backend refused \(address).", status: 400, body: ["callback": Value(address)])
    default: return "fine"
    }
  }
}

struct EchoAddress: Action {
  static let name = "echo"
  static let title: Text = "Echo"
  @Field("Form") var form: String
}

struct Till: Screen {
  static let name = "till"
  static let title: Title<Self> = "Till"
  static let actions: [any Action.Type] = [
    AwaitPayment.self, AwaitRefund.self, RequestOnly.self, ForgetPayment.self, OpenTill.self, StartSale.self,
    AwaitOrder.self, ForgetOrder.self, EchoAddress.self,
  ]
  var amounts: [Int] = []
  var failure = ""
}

struct Thanks: Screen {
  static let name = "thanks"
  static let title: Title<Self> = "Thanks"
}

struct AwaitPayment: Action {
  static let name = "await"
  static let title: Text = "Wait for a payment"
}

struct RequestOnly: Action {
  static let name = "request"
  static let title: Text = "Request a payment"
}

struct ForgetPayment: Action {
  static let name = "forget"
  static let title: Text = "Forget the payment"
}

struct AwaitOrder: Action {
  static let name = "await-order"
  static let title: Text = "Wait for the payment of an order"
  @Field("Order") var order: String
  @Field("Refund") var isRefund: Bool?
}

struct ForgetOrder: Action {
  static let name = "forget-order"
  static let title: Text = "Forget the order"
  @Field("Order") var order: String
}

struct OpenTill: Action {
  static let name = "open-till"
  static let title: Text = "Open or close"
  @Field("Open") var isOpen: Bool
}

struct StartSale: Action {
  static let name = "sell"
  static let title: Text = "Sell"
}
