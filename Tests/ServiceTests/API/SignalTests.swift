import Access
import Cryptography
import Foundation
import HTTPAPI
import Logging
import MicroHTTP
import Navigation
import Sessions
import TestSupport
import Testing
import Usher
import UsherHost
import Values

/// Signals from outside, from the address that an effect passes on to the view.
@Suite(.limitedConcurrency) struct SignalTests {
  private let payments = Payments()

  private func payPoint(_ transport: TestService.Transport = .socket) async throws -> Visitor {
    try await TestService(transport, apps: [PayPoint.app(payments)]).start("pay-point")
  }

  /// Acts, and returns the address that the effect of the action passes on.
  private func address(_ visitor: Visitor, after action: String = "await") async throws -> String {
    let known = payments.count
    try await visitor.act(action)
    for _ in 0..<3000 where payments.count == known { try await Task.sleep(for: .milliseconds(10)) }
    #expect(payments.count == known + 1)
    return payments.path
  }

  private func pay(
    _ visitor: Visitor, _ address: String, _ body: String = #"{"amount": 5}"#, headers: [String: String] = [:]
  ) async throws -> Answer {
    try await visitor.service.send("POST", address, body, headers: headers)
  }

  /// Looks at the session until a condition holds, for at most 30 seconds.
  @discardableResult
  private func view(_ visitor: Visitor, until condition: (JSON) -> Bool) async throws -> JSON {
    for _ in 0..<3000 {
      let view = try await visitor.service.send("GET", visitor.path).json
      if condition(view) { return view }
      visitor.service.clock.advance(milliseconds: 15)
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("The view did not come.")
    return JSON(nil)
  }

  private func amounts(_ view: JSON) -> [Int] { view["screen", "data", "amounts"].array.compactMap(\.int) }

  @Test(arguments: TestService.Transport.allCases)
  func `a signal is an event of its session, and a repetition has no effect`(
    transport: TestService.Transport
  ) async throws {
    let visitor = try await payPoint(transport)
    let address = try await address(visitor)
    let before = try await view(visitor) { $0["session", "pending"].array.isEmpty }
    let revision = try #require(before["session", "revision"].int)
    for number in 0..<5 {
      let answer = try await pay(visitor, address)
      #expect(answer.status == 202)
      #expect(answer.json["status"].string == (number == 0 ? "accepted" : "repeated"))
      // The later repetitions come after the signal was applied.
      if number == 2 { try await view(visitor) { amounts($0) == [5] } }
    }
    let after = try await view(visitor) { amounts($0) == [5] }
    #expect(after["session", "revision"].int == revision + 1)
  }

  @Test func `an address takes several signals, in the order of their arrival`() async throws {
    let visitor = try await payPoint()
    let address = try await address(visitor)
    for number in 1...40 {
      let answer = try await pay(visitor, address, #"{"amount": \#(number)}"#)
      #expect(answer.status == 202)
      try await view(visitor) { amounts($0).last == number }
    }
    // One id for two bodies is one signal, and two ids for one body are two.
    for (id, amount) in [("a", 1), ("a", 2), ("b", 2)] {
      for header in ["webhook-id", "Idempotency-Key"] {
        #expect(try await pay(visitor, address, #"{"amount": \#(amount)}"#, headers: [header: id]).status == 202)
        try await view(visitor) { $0["session", "pending"].array.isEmpty }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    try await view(visitor) { amounts($0) == Array(1...40) + [1, 1, 2, 2] }
    // A key in quotes is the same key, and a malformed one is none.
    let quoted = try await pay(visitor, address, #"{"amount": 9}"#, headers: ["Idempotency-Key": #""b""#])
    #expect(quoted.json["status"].string == "repeated")
    for key in ["a, b", ""] {
      #expect(try await pay(visitor, address, headers: ["Idempotency-Key": key]).status == 400)
    }
  }

  @Test func `an invalid body changes nothing`() async throws {
    let visitor = try await payPoint()
    let address = try await address(visitor)
    for (body, pointer) in [(#"{"amount": 101}"#, "/amount"), ("{}", "/amount"), (#"{"amount": "5"}"#, "/amount")] {
      let answer = try await pay(visitor, address, body)
      #expect(answer.status == 422)
      #expect(answer.json["type"].string == "/problems/invalid-input")
      #expect(answer.json["errors"].strings("pointer") == [pointer])
    }
    #expect(try await pay(visitor, address, "[]").status == 422)
    #expect(try await pay(visitor, address, "{").status == 400)
    let form = ["Content-Type": "application/x-www-form-urlencoded"]
    #expect(try await pay(visitor, address, "amount=5", headers: form).status == 415)
    // Members that the signal does not declare are left out.
    #expect(try await pay(visitor, address, #"{"amount": 7, "event": {"id": 1}}"#).status == 202)
    try await view(visitor) { amounts($0) == [7] }
  }

  @Test func `an address that nobody waits at is unknown`() async throws {
    let visitor = try await payPoint()
    let address = try await address(visitor)
    let code = Array(address.dropFirst("/v1/signals/".count))
    #expect(code.count == 80)
    // One changed character in the key of the session, in the number, in the seed and in the code.
    for index in [0, 42, 44, 50, 58, 60, 78] {
      var changed = code
      changed[index] = changed[index] == "A" ? "B" : "A"
      let answer = try await pay(visitor, "/v1/signals/" + String(changed))
      #expect(answer.status == 404)
      #expect(answer.json["type"].string == "/problems/unknown-signal")
    }
    for text in ["x", String(code.dropLast()), String(code) + "A", "%00"] {
      #expect(try await pay(visitor, "/v1/signals/" + text).status == 404)
    }
    #expect(try await visitor.service.send("GET", address).status == 405)
    try await visitor.act("forget")
    #expect(try await pay(visitor, address).status == 404)
    // Waiting again has an address of its own.
    let other = try await self.address(visitor)
    #expect(other != address)
    #expect(try await pay(visitor, address).status == 404)
    #expect(try await pay(visitor, other).status == 202)
    try await view(visitor) { amounts($0) == [5] }
    #expect(try await visitor.service.send("DELETE", visitor.path).status == 204)
    #expect(try await pay(visitor, other).status == 404)
  }

  @Test func `an ended coordinator takes no further signal, and a repetition is still known`() async throws {
    let visitor = try await payPoint()
    let address = try await address(visitor, after: "sell")
    #expect(try await pay(visitor, address).json["status"].string == "accepted")
    try await view(visitor) { amounts($0) == [5] }
    #expect(try await pay(visitor, address).json["status"].string == "repeated")
    #expect(try await pay(visitor, address, #"{"amount": 6}"#).status == 404)
    // The same body at the address of another sale, which the user has left.
    let other = try await self.address(visitor, after: "sell")
    try await visitor.back()
    #expect(try await pay(visitor, other).status == 404)
  }

  @Test func `a signal of a declared sender needs its signature`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "bank-\(UUID().uuidString)").path
    let key = [UInt8](repeating: 7, count: 32)
    try Data("whsec_\(Data(key).base64EncodedString())".utf8).write(to: URL(filePath: path))
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let senders = try SignalSenders(["bank": path], logger: logger)
    let service = try TestService(.socket, apps: [PayPoint.app(payments)]) { $0.signalSenders = senders }
    let visitor = try await service.start("pay-point")
    let address = try await address(visitor, after: "await-refund")
    func headers(_ id: String, _ time: Int64, signed body: String) -> [String: String] {
      let code = HMAC.code(of: Array("\(id).\(time).\(body)".utf8), key: key)
      return [
        "webhook-id": id, "webhook-timestamp": "\(time)",
        "webhook-signature": "v1,\(Data(code).base64EncodedString())",
      ]
    }
    let now = service.clock.now.milliseconds / 1000
    for headers in [[:], headers("a", now, signed: "{ }"), headers("a", now - 301, signed: "{}")] {
      let answer = try await pay(visitor, address, "{}", headers: headers)
      #expect(answer.status == 401)
      #expect(answer.json["type"].string == "/problems/unauthorized")
      #expect(answer.header("WWW-Authenticate") == "StandardWebhooks")
    }
    #expect(amounts(try await visitor.service.send("GET", visitor.path).json) == [])
    for status in ["accepted", "repeated"] {
      let answer = try await pay(visitor, address, "{}", headers: headers("a", now, signed: "{}"))
      #expect(answer.json["status"].string == status)
    }
    try await view(visitor) { amounts($0) == [-1] }
    // After the end of the session the address is unknown.
    let id = visitor.path.split(separator: "/").last.flatMap { SessionID(String($0)) }
    try await visitor.service.sessions.delete(try #require(id))
    #expect(try await pay(visitor, address, "{}").status == 404)
  }

  @Test(arguments: ["whole", "code", "body", "none"])
  func `no client learns the address from the response of a backend`(form: String) async throws {
    let visitor = try await payPoint()
    try await visitor.act("echo", #"{"form": "\#(form)"}"#)
    let after = try await view(visitor) { $0["screen", "data", "failure"].string?.isEmpty == false }
    let shown = after["screen", "data", "failure"].string ?? ""
    let expected = [
      "whole": "error The output contains the address of the signal paid, which no client may learn. none",
      "body": "status 400 The description of the failure contains the address of the signal paid. none", "none": "fine",
    ]
    #expect(shown == expected[form] ?? expected["whole"])
    #expect(!shown.contains(payments.path.suffix(20)))
    // The address itself still works.
    #expect(try await pay(visitor, payments.path).status == 202)
    try await view(visitor) { amounts($0) == [5] }
  }

  @Test func `a signal with its own address is refused`() async throws {
    let visitor = try await payPoint()
    let address = try await address(visitor)
    let answer = try await pay(visitor, address, #"{"amount": 5, "note": "from \#(address)"}"#)
    #expect(answer.status == 422 && answer.json["type"].string == "/problems/invalid-input")
    #expect(try await pay(visitor, address, #"{"amount": 5, "note": "from \#(address.dropLast())"}"#).status == 202)
  }

  @Test func `a host without a secret for a sender does not start`() async throws {
    var host = try AppHost(apps: [PayPoint.app(payments)])
    host.settings.server.port = 0
    let error = await #expect(throws: AccessError.self) { try await host.run() }
    #expect(
      error.map { "\($0)" }
        == "The app pay-point requires the signature of bank for the signal refund, and bank has no secret. "
        + "Set it with --signal-secret-file bank=FILE.")
  }

  @Test func `a host with two files of one sender does not start`() async throws {
    var host = try AppHost(apps: [PayPoint.app(payments)])
    host.settings.server.port = 0
    host.settings.signalSecretFiles = ["bank=old.txt", "bank=new.txt"].compactMap { HTTPServiceSettings.Entry($0) }
    let error = await #expect(throws: AccessError.self) { try await host.run() }
    #expect(
      error.map { "\($0)" }
        == "signal-secret-file: The sender bank occurs twice. Put its secrets on two lines of one file.")
  }

  @Test func `waiting twice is waiting once`() async throws {
    let visitor = try await payPoint()
    let first = try await address(visitor)
    let second = try await address(visitor)
    #expect(first == second)
  }

  @Test func `an effect has no address for a signal that its coordinator does not wait for`() async throws {
    let visitor = try await payPoint()
    try await visitor.act("request")
    let view = try await view(visitor) { $0["session", "pending"].array.isEmpty }
    #expect(
      view["screen", "data", "failure"].string?.hasPrefix("The coordinator of the effect request-payment does not")
        == true)
  }

  @Test func `a signal that meets a guard is applied once the guard passes, and further ones behind it`() async throws {
    let visitor = try await payPoint()
    let address = try await address(visitor)
    try await visitor.act("open-till", #"{"isOpen": false}"#)
    #expect(try await pay(visitor, address, #"{"amount": 99}"#).status == 202)
    #expect(try await pay(visitor, address, #"{"amount": 99}"#).json["status"].string == "repeated")
    for amount in [1, 2, 3] {
      #expect(try await pay(visitor, address, #"{"amount": \#(amount)}"#).json["status"].string == "accepted")
    }
    // The runner tries the first signal again, with the others behind it.
    let sessions = visitor.service.sessions
    let id = try #require(SessionID(visitor.view["session", "id"].string ?? ""))
    let statuses = { try await sessions.store.work(of: SessionKey(id)) }
    for _ in 0..<3000 where try await statuses().allSatisfy({ $0.error == nil }) {
      visitor.service.clock.advance(milliseconds: 5_000)
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(amounts(try await visitor.service.send("GET", visitor.path).json) == [])
    try await visitor.act("open-till", #"{"isOpen": true}"#)
    try await view(visitor) { $0["screen", "name"].string == "thanks" }
    _ = try await visitor.back()
    try await view(visitor) { amounts($0) == [99, 1, 2, 3] }
    // Of two bodies with one id the first counts, although both have waited, and the session waits on.
    try await visitor.act("open-till", #"{"isOpen": false}"#)
    for amount in [99, 4, 5] {
      let id = amount == 99 ? "a" : "b"
      #expect(
        try await pay(visitor, address, #"{"amount": \#(amount)}"#, headers: ["webhook-id": id]).status == 202)
    }
    try await visitor.act("open-till", #"{"isOpen": true}"#)
    try await view(visitor) { $0["screen", "name"].string == "thanks" }
    _ = try await visitor.back()
    try await view(visitor) { amounts($0) == [99, 1, 2, 3, 99, 4] }
    #expect(try await pay(visitor, address, #"{"amount": 6}"#).status == 202)
    try await view(visitor) { amounts($0).last == 6 }
    #expect(try await visitor.service.sessions.store.countWork() == WorkCount(pending: 0, stuck: 0))
  }

  @Test func `the history names signals without their content, and no view has the address`() async throws {
    let visitor = try await payPoint()
    let address = try await address(visitor)
    _ = try await pay(visitor, address, #"{"amount": 42}"#)
    let view = try await visitor.service.send("GET", visitor.path)
    try await self.view(visitor) { amounts($0) == [42] }
    let history = try await visitor.service.send("GET", visitor.path + "/history")
    let entry = try #require(history.json["entries"].array.first { $0["kind"].string == "signal" })
    #expect(entry["action"].string == "paid")
    #expect(!"\(entry["input"])".contains("42"))
    for text in [view.text, history.text] { #expect(!text.contains(address.suffix(40))) }
  }
}
