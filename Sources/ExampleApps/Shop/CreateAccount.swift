import Navigation

struct CreateAccountCoordinator: Coordinator {
  struct Result: Codable { var name: String }
  static let name = "create-account"
  var accountName = ""

  func start(_ nav: inout Navigator<Self>) { nav.push(AccountName()) }

  static let wiring = Wiring<Self>()
    .shows(AccountName.self)
    .shows(AccountConfirm.self)
    .on(ChooseName.self) { me, event, nav in
      me.accountName = event.name
      nav.push(AccountConfirm(accountName: event.name))
    }
    .on(SignUp.self) { me, _, nav in nav.finish(Result(name: me.accountName)) }
}

struct AccountName: Screen {
  static let name = "account-name"
  static let title: Title<Self> = "Your name"
  static let actions: [any Action.Type] = [ChooseName.self]
}

struct AccountConfirm: Screen {
  static let name = "account-confirm"
  static let title: Title<Self> = "Confirm"
  static let actions: [any Action.Type] = [SignUp.self]
  var accountName: String

  var content: [Block] { [.facts([.init("Name", Text(accountName))])] }
}

struct ChooseName: Action {
  static let name = "next"
  static let title: Text = "Next"
  static let role = ActionRole.primary
  @Field("Name", length: 1...80) var name: String
}

struct SignUp: Action {
  static let name = "sign-up"
  static let title: Text = "Sign up"
  static let role = ActionRole.primary
}
