import ExampleApps
import Usher

/// The executable `usher`, which serves the example apps.
@main
struct UsherCommand: UsherMain {
  static let name = "usher"
  static let apps = ExampleApps.all

  static func configure(_ host: inout AppHost) {
    let tickets = ExampleApps.checkoutService
    let servesCheckout = host.apps.contains { $0.name == ExampleApps.checkout.name }
    if servesCheckout, !host.settings.services.addresses.contains(where: { $0.name == tickets.name }) {
      host.settings.services.addresses.append(.init(tickets.name, tickets.address))
    }
    guard host.apps.contains(where: { $0.name == ExampleApps.shop.name }) else { return }
    host.files["/examples/shop"] = StaticFile(ExampleApps.shopFrontEnd, type: "text/html; charset=utf-8")
  }
}
