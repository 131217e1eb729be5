import Usher

/// The root coordinator: the whole check-in.
struct CheckIn: Coordinator {
  struct Result: Codable, Equatable {
    var patient: String
    var insurer: Insurer
  }
  typealias Services = ClinicServices
  static let name = "check-in"
  var appointment: Appointment?
  var isIdentified = false
  var insurance: InsuranceCard?
  var hasConsented = false

  func start(_ nav: inout Navigator<Self>) { nav.push(Welcome()) }

  static let wiring = Wiring<Self>()
    .shows(Welcome.self) { me, screen, context in
      screen.greeting = context.locale?.hasPrefix("de") == true ? "Willkommen" : "Welcome"
    }
    .shows(Found.self)
    .shows(Details.self) { me, screen in
      screen.patient = me.appointment?.patient ?? ""
      screen.insurer = me.insurance?.insurer
      screen.hasConsented = me.hasConsented
    }
    .shows(Done.self)
    .asks(Consent.self)
    .starts(Identification.self, finished: { me, _, _ in me.isIdentified = true })
    .starts(Insurance.self, finished: { me, card, _ in me.insurance = card })
    .guards(
      screen: Details.self, until: { me in me.isIdentified },
      otherwise: { me, nav in
        nav.present(Identification(birthDate: me.appointment?.birthDate ?? ""))
      }
    )
    .on(FindAppointment.self) { me, find, nav in
      guard let appointment = nav.services.appointments.appointment(find.code) else {
        return nav.refuse("There is no appointment with this code today.", field: "code")
      }
      me.appointment = appointment
      me.isIdentified = false
      nav.push(Found(doctor: appointment.doctor, time: appointment.time))
    }
    .on(Continue.self) { _, _, nav in nav.push(Details()) }
    .on(AddInsurance.self) { _, _, nav in nav.start(Insurance()) }
    .on(ReadConsent.self) { _, _, nav in nav.ask(Consent()) }
    .on(Agree.self) { me, _, _ in me.hasConsented = true }
    .on(Decline.self) { me, _, _ in me.hasConsented = false }
    .on(Confirm.self, disabled: { me in me.missing }) { me, _, nav in
      nav.setStack([Done(doctor: me.appointment?.doctor ?? "", time: me.appointment?.time ?? "")])
    }
    .on(Leave.self) { me, _, nav in
      guard let patient = me.appointment?.patient, let insurer = me.insurance?.insurer else { return }
      nav.finish(Result(patient: patient, insurer: insurer))
    }

  /// The reason why the check-in is incomplete; nil when it is complete.
  private var missing: Text? {
    if insurance == nil { return "Add your insurance first." }
    return hasConsented ? nil : "Read the consent first."
  }
}

/// A link such as `/appointments/K7Q2`, which patients get in a text message.
struct AppointmentLink: Link {
  static let pattern = "/appointments/{code}"
  @Field("Code", length: 4...4) var code: String

  var steps: [Step] {
    var find = FindAppointment()
    find.code = code
    return [.action(find)]
  }
}
