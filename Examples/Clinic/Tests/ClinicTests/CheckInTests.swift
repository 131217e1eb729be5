import Testing
import Usher
import UsherTesting

@testable import Clinic

/// A single appointment, which keeps the tests independent of the samples.
private struct OneAppointment: Appointments {
  func appointment(_ code: String) -> Appointment? {
    code == "TEST" ? Appointment(patient: "Eva Test", birthDate: "2000-01-02", doctor: "Dr. Who", time: "08:00") : nil
  }
}

/// The check-in of a patient, without a server.
@Suite struct CheckInTests {
  private let app = checkIn(ClinicServices(appointments: OneAppointment()))

  @Test func `a patient checks in`() throws {
    var session = try TestSession(app)
    try session.act("find", ["code": "TEST"])
    try session.act("continue")
    #expect(session.title == "Is it you?")
    try session.act("confirm", ["birthDate": "2000-01-02"])
    // The guard passes now, and the session has carried out the pending intent.
    #expect(session.screen(Details.self)?.patient == "Eva Test")

    #expect(session.disabledReason(of: "check-in") == "Add your insurance first.")
    try session.act("insurance")
    try session.act("next", ["insurer": "rural"])
    try session.act("save", ["number": "0123456789"])
    #expect(session.screen(Details.self)?.insurer == .rural)

    try session.act("consent")
    #expect(session.view.prompt?.name == "consent")
    try session.act("agree")
    try session.act("check-in")
    #expect(session.titles == ["You are checked in"])
    #expect(session.view.back == nil)
    try session.act("leave")
    #expect(session.result() == CheckIn.Result(patient: "Eva Test", insurer: .rural))
  }

  @Test func `an unknown code is refused`() throws {
    var session = try TestSession(app)
    let rejection = #expect(throws: Rejection.self) { try session.act("find", ["code": "NONE"]) }
    guard case .refused(let failures) = rejection else { return #expect(rejection == nil) }
    #expect(failures.map(\.pointer) == ["/code"])
    #expect(session.title == "Check in")
  }

  @Test func `the details wait for the birth date`() throws {
    var session = try TestSession(app, link: "/appointments/TEST")
    #expect(session.titles == ["Check in", "Your appointment"])
    try session.act("continue")
    #expect(throws: Rejection.self) { try session.act("confirm", ["birthDate": "1999-09-09"]) }
    #expect(session.title == "Is it you?")
    try session.dismiss()
    #expect(session.title == "Your appointment")
  }

  @Test func `going back out of the insurance flow leaves no insurance`() throws {
    var session = try TestSession(app, link: "/appointments/TEST")
    try session.act("continue")
    try session.act("confirm", ["birthDate": "2000-01-02"])
    try session.act("insurance")
    try session.act("next", ["insurer": "marine"])
    try session.back()
    try session.back()
    #expect(session.screen(Details.self)?.insurer == nil)
  }

  @Test(arguments: [("de-CH", "Willkommen"), ("en", "Welcome"), (nil, "Welcome")])
  func `the greeting is in the language of the session`(locale: String?, greeting: String) throws {
    #expect(try TestSession(app, locale: locale).screen(Welcome.self)?.greeting == greeting)
  }
}
