import Navigation
import Testing
import UsherTesting
import Values

/// The payment of the fee in the flow `licence`: a request, a page of another service, and a signal.
@Suite struct LicencePaymentTests {
  @Test func `the signal that the fee is paid ends the application`() throws {
    var walk = try Walk.licenceB()
    try walk.send(Walk.bodyOfLicenceB)
    try walk.expectSealed("sending")
    #expect(walk.session.title == "One moment")
    try walk.register(5550)
    try walk.expectSealed("payment")
    #expect(walk.facts == ["€55.50"] && walk.links == ["https://pay.example/L-1"] && walk.actions.isEmpty)
    walk.session.expect(pending: [#"signal paid "L-1""#, "timer overdue in 1800 s"])
    try walk.pay(5550)
    try walk.expectSealed("sent")
    #expect(walk.facts == ["L-1", "€55.50"])
    walk.session.expect(pending: [])
  }

  @Test(arguments: [("L-2", 5550), ("L-1", 5549)])
  func `a signal about another payment changes nothing`(licence: String, cents: Int) throws {
    var walk = try Walk.licenceB()
    try walk.send(Walk.bodyOfLicenceB)
    try walk.register(5550)
    try walk.pay(cents, for: licence)
    try walk.expect("payment")
    try walk.pay(5550)
    try walk.expect("sent")
  }

  @Test func `another amount needs the consent of the applicant before the payment`() throws {
    var walk = try Walk.licenceB()
    try walk.send(Walk.bodyOfLicenceB)
    let key = walk.key
    try walk.register(6000)
    try walk.expect("consent")
    #expect(walk.notices == ["The fee is not the one that you have seen."] && walk.facts == ["€55.50", "€60.00"])
    #expect(walk.links.isEmpty && walk.actions == ["agree"])
    walk.session.expect(pending: [])
    // People who do not agree change their answers, or read them again.
    try walk.back(to: "check")
    #expect(walk.facts == ["€55.50"])
    try walk.send(Walk.bodyOfLicenceB)
    #expect(walk.key == key)
    try walk.register(6000)
    try walk.expect("consent")
    try walk.session.act("agree")
    try walk.expectSealed("payment")
    #expect(walk.facts == ["€60.00"] && walk.links == ["https://pay.example/L-1"])
    try walk.pay(5550)
    try walk.expect("payment")
    try walk.pay(6000)
    try walk.expect("sent")
    #expect(walk.facts == ["L-1", "€60.00"])
  }

  @Test func `a second try after an agreed amount needs no second consent, and sends the first request`() throws {
    var walk = try Walk.licenceB()
    try walk.send(Walk.bodyOfLicenceB)
    let (key, request) = (walk.key, walk.request)
    try walk.register(6000)
    try walk.session.act("agree")
    try walk.session.advance(by: .seconds(1800))
    try walk.session.act("again")
    #expect(walk.key == key && walk.request == request)
    try walk.register(6000)
    try walk.expect("payment")
  }

  @Test func `after thirty minutes without the signal, people try again with the same key`() throws {
    var walk = try Walk.licenceB()
    try walk.send(Walk.bodyOfLicenceB)
    let (key, request) = (walk.key, walk.request)
    #expect(key != nil)
    try walk.register(5550)
    try walk.session.advance(by: .seconds(1799))
    try walk.expect("payment")
    try walk.session.advance(by: .seconds(1))
    try walk.expectSealed("overdue")
    #expect(walk.actions == ["again"])
    try walk.session.act("again")
    try walk.expectSealed("sending")
    #expect(walk.key == key && walk.request == request)
    try walk.register(5550)
    try walk.expect("payment")
    walk.session.expect(pending: [#"signal paid "L-1""#, "timer overdue in 1800 s"])
    try walk.session.advance(by: .seconds(1800))
    // The first payment may still arrive, so that a second try that fails does not lead back to the answers.
    try walk.session.act("again")
    try walk.fail()
    try walk.expectSealed("overdue")
    try walk.pay(5550)
    try walk.expect("sent")
  }

  @Test func `a signal that arrives during the second try ends the application`() throws {
    var walk = try Walk.licenceB()
    try walk.send(Walk.bodyOfLicenceB)
    try walk.register(5550)
    try walk.session.advance(by: .seconds(1800))
    try walk.session.act("again")
    try walk.pay(5550)
    try walk.expectSealed("sent")
    walk.session.expect(pending: [])
  }

  @Test func `after a failure, people try again with the same key, or go back and change an answer`() throws {
    var walk = try Walk.licenceB()
    try walk.send(Walk.bodyOfLicenceB)
    let (key, request) = (walk.key, walk.request)
    try walk.fail()
    try walk.expect("away")
    #expect(walk.actions == ["again"])
    try walk.session.act("again")
    try walk.expectSealed("sending")
    #expect(walk.key == key && walk.request == request)
    try walk.fail()
    try walk.back(to: "check")
    try walk.send(Walk.bodyOfLicenceB)
    #expect(walk.key == key)
    try walk.fail()
    try walk.back(to: "check")
    try walk.change("name")
    try walk.answer("name", #"{"name": "Ada Mol"}"#)
    try walk.answer("declaration", #"{"declared": true}"#)
    try walk.send(Walk.bodyOfLicenceB.replacing("Ada Moll", with: "Ada Mol"))
    #expect(walk.key != nil && walk.key != key)
    try walk.register(5550)
    try walk.expect("payment")
  }
}

private struct Apply: Effect {
  static let name = "authority-apply"
  func run(_ context: EffectContext<Self>) async throws -> Registration {
    Registration(licence: "", cents: 0, page: "")
  }
}

private struct Registration: Codable, Sendable {
  let licence: String
  let cents: Int
  let page: String
}

private struct Paid: Signal {
  static let name = "paid"
  @Field("Licence") var licence: String
  @Field("Cents") var cents: Int
}

extension Walk {
  /// The authority registers the application, and asks for an amount.
  fileprivate mutating func register(_ cents: Int) throws {
    try session.complete(
      Apply.self, with: Registration(licence: "L-1", cents: cents, page: "https://pay.example/L-1"))
  }

  fileprivate mutating func fail() throws {
    try session.fail(Apply.self, with: EffectFailure(.status, status: 503))
  }

  /// The payment service sends the signal for which the session waits.
  fileprivate mutating func pay(_ cents: Int, for licence: String = "L-1") throws {
    var signal = Paid()
    (signal.licence, signal.cents) = (licence, cents)
    try session.receive(signal, key: "L-1")
  }
}
