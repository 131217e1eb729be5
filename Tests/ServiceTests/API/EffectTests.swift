import ExampleApps
import Foundation
import HTTPAPI
import Navigation
import Synchronization
import TestApps
import TestSupport
import Testing
import Values

@testable import Sessions

/// Effects and timers of a service, from the request of a client to the outcome.
@Suite(.limitedConcurrency) struct EffectTests {
  private func cashier(_ bank: ScriptedBank) async throws -> Visitor {
    try await TestService(.socket, apps: [Cashier.app(bank)]).start("cashier")
  }

  private func pending(_ view: JSON) -> [String] { view["session", "pending"].strings("name") }

  /// Polls the view until its screen has this name and nothing is pending, for at most 30 seconds. The clock of the
  /// service advances at each look, so that pauses pass, and by less than a lease in all.
  private func view(_ visitor: Visitor, on screen: String) async throws -> JSON {
    for _ in 0..<3000 {
      let view = try await visitor.service.send("GET", visitor.path).json
      if view["screen", "name"].string == screen, pending(view) == [] { return view }
      visitor.service.clock.advance(milliseconds: 15)
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("The screen \(screen) did not come.")
    return JSON(nil)
  }

  @Test func `without a preference the view says at once what is pending`() async throws {
    let visitor = try await cashier(ScriptedBank(.wait(.milliseconds(100))))
    try await visitor.act("charge", #"{"amount": 5, "asks": false}"#)
    #expect(visitor.screen == "charging")
    #expect(pending(visitor.view) == ["charge-card"])
    #expect(visitor.view["session", "pending"].array.first?["since"].string?.hasSuffix("Z") == true)
    let view = try await view(visitor, on: "paid")
    #expect(pending(view) == [])
    #expect(view["session", "revision"].int == 3)
  }

  @Test func `with Prefer wait the response has the outcome`() async throws {
    let visitor = try await cashier(ScriptedBank(.wait(.milliseconds(100))))
    let answer = try await visitor.service.send(
      "POST", visitor.path + "/actions/charge", #"{"amount": 5, "asks": false}"#, headers: ["Prefer": "wait=10"])
    #expect(answer.status == 200)
    #expect(answer.header("Preference-Applied") == "wait=10")
    #expect(answer.json["screen", "name"].string == "paid")
    #expect(answer.json["screen", "data", "receipts"].array.count == 1)
  }

  /// The clock stands still, so the second attempt does not come.
  @Test func `a wait ends with its time`() async throws {
    let visitor = try await cashier(ScriptedBank(.retry))
    try await visitor.act("charge", #"{"amount": 5, "asks": false}"#)
    let none = try await visitor.service.send("GET", visitor.path, headers: ["Prefer": "wait=0"])
    #expect(none.json["screen", "name"].string == "charging")
    #expect(none.header("Preference-Applied") == "wait=0")
    let answer = try await visitor.service.send("GET", visitor.path, headers: ["Prefer": "respond-async, wait=1"])
    #expect(answer.json["screen", "name"].string == "charging")
    #expect(answer.header("Preference-Applied") == "wait=1")
    for malformed in ["wait", "wait=x", "wait=-1", "wait=", "later=5"] {
      let answer = try await visitor.service.send("GET", visitor.path, headers: ["Prefer": malformed])
      #expect(answer.status == 200)
      #expect(answer.header("Preference-Applied") == nil, "\(malformed)")
    }
  }

  @Test func `beyond the limit of waiting requests the response comes at once`() async throws {
    let service = try TestService(.socket, apps: [Cashier.app(ScriptedBank(.retry))]) { $0.waiters = 0 }
    let visitor = try await service.start("cashier")
    let answer = try await service.send(
      "POST", visitor.path + "/actions/charge", #"{"amount": 5, "asks": false}"#, headers: ["Prefer": "wait=20"])
    #expect(answer.json["screen", "name"].string == "charging")
    #expect(answer.header("Preference-Applied") == nil)
  }

  @Test func `a retry of an effect has the same idempotency key, and each effect its own`() async throws {
    let bank = ScriptedBank(.retry, .retry)
    let visitor = try await cashier(bank)
    try await visitor.act("charge", #"{"amount": 5, "asks": false}"#)
    _ = try await view(visitor, on: "paid")
    #expect(bank.calls.map(\.attempt) == [1, 2, 3])
    #expect(Set(bank.calls.map(\.key)).count == 1)
    #expect(bank.calls.first?.key.utf8.count == 43)
    let other = try await visitor.service.start("cashier")
    try await other.act("charge", #"{"amount": 5, "asks": false}"#)
    _ = try await view(other, on: "paid")
    #expect(Set(bank.calls.map(\.key)).count == 2)
  }

  @Test func `requests under one key of the author have one idempotency key`() async throws {
    let bank = ScriptedBank(.retry, .retry, .retry)
    let visitor = try await cashier(bank)
    for order in ["a", "a", "b"] { try await visitor.act("charge-order", #"{"amount": 5, "order": "\#(order)"}"#) }
    #expect(pending(visitor.view) == ["charge-card", "charge-card", "charge-card"])
    _ = try await view(visitor, on: "paid")
    #expect(bank.calls.count == 6)
    #expect(Set(bank.calls.map(\.key)).count == 2)
  }

  @Test func `requests that wait are answered when the service stops`() async throws {
    let visitor = try await cashier(ScriptedBank(.wait(.seconds(600))))
    try await visitor.act("charge", #"{"amount": 5, "asks": false}"#)
    let (service, path) = (visitor.service, visitor.path)
    async let waiting = service.send("GET", path, headers: ["Prefer": "wait=20"])
    while service.api.waiters.count == 0 { try await Task.sleep(for: .milliseconds(5)) }
    let id = try #require(SessionID(String(path.dropFirst("/v1/sessions/".count))))
    let snapshot = try await service.sessions.snapshot(id)
    let start = ContinuousClock.now
    async let longWaiting = service.sessions.settled(snapshot, within: .seconds(240))
    while service.sessions.waiters.withLock({ $0.all.count }) < 2 { try await Task.sleep(for: .milliseconds(5)) }
    service.sessions.endWaiting()
    #expect(try await waiting.json["session", "pending"].array.count == 1)
    #expect(try await longWaiting.pendingEffects.count == 1)
    #expect(try await service.send("GET", path, headers: ["Prefer": "wait=20"]).status == 200)
    #expect(start.duration(to: .now) < .seconds(120) && service.api.waiters.count == 0)
  }

  @Test func `no attempt follows after an effect is cancelled`() async throws {
    let bank = ScriptedBank(.hold, .retry)
    let visitor = try await cashier(bank)
    try await visitor.act("charge-order", #"{"amount": 5, "order": "a"}"#)
    try await visitor.act("charge-order", #"{"amount": 5, "order": "b"}"#)
    while bank.calls.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
    for order in ["a", "b"] { try await visitor.act("cancel-order", #"{"order": "\#(order)"}"#) }
    #expect(pending(visitor.view).isEmpty)
    bank.release()
    try await Task.sleep(for: .milliseconds(300))
    visitor.service.clock.advance(seconds: 60)
    try await Task.sleep(for: .milliseconds(100))
    #expect(bank.calls.count == 2)
    #expect(try await visitor.service.send("GET", visitor.path).json["screen", "name"].string == "amount")
    #expect(try await visitor.service.sessions.store.countWork().pending == 0)
  }

  @Test func `after the last attempt, and after an error that no attempt changes, the effect has failed`() async throws
  {
    let busy = ScriptedBank(.retry, .retry, .retry)
    let first = try await cashier(busy)
    try await first.act("charge", #"{"amount": 5, "asks": false}"#)
    #expect(try await view(first, on: "not-paid")["screen", "data", "failures"].array.map(\.string) == ["error"])
    #expect(busy.calls.count == 3)
    let refusing = ScriptedBank(.error)
    let second = try await cashier(refusing)
    try await second.act("charge", #"{"amount": 5, "asks": false}"#)
    #expect(try await view(second, on: "not-paid")["screen", "data", "failures"].array.map(\.string) == ["error"])
    #expect(refusing.calls.count == 1)
  }

  @Test func `a failure may have happened if any attempt may have`() async throws {
    for (script, expected) in [([.refuse, .refuse, .refuse], false), ([.retry, .refuse, .refuse], true)]
      as [([ScriptedBank.Answer], Bool)]
    {
      let visitor = try await cashier(ScriptedBank(script))
      try await visitor.act("charge", #"{"amount": 5, "asks": false}"#)
      #expect(try await view(visitor, on: "not-paid")["screen", "data", "mayBePaid"].bool == expected)
    }
  }

  @Test func `effects that wait for a slow service delay no others, and no timers`() async throws {
    // Many more effects of one name than may be in progress in all.
    let bank = ScriptedBank(Array(repeating: .wait(.seconds(600)), count: 400))
    let service = try TestService(.socket, apps: [Cashier.app(bank), ExampleApps.gallery])
    for _ in 0..<40 {
      let visitor = try await service.start("cashier")
      for order in 0..<8 { try await visitor.act("charge-order", #"{"amount": 5, "order": "\#(order)"}"#) }
    }
    let gallery = try await service.start("gallery").act("background")
    try await gallery.act("work", #"{"seconds": 0, "fails": false}"#)
    #expect(
      try await eventually { try await service.send("GET", gallery.path).json["screen", "name"].string == "worked" })
    let visitor = try await service.start("cashier")
    try await visitor.act("offer", #"{"reason": "x"}"#)
    service.clock.advance(seconds: 60)
    _ = try await view(visitor, on: "not-paid")
    #expect(bank.mostCallsAtOnce == 16)
  }

  @Test func `an attempt that exceeds the timeout is repeated`() async throws {
    let bank = ScriptedBank(.wait(.seconds(600)))
    let visitor = try await cashier(bank)
    try await visitor.act("ask")
    _ = try await view(visitor, on: "paid")
    #expect(bank.calls.prefix(2).map(\.attempt) == [1, 2])
  }

  @Test func `the history names the effect and the kind of its outcome, and never its value`() async throws {
    let visitor = try await cashier(ScriptedBank(.receipt("a secret")))
    try await visitor.act("charge", #"{"amount": 5, "asks": false}"#)
    _ = try await view(visitor, on: "paid")
    let history = try await visitor.service.send("GET", visitor.path + "/history")
    let entries = history.json["entries"].array
    #expect(entries.map { $0["kind"].string } == ["create", "action", "effect"])
    #expect(entries.last?["action"].string == "charge-card")
    #expect(entries.last?["input", "outcome"].string == "done")
    #expect(!history.text.contains("a secret"))
  }

  @Test func `a timer is not early, and is delivered once it is due`() async throws {
    let visitor = try await cashier(ScriptedBank())
    try await visitor.act("offer", #"{"reason": "x"}"#)
    #expect(pending(visitor.view) == [])
    visitor.service.clock.advance(seconds: 59)
    try await Task.sleep(for: .milliseconds(50))
    #expect(try await visitor.service.send("GET", visitor.path).json["screen", "name"].string == "amount")
    visitor.service.clock.advance(seconds: 1)
    let view = try await view(visitor, on: "not-paid")
    #expect(view["session", "revision"].int == 3)
    let history = try await visitor.service.send("GET", visitor.path + "/history")
    #expect(history.json["entries"].array.last?["kind"].string == "timer")
  }

  @Test func `back cancels the effect of a coordinator that it ends`() async throws {
    let visitor = try await cashier(ScriptedBank(.retry))
    try await visitor.act("sell", #"{"amount": 5, "endsAtOnce": false}"#)
    #expect(pending(visitor.view) == ["charge-card"])
    try await visitor.back()
    #expect(pending(visitor.view) == [])
    visitor.service.clock.advance(seconds: 10)
    try await Task.sleep(for: .milliseconds(200))
    #expect(try await visitor.service.send("GET", visitor.path).json["session", "revision"].int == 3)
    #expect(try await visitor.service.sessions.store.countWork() == WorkCount(pending: 0, stuck: 0))
  }

  @Test func `an outcome that comes too late is dropped, and counted`() async throws {
    let bank = ScriptedBank(.wait(.seconds(3)))
    let visitor = try await cashier(bank)
    try await visitor.act("sell", #"{"amount": 5, "endsAtOnce": false}"#)
    for _ in 0..<3000 where bank.calls.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    try await visitor.back()
    var metrics = ""
    for _ in 0..<3000 where !metrics.contains("usher_effect_outcomes_dropped_total 1\n") {
      try await Task.sleep(for: .milliseconds(10))
      metrics = try await visitor.service.send("GET", "/metrics").text
    }
    #expect(metrics.contains("usher_effect_outcomes_dropped_total 1\n"))
    #expect(try await visitor.service.send("GET", visitor.path).json["session", "revision"].int == 3)
  }

  @Test func `a wait ends when its session expires`() async throws {
    let service = try TestService(.socket, apps: [Cashier.app(ScriptedBank(.retry))])
    let visitor = try await service.start("cashier")
    try await visitor.act("charge", #"{"amount": 5, "asks": false}"#)
    let id = try #require(SessionID(String(visitor.path.dropFirst("/v1/sessions/".count))))
    let snapshot = try await service.sessions.snapshot(id)
    let begin = ContinuousClock.now
    let settling = Task { try await service.sessions.settled(snapshot, within: .seconds(240)) }
    // The channel has a version once it has its first subscriber. A wait that began later would find the session
    // expired.
    let channels = service.sessions.channels
    #expect(await eventually { channels.channel(of: SessionKey(id))?.version != nil })
    async let answer = service.send("GET", visitor.path, headers: ["Prefer": "wait=20"])
    for _ in 0..<3000 where service.api.waiters.count == 0 { try await Task.sleep(for: .milliseconds(10)) }
    service.clock.advance(seconds: 100_000)
    #expect(try await answer.status == 410)
    await #expect(throws: SessionError.self) { _ = try await settling.value }
    // Without the look for the expiry, a wait takes its time.
    #expect(ContinuousClock.now - begin < .seconds(120))
  }

  @Test func `an outcome that a guard stops waits, and is applied once the guard passes`() async throws {
    let bank = ScriptedBank(.retry)
    let visitor = try await cashier(bank)
    try await visitor.act("charge", #"{"amount": 5, "asks": false}"#)
    try await visitor.act("shut", #"{"isOpen": false}"#)
    visitor.service.clock.advance(seconds: 1)
    try await Task.sleep(for: .milliseconds(200))
    #expect(try await visitor.service.send("GET", visitor.path).json["screen", "name"].string == "charging")
    try await visitor.act("shut", #"{"isOpen": true}"#)
    _ = try await view(visitor, on: "paid")
    // The outcome was kept meanwhile.
    #expect(bank.calls.count == 2)
  }

  @Test func `an event that has waited long is applied as soon as the guard passes`() async throws {
    let visitor = try await cashier(ScriptedBank(.retry))
    try await visitor.act("charge", #"{"amount": 5, "asks": false}"#)
    try await visitor.act("shut", #"{"isOpen": false}"#)
    // The pause after an attempt is a minute by now, and the clock advances by less until the event is applied.
    visitor.service.clock.advance(seconds: 3600)
    let sessions = visitor.service.sessions
    let key = SessionKey(try #require(SessionID(visitor.view["session", "id"].string ?? "")))
    for _ in 0..<3000 where try await !WorkProgress.isEvent(sessions.store.work(of: key).first?.progress) {
      visitor.service.clock.advance(milliseconds: 1)
      try await Task.sleep(for: .milliseconds(10))
    }
    try await visitor.act("shut", #"{"isOpen": true}"#)
    _ = try await view(visitor, on: "paid")
  }

  @Test func `the console shows earlier revisions of a session with effects, and performs none`() async throws {
    let bank = ScriptedBank(.retry)
    let visitor = try await cashier(bank)
    try await visitor.act("charge", #"{"amount": 5, "asks": false}"#)
    let sessions = visitor.service.sessions
    let pending = try #require(try await sessions.search(SessionSearch(), limit: 1).sessions.first)
    #expect(try sessions.inspect(pending, at: 1).shown.get().visible.screen.name == "amount")
    _ = try await view(visitor, on: "paid")
    let settled = try #require(try await sessions.search(SessionSearch(), limit: 1).sessions.first)
    #expect(try sessions.inspect(settled, at: 2).shown.get().visible.screen.name == "charging")
    #expect(try sessions.inspect(settled, at: 1).shown.get().visible.screen.name == "amount")
    #expect(bank.calls.count == 2)
  }

  @Test func `too many effects are refused with the limit, and nothing changes`() async throws {
    let bank = ScriptedBank()
    let service = try TestService(.socket, apps: [Cashier.app(bank)])
    let visitor = try await service.start("cashier")
    // Timers, because effects end meanwhile.
    for number in 0..<64 { try await visitor.act("offer", #"{"reason": "\#(number)"}"#) }
    let refused = try await visitor.attempt("/actions/offer", #"{"reason": "x"}"#)
    #expect(refused.status == 429)
    #expect(refused.json["type"].string == "/problems/limit-reached")
    #expect(try await service.send("GET", visitor.path).json["session", "revision"].int == 65)
  }

  @Test func `every representation says that something is under way`() async throws {
    let visitor = try await cashier(ScriptedBank(.retry))
    try await visitor.act("charge", #"{"amount": 5, "asks": false}"#)
    let text = try await visitor.service.send("GET", visitor.path, headers: ["Accept": "text/plain"])
    #expect(text.text.contains("\nWorking on it …\n") && !text.text.contains("charge-card"))
    let page = try await visitor.service.send("GET", visitor.path, headers: ["Accept": "text/html"])
    #expect(page.text.contains(#"role="status""#))
    let siren = try await visitor.service.send("GET", visitor.path, headers: ["Accept": "application/vnd.siren+json"])
    #expect(siren.json["properties", "pending"].array.map(\.string) == ["charge-card"])
  }
}
