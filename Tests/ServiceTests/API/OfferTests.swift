import Foundation
import Navigation
import Sessions
import TestApps
import TestSupport
import Testing
import Values

/// Requests of clients while events in the background change the session.
@Suite(.limitedConcurrency) struct OfferTests {
  private let visitor: Visitor

  init() async throws {
    visitor = try await TestService(.socket, apps: [Cashier.app()]).start("cashier")
  }

  /// Schedules an event, and returns the view with it.
  private func schedule(_ reason: String) async throws -> JSON {
    try await visitor.act("offer", #"{"reason": "\#(reason)"}"#).view
  }

  /// Lets all scheduled events occur, and waits until a session has reached a revision.
  ///
  /// - Parameter other: the owner of another session than that of the test.
  private func letTimePass(until revision: Int, of other: Visitor? = nil) async throws {
    let visitor = other ?? visitor
    visitor.service.clock.advance(seconds: 60)
    for _ in 0..<3000 {
      let view = try await visitor.service.send("GET", visitor.path).json
      if view["session", "revision"].int == revision { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("The revision \(revision) did not come.")
  }

  private func href(_ action: String, in view: JSON) -> String {
    JSON.first(of: view["actions"], named: action)["href"].string ?? ""
  }

  private let charge = #"{"amount": 5, "asks": false}"#

  @Test func `an address has an offer only while events in the background may come`() async throws {
    #expect(href("charge", in: visitor.view).hasSuffix("/actions/charge?revision=1"))
    let view = try await schedule("quiet")
    #expect(href("charge", in: view).contains("?revision=2&offer="))
    let offers = view["actions"].array.compactMap { $0["href"].string?.split(separator: "=").last }
    #expect(Set(offers).count == offers.count)
    for representation in ["text/html", "application/vnd.siren+json"] {
      let answer = try await visitor.service.send("GET", visitor.path, headers: ["Accept": representation])
      #expect(answer.text.contains("offer="), "\(representation)")
    }
  }

  @Test func `an event that changes nothing of an action does not make it stale`() async throws {
    let seen = try await schedule("quiet")
    try await letTimePass(until: 3)
    let answer = try await visitor.service.send("POST", href("charge", in: seen), charge)
    #expect(answer.status == 200)
    #expect(answer.json["session", "revision"].int == 4)
  }

  @Test func `an event that changes what the user agrees to makes that action stale, and no other`() async throws {
    let seen = try await schedule("price")
    try await letTimePass(until: 3)
    let stale = try await visitor.service.send("POST", href("charge", in: seen), charge)
    #expect(stale.status == 409)
    #expect(stale.problem == "stale-revision")
    #expect(stale.json["view", "screen", "data", "price"].int == 11)
    let other = try await visitor.service.send("POST", href("withdraw", in: seen), #"{"reason": "x"}"#)
    #expect(other.status == 200)
    // The view with the new price is accepted.
    let present = try await visitor.service.send("GET", visitor.path).json
    #expect(try await visitor.service.send("POST", href("charge", in: present), charge).status == 200)
  }

  @Test func `an event that leads to another screen makes the actions of the earlier one stale`() async throws {
    let seen = try await schedule("screen")
    try await letTimePass(until: 3)
    #expect(try await visitor.service.send("POST", href("charge", in: seen), charge).problem == "stale-revision")
  }

  @Test func `an event that changes the bounds of a field makes its action stale`() async throws {
    let visitor = try await TestService(.socket, apps: [App("tank", title: "Tank") { Tank() }]).start("tank")
    let seen = href("draw", in: visitor.view)
    #expect(JSON.first(of: visitor.view["actions"], named: "draw")["input", "properties", "litres", "maximum"].int == 5)
    try await letTimePass(until: 2, of: visitor)
    let stale = try await visitor.service.send("POST", seen, #"{"litres": 4}"#)
    #expect(stale.status == 409 && stale.problem == "stale-revision")
    let draw = href("draw", in: stale.json["view"])
    #expect(try await visitor.service.send("POST", draw, #"{"litres": 4}"#).status == 422)
    #expect(try await visitor.service.send("POST", draw, #"{"litres": 3}"#).status == 200)
  }

  @Test func `an action of the same name on another screen is another offer`() async throws {
    let visitor = try await TestService(.socket, apps: [Cashier.app(ScriptedBank(.retry))]).start("cashier")
    // An event for the screen below, so that its offers count as well.
    try await visitor.act("offer", #"{"reason": "quiet"}"#)
    let seen = try await visitor.act("sell", #"{"amount": 5, "endsAtOnce": false}"#).view
    #expect(seen["screen", "name"].string == "charging")
    let back = try await visitor.back()
    #expect(back.screen == "amount")
    #expect(href("shut", in: seen).split(separator: "=").last != href("shut", in: back.view).split(separator: "=").last)
  }

  @Test func `a client's step in between makes an action stale`() async throws {
    let seen = try await schedule("quiet")
    try await visitor.act("withdraw", #"{"reason": "other"}"#)
    #expect(try await visitor.service.send("POST", href("charge", in: seen), charge).problem == "stale-revision")
    try await letTimePass(until: 4)
    #expect(try await visitor.service.send("POST", href("charge", in: seen), charge).problem == "stale-revision")
  }

  @Test func `without an offer, with another offer, and with If-Match the revision has to be current`() async throws {
    let seen = try await schedule("quiet")
    try await letTimePass(until: 3)
    let action = visitor.path + "/actions/charge"
    #expect(try await visitor.service.send("POST", action + "?revision=2", charge).problem == "stale-revision")
    #expect(
      try await visitor.service.send("POST", action + "?revision=2&offer=AAAAAAAA", charge).problem == "stale-revision")
    let strict = try await visitor.service.send(
      "POST", href("charge", in: seen), charge, headers: ["If-Match": "\"2\""])
    #expect(strict.status == 412)
    let twice = try await visitor.service.send("POST", href("charge", in: seen) + "&offer=AAAAAAAA", charge)
    #expect(twice.status == 400)
    for malformed in ["", "AAAA", "AAAAAAAAA", "AAAA%20AAA", "%22"] {
      let answer = try await visitor.service.send("POST", action + "?revision=3&offer=\(malformed)", charge)
      #expect(answer.problem == "invalid-request", "\(malformed)")
    }
    // The offer of another action.
    let offer = href("withdraw", in: seen).split(separator: "=").last ?? ""
    #expect(
      try await visitor.service.send("POST", action + "?revision=2&offer=\(offer)", charge).problem == "stale-revision")
    #expect(try await visitor.service.send("GET", visitor.path).json["session", "revision"].int == 3)
  }

  @Test func `a repeated request is replayed, whatever happened in the background before and after it`() async throws {
    let seen = try await schedule("quiet")
    try await letTimePass(until: 3)
    let withdraw = href("withdraw", in: seen)
    let first = try await visitor.service.send("POST", withdraw, #"{"reason": "x"}"#)
    #expect(first.status == 200)
    _ = try await schedule("price")
    try await letTimePass(until: 6)
    let again = try await visitor.service.send("POST", withdraw, #"{"reason": "x"}"#)
    #expect(again.status == 200)
    #expect(again.header("Idempotency-Replayed") == "true")
    #expect(again.json["session", "revision"].int == 6)
    // Another input is another request.
    #expect(try await visitor.service.send("POST", withdraw, #"{"reason": "y"}"#).problem == "stale-revision")
  }

  @Test func `the same request of another client for a later revision is not a repetition`() async throws {
    let seen = try await schedule("quiet")
    try await letTimePass(until: 3)
    let present = try await visitor.service.send("GET", visitor.path).json
    let input = #"{"reason": "x"}"#
    #expect(try await visitor.service.send("POST", href("withdraw", in: present), input).status == 200)
    #expect(try await visitor.service.send("POST", href("withdraw", in: seen), input).problem == "stale-revision")
    let repeated = try await visitor.service.send("POST", href("withdraw", in: present), input)
    #expect(repeated.header("Idempotency-Replayed") == "true")
  }

  @Test func `back of a view before an event goes back only to what it said`() async throws {
    try await visitor.act("charge", #"{"amount": 5, "asks": false}"#)
    let view = try await visitor.service.send("GET", visitor.path, headers: ["Prefer": "wait=10"]).json
    #expect(view["screen", "name"].string == "paid")
    let back = visitor.view["navigation", "back", "href"].string ?? ""
    #expect(back.contains("&offer="))
    #expect(try await visitor.service.send("POST", back).problem == "stale-revision")
  }
}

// MARK: - An app whose field has bounds of the screen

private struct Tank: Coordinator {
  static let name = "tank"
  var free = 5

  func start(_ nav: inout Navigator<Self>) {
    nav.push(TankScreen())
    nav.schedule(Leak(), after: .seconds(3))
  }

  static let wiring = Wiring<Self>()
    .shows(TankScreen.self) { tank, screen in screen.free = tank.free }
    .on(Draw.self) { tank, draw, _ in tank.free -= draw.litres }
    .on(timer: Leak.self) { tank, _, _ in tank.free = 3 }
}

private struct TankScreen: Screen {
  static let name = "tank-screen"
  static let title: Title<Self> = "Tank"
  static let actions: [any Action.Type] = [Draw.self]
  static let bounds = [Bounds<Self>("litres", of: Draw.self, from: { _ in Int?.none }, through: { $0.free })]
  var free = 0
}

private struct Draw: Action {
  static let name = "draw"
  static let title: Text = "Draw"
  @Field("Litres", in: 1...9) var litres: Int
}

private struct Leak: TimedEvent {
  static let name = "leak"
}
