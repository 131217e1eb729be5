import ExampleApps
import Navigation
import Stores
import Synchronization
import TestSupport
import Testing
import Values

@testable import Sessions

/// The events that subscribers of a session receive.
@Suite(.limitedConcurrency) struct EventSubscriptionTests {
  private let clock = TestClock()
  private let service: SessionService

  init() throws {
    let clock = clock
    service = SessionService(
      apps: try ExampleApps.all.map { try AppDefinition($0) }, store: MemoryStore(),
      clock: TimeSource { clock.now })
  }

  private func start(_ app: String = "pages") async throws -> SessionID {
    try await service.create(CreateRequest(app: app)).snapshot.id
  }

  /// Performs actions that lead round in a circle. Each one is a revision.
  private func walk(_ id: SessionID, _ steps: Int) async throws {
    for _ in 0..<steps {
      let name = try await service.snapshot(id).visible.screen.name
      try await act(id, name == "first" ? "next" : "first")
    }
  }

  private func act(_ id: SessionID, _ name: String) async throws {
    _ = try await service.perform(IntentRequest(.action(name: name, input: .emptyObject)), on: id)
  }

  @Test func `subscribers receive the session as it is, and every later revision`() async throws {
    let id = try await start()
    let subscribers = [RecordingSubscriber(), RecordingSubscriber()]
    for subscriber in subscribers { #expect(try await service.subscribe(subscriber, to: id, after: nil)) }
    try await walk(id, 40)
    for subscriber in subscribers { #expect(subscriber.received == (1...41).map { "view \($0)" }) }
  }

  @Test func `a rejected action and a replay send no event`() async throws {
    let id = try await start()
    let subscriber = RecordingSubscriber()
    _ = try await service.subscribe(subscriber, to: id, after: nil)
    await #expect(throws: SessionError.self) { try await act(id, "nope") }
    let next = IntentRequest(.action(name: "next", input: .emptyObject), revision: 1)
    for _ in 0..<2 { _ = try await service.perform(next, on: id) }
    #expect(subscriber.received == ["view 1", "view 2"])
  }

  @Test func `a reconnecting subscriber receives the revisions that it missed, without a gap`() async throws {
    let id = try await start()
    let steady = RecordingSubscriber()
    _ = try await service.subscribe(steady, to: id, after: nil)
    try await walk(id, 20)
    for known in [21, 15, 5, 4, 1, 0] {
      let subscriber = RecordingSubscriber()
      #expect(try await service.subscribe(subscriber, to: id, after: UInt64(known)))
      #expect(subscriber.received == (known + 1..<22).map { "view \($0)" })
    }
    let ahead = RecordingSubscriber()
    _ = try await service.subscribe(ahead, to: id, after: 30)
    #expect(ahead.received == ["resync 21"])
  }

  @Test func `a subscriber that is further behind than the journal reaches receives a resync event`() async throws {
    let id = try await start()
    try await walk(id, 200)
    for known in [3, 100] {
      let subscriber = RecordingSubscriber()
      #expect(try await service.subscribe(subscriber, to: id, after: UInt64(known)))
      #expect(subscriber.received == ["resync 201"])
    }
    // The checkpoint before these revisions is kept.
    for known in [154, 170, 190, 200] {
      let subscriber = RecordingSubscriber()
      #expect(try await service.subscribe(subscriber, to: id, after: UInt64(known)))
      #expect(subscriber.received == (known + 1...201).map { "view \($0)" })
    }
  }

  @Test func `a subscriber whose buffer is smaller than the backlog receives a resync event`() async throws {
    let id = try await start()
    try await walk(id, 10)
    let subscriber = RecordingSubscriber(capacity: 3)
    #expect(try await service.subscribe(subscriber, to: id, after: 5))
    try await walk(id, 1)
    #expect(subscriber.received == ["resync 11", "view 12"])
  }

  @Test func `each event shows its revision as it was`() async throws {
    let id = try await start("bank")
    var titles = ["Accounts"]
    for intent: Intent in [
      .action(name: "transfer", input: .emptyObject), .action(name: "sign-in", input: ["pin": "1234"]),
      .action(name: "next", input: ["to": "bob"]), .back, .action(name: "stay", input: .emptyObject),
      .action(name: "next", input: ["amount": 5]), .open(link: "/inbox/m1"),
      .action(name: "leave", input: .emptyObject),
      .tab("accounts"),
    ] {
      titles.append(try await service.perform(IntentRequest(intent), on: id).snapshot.visible.title.string)
    }
    let subscriber = RecordingSubscriber()
    _ = try await service.subscribe(subscriber, to: id, after: 0)
    #expect(subscriber.titles == titles)
  }

  @Test func `revisions of concurrent writers arrive in order`() async throws {
    let id = try await start()
    let subscribers = (0..<4).map { _ in RecordingSubscriber() }
    for subscriber in subscribers { _ = try await service.subscribe(subscriber, to: id, after: 1) }
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            for name in ["next", "first"] {
              _ = try? await service.perform(IntentRequest(.action(name: name, input: .emptyObject)), on: id)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let last = try await service.snapshot(id).session.revision
    #expect(last > 100)
    for subscriber in subscribers { #expect(subscriber.received == (2...last).map { "view \($0)" }) }
  }

  @Test func `a revision that is reported late or twice is sent once`() async throws {
    let id = try await start()
    let older = try await service.snapshot(id)
    try await act(id, "next")
    let newer = try await service.snapshot(id)
    let channel = EventChannel(id) { _, _ in nil }
    let subscriber = RecordingSubscriber()
    _ = channel.add(subscriber, after: nil, newer)
    for snapshot in [older, newer, older] { channel.advance(to: snapshot) }
    #expect(subscriber.received == ["view 2"])
  }

  @Test func `a subscription during concurrent writes has no gap`() async throws {
    let id = try await start()
    try await withThrowingTaskGroup { group in
      group.addTask { try await walk(id, 300) }
      for _ in 0..<30 {
        let subscriber = RecordingSubscriber()
        _ = try await service.subscribe(subscriber, to: id, after: nil)
        group.addTask {
          // The report of a revision follows its commit.
          #expect(await eventually { subscriber.received.last == "view 301" })
          let received = subscriber.received
          let first = try #require(received.first.flatMap { UInt64($0.dropFirst(5)) })
          #expect(received == (first...301).map { "view \($0)" })
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `every kind of end is reported`() async throws {
    let deleted = try await start()
    let expired = try await service.create(CreateRequest(app: "pages", timeToLive: 60)).snapshot.id
    let finished = try await start("gallery")
    let subscribers = [RecordingSubscriber(), RecordingSubscriber(), RecordingSubscriber()]
    for (id, subscriber) in zip([deleted, expired, finished], subscribers) {
      _ = try await service.subscribe(subscriber, to: id, after: 1)
    }
    try await service.delete(deleted)
    clock.advance(seconds: 61)
    await service.sendKeepAlives()
    try await act(finished, "fields")
    let form: Value = ["name": "Ann", "guests": 1, "size": "small", "news": false]
    _ = try await service.perform(IntentRequest(.action(name: "send", input: form)), on: finished)
    for intent: Intent in [.back, .back] { _ = try await service.perform(IntentRequest(intent), on: finished) }
    for name in ["leave", "goodbye"] { try await act(finished, name) }
    #expect(subscribers[0].received == ["end deleted", "closed"])
    #expect(subscribers[1].received == ["end expired", "closed"])
    #expect(subscribers[2].received == (2...7).map { "view \($0)" } + ["end finished", "closed"])
    // A subscriber that knows the last revision has nothing to wait for. Any other one receives the rest and the end.
    #expect(try await !service.subscribe(RecordingSubscriber(), to: finished, after: 7))
    let late = RecordingSubscriber()
    #expect(try await service.subscribe(late, to: finished, after: 6))
    #expect(late.received == ["view 7", "end finished", "closed"])
    await #expect(throws: SessionError.self) {
      try await service.subscribe(RecordingSubscriber(), to: deleted, after: 1)
    }
  }

  @Test func `a request that has waited leaves nothing behind`() async throws {
    for _ in 0..<3 {
      let snapshot = try await service.snapshot(try await start())
      _ = try await service.settled(snapshot, within: .zero)
      #expect(service.eventChannelCount == 0)
    }
    let id = try await start()
    let stream = RecordingSubscriber()
    _ = try await service.subscribe(stream, to: id, after: nil)
    _ = try await service.settled(try await service.snapshot(id), within: .zero)
    try await walk(id, 1)
    #expect(stream.received == ["view 1", "view 2"])
  }

  @Test func `a subscriber that has disconnected receives nothing more`() async throws {
    let id = try await start()
    let (disconnected, other) = (RecordingSubscriber(), RecordingSubscriber())
    for subscriber in [disconnected, other] { _ = try await service.subscribe(subscriber, to: id, after: 1) }
    try await walk(id, 1)
    disconnected.isDisconnected = true
    try await walk(id, 3)
    #expect(disconnected.received == ["view 2"])
    #expect(other.received == ["view 2", "view 3", "view 4", "view 5"])
    await service.sendKeepAlives()
    #expect(other.keepAlives == 1 && disconnected.keepAlives == 0)
    // The channel ends with its last subscriber. A new one still receives the revisions that the old one missed.
    other.isDisconnected = true
    await service.sendKeepAlives()
    #expect(service.eventChannelCount == 0)
    let back = RecordingSubscriber()
    #expect(try await service.subscribe(back, to: id, after: 2))
    #expect(back.received == ["view 3", "view 4", "view 5"])
  }
}

/// A subscriber that records its events.
private final class RecordingSubscriber: EventSubscriber {
  private struct State {
    var received: [String] = []
    var titles: [String] = []
    var keepAlives = 0
    var isDisconnected = false
  }

  private let state = Mutex(State())
  /// The maximum number of events in a backlog.
  private let capacity: Int

  init(capacity: Int = .max) { self.capacity = capacity }

  var received: [String] { state.withLock { $0.received } }
  var titles: [String] { state.withLock { $0.titles } }
  var keepAlives: Int { state.withLock { $0.keepAlives } }
  var isDisconnected: Bool {
    get { state.withLock { $0.isDisconnected } }
    set { state.withLock { $0.isDisconnected = newValue } }
  }

  func receive(backlog events: [SessionEvent]) -> Bool {
    events.count <= capacity && events.allSatisfy { receive($0) }
  }

  func receive(_ event: SessionEvent) -> Bool {
    state.withLock { state in
      guard !state.isDisconnected else { return false }
      switch event.kind {
      case .view(let snapshot):
        state.received.append("view \(snapshot.session.revision)")
        state.titles.append(snapshot.visible.title.string)
      case .resync(let snapshot): state.received.append("resync \(snapshot.session.revision)")
      case .end(let reason): state.received.append("end \(reason)")
      }
      return true
    }
  }

  func receiveKeepAlive() -> Bool {
    state.withLock { state in
      if !state.isDisconnected { state.keepAlives += 1 }
      return !state.isDisconnected
    }
  }

  func finish() { state.withLock { $0.received.append("closed") } }
}
