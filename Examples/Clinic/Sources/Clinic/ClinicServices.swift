/// The services of the app, which tests replace.
struct ClinicServices: Sendable {
  var appointments: any Appointments
}

/// Today's appointments by code. An implementation answers from memory, because a handler never waits.
protocol Appointments: Sendable {
  func appointment(_ code: String) -> Appointment?
}

struct Appointment: Codable, Sendable {
  var patient: String
  var birthDate: String
  var doctor: String
  var time: String
}

struct SampleAppointments: Appointments {
  private let appointments = [
    "K7Q2": Appointment(patient: "Ada Meier", birthDate: "1980-12-31", doctor: "Dr. Okafor", time: "09:30"),
    "M3X9": Appointment(patient: "Tom Berg", birthDate: "1975-02-14", doctor: "Dr. Lindt", time: "10:15"),
  ]

  func appointment(_ code: String) -> Appointment? { appointments[code] }
}
