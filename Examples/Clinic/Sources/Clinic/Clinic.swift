import Usher

@main
struct Clinic: UsherMain {
  static let apps = [App("clinic", title: "Clinic", links: [AppointmentLink.self]) { CheckIn() }]
}
