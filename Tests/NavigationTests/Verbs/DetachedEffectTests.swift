import Testing
import UsherTesting
import Values

@testable import Navigation

/// Effects without an outcome, and compensations.
@Suite struct DetachedEffectTests {
  private var session: TestSession

  init() throws { session = try TestSession(Hotel.app()) }

  @Test mutating func `a detached effect is requested with its step, and is not part of the state`() throws {
    let before = session.state
    try session.act("note", ["text": "late arrival"])
    #expect(try session.detached(Note.self).map(\.text) == ["late arrival"])
    #expect(session.state.work.isEmpty)
    #expect(session.state.nextID == before.nextID + 1)
    try session.act("note", ["text": "dog"])
    #expect(try session.detached(Note.self).map(\.text) == ["late arrival", "dog"])
    // A step that is refused requests nothing, nor does a step after one that did.
    #expect(throws: Rejection.self) { try session.act("note", ["text": "refused"]) }
    try session.act("book")
    #expect(try session.detached(Note.self).count == 2)
  }

  @Test mutating func `a compensation runs if the coordinator is left before the outcome`() throws {
    try session.act("book")
    try session.act("reserve", ["room": 7])
    #expect(try session.detached(Release.self).isEmpty)
    #expect(session.state.work.map { $0.effect?.compensation != nil } == [true])
    try session.back()
    #expect(try session.detached(Release.self).map(\.room) == [7])
    #expect(session.state.work.isEmpty)
  }

  @Test mutating func `a compensation runs if its effect is cancelled, unless that has not begun`() throws {
    try session.act("book")
    try session.act("reserve", ["room": 7])
    try session.act("cancel", ["room": 8])
    #expect(try session.detached(Release.self).map(\.room) == [7])
    #expect(session.state.work.isEmpty)
    try session.back()
    #expect(try session.detached(Release.self).count == 1)
  }

  @Test(arguments: ["leave", "close"])
  mutating func `a compensation runs if the coordinator or the session finishes before the outcome`(
    action: String
  ) throws {
    try session.act("book")
    try session.act("reserve", ["room": 7])
    try session.act("reserve", ["room": 8])
    try session.act(action)
    #expect(try session.detached(Release.self).map(\.room) == [7, 8])
    #expect(session.state.isFinished == (action == "close"))
    #expect(try session.detached(Note.self).map(\.text) == (action == "leave" ? ["left"] : []))
  }

  @Test func `the detached effects of the start are requested with a link, too`() throws {
    let session = try TestSession(Hotel.app(takesNote: true), link: "/rooms")
    #expect(session.title == "Rooms")
    #expect(try session.detached(Note.self).map(\.text) == ["opened"])
  }

  @Test mutating func `an operator who drops an effect has its compensation performed`() throws {
    var session = try AppDefinition(Hotel.app()).create()
    let app = self.session.app
    session = try app.perform(.action(name: "book", input: .emptyObject), on: session)
    session = try app.perform(.action(name: "reserve", input: ["room": 7]), on: session)
    let id = try #require(session.work.first?.id)
    guard case .applied(let next) = try app.apply(.dropped(id, nil), to: session) else {
      Issue.record("The effect is not dropped.")
      return
    }
    #expect(next.environment.detached.count == 1 && next.work.isEmpty)
  }

  @Test mutating func `no compensation runs after the outcome`() throws {
    try session.act("book")
    try session.act("reserve", ["room": 7])
    try session.act("reserve", ["room": 8])
    try session.fail(Reserve.self, with: EffectFailure(.error, detail: "Full"))
    // The outcome itself ends the coordinator. The compensation of another effect runs then.
    try session.act("reserve", ["room": 9])
    try session.complete(Reserve.self)
    #expect(try session.detached(Release.self).map(\.room) == [9])
  }

  @Test mutating func `a step requests at most 64 detached effects`() throws {
    try session.act("notes", ["count": 64])
    #expect(try session.detached(Note.self).count == 64)
    #expect(throws: Rejection.tooMuchWork(limit: 64)) { try session.act("notes", ["count": 65]) }
    #expect(try session.detached(Note.self).count == 64)
  }

  @Test mutating func `the packed form of a detached effect has all that an attempt needs`() throws {
    let app = session.app
    let index = try #require(app.effects.firstIndex { $0.name == "note" })
    for key in [nil, "", "order-17"] {
      let effect = DetachedEffect(id: WorkID(9), effect: index, input: ["text": "dog"], key: key, seed: .max)
      let bytes = app.pack(effect)
      #expect(try app.unpackDetached(bytes, id: WorkID(9)) == effect)
      for size in bytes.indices {
        #expect(throws: PackingError.self) { try app.unpackDetached(Array(bytes[..<size]), id: WorkID(9)) }
      }
    }
  }

  @Test mutating func `an effect that its coordinator does not declare as detached is a fault`() throws {
    #expect(
      throws: Rejection.fault(
        .located(
          .undeclaredDetachedEffect("release", coordinator: "hotel"),
          at: "hotel › hotel › action undeclared › command 1, perform"))
    ) {
      try session.act("undeclared")
    }
    let faults = #expect(throws: WiringFaults.self) {
      try AppDefinition(App("twice", title: "Twice") { NotesTwice() })
    }
    #expect(faults.map { $0.faults.map(\.fault) } == [.repeatedOutcome])
  }
}

