import Navigation

/// An app whose handlers refuse: one field, several, the action as a whole, and a field that no input has.
enum Registry {
  static let app = App("registry", title: "Registry", input: RegistryInput.self) { RegistryDesk(office: $0.office) }
}

struct RegistryInput: AppInput {
  @Field("Office") var office: String
}

struct RegistryDesk: Coordinator {
  static let name = "desk"
  var office: String

  func start(_ nav: inout Navigator<Self>) {
    nav.push(RegistryForm())
    if office == "unknown" { nav.refuse("No office has this name.", field: "office") }
    if office == "misspelt" { nav.refuse("No office has this name.", field: "offices") }
    if office == "closed" { nav.refuse("All offices are closed.") }
  }

  static let wiring = Wiring<Self>()
    .shows(RegistryForm.self)
    .on(Register.self) { _, person, nav in
      switch person.mood {
      case "future": nav.refuse("This is no date in the past, such as 1980-12-31.", field: "birthDate")
      case "two":
        nav.refuse("This is no date in the past, such as 1980-12-31.", field: "birthDate")
        nav.refuse("This name is taken.", field: "name")
        nav.refuse("The desk closes soon.")
      case "closed":
        nav.refuse("The desk is closed.")
        nav.refuse("Come again on Monday.")
      case "misspelt": nav.refuse("This is no date in the past.", field: "birthdate")
      default: nav.pop(9)
      }
    }
}

struct RegistryForm: Screen {
  static let name = "form"
  static let title: Title<Self> = "Register"
  static let actions: [any Action.Type] = [Register.self]
}

struct Register: Action {
  static let name = "register"
  static let title: Text = "Register"
  @Field("Name", length: 1...80) var name: String
  @Field("Birth date") var birthDate: String
  @Field("Mood") var mood: String
  @Field("PIN", digits: 4, isSecret: true) var pin: String
}
