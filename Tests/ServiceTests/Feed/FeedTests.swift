import ExampleApps
import Navigation
import Sessions
import Stores
import Synchronization
import Testing
import Values

/// What listeners of a session hear.
@Suite(.limitedConcurrency) struct FeedTests {
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

  /// Goes round: each step is a revision.
  private func walk(_ id: SessionID, _ steps: Int) async throws {
    for _ in 0..<steps {
      let name = try await service.snapshot(id).visible.screen.name
      try await act(id, name == "first" ? "next" : "first")
    }
  }

  private func act(_ id: SessionID, _ name: String) async throws {
    _ = try await service.perform(IntentRequest(.action(name: name, input: .emptyObject)), on: id)
  }

  @Test func `hear of the session as it is, and of every revision that follows`() async throws {
    let id = try await start()
    let listeners = [Listener(), Listener()]
    for listener in listeners { #expect(try await service.follow(id, after: nil, listener)) }
    try await walk(id, 40)
    for listener in listeners { #expect(listener.heard == (1...41).map { "view \($0)" }) }
  }

  @Test func `hear nothing of what changes nothing`() async throws {
    let id = try await start()
    let listener = Listener()
    _ = try await service.follow(id, after: nil, listener)
    await #expect(throws: SessionError.self) { try await act(id, "nope") }
    let next = IntentRequest(.action(name: "next", input: .emptyObject), revision: 1)
    for _ in 0..<2 { _ = try await service.perform(next, on: id) }
    #expect(listener.heard == ["view 1", "view 2"])
  }

  @Test func `get what they missed, without a gap`() async throws {
    let id = try await start()
    let steady = Listener()
    _ = try await service.follow(id, after: nil, steady)
    try await walk(id, 20)
    // Of the last events, and further back of the journal.
    for known in [21, 15, 5, 4, 1, 0] {
      let listener = Listener()
      #expect(try await service.follow(id, after: UInt64(known), listener))
      #expect(listener.heard == (known + 1..<22).map { "view \($0)" })
    }
    let ahead = Listener()
    _ = try await service.follow(id, after: 30, ahead)
    #expect(ahead.heard == ["resync 21"])
  }

  @Test func `are told to resynchronise where the journal does not reach back`() async throws {
    let id = try await start()
    try await walk(id, 200)
    for known in [3, 100] {
      let listener = Listener()
      #expect(try await service.follow(id, after: UInt64(known), listener))
      #expect(listener.heard == ["resync 201"])
    }
    // The state is kept from which these can be made again.
    for known in [154, 170, 190, 200] {
      let listener = Listener()
      #expect(try await service.follow(id, after: UInt64(known), listener))
      #expect(listener.heard == (known + 1...201).map { "view \($0)" })
    }
  }

  @Test func `take the session as it is where they cannot take all that they missed`() async throws {
    let id = try await start()
    try await walk(id, 10)
    let listener = Listener(room: 3)
    #expect(try await service.follow(id, after: 5, listener))
    try await walk(id, 1)
    #expect(listener.heard == ["resync 11", "view 12"])
  }

  @Test func `see each revision as it was`() async throws {
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
    let listener = Listener()
    _ = try await service.follow(id, after: 0, listener)
    #expect(listener.titles == titles)
  }

  @Test func `hear in order of writers that race`() async throws {
    let id = try await start()
    let listeners = (0..<4).map { _ in Listener() }
    for listener in listeners { _ = try await service.follow(id, after: 1, listener) }
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
    for listener in listeners { #expect(listener.heard == (2...last).map { "view \($0)" }) }
  }

  @Test func `join while others write, without a gap`() async throws {
    let id = try await start()
    try await withThrowingTaskGroup { group in
      group.addTask { try await walk(id, 300) }
      for _ in 0..<30 {
        let listener = Listener()
        _ = try await service.follow(id, after: nil, listener)
        group.addTask {
          while try await service.snapshot(id).session.revision < 301 { await Task.yield() }
          let heard = listener.heard
          let first = try #require(heard.first.flatMap { UInt64($0.dropFirst(5)) })
          #expect(heard == (first...301).map { "view \($0)" })
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `hear the end, however it comes`() async throws {
    let deleted = try await start()
    let expired = try await service.create(CreateRequest(app: "pages", timeToLive: 60)).snapshot.id
    let finished = try await start("gallery")
    let listeners = [Listener(), Listener(), Listener()]
    for (id, listener) in zip([deleted, expired, finished], listeners) {
      _ = try await service.follow(id, after: 1, listener)
    }
    try await service.delete(deleted)
    clock.advance(seconds: 61)
    await service.beat()
    try await act(finished, "fields")
    let form: Value = ["name": "Ann", "guests": 1, "size": "small", "news": false]
    _ = try await service.perform(IntentRequest(.action(name: "send", input: form)), on: finished)
    for intent: Intent in [.back, .back] { _ = try await service.perform(IntentRequest(intent), on: finished) }
    for name in ["leave", "goodbye"] { try await act(finished, name) }
    #expect(listeners[0].heard == ["end deleted", "over"])
    #expect(listeners[1].heard == ["end expired", "over"])
    #expect(listeners[2].heard == (2...7).map { "view \($0)" } + ["end finished", "over"])
    // Who knows the end has nothing to come for; who does not gets it.
    #expect(try await !service.follow(finished, after: 7, Listener()))
    let late = Listener()
    #expect(try await service.follow(finished, after: 6, late))
    #expect(late.heard == ["view 7", "end finished", "over"])
    await #expect(throws: SessionError.self) { try await service.follow(deleted, after: 1, Listener()) }
  }

  @Test func `are let go once they do not listen`() async throws {
    let id = try await start()
    let (deaf, other) = (Listener(), Listener())
    for listener in [deaf, other] { _ = try await service.follow(id, after: 1, listener) }
    try await walk(id, 1)
    deaf.isGone = true
    try await walk(id, 3)
    #expect(deaf.heard == ["view 2"])
    #expect(other.heard == ["view 2", "view 3", "view 4", "view 5"])
    await service.beat()
    #expect(other.beats == 1 && deaf.beats == 0)
    // What it missed it still gets after the channel was given up.
    other.isGone = true
    for _ in 0..<6 { await service.beat() }
    let back = Listener()
    #expect(try await service.follow(id, after: 2, back))
    #expect(back.heard == ["view 3", "view 4", "view 5"])
  }
}

/// Writes down what it hears.
private final class Listener: SessionListener {
  private struct State {
    var heard: [String] = []
    var titles: [String] = []
    var beats = 0
    var isGone = false
  }

  private let state = Mutex(State())
  /// Events that it can take at once.
  private let room: Int

  init(room: Int = .max) { self.room = room }

  var heard: [String] { state.withLock { $0.heard } }
  var titles: [String] { state.withLock { $0.titles } }
  var beats: Int { state.withLock { $0.beats } }
  var isGone: Bool {
    get { state.withLock { $0.isGone } }
    set { state.withLock { $0.isGone = newValue } }
  }

  func catchUp(_ events: [SessionEvent]) -> Bool { events.count <= room && events.allSatisfy { hear($0) } }

  func hear(_ event: SessionEvent) -> Bool {
    state.withLock { state in
      guard !state.isGone else { return false }
      switch event.kind {
      case .view(let snapshot):
        state.heard.append("view \(snapshot.session.revision)")
        state.titles.append(snapshot.visible.title.string)
      case .resync(let snapshot): state.heard.append("resync \(snapshot.session.revision)")
      case .end(let reason): state.heard.append("end \(reason)")
      }
      return true
    }
  }

  func beat() -> Bool {
    state.withLock { state in
      if !state.isGone { state.beats += 1 }
      return !state.isGone
    }
  }

  func end() { state.withLock { $0.heard.append("over") } }
}
