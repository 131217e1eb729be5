import Navigation

struct BuyCoordinator: Coordinator {
  struct Result: Codable { var product: Int }
  static let name = "buy"
  var product: Int

  func start(_ nav: inout Navigator<Self>) { nav.push(Buy(selectedProduct: product)) }

  static let wiring = Wiring<Self>()
    .shows(Buy.self)
    .on(Pay.self) { me, _, nav in nav.finish(Result(product: me.product)) }
}

struct Buy: Screen {
  static let name = "buy"
  static let title: Title<Self> = "Buy"
  static let actions: [any Action.Type] = [Pay.self]
  var selectedProduct: Int

  var content: [Block] { [.text("You chose \(Product.name(of: selectedProduct)).")] }
}

struct Pay: Action {
  static let name = "pay"
  static let title: Text = "Pay"
  static let role = ActionRole.primary
}
