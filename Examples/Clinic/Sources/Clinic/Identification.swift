import Usher

/// A modal that asks for the patient's birth date. The guard of ``Details`` presents it.
struct Identification: Coordinator {
  static let name = "identification"
  var birthDate: String

  func start(_ nav: inout Navigator<Self>) { nav.push(BirthDate()) }

  static let wiring = Wiring<Self>()
    .shows(BirthDate.self)
    .on(ConfirmBirthDate.self) { me, confirm, nav in
      guard confirm.birthDate == me.birthDate else {
        return nav.refuse("This is not the patient's birth date.", field: "birthDate")
      }
      nav.finish()
    }
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
  @Field("Birth date", description: "Such as 1980-12-31.", length: 10...10, isSecret: true) var birthDate: String
}
