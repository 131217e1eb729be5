import Usher

/// A modal that asks for the patient's date of birth. The guard of ``Details`` presents it.
struct Identification: Coordinator {
  static let name = "identification"
  var birthDate: CalendarDate?

  func start(_ nav: inout Navigator<Self>) { nav.push(BirthDate()) }

  static let wiring = Wiring<Self>()
    .shows(BirthDate.self)
    .on(ConfirmBirthDate.self) { me, confirm, nav in
      guard confirm.birthDate == me.birthDate else {
        return nav.refuse("This is not the patient's date of birth.", field: "birthDate")
      }
      nav.finish()
    }
}

/// Ends an identification, so that the next person does not see the details of a patient who has left.
struct IdentificationLapsed: TimedEvent {
  static let name = "identification-lapsed"
}

struct BirthDate: Screen {
  static let name = "birth-date"
  static let title: Title<Self> = "Is it you?"
  static let actions: [any Action.Type] = [ConfirmBirthDate.self]
}

struct ConfirmBirthDate: Action {
  static let name = "confirm"
  static let title: Text = "Confirm"
  static let role = ActionRole.primary
  @Field("Date of birth", isSensitive: true) var birthDate: CalendarDate
}
