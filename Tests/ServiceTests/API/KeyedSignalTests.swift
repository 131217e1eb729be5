import CoreMetrics
import Foundation
import HTTPAPI
import Navigation
import Sessions
import Stores
import TestSupport
import Testing
import Usher
import Values

/// Signals to every session of an app that waits under a key.
@Suite(.limitedConcurrency) struct KeyedSignalTests {
  private let path = "/v1/apps/pay-point/signals/paid"

  private func service(_ transport: TestService.Transport = .socket) throws -> TestService {
    try TestService(transport, apps: [PayPoint.app(Payments())])
  }

  private func visitor(_ service: TestService, waitingFor order: String) async throws -> Visitor {
    let visitor = try await service.start("pay-point")
    try await visitor.act("await-order", #"{"order": "\#(order)"}"#)
    return visitor
  }

  private func pay(
    _ service: TestService, _ order: String, _ amount: Int, hold: String = "null", id: String? = nil
  ) async throws -> (status: String?, sessions: Int?) {
    let body = #"{"key": "\#(order)", "input": {"amount": \#(amount)}, "hold": \#(hold)}"#
    let answer = try await service.send(
      "POST", path, body, headers: id.map { ["webhook-id": $0] } ?? [:])
    #expect(answer.status == 202)
    return (answer.json["status"].string, answer.json["sessions"].int)
  }

  /// Looks at a session until its amounts are these, for at most 30 seconds.
  private func expect(_ amounts: [Int], in visitor: Visitor) async throws {
    var view = JSON(nil)
    for _ in 0..<3000 {
      view = try await visitor.service.send("GET", visitor.path).json
      if view["screen", "data", "amounts"].array.compactMap(\.int) == amounts { return }
      visitor.service.clock.advance(milliseconds: 15)
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("The amounts \(amounts) did not come: \(view["screen", "data"])")
  }

  @Test(arguments: TestService.Transport.allCases)
  func `a signal reaches every session that waits for its key, once`(transport: TestService.Transport) async throws {
    let service = try service(transport)
    let (first, second) = (
      try await visitor(service, waitingFor: "order-17"), try await visitor(service, waitingFor: "order-17")
    )
    let other = try await visitor(service, waitingFor: "order-18")
    #expect(try await pay(service, "order-17", 5) == ("accepted", 2))
    for _ in 0..<4 { #expect(try await pay(service, "order-17", 5) == ("repeated", 2)) }
    #expect(try await pay(service, "order-17", 5, id: "again") == ("accepted", 2))
    for visitor in [first, second] { try await expect([5, 5], in: visitor) }
    #expect(try await pay(service, "order-17", 5, id: "again") == ("repeated", 2))
    try await second.act("forget-order", #"{"order": "order-17"}"#)
    #expect(try await pay(service, "order-17", 7) == ("accepted", 1))
    try await expect([5, 5, 7], in: first)
    try await expect([5, 5], in: second)
    try await expect([], in: other)
    let history = try await service.send("GET", first.path + "/history")
    #expect(history.json["entries"].array.count { $0["kind"].string == "signal" } == 3)
    #expect(try await service.send("DELETE", first.path).status == 204)
    #expect(try await pay(service, "order-17", 8) == ("accepted", 0))
  }

  @Test func `a signal that is held reaches sessions that wait later`() async throws {
    let service = try service()
    #expect(try await pay(service, "order-17", 5) == ("accepted", 0))
    #expect(try await pay(service, "order-17", 6, hold: "600") == ("accepted", 0))
    #expect(try await pay(service, "order-17", 6, hold: "600") == ("repeated", 0))
    for _ in 0..<2 { try await expect([6], in: try await visitor(service, waitingFor: "order-17")) }
    service.clock.advance(milliseconds: 600_000)
    let late = try await visitor(service, waitingFor: "order-17")
    #expect(try await pay(service, "order-17", 7).status == "accepted")
    try await expect([7], in: late)
  }

  @Test func `a held signal reaches a session that another signal has reached first`() async throws {
    let sessions = SessionService(apps: [try AppDefinition(PayPoint.app(Payments()))], store: MemoryStore())
    func receive(_ amount: Int, hold: Duration?) async throws {
      _ = try await sessions.receive(
        ["amount": Value(amount)], of: "paid", to: "pay-point", under: "a", hold: hold,
        as: SignalDelivery(id: "\(amount)"), isAuthentic: { _ in false })
    }
    for amount in [5, 6] { try await receive(amount, hold: .seconds(600)) }
    let id = try await sessions.create(.init(app: "pay-point")).snapshot.id
    _ = try await sessions.perform(.init(.action(name: "await-order", input: ["order": "a"])), on: id)
    // It is held as well, so that the session finds it twice.
    try await receive(7, hold: .seconds(600))
    let runner = WorkRunner(sessions, metrics: NOOPMetricsHandler.instance) { _ in }
    let task = Task { await runner.run() }
    defer { task.cancel() }
    func expect(_ all: Value) async throws {
      var amounts: Value?
      for _ in 0..<3000 where amounts != all {
        try await Task.sleep(for: .milliseconds(10))
        amounts = try await sessions.snapshot(id).visible.data["amounts"]
      }
      #expect(amounts == all)
    }
    try await expect([5, 6, 7])
    for _ in 0..<3000 where runner.count > 0 { try await Task.sleep(for: .milliseconds(10)) }
    try await receive(8, hold: nil)
    try await expect([5, 6, 7, 8])
  }

  @Test func `signals that wait behind each other are applied one after the other, without a look-up in between`()
    async throws
  {
    let sessions = SessionService(apps: [try AppDefinition(PayPoint.app(Payments()))], store: MemoryStore())
    let id = try await sessions.create(.init(app: "pay-point")).snapshot.id
    _ = try await sessions.perform(.init(.action(name: "await-order", input: ["order": "a"])), on: id)
    for amount in 1...10 {
      let (receipt, count) = try await sessions.receive(
        ["amount": Value(amount)], of: "paid", to: "pay-point", under: "a", hold: nil,
        as: SignalDelivery(id: "\(amount)"), isAuthentic: { _ in false })
      #expect(receipt == .accepted && count == 1)
    }
    var settings = WorkRunner.Settings()
    settings.interval = .seconds(3600)
    let runner = WorkRunner(sessions, settings, metrics: NOOPMetricsHandler.instance) { _ in }
    let task = Task { await runner.run() }
    defer { task.cancel() }
    let all: Value = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    var amounts: Value?
    for _ in 0..<3000 where amounts != all {
      try await Task.sleep(for: .milliseconds(10))
      amounts = try await sessions.snapshot(id).visible.data["amounts"]
    }
    #expect(amounts == all)
  }

  @Test func `a session waits for several keys of one signal`() async throws {
    let service = try service()
    let visitor = try await visitor(service, waitingFor: "a")
    try await visitor.act("await-order", #"{"order": "b"}"#)
    try await visitor.act("await-order", #"{"order": "b"}"#)
    #expect(try await pay(service, "a", 1) == ("accepted", 1))
    try await expect([1], in: visitor)
    #expect(try await pay(service, "b", 2) == ("accepted", 1))
    try await expect([1, 2], in: visitor)
  }

  @Test func `invalid requests reach no session`() async throws {
    let service = try service()
    let visitor = try await visitor(service, waitingFor: "a")
    let long = String(repeating: "x", count: 256)
    for (body, status) in [
      (#"{"input": {"amount": 1}}"#, 400), (#"{"key": 7, "input": {"amount": 1}}"#, 400),
      (#"{"key": "", "input": {"amount": 1}}"#, 400), (#"{"key": "\#(long)", "input": {"amount": 1}}"#, 400),
      (#"{"key": "a"}"#, 422), (#"{"key": "a", "input": {"amount": 101}}"#, 422), (#"{"key": "a", "input": 7}"#, 422),
      (#"{"key": "a", "input": {"amount": 1}, "hold": 0}"#, 400),
      (#"{"key": "a", "input": {"amount": 1}, "hold": 86401}"#, 400),
      (#"{"key": "a", "input": {"amount": 1}, "hold": "60"}"#, 400),
      (#"{"key": "a", "input": {"amount": 1}, "holds": 60}"#, 400), ("[]", 400), ("{", 400), ("", 400),
    ] {
      #expect(try await service.send("POST", path, body).status == status, "\(body)")
    }
    let body = #"{"key": "a", "input": {"amount": 1}}"#
    let unknown = try await service.send("POST", "/v1/apps/pay-point/signals/unpaid", body)
    #expect(unknown.status == 404)
    #expect(unknown.json["type"].string == "/problems/unknown-signal")
    #expect(try await service.send("POST", "/v1/apps/nobody/signals/paid", body).status == 404)
    #expect(try await service.send("GET", path).status == 405)
    let form = ["Content-Type": "application/x-www-form-urlencoded"]
    #expect(try await service.send("POST", path, "key=a", headers: form).status == 415)
    #expect(try await service.send("POST", path, body, headers: ["Idempotency-Key": "a, b"]).status == 400)
    // The signal of a sender needs a signature here as well.
    try await visitor.act("await-order", #"{"order": "a", "isRefund": true}"#)
    #expect(try await service.send("POST", "/v1/apps/pay-point/signals/refund", #"{"key": "a"}"#).status == 401)
    try await expect([], in: visitor)
  }

  @Test func `a key that is too long is a fault of the app`() async throws {
    let visitor = try await service().start("pay-point")
    for order in ["", String(repeating: "x", count: 256)] {
      let answer = try await visitor.service.send(
        "POST", visitor.path + "/actions/await-order", #"{"order": "\#(order)"}"#)
      #expect(answer.status == 500)
    }
  }
}
