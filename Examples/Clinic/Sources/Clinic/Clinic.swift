import Usher

@main
struct Clinic: UsherMain {
  static let apps = [checkIn(ClinicServices(appointments: SampleAppointments()))]
}

/// Returns the app with the services that its coordinators use.
func checkIn(_ services: ClinicServices) -> App {
  App("clinic", title: "Clinic", links: [AppointmentLink.self], services: services) { CheckIn() }
}
