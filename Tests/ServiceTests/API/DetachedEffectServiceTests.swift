import Navigation
import Sessions
import Synchronization
import TestSupport
import Testing
import Usher

/// Detached effects and compensations of a service with a runner.
@Suite(.limitedConcurrency) struct DetachedEffectServiceTests {
  private let records = Records()

  private func visitor() async throws -> Visitor {
    try await TestService(.socket, apps: [Audited.app(records)]).start("audited", #","locale":"de""#)
  }

  /// Waits until nothing is pending in the store, for at most 30 seconds.
  private func settle(_ service: TestService) async throws {
    for _ in 0..<3000 {
      if try await service.sessions.store.countWork() == WorkCount(pending: 0, stuck: 0) { return }
      service.clock.advance(milliseconds: 50)
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("Work stays pending.")
  }

  @Test func `a detached effect runs until it succeeds, and clients do not see it`() async throws {
    let visitor = try await visitor()
    try await visitor.act("record", #"{"text": "twice"}"#)
    #expect(visitor.view["session", "pending"].array.isEmpty)
    let revision = visitor.revision
    try await settle(visitor.service)
    #expect(records.all.map(\.text) == ["twice", "twice"])
    #expect(records.all.map(\.attempt) == [1, 2] && Set(records.all.map(\.key)).count == 1)
    #expect(records.all.map(\.locale) == ["de", "de"])
    #expect(try await visitor.service.send("GET", visitor.path).json["session", "revision"].int == revision)
    // The same key of the author makes the same idempotency key, and another step without one another.
    for _ in 0..<2 { try await visitor.act("record", #"{"text": "keyed"}"#) }
    for _ in 0..<2 { try await visitor.act("record", #"{"text": "plain"}"#) }
    try await settle(visitor.service)
    #expect(Set(records.keys(of: "keyed")).count == 1)
    #expect(Set(records.keys(of: "plain")).count == 2)
    // No step has repeated an effect of the steps before.
    #expect(records.all.count == 6)
  }

  @Test func `a detached effect runs although its session has been deleted`() async throws {
    let visitor = try await visitor()
    try await visitor.act("record", #"{"text": "twice"}"#)
    #expect(try await visitor.service.send("DELETE", visitor.path).status == 204)
    try await settle(visitor.service)
    #expect(records.keys(of: "twice").count == 2)
  }

  @Test func `a hand-over does not repeat the detached effects of the step before`() async throws {
    let visitor = try await visitor()
    try await visitor.act("record", #"{"text": "once"}"#)
    try await settle(visitor.service)
    let offered = try await visitor.service.send("POST", visitor.path + "/hand-over")
    let link = try #require(offered.json["href"].string)
    #expect(try await visitor.service.send("POST", link).status == 201)
    try await settle(visitor.service)
    #expect(records.keys(of: "once").count == 1)
  }

  @Test func `a detached effect is over after its last attempt`() async throws {
    let visitor = try await visitor()
    try await visitor.act("record", #"{"text": "never"}"#)
    try await settle(visitor.service)
    #expect(records.keys(of: "never").count == 3)
  }

  @Test func `a deleted session performs the compensation of an effect without an outcome, and no other`() async throws
  {
    let visitor = try await visitor()
    try await visitor.act("reserve", #"{"fails": false}"#)
    try await settle(visitor.service)
    #expect(records.all.isEmpty)
    try await visitor.act("reserve", #"{"fails": true}"#)
    #expect(try await visitor.service.send("DELETE", visitor.path).status == 204)
    try await settle(visitor.service)
    #expect(records.all.map(\.text) == ["released"])
  }
}

/// What the effects have recorded.
private final class Records: Sendable {
  struct Record {
    let text: String
    let key: String
    let attempt: Int
    let locale: String?
  }

  private let records = Mutex<[Record]>([])

  var all: [Record] { records.withLock { $0 } }

  func keys(of text: String) -> [String] { all.filter { $0.text == text }.map(\.key) }

  func add(_ record: Record) { records.withLock { $0.append(record) } }
}

private struct Audited: Coordinator {
  typealias Services = Records
  static let name = "audited"
  static let wiring = Wiring<Self>()
    .shows(Ledger.self)
    .performs(detached: Audit.self)
    .performs(ReserveSeat.self, done: { _, _, _ in }, failed: { _, _, _ in })
    .on(RecordText.self) { _, action, nav in
      nav.perform(detached: Audit(text: action.text), key: action.text == "keyed" ? "one" : nil)
    }
    .on(ReserveASeat.self) { _, action, nav in
      nav.perform(ReserveSeat(fails: action.fails), compensate: Audit(text: "released"))
    }

  static func app(_ records: Records) -> App {
    App("audited", title: "Audited", services: records) { Audited() }
  }

  func start(_ nav: inout Navigator<Self>) { nav.push(Ledger()) }
}

private struct Audit: Effect {
  typealias Services = Records
  static let name = "audit"
  static let policy = EffectPolicy(attempts: 3, pause: .milliseconds(1), maximumPause: .milliseconds(1))
  var text: String

  func run(_ context: EffectContext<Self>) async throws -> Nothing {
    context.services.add(
      Records.Record(
        text: text, key: context.idempotencyKey, attempt: context.attempt, locale: context.locale))
    if text == "never" || text == "twice" && context.attempt == 1 { throw Retry("Later", mayHaveHappened: false) }
    return Nothing()
  }
}

/// An effect that either succeeds or is tried for hours.
private struct ReserveSeat: Effect {
  static let name = "reserve-seat"
  static let policy = EffectPolicy(attempts: 1000, pause: .seconds(3600), maximumPause: .seconds(3600))
  var fails: Bool

  func run(_ context: EffectContext<Self>) async throws -> Nothing {
    if fails { throw Retry("Later", mayHaveHappened: false) }
    return Nothing()
  }
}

private struct Ledger: Screen {
  static let name = "ledger"
  static let title: Title<Self> = "Ledger"
  static let actions: [any Action.Type] = [RecordText.self, ReserveASeat.self]
}

private struct RecordText: Action {
  static let name = "record"
  static let title: Text = "Record"
  @Field("Text") var text: String
}

private struct ReserveASeat: Action {
  static let name = "reserve"
  static let title: Text = "Reserve"
  @Field("Fails") var fails: Bool
}
