import Usher

struct Welcome: Screen {
  static let name = "welcome"
  static let title: Title<Self> = "Check in"
  static let actions: [any Action.Type] = [FindAppointment.self]
  var greeting = ""
  var isUnknown = false

  var content: [Block] {
    [.heading(Text(greeting)), .text("You find the code in the message that we sent you.")]
      + (isUnknown ? [.notice("There is no appointment with this code today.", tone: .warning)] : [])
  }
}

struct FindAppointment: Action {
  static let name = "find"
  static let title: Text = "Find my appointment"
  static let role = ActionRole.primary
  @Field("Code", length: 4...4) var code: String
}

/// The appointment without personal data, because a code alone leads here.
struct Found: Screen {
  static let name = "found"
  static let title: Title<Self> = "Your appointment"
  static let actions: [any Action.Type] = [Continue.self]
  var doctor: String
  var time: String

  var content: [Block] { [.facts([.init("Doctor", Text(doctor)), .init("Time", Text(time))])] }
}

struct Continue: Action {
  static let name = "continue"
  static let title: Text = "That is mine"
  static let role = ActionRole.primary
}

struct Details: Screen {
  static let name = "details"
  static let title: Title<Self> = "Your details"
  static let actions: [any Action.Type] = [AddInsurance.self, Confirm.self]
  static let loads = [
    Load<Self>(\.visits, problem: "Your next appointments cannot be shown now.") { FetchVisits(code: $0.code) }
  ]
  var code = ""
  var patient = ""
  var insurer: Insurer?
  var visits: [Visit]?

  var content: [Block] {
    [
      .facts([.init("Name", Text(patient)), .init("Insurance", insurer?.title ?? "none")]),
      .list(visits ?? []) { visit in .init("\(visit.date.description), \(visit.time)", detail: Text(visit.doctor)) },
    ]
  }
}

struct AddInsurance: Action {
  static let name = "insurance"
  static let title: Text = "Add insurance"
}

struct Confirm: Action {
  static let name = "check-in"
  static let title: Text = "Check in"
  static let role = ActionRole.primary
  @Field("I consent to the treatment", description: "The clinic keeps your data for ten years.", mustBeTrue: true)
  var hasConsented: Bool
}

struct Done: Screen {
  static let name = "done"
  static let title: Title<Self> = "You are checked in"
  static let actions: [any Action.Type] = [Leave.self]
  static let leavePolicy = LeavePolicy.sealed
  var doctor: String
  var time: String

  var content: [Block] { [.notice("\(doctor) sees you at \(time).", tone: .success)] }
}

struct Leave: Action {
  static let name = "leave"
  static let title: Text = "Done"
  static let role = ActionRole.primary
}
