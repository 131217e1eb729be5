import Usher

/// The root coordinator: the whole check-in.
struct CheckIn: Coordinator {
  struct Result: Codable, Equatable {
    var patient: String
    var insurer: Insurer
  }
  static let name = "check-in"
  var appointment: Appointment?
  var insurance: InsuranceCard?
  var isUnknown = false
  var isIdentified = false

  func start(_ nav: inout Navigator<Self>) { nav.push(Welcome()) }

  static let wiring = Wiring<Self>()
    .shows(Welcome.self) { me, screen, context in
      screen.greeting = context.locale?.hasPrefix("de") == true ? "Willkommen" : "Welcome"
      screen.isUnknown = me.isUnknown
    }
    .shows(Found.self)
    .shows(Details.self) { me, screen in
      screen.code = me.appointment?.code ?? ""
      screen.patient = me.appointment?.patient ?? ""
      screen.insurer = me.insurance?.insurer
    }
    .shows(Done.self)
    .starts(
      Search.self,
      finished: { me, found, nav in
        me.appointment = found.appointment
        me.isUnknown = found.appointment == nil
        me.isIdentified = false
        if let found = found.appointment { nav.push(Found(doctor: found.doctor, time: found.time)) }
      }
    )
    .starts(
      Identification.self,
      finished: { me, _, nav in
        me.isIdentified = true
        nav.schedule(IdentificationLapsed(), after: .seconds(600))
      }
    )
    .starts(Insurance.self, finished: { me, card, _ in me.insurance = card })
    .guards(
      screen: Details.self, until: { me in me.isIdentified },
      otherwise: { me, nav in nav.present(Identification(birthDate: me.appointment?.birthDate)) }
    )
    .on(timer: IdentificationLapsed.self) { me, _, _ in me.isIdentified = false }
    .on(FindAppointment.self) { me, find, nav in
      me.isUnknown = false
      nav.start(Search(code: find.code))
    }
    .on(Continue.self) { _, _, nav in nav.push(Details()) }
    .on(AddInsurance.self) { _, _, nav in nav.start(Insurance()) }
    .on(Confirm.self, disabled: { me in me.insurance == nil ? "Add your insurance first." : nil }) { me, _, nav in
      nav.cancel(IdentificationLapsed.self)
      if let found = me.appointment { nav.setStack([Done(doctor: found.doctor, time: found.time)]) }
    }
    .on(Leave.self) { me, _, nav in
      guard let patient = me.appointment?.patient, let insurer = me.insurance?.insurer else { return }
      nav.finish(Result(patient: patient, insurer: insurer))
    }
}

/// A link such as `/appointments/K7Q2`, which patients get in a text message.
struct AppointmentLink: Link {
  static let pattern = "/appointments/{code}"
  @Field("Code", length: 4...4) var code: String

  var steps: [Step] { [.action(FindAppointment(code: $code))] }
}
