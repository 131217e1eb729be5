import Navigation
import Synchronization
import Testing
import UsherTesting
import Values

/// Fakes, which complete effects of a type in the step that requests them.
@Suite struct FakeTests {
  private var session: TestSession

  init() throws { session = try TestSession(Bookshop.app()) }

  @Test mutating func `a fake completes the load of the first screen at once`() throws {
    #expect(session.pendingEffects == ["fetch-books"])
    try session.fake(FetchBooks.self) { _ in ["Emma"] }
    #expect(session.screen(Shelf.self)?.books == ["Emma"])
    #expect(session.pendingEffects.isEmpty)
  }

  @Test mutating func `the effects that an outcome requests are completed in the same step by their fakes`() throws {
    try session.fake(FetchPrice.self) { fetch in fetch.book.count * 100 }
    try session.act("price", ["book": "Emma"])
    #expect(session.pendingEffects == ["fetch-books", "fetch-stock"])
    try session.fake(FetchStock.self) { fetch in fetch.cents == 400 }
    #expect(session.screen(Offer.self)?.hasStock == true)
    try session.back()
    try session.act("price", ["book": "Emma II"])
    #expect(session.screen(Offer.self)?.cents == 700)
    #expect(session.screen(Offer.self)?.hasStock == false)
  }

  @Test mutating func `the outcome of a fake is part of the step of a timer`() throws {
    try session.fake(FetchPrice.self) { _ in 100 }
    try session.fake(FetchStock.self) { fetch in fetch.cents == 0 }
    try session.act("price", ["book": "Emma"])
    #expect(session.screen(Offer.self)?.hasStock == false)
    try session.advance(by: .seconds(91))
    #expect(session.screen(Offer.self)?.hasStock == true)
  }

  @Test mutating func `an outcome by hand runs the fakes of what it requests`() throws {
    try session.fake(FetchStock.self) { fetch in fetch.cents == 200 }
    try session.act("price", ["book": "Emma"])
    try session.complete(FetchPrice.self, with: 200)
    #expect(session.screen(Offer.self)?.hasStock == true)
  }

  @Test mutating func `an effect fails with the failure that the fake throws`() throws {
    try session.fake(FetchPrice.self) { _ in throw EffectFailure(.status, status: 404) }
    try session.act("price", ["book": "Emma"])
    #expect(session.screen(Offer.self)?.failure == .status)
  }

  @Test mutating func `the step throws any other error of a fake`() throws {
    try session.fake(FetchPrice.self) { _ in throw CancellationError() }
    #expect(throws: CancellationError.self) { try session.act("price", ["book": "Emma"]) }
    #expect(try session.performed(FetchPrice.self).isEmpty)
    #expect(session.title == "Your book")
  }

  @Test mutating func `without its fake an effect stays pending, and is completed by hand or by the next fake`() throws
  {
    try session.fake(FetchPrice.self) { _ in 100 }
    session.removeFake(FetchPrice.self)
    try session.act("price", ["book": "Emma"])
    #expect(session.pendingEffects == ["fetch-books", "fetch-price"])
    try session.complete(FetchPrice.self, with: 200)
    #expect(session.screen(Offer.self)?.cents == 200)
    try session.back()
    try session.act("price", ["book": "Persuasion"])
    try session.fake(FetchPrice.self) { _ in 300 }
    #expect(session.screen(Offer.self)?.cents == 300)
  }

  @Test mutating func `a test sees the effects that were performed, by a fake or by hand`() throws {
    #expect(try session.performed(FetchPrice.self).isEmpty)
    try session.fake(FetchPrice.self) { _ in 100 }
    try session.act("price", ["book": "Emma"])
    try session.back()
    session.removeFake(FetchPrice.self)
    try session.act("price", ["book": "Persuasion"])
    #expect(try session.performed(FetchPrice.self).map(\.book) == ["Emma"])
    try session.fail(FetchPrice.self, with: EffectFailure(.timeout))
    #expect(try session.performed(FetchPrice.self).map(\.book) == ["Emma", "Persuasion"])
    #expect(try session.performed(FetchBooks.self).isEmpty)
  }

