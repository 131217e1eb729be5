import Navigation
import Testing
import UsherTesting
import Values

/// The time zone of a session, and the date there.
@Suite struct SessionDateTests {
  /// 2026-11-21T08:00:00Z: midnight in Los Angeles.
  private static let midnight: Int64 = 1_795_248_000

  private static func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

  @Test(
    arguments: [
      ("America/Los_Angeles", 1_795_247_999, "2026-11-20"), ("America/Los_Angeles", 1_795_248_000, "2026-11-21"),
      // 2026-11-21T11:00:00Z: midnight in Auckland.
      ("Pacific/Auckland", 1_795_258_799, "2026-11-21"), ("Pacific/Auckland", 1_795_258_800, "2026-11-22"),
      // The day with 25 hours at the end of daylight saving time, and the one with 23 hours at its beginning.
      ("Europe/Berlin", 1_792_879_199, "2026-10-24"), ("Europe/Berlin", 1_792_879_200, "2026-10-25"),
      ("Europe/Berlin", 1_792_969_199, "2026-10-25"), ("Europe/Berlin", 1_792_969_200, "2026-10-26"),
      ("Europe/Berlin", 1_774_738_800, "2026-03-29"), ("Europe/Berlin", 1_774_821_599, "2026-03-29"),
      ("Europe/Berlin", 1_774_821_600, "2026-03-30"),
      (nil, 1_795_247_999, "2026-11-21"), (nil, -1, "1969-12-31"),
    ] as [(String?, Int64, String)])
  func `today is the date in the time zone of the session`(zone: String?, seconds: Int64, date: String) throws {
    var session = try TestSession(Diary.app, timeZone: zone, now: Self.time(seconds))
    #expect(session.screen(Page.self)?.shown == date)
    try session.act("note")
    #expect(session.screen(Page.self)?.noted == date)
  }

  @Test func `a millisecond before midnight is the day before`() throws {
    let now = Timestamp(milliseconds: Self.midnight * 1000 - 1)
    let session = try TestSession(Diary.app, timeZone: "America/Los_Angeles", now: now)
    #expect(session.screen(Page.self)?.shown == "2026-11-20")
  }

  @Test func `a view has the date of the last step`() throws {
    var session = try TestSession(Diary.app, timeZone: "America/Los_Angeles", now: Self.time(Self.midnight - 60))
    try session.advance(by: .seconds(120))
    #expect(try session.app.view(of: session.state).data["shown"]?.text == "2026-11-20")
    #expect(throws: Rejection.self) { try session.act("fail") }
    #expect(session.screen(Page.self)?.shown == "2026-11-20")
    try session.act("note")
    #expect(session.screen(Page.self)?.shown == "2026-11-21")
    #expect(session.screen(Page.self)?.noted == "2026-11-21")
  }

  @Test func `a session without a zone of its own has that of the app`() throws {
    let app = Diary.app.timeZone("Pacific/Auckland")
    let now = Self.time(Self.midnight - 72_000)
    #expect(try TestSession(app, now: now).screen(Page.self)?.shown == "2026-11-21")
    #expect(try TestSession(app, timeZone: "UTC", now: now).screen(Page.self)?.shown == "2026-11-20")
    // The change of another fact leaves the zone.
    var session = try TestSession(app, now: now)
    try session.change(locale: "de")
    #expect(session.screen(Page.self)?.shown == "2026-11-21")
  }

  @Test func `an unknown time zone is a fault of the app, and an error of a test`() throws {
    let faults = try #require(throws: WiringFaults.self) { try AppDefinition(Diary.app.timeZone("Mars/Base")) }.faults
    #expect(
      faults.map(\.description) == [
        "diary › time zone: This machine has no time zone Mars/Base. Write a name of the IANA database, such as "
          + "Europe/Berlin, or install tzdata."
      ])
    #expect(throws: TestSessionError.unknownTimeZone("../x")) { try TestSession(Diary.app, timeZone: "../x") }
  }

  @Test func `a session of another version passes the guards on the date of its last step`() throws {
    let old = try AppDefinition(Diary.app)
    let new = try AppDefinition(App("diary", title: "Diary", version: 2) { GuardedDiary() })
    let packed = old.pack(try old.create())
    func unpack(at seconds: Int64) throws -> SessionState {
      try new.unpack(packed, in: SessionEnvironment(locale: nil, timeZone: nil, time: Self.time(seconds)))
    }
    #expect(try unpack(at: Self.midnight).revision == 1)
    #expect(throws: PackingError.self) { try unpack(at: 0) }
  }

  @Test func `a state is the same at any time of its last step`() throws {
    let app = try AppDefinition(Diary.app)
    let early = try app.create(stamp: StepStamp(time: Self.time(1)))
    let late = try app.create(stamp: StepStamp(time: Self.time(Self.midnight)))
    #expect(early == late && app.pack(early) == app.pack(late))
    #expect(try app.view(of: early).data != app.view(of: late).data)
  }
}

private struct Diary: Coordinator {
  static let name = "diary"
  static let app = App("diary", title: "Diary") { Diary() }
  var noted: CalendarDate?

  static let wiring = Wiring<Self>()
    .shows(Page.self) { me, page, context in
      (page.shown, page.noted) = (context.today.description, me.noted?.description)
    }
    .on(Note.self) { me, _, nav in me.noted = nav.today }
    .on(Fail.self) { _, _, nav in nav.refuse("No.") }

  func start(_ nav: inout Navigator<Self>) { nav.push(Page()) }
}

private struct GuardedDiary: Coordinator {
  static let name = "diary"
  var noted: CalendarDate?

  static let wiring = Wiring<Self>()
    .shows(Page.self)
    .on(Note.self) { _, _, _ in }
    .on(Fail.self) { _, _, _ in }
    .guards(
      screen: Page.self, until: { _, context in context.today.year == 2026 }, otherwise: { _, nav in nav.finish() })

  func start(_ nav: inout Navigator<Self>) { nav.push(Page()) }
}

private struct Page: Screen {
  static let name = "page"
  static let title: Title<Self> = "Page"
  static let actions: [any Action.Type] = [Note.self, Fail.self]
  var shown = ""
  var noted: String?
}

private struct Note: Action {
  static let name = "note"
  static let title: Text = "Note"
}

private struct Fail: Action {
  static let name = "fail"
  static let title: Text = "Fail"
}
