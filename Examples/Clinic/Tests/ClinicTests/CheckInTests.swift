import Testing
import Usher
import UsherTesting

@testable import Clinic

/// The check-in of a patient, without a server and without the backend.
@Suite struct CheckInTests {
  /// Returns a session with a backend that knows the code TEST.
  private func start(link: String? = nil, locale: String? = nil) throws -> TestSession {
    var session = try TestSession(Clinic.apps[0], link: link, locale: locale)
    try session.fake(FetchAppointment.self) { fetch in
      guard fetch.code == "TEST" else { throw EffectFailure(.status, status: 404) }
      let birthDate = try #require(CalendarDate("2000-01-02"))
      return Appointment(code: "TEST", patient: "Eva Test", doctor: "Dr. Who", time: "08:00", birthDate: birthDate)
    }
    try session.fake(FetchVisits.self) { _ in [] }
    return session
  }

  /// Returns a session in which the patient sees her details.
  private func identify() throws -> TestSession {
    var session = try start(link: "/appointments/TEST")
    try session.act("continue")
    try session.act("confirm", ["birthDate": "2000-01-02"])
    return session
  }

  @Test func `a patient checks in`() throws {
    var session = try start()
    try session.act("find", ["code": "TEST"])
    session.expect(stack: ["Check in", "Your appointment"])
    try session.act("continue")
    #expect(session.title == "Is it you?")
    try session.act("confirm", ["birthDate": "2000-01-02"])
    // The guard passes now, and the session has carried out the pending intent.
    session.expect(
      screen: """
        Your details
        Name       Eva Test
        Insurance  none
        1 Add insurance
        – Check in: Add your insurance first.
        b Back to Your appointment
        """)

    try session.act("insurance")
    try session.act("next", ["insurer": "rural"])
    try session.act("save", ["number": "0123456789"])
    #expect(session.screen(Details.self)?.insurer == .rural)
    try session.act("check-in", ["hasConsented": true])
    session.expect(
      screen: """
        You are checked in
        (+) Dr. Who sees you at 08:00.
        1 Done
        """)
    session.expect(pending: [])
    try session.act("leave")
    #expect(session.result() == CheckIn.Result(patient: "Eva Test", insurer: .rural))
  }

  @Test func `the check-in requires a consent`() throws {
    var session = try identify()
    try session.act("insurance")
    try session.act("next", ["insurer": "common"])
    try session.act("save", ["number": "0123456789"])
    let rejection = #expect(throws: Rejection.self) { try session.act("check-in", ["hasConsented": false]) }
    #expect(rejection?.reasons == ["hasConsented: “I consent to the treatment” must be accepted."])
  }

  @Test func `an unknown code is a sentence on the screen`() throws {
    var session = try start()
    try session.act("find", ["code": "NONE"])
    session.expect(
      screen: """
        Check in
        Welcome
        You find the code in the message that we sent you.
        (!) There is no appointment with this code today.
        1 Find my appointment (Code)
        """)
    #expect(try session.performed(FetchAppointment.self).map(\.code) == ["NONE"])
  }

  @Test func `a backend that is away can be asked again`() throws {
    var session = try TestSession(Clinic.apps[0])
    try session.act("find", ["code": "TEST"])
    session.expect(pending: ["effect fetch-appointment"])
    try session.fail(FetchAppointment.self, with: EffectFailure(.transport))
    session.expect(
      screen: """
        One moment
        (X) The clinic does not answer.
        1 Try again
        b Back to Check in
        """)
    try session.act("try-again")
    #expect(session.disabledReason(of: "try-again") == "The search is under way.")
    session.expect(pending: ["effect fetch-appointment"])
  }

  @Test func `going back ends the search`() throws {
    var session = try TestSession(Clinic.apps[0], link: "/appointments/TEST")
    session.expect(
      tree: """
        check-in
          search
        """)
    try session.back()
    session.expect(tree: "check-in")
    session.expect(pending: [])
  }

  @Test func `the details wait for the date of birth`() throws {
    var session = try start(link: "/appointments/TEST")
    try session.act("continue")
    session.expect(
      tree: """
        check-in
          identification
        """)
    let rejection = #expect(throws: Rejection.self) { try session.act("confirm", ["birthDate": "1999-09-09"]) }
    #expect(rejection?.reasons == ["birthDate: This is not the patient's date of birth."])
    try session.dismiss()
    session.expect(stack: ["Check in", "Your appointment"])
  }

  @Test func `an identification lapses after ten minutes`() throws {
    var session = try identify()
    try session.act("insurance")
    try session.advance(by: .seconds(599))
    session.expect(stack: ["Check in", "Your appointment", "Your details", "Your insurance"])
    session.expect(pending: ["timer identification-lapsed in 1 s"])
    try session.advance(by: .seconds(1))
    session.expect(stack: ["Check in", "Your appointment"])
    try session.act("continue")
    #expect(session.title == "Is it you?")
  }

  @Test func `the next appointments have a retry`() throws {
    var session = try identify()
    try session.fake(FetchVisits.self) { _ in throw EffectFailure(.timeout) }
    // The data is older than a minute when the screen becomes visible again.
    try session.act("insurance")
    try session.advance(by: .seconds(61))
    try session.back()
    session.expect(
      screen: """
        Your details
        Name       Eva Test
        Insurance  none
        (X) Your next appointments cannot be shown now.
        1 Add insurance
        – Check in: Add your insurance first.
        r1 Try again
        b Back to Your appointment
        """)
    try session.fake(FetchVisits.self) { _ in
      [Visit(date: try #require(CalendarDate("2027-01-14")), time: "14:00", doctor: "Dr. Lindt")]
    }
    try session.reload("visits")
    session.expect(
      screen: """
        Your details
        Name       Eva Test
        Insurance  none
        • 2027-01-14, 14:00 – Dr. Lindt
        1 Add insurance
        – Check in: Add your insurance first.
        b Back to Your appointment
        """)
  }

  @Test func `going back out of the insurance flow leaves no insurance`() throws {
    var session = try identify()
    try session.act("insurance")
    try session.act("next", ["insurer": "marine"])
    try session.back()
    try session.back()
    #expect(session.screen(Details.self)?.insurer == nil)
  }

  @Test(arguments: [("de-CH", "Willkommen"), ("en", "Welcome"), (nil, "Welcome")])
  func `the greeting is in the language of the session`(locale: String?, greeting: String) throws {
    #expect(try start(locale: locale).screen(Welcome.self)?.greeting == greeting)
  }

  /// A failure that docs/testing.md shows.
  @Test func `a failed expectation prints the difference`() throws {
    let session = try start(link: "/appointments/TEST")
    withKnownIssue {
      session.expect(
        screen: """
          Your appointment
          Doctor  Dr. Lindt
          Time    08:00
          1 That is mine
          """)
    } matching: { issue in
      issue.comments.map(\.rawValue) == [
        """
        The screen differs: - expected, + found
          Your appointment
        - Doctor Dr. Lindt
        + Doctor Dr. Who
          Time 08:00
          1 That is mine
        + b Back to Check in
        """
      ]
    }
  }
}