  @Test mutating func `an outcome that meets a guard waits for it, and the fake is asked once`() throws {
    let askedCount = Mutex(0)
    try session.fake(FetchMember.self) { _ in
      askedCount.withLock { $0 += 1 }
      return "Ada"
    }
    try session.act("name")
    #expect(session.title == "Books")
    #expect(session.pendingEffects == ["fetch-books", "fetch-member"])
    try session.act("register")
    #expect(session.title == "Become a member")
    try session.act("join")
    #expect(session.screen(Members.self)?.member == "Ada")
    #expect(askedCount.withLock { $0 } == 1)
    #expect(try session.performed(FetchMember.self).count == 1)
  }

  @Test mutating func `an outcome that the session rejects is an error of its own, after the step`() throws {
    try session.fake(FetchMember.self) { _ in "" }
    let error = #expect(throws: TestSessionError.self) { try session.act("name") }
    guard case .stuck("fetch-member", .refused) = error else { return #expect(error == nil) }
    #expect(error?.description.contains("rejects the outcome of the effect fetch-member: ") == true)
    #expect(session.pendingEffects.contains("fetch-member"))
    // Later steps go on, as they do in production, and the next fake has another outcome.
    try session.fake(FetchBooks.self) { _ in ["Emma"] }
    #expect(session.screen(Shelf.self)?.books == ["Emma"])
    #expect(try session.performed(FetchMember.self).isEmpty)
    try session.fake(FetchMember.self) { _ in "Ada" }
    try session.act("register")
    try session.act("join")
    #expect(session.screen(Members.self)?.member == "Ada")
  }

  @Test mutating func `the outcome of an earlier fake is forgotten with it`() throws {
    try session.fake(FetchMember.self) { _ in "Ada" }
    try session.act("name")
    session.removeFake(FetchMember.self)
    try session.act("register")
    try session.act("join")
    #expect(session.title == "Books")
    try session.complete(FetchMember.self, with: "Bob")
    #expect(session.screen(Members.self)?.member == "Bob")
    #expect(try session.performed(FetchMember.self).count == 1)
  }

  @Test mutating func `a timer that meets a guard waits for it, and holds up no other timer`() throws {
    try session.fake(FetchPrice.self) { _ in 100 }
    try session.fake(FetchStock.self) { fetch in fetch.cents == 0 }
    try session.act("invite")
    try session.act("price", ["book": "Emma"])
    try session.back()
    try session.advance(by: .seconds(100))
    #expect(try session.performed(FetchStock.self).map(\.cents) == [100, 0])
    #expect(session.title == "Books")
    try session.act("register")
    try session.act("join")
    #expect(session.screen(Members.self)?.member == "guest")
  }

  @Test mutating func `fakes that request effects without an end are an error`() throws {
    try session.fake(Poll.self) { $0.round }
    #expect(throws: TestSessionError.endless("poll")) { try session.act("follow") }
    #expect(
      TestSessionError.endless("poll").description.hasPrefix(
        "More than 1000 events have occurred in one step, the last one of poll."))
    // A thousand are allowed.
    var patient = try TestSession(Bookshop.app())
    try patient.fake(Poll.self) { poll in
      if poll.round == 1001 { throw EffectFailure(.error) }
      return poll.round
    }
    #expect(throws: TestSessionError.endless("poll")) { try patient.act("follow") }
    patient = try TestSession(Bookshop.app())
    try patient.fake(Poll.self) { poll in
      if poll.round == 1000 { throw EffectFailure(.error) }
      return poll.round
    }
    try patient.act("follow")
    #expect(patient.pendingEffects == ["fetch-books"])
  }
}
