import Navigation
import Testing
import UsherTesting
import Values

@testable import ExampleApps

/// The example app `checkout`, without its backend.
@Suite struct CheckoutTests {
  private let quote = Quote(id: "q1", title: "Week ticket", cents: 1800, seconds: 120)
  private let page = PaymentPage(id: "p1", url: "http://127.0.0.1/p1", status: "open")

  private func started() throws -> TestSession {
    var session = try TestSession(ExampleApps.checkout)
    try session.fake(FetchTickets.self) { _ in [TicketOnSale(id: "week", title: "Week ticket", cents: 1800)] }
    return session
  }

  private func offered() throws -> TestSession {
    var session = try started()
    try session.fake(FetchQuote.self) { [quote] _ in quote }
    try session.act("choose", ["kind": "week"])
    #expect(try session.performed(FetchQuote.self).map(\.kind) == ["week"])
    session.expect(stack: ["Tickets", "Your ticket"])
    return session
  }

  private func paying() throws -> TestSession {
    var session = try offered()
    try session.act("pay")
    try session.complete(OpenPayment.self, with: page)
    session.expect(
      screen: """
        Pay
        Please pay 18.00. This screen changes once the payment has arrived.
        Open the payment page: http://127.0.0.1/p1
        b Back to Your ticket
        """)
    session.expect(
      pending: ["timer quote-expired in 120 s", "signal payment-settled", "timer payment-overdue in 900 s"])
    return session
  }

  private func settled(_ payment: String, _ status: PaymentSettled.Status, cents: Int = 1800) -> PaymentSettled {
    var signal = PaymentSettled()
    (signal.payment, signal.status, signal.cents) = (payment, status, cents)
    return signal
  }

  @Test func `a ticket is paid`() throws {
    var session = try paying()
    try session.receive(settled("p1", .paid))
    let ticket = try #require(session.screen(Ticket.self))
    #expect(ticket.number == "p1" && ticket.cents == 1800 && ticket.kind == "Week ticket")
    session.expect(pending: [])
    try session.act("again")
    #expect(session.titles == ["Tickets"])
  }

  @Test func `a ticket that is not on sale is refused`() throws {
    var session = try TestSession(ExampleApps.checkout)
    session.expect(
      screen: """
        Tickets
        Working on it …
        """)
    #expect(session.view.data == .emptyObject)
    #expect(throws: Rejection.unavailable(.nothingToChoose)) { try session.act("choose", ["kind": "week"]) }
    session = try started()
    session.expect(
      screen: """
        Tickets
        1 Week ticket – 18.00
        """)
    #expect(session.view.data == .emptyObject)
    #expect(throws: Rejection.self) { try session.act("choose", ["kind": "day"]) }
    try session.act("choose", ["kind": "week"])
    #expect(session.pendingEffects == ["fetch-quote"])
  }

  @Test func `a price expires at its time, and cannot be paid then`() throws {
    var session = try offered()
    try session.advance(by: .seconds(119))
    #expect(session.disabledReason(of: "pay") == nil)
    try session.advance(by: .seconds(1))
    #expect(session.disabledReason(of: "pay") == "This price is no longer valid.")
    try session.act("ask-again")
    #expect(session.disabledReason(of: "pay") == nil)
  }

  @Test func `a purchase that is left asks for nothing any more`() throws {
    var session = try started()
    try session.act("choose", ["kind": "week"])
    try session.back()
    #expect(session.titles == ["Tickets"] && session.pendingEffects == [])
    #expect(throws: TestSessionError.notPending("fetch-quote")) {
      try session.complete(FetchQuote.self, with: quote)
    }
  }

  @Test func `a payment that is left before the answer is withdrawn, and later only the user can pay`() throws {
    var session = try offered()
    try session.act("pay")
    #expect(try session.detached(WithdrawPayment.self).isEmpty)
    try session.back()
    #expect(try session.detached(WithdrawPayment.self).map(\.quote) == ["q1"])
    session = try paying()
    try session.back()
    try session.act("leave")
    #expect(session.title == "Your ticket")
    #expect(try session.detached(WithdrawPayment.self).isEmpty)
  }

  @Test(arguments: [true, false]) func `a price that does not come can be asked for again`(mayHaveHappened: Bool) throws
  {
    var session = try started()
    try session.act("choose", ["kind": "week"])
    try session.fail(
      FetchQuote.self, with: EffectFailure(.transport, detail: "away", mayHaveHappened: mayHaveHappened))
    #expect(session.title == "No price")
    try session.act("ask-again")
    #expect(session.pendingEffects == ["fetch-quote"])
  }

  @Test func `another attempt at a payment has the same key until the provider declines it`() throws {
    let expiry = "timer quote-expired in 120 s"
    var session = try offered()
    try session.act("pay")
    session.expect(pending: [expiry, "signal payment-settled", #"effect open-payment "q1 0""#])
    try session.fail(OpenPayment.self, with: EffectFailure(.timeout, detail: "late"))
    #expect(session.screen(PaymentFailed.self)?.reason == .unknown)
    try session.act("pay-again")
    session.expect(pending: [expiry, "signal payment-settled", #"effect open-payment "q1 0""#])
    try session.complete(OpenPayment.self, with: page)
    try session.receive(settled("p1", .declined))
    #expect(session.screen(PaymentFailed.self)?.reason == .declined)
    try session.act("pay-again")
    session.expect(pending: [expiry, "signal payment-settled", #"effect open-payment "q1 1""#])
  }

  @Test func `a late signal of a declined payment does not settle the next one`() throws {
    var session = try paying()
    try session.receive(settled("p1", .declined))
    try session.act("pay-again")
    try session.complete(OpenPayment.self, with: PaymentPage(id: "p2", url: "http://127.0.0.1/p2", status: "open"))
    try session.receive(settled("p1", .declined))
    #expect(session.title == "Pay")
    try session.receive(settled("p2", .paid))
    #expect(session.screen(Ticket.self)?.number == "p2")
  }

  @Test func `a payment of another amount is not a payment, and an overdue one may still arrive`() throws {
    var session = try paying()
    try session.receive(settled("p1", .paid, cents: 1))
    #expect(session.screen(PaymentFailed.self)?.reason == .otherAmount)
    var late = try paying()
    try late.advance(by: .seconds(900))
    #expect(late.screen(PaymentFailed.self)?.reason == .overdue)
    try late.receive(settled("p1", .paid))
    #expect(late.title == "Thank you")
  }

  @Test func `another attempt shows the state of the payment`() throws {
    for (status, title) in [("paid", "Thank you"), ("declined", "Not paid")] {
      var session = try paying()
      try session.advance(by: .seconds(900))
      try session.act("pay-again")
      // A signal about the payment that the attempt is about to find.
      try session.receive(settled("p1", .declined))
      #expect(session.title == "One moment")
      try session.complete(OpenPayment.self, with: PaymentPage(id: "p1", url: page.url, status: status))
      #expect(session.title == title)
    }
  }

  @Test func `a payment that may have been made is left after a question, and another one needs a new price`() throws {
    var session = try paying()
    try session.advance(by: .seconds(900))
    try session.back()
    #expect(session.view.prompt?.title.string == "Leave the payment?")
    try session.act("leave")
    #expect(session.title == "Your ticket")
    #expect(session.disabledReason(of: "pay") == "This price is no longer valid.")
  }
}