private struct NotesTwice: Coordinator {
  static let name = "twice"
  static let wiring = Wiring<Self>().shows(Lobby.self).performs(detached: Note.self).performs(detached: Note.self)
    .on(Book.self) { _, _, _ in }.on(TakeNote.self) { _, _, _ in }.on(TakeNotes.self) { _, _, _ in }
    .on(Undeclared.self) { _, _, _ in }

  func start(_ nav: inout Navigator<Self>) { nav.push(Lobby()) }
}

/// An app whose desk takes notes, and whose bookings reserve rooms.
enum Hotel {
  static func app(takesNote: Bool = false) -> App {
    App("hotel", title: "Hotel", links: [RoomsLink.self]) { Desk(takesNote: takesNote) }
  }

  struct Desk: Coordinator {
    static let name = "hotel"
    static let wiring = Wiring<Self>()
      .shows(Lobby.self)
      .starts(Booking.self, finished: { _, closes, nav in if closes { nav.finish() } })
      .performs(detached: Note.self)
      .on(Book.self) { _, _, nav in nav.start(Booking()) }
      .on(TakeNote.self) { _, action, nav in
        nav.perform(detached: Note(text: action.text))
        if action.text == "refused" { nav.refuse("No") }
      }
      .on(TakeNotes.self) { _, action, nav in
        for number in 0..<action.count { nav.perform(detached: Note(text: "\(number)")) }
      }
      .on(Undeclared.self) { _, _, nav in nav.perform(detached: Release(room: 1)) }

    var takesNote = false

    func start(_ nav: inout Navigator<Self>) {
      nav.push(Lobby())
      if takesNote { nav.perform(detached: Note(text: "opened")) }
    }
  }

  struct Booking: Coordinator {
    typealias Result = Bool
    static let name = "booking"
    static let wiring = Wiring<Self>()
      .shows(Rooms.self)
      .performs(Reserve.self, done: { _, _, nav in nav.finish(false) }, failed: { _, _, _ in })
      .performs(detached: Release.self)
      .performs(detached: Note.self)
      .on(ReserveRoom.self) { _, action, nav in
        nav.perform(Reserve(room: action.room), compensate: Release(room: action.room))
      }
      .on(CancelRoom.self) { _, action, nav in
        nav.perform(Reserve(room: action.room), compensate: Release(room: action.room))
        nav.cancel(Reserve.self)
      }
      .on(LeaveRooms.self) { _, _, nav in
        // A detached effect may be requested in the step that ends its coordinator.
        nav.perform(detached: Note(text: "left"))
        nav.finish(false)
      }
      .on(CloseHotel.self) { _, _, nav in nav.finish(true) }

    func start(_ nav: inout Navigator<Self>) { nav.push(Rooms()) }
  }
}

private struct RoomsLink: Link {
  static let pattern = "/rooms"
  var steps: [Step] { [.action(Book())] }
}

private struct Lobby: Screen {
  static let name = "lobby"
  static let title: Title<Self> = "Lobby"
  static let actions: [any Action.Type] = [Book.self, TakeNote.self, TakeNotes.self, Undeclared.self]
}

private struct Rooms: Screen {
  static let name = "rooms"
  static let title: Title<Self> = "Rooms"
  static let actions: [any Action.Type] = [
    ReserveRoom.self, CancelRoom.self, LeaveRooms.self, CloseHotel.self,
  ]
}

private struct Note: Effect {
  static let name = "note"
  var text: String

  func run(_ context: EffectContext<Self>) async throws -> Nothing { Nothing() }
}

private struct Reserve: Effect {
  static let name = "reserve"
  var room: Int

  func run(_ context: EffectContext<Self>) async throws -> Nothing { Nothing() }
}

private struct Release: Effect {
  static let name = "release"
  var room: Int

  func run(_ context: EffectContext<Self>) async throws -> Nothing { Nothing() }
}

private struct Book: Action {
  static let name = "book"
  static let title: Text = "Book"
}

private struct TakeNote: Action {
  static let name = "note"
  static let title: Text = "Take a note"
  @Field("Text") var text: String
}

private struct TakeNotes: Action {
  static let name = "notes"
  static let title: Text = "Take notes"
  @Field("Count") var count: Int
}

private struct Undeclared: Action {
  static let name = "undeclared"
  static let title: Text = "Request an effect of another coordinator"
}

private struct ReserveRoom: Action {
  static let name = "reserve"
  static let title: Text = "Reserve"
  @Field("Room") var room: Int
}

private struct CancelRoom: Action {
  static let name = "cancel"
  static let title: Text = "Reserve, and cancel all"
  @Field("Room") var room: Int
}

private struct LeaveRooms: Action {
  static let name = "leave"
  static let title: Text = "Leave"
}

private struct CloseHotel: Action {
  static let name = "close"
  static let title: Text = "Close"
}
