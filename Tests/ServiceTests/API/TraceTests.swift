import Foundation
import Navigation
import Sessions
import Synchronization
import TestSupport
import Testing
import Values

/// The distributed traces of requests, which the effects behind them continue.
@Suite(.limitedConcurrency) struct TraceTests {
  @Test(arguments: ["create", "act"])
  func `effects continue the trace of the request behind them, over events and attempts`(cause: String) async throws {
    let collector = Collector()
    let service = try TestService(.socket, apps: [Relay.app(collector)])
    let traced = [
      "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "Content-Type": "application/json",
    ]
    let created = try await service.send(
      "POST", "/v1/sessions", #"{"app": "relay", "input": {"begins": \#(cause == "create")}}"#,
      headers: cause == "create" ? traced : ["Content-Type": "application/json"])
    let path = try #require(created.json["links", "self"].string)
    if cause == "act" {
      _ = try await service.send("POST", path + "/actions/begin", "{}", headers: traced)
    }
    try await collector.waitForCalls(4, service)
    let trace = "0af7651916cd43dd8448eb211c80319c-01"
    #expect(collector.calls == ["first 1 \(trace)", "first 2 \(trace)", "record 1 \(trace)", "second 1 \(trace)"])

    // A later request does not belong to the trace of an earlier one.
    _ = try await service.send("POST", path + "/actions/begin", "{}", headers: [:])
    try await collector.waitForCalls(7, service)
    #expect(collector.calls.suffix(3).allSatisfy { $0.hasSuffix(" none") })
  }

  private static let states = ["vendor=1, other=2", "", "ü"] + [512, 513].map { String(repeating: "x", count: $0) }

  @Test(arguments: states)
  func `the state of a trace is passed on, unless it is too long or malformed`(state: String) async throws {
    let collector = Collector()
    let service = try TestService(.socket, apps: [Relay.app(collector)])
    _ = try await service.send(
      "POST", "/v1/sessions", #"{"app": "relay", "input": {"begins": true}}"#,
      headers: [
        "Content-Type": "application/json", "tracestate": state,
        "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      ])
    try await collector.waitForCalls(4, service)
    let isPassedOn = (1...512).contains(state.utf8.count) && state != "ü"
    let trace = "0af7651916cd43dd8448eb211c80319c-01" + (isPassedOn ? " \(state)" : "")
    #expect(collector.calls.count == 4 && collector.calls.allSatisfy { $0.hasSuffix(" \(trace)") })
  }

  @Test(arguments: ["", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331", "ff-0-0-0"])
  func `a malformed header begins no trace`(header: String) async throws {
    let collector = Collector()
    let service = try TestService(.socket, apps: [Relay.app(collector)])
    _ = try await service.send(
      "POST", "/v1/sessions", #"{"app": "relay", "input": {"begins": true}}"#,
      headers: ["Content-Type": "application/json", "traceparent": header])
    try await collector.waitForCalls(4, service)
    #expect(collector.calls.count == 4)
    #expect(collector.calls.allSatisfy { $0.hasSuffix(" none") })
  }

  /// Collects the name, the attempt and the trace of each effect. The first attempt of all fails.
  final class Collector: Sendable {
    private let collected = Mutex<[String]>([])
    /// Of equal attempts in the order of their names, because effects have no order among each other.
    var calls: [String] { collected.withLock { $0 } }

    func call(_ name: String, _ attempt: Int, _ trace: String?) throws {
      let count = collected.withLock { calls in
        calls.append("\(name) \(attempt) \(trace ?? "none")")
        if calls.count >= 4 { calls[2...3].sort() }
        return calls.count
      }
      if count == 1 { throw Retry("The collector is not ready.") }
    }

    /// Waits for so many calls, for at most 30 seconds. The clock of the service advances meanwhile, so that pauses pass.
    fileprivate func waitForCalls(_ count: Int, _ service: TestService) async throws {
      for _ in 0..<3000 where calls.count < count {
        service.clock.advance(milliseconds: 10)
        try await Task.sleep(for: .milliseconds(10))
      }
    }
  }

  struct First: Effect {
    typealias Services = Collector
    static let name = "first"
    static let policy = EffectPolicy(timeout: .seconds(20), attempts: 3, pause: .milliseconds(1))
  }

  struct Second: Effect {
    typealias Services = Collector
    static let name = "second"
  }

  /// A detached effect.
  struct Record: Effect {
    typealias Services = Collector
    static let name = "record"
  }

  struct Begin: Action {
    static let name = "begin"
    static let title: Text = "Begin"
  }

  struct Track: Screen {
    static let name = "track"
    static let title: Title<Self> = "Track"
    static let actions: [any Action.Type] = [Begin.self]
  }

  struct Baton: AppInput { @Field("Begins") var begins: Bool }

  /// Requests an effect, and two more after its outcome.
  struct Relay: Coordinator {
    typealias Services = Collector
    static let name = "relay"
    var begins: Bool

    static func app(_ collector: Collector) -> App {
      App("relay", title: "Relay", services: collector, input: Baton.self) { Relay(begins: $0.begins) }
    }

    static let wiring = Wiring<Self>()
      .shows(Track.self)
      .on(Begin.self) { _, _, nav in nav.perform(First()) }
      .performs(
        First.self,
        done: { _, _, nav in
          nav.perform(Second())
          nav.perform(detached: Record())
        }, failed: { _, _, _ in }
      )
      .performs(Second.self, done: { _, _, _ in }, failed: { _, _, _ in })
      .performs(detached: Record.self)

    func start(_ nav: inout Navigator<Self>) {
      nav.push(Track())
      if begins { nav.perform(First()) }
    }
  }
}

extension Effect where Services == TraceTests.Collector {
  func run(_ context: EffectContext<Self>) async throws -> String {
    try context.services.call(Self.name, context.attempt, context.trace)
    return Self.name
  }
}
