import Usher

struct Welcome: Screen {
  static let name = "welcome", title: Title<Self> = "Check in"
  static let actions: [any Action.Type] = [FindAppointment.self]
  var greeting = "", isUnknown = false

  var content: [Block] {
    [.heading(Text(greeting)), .text("You find the code in the message that we sent you.")]
      + (isUnknown ? [.notice("There is no appointment with this code today.", tone: .warning)] : [])
  }
}

struct FindAppointment: Action {
  static let name = "find", title: Text = "Find my appointment", role = ActionRole.primary
  @Field("Code", length: 4...4) var code: String
}

/// The appointment without personal data, because a code alone leads here.
struct Found: Screen {
  static let name = "found", title: Title<Self> = "Your appointment"
  static let actions: [any Action.Type] = [Continue.self]
  var doctor, time: String

  var content: [Block] { [.facts([.init("Doctor", Text(doctor)), .init("Time", Text(time))])] }
}

struct Continue: Action { static let name = "continue", title: Text = "That is mine", role = ActionRole.primary }

struct Details: Screen {
  static let name = "details", title: Title<Self> = "Your details"
  static let actions: [any Action.Type] = [AddInsurance.self, Confirm.self]
  static let loads = [
    Load<Self>(\.visits, problem: "Your next appointments cannot be shown now.") { FetchVisits(code: $0.code) }
  ]
  var code = "", patient = ""
  var insurer: Insurer?, visits: [Visit]?

  var content: [Block] {
    [
      .facts([.init("Name", Text(patient)), .init("Insurance", insurer?.title ?? "none")]),
      .list(visits ?? []) { visit in .init("\(visit.date.description), \(visit.time)", detail: Text(visit.doctor)) },
    ]
  }
}

struct AddInsurance: Action { static let name = "insurance", title: Text = "Add insurance" }

struct Confirm: Action {
  static let name = "check-in", title: Text = "Check in", role = ActionRole.primary
  @Field("I consent to the treatment", description: "The clinic keeps your data for ten years.", mustBeTrue: true)
  var hasConsented: Bool
}

struct Done: Screen {
  static let name = "done", title: Title<Self> = "You are checked in"
  static let actions: [any Action.Type] = [Leave.self]
  static let leavePolicy = LeavePolicy.sealed
  var doctor, time: String

  var content: [Block] { [.notice("\(doctor) sees you at \(time).", tone: .success)] }
}

struct Leave: Action { static let name = "leave", title: Text = "Done", role = ActionRole.primary }
