import Navigation
import Stores
import TestSupport
import Testing
import Values

@testable import Sessions

/// Retries and offers after more events in the background than the history keeps, on every store.
@Suite(.limitedConcurrency) struct ClientCommitTests {
  /// A session of the doorbell in a store.
  private struct House {
    let test: TestStore
    var service: SessionService
    let id: SessionID

    init(_ kind: StoreKind) async throws {
      test = try TestStore(kind)
      service = try Self.service(on: test)
      id = try await service.create(.init(app: "doorbell")).snapshot.id
    }

    private static func service(on test: TestStore) throws -> SessionService {
      var settings = SessionService.Settings()
      settings.journalLimit = 16
      return SessionService(
        apps: [try AppDefinition(App("doorbell", title: "Doorbell") { Doorbell() })], store: test.store,
        settings: settings)
    }

    /// Restarts the service if the store is durable.
    mutating func restart(_ kind: StoreKind) throws {
      guard kind.isDurable else { return }
      try test.reopen()
      service = try Self.service(on: test)
    }

    func snapshot() async throws -> Snapshot { try await service.snapshot(id) }

    /// Applies more signals than the history keeps.
    func ring(_ count: Int = 50) async throws {
      for _ in 0..<count {
        let work = try #require(try await snapshot().state.work.first)
        let event = BackgroundEvent.signal(work.id, .emptyObject, SignalDelivery(.random(in: 0 ... .max)))
        guard case .applied = try await service.apply(event, to: SessionKey(id)) else {
          Issue.record("The signal is not applied.")
          return
        }
      }
    }

    func send(_ request: IntentRequest) async throws -> SessionResult { try await service.perform(request, on: id) }
  }

  /// The request for a note, as the view of a snapshot offers it.
  private func note(_ text: String, in seen: Snapshot) -> IntentRequest {
    let intent = Intent.action(name: "note", input: ["text": .init(text)])
    return IntentRequest(intent, revision: seen.session.revision, offer: seen.offer(of: intent.path))
  }

  @Test(arguments: StoreKind.available)
  func `a retry is recognized after any number of events, with or without a restart`(kind: StoreKind) async throws {
    var house = try await House(kind)
    let (first, other) = (note("a", in: try await house.snapshot()), note("b", in: try await house.snapshot()))
    #expect(try await house.send(first).isReplay == false)
    try await house.ring()
    for _ in 0..<2 {
      let revision = try await house.snapshot().session.revision
      let again = try await house.send(first)
      #expect(again.isReplay && again.snapshot.session.revision == revision)
      await #expect(throws: SessionError.self) { _ = try await house.send(other) }
      try house.restart(kind)
      try await house.ring()
    }
  }

  @Test(arguments: StoreKind.available)
  func `an offer is accepted after any number of events, once`(kind: StoreKind) async throws {
    var house = try await House(kind)
    let seen = try await house.snapshot()
    try await house.ring()
    try house.restart(kind)
    #expect(try await house.send(note("a", in: seen)).isReplay == false)
    try await house.ring()
    #expect(try await house.send(note("a", in: seen)).isReplay)
    await #expect(throws: SessionError.self) { _ = try await house.send(note("b", in: seen)) }
  }

  @Test func `retries of the last 16 steps of clients are recognized, and none before`() async throws {
    let house = try await House(.idle)
    var requests: [IntentRequest] = []
    for number in 0..<20 {
      requests.append(note("\(number)", in: try await house.snapshot()))
      #expect(try await house.send(requests[number]).isReplay == false)
      try await house.ring(number % 3)
    }
    try await house.ring()
    for request in requests.suffix(16) { #expect(try await house.send(request).isReplay) }
    for request in requests.prefix(4) {
      await #expect(throws: SessionError.self) { _ = try await house.send(request) }
    }
  }

  @Test func `a session has no client commits as long as its history suffices`() async throws {
    let house = try await House(.memory)
    try await house.ring(20)
    #expect(try await house.snapshot().session.commits == nil)
    try await house.ring(20)
    #expect(try await house.snapshot().session.commits != nil)
  }

  @Test func `a session without events in the background needs no client commits`() async throws {
    let test = try TestStore(.memory)
    let id = try await test.create("pages").id
    for turn in 0..<100 {
      _ = try await test.service.perform(
        .init(turn % 2 == 0 ? .action(name: "next", input: .emptyObject) : .back), on: id)
    }
    let session = try await test.service.snapshot(id).session
    #expect(session.commits == nil)
  }

  @Test func `the digest of an intent ignores the order of members, and nothing else`() {
    func digest(_ name: String, _ input: Value, _ kind: JournalEntry.Kind = .action) -> UInt64 {
      ClientCommit.digest(of: kind, name, input)
    }
    let input: Value = ["a": 1, "b": [["c": 2, "d": 3], 4]]
    #expect(digest("x", input) == digest("x", ["b": [["d": 3, "c": 2], 4], "a": 1]))
    let others: [Value] = [
      ["a": 1, "b": [4, ["c": 2, "d": 3]]], ["a": 1, "b": [["c": 3, "d": 2], 4]],
      ["a": 1.0, "b": [["c": 2, "d": 3], 4]],
      ["a": 1], [:], [], .null, "a",
    ]
    let digests = others.map { digest("x", $0) } + [digest("x", input), digest("y", input), digest("x", input, .open)]
    #expect(Set(digests).count == digests.count)
  }
}

/// An app that takes notes, and that anybody can ring.
private struct Doorbell: Coordinator {
  static let name = "doorbell"
  var rings = 0
  var notes: [String] = []

  func start(_ nav: inout Navigator<Self>) {
    nav.push(Hall())
    nav.await(Ring.self)
  }

  static let wiring = Wiring<Self>()
    .shows(Hall.self)
    .on(signal: Ring.self) { me, _, _ in me.rings += 1 }
    .on(Note.self) { me, action, _ in me.notes.append(action.text) }
}

private struct Hall: Screen {
  static let name = "hall"
  static let title: Title<Self> = "Hall"
  static let actions: [any Action.Type] = [Note.self]
}

private struct Ring: Signal { static let name = "ring" }

private struct Note: Action {
  static let name = "note"
  static let title: Text = "Note"
  @Field("Text") var text: String
}
