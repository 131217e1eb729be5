import Usher

/// An appointment of today at the HTTP service `appointments`, which is `backend.py` in this example.
struct Appointment: Codable, Sendable {
  var code: String
  var patient: String
  var doctor: String
  var time: String
  var birthDate: CalendarDate
}

struct FetchAppointment: Effect {
  static let name = "fetch-appointment"
  static let httpServices = ["appointments"]
  static let policy = EffectPolicy(timeout: .seconds(3), attempts: 4)
  var code: String

  func run(_ context: EffectContext<Self>) async throws -> Appointment {
    try await context.service("appointments").get("/appointments/\(code)")
  }
}

/// A later appointment of the same patient.
struct Visit: Codable, Sendable {
  var date: CalendarDate
  var time: String
  var doctor: String
}

struct FetchVisits: Effect {
  static let name = "fetch-visits"
  static let httpServices = ["appointments"]
  var code: String

  func run(_ context: EffectContext<Self>) async throws -> [Visit] {
    try await context.service("appointments").get("/appointments/\(code)/visits")
  }
}
