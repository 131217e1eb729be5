import Navigation

struct SignIn: Coordinator {
  static let name = "sign-in"

  func start(_ nav: inout Navigator<Self>) { nav.push(SignInScreen()) }

  static let wiring = Wiring<Self>()
    .shows(SignInScreen.self)
    .on(EnterPin.self) { _, _, nav in nav.finish() }
}

struct SignInScreen: Screen {
  static let name = "sign-in"
  static let title: Title<Self> = "Sign in"
  static let actions: [any Action.Type] = [EnterPin.self]

  var content: [Block] { [.text("Any four digits will do.")] }
}

struct EnterPin: Action {
  static let name = "sign-in"
  static let title: Text = "Sign in"
  static let role = ActionRole.primary
  @Field("PIN", digits: 4, isSecret: true) var pin: String
}
