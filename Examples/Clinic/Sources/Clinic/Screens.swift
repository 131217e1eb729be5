import Usher

struct Welcome: Screen {
  static let name = "welcome"
  static let title: Title<Self> = "Check in"
  static let actions: [any Action.Type] = [FindAppointment.self]
  var greeting = ""

  var content: [Block] { [.heading(Text(greeting)), .text("You find the code in the message that we sent you.")] }
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
  static let actions: [any Action.Type] = [AddInsurance.self, ReadConsent.self, Confirm.self]
  var patient = ""
  var insurer: Insurer?
  var hasConsented = false

  var content: [Block] {
    [
      .facts([
        .init("Name", Text(patient)), .init("Insurance", insurer?.title ?? "none"),
        .init("Consent", hasConsented ? "given" : "not given"),
      ])
    ]
  }
}

struct AddInsurance: Action {
  static let name = "insurance"
  static let title: Text = "Add insurance"
}

struct ReadConsent: Action {
  static let name = "consent"
  static let title: Text = "Read the consent"
}

struct Confirm: Action {
  static let name = "check-in"
  static let title: Text = "Check in"
  static let role = ActionRole.primary
}

struct Consent: Prompt {
  static let name = "consent"
  static let actions: [any Action.Type] = [Agree.self, Decline.self]
  var title: Text { "Do you consent to the treatment?" }
  var message: Text { "The clinic keeps your data for ten years." }
}

struct Agree: Action {
  static let name = "agree"
  static let title: Text = "I agree"
  static let role = ActionRole.primary
}

struct Decline: Action {
  static let name = "decline"
  static let title: Text = "I do not"
  static let role = ActionRole.cancel
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
