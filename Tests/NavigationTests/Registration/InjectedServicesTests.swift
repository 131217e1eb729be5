import Foundation
import Navigation
import Sessions
import Stores
import Testing
import UsherTesting
import Values

/// A protocol of a coordinator for a part of the services.
private protocol PriceList: Sendable {
  func price(of item: String) -> Int?
}

private struct TillServices: PriceList {
  var prices: [String: Int]
  var isOpen = true
  func price(of item: String) -> Int? { prices[item] }
}

private struct Till: Coordinator {
  typealias Services = TillServices
  static let name = "till"
  var total = 0
  var language: String?

  func start(_ nav: inout Navigator<Self>) {
    nav.push(TillBasket(opened: nav.services.isOpen, startLocale: nav.locale))
  }

  static let wiring = Wiring<Self>()
    .shows(TillBasket.self) { me, basket, context in
      basket.total = me.total
      basket.language = me.language
      basket.filledLocale = context.locale
      basket.cheapest = context.services.prices.values.min()
    }
    .starts(
      TillScanner.self, finished: { me, price, nav in me.total += price.amount + (nav.services.isOpen ? 0 : 1000) }
    )
    .starts(TillVault.self)
    .guards(
      TillVault.self, until: { _, context in !context.services.isOpen },
      otherwise: { me, nav in
        me.language = "guarded \(nav.locale ?? "-")"
      }
    )
    .on(ScanItem.self) { me, scan, nav in
      me.language = nav.locale
      nav.start(TillScanner(item: scan.item))
    }
    .on(
      CloseTill.self,
      disabled: { _, context in context.services.isOpen ? "Open until \(context.locale ?? "six")" : nil }
    ) {
      _, _, nav in nav.start(TillVault())
    }
    .on(UnlockVault.self) { _, _, nav in nav.start(TillVault()) }
}

/// A coordinator that uses only the prices of the services.
private struct TillScanner: Coordinator {
  struct Result: Codable { var amount: Int }
  typealias Services = any PriceList
  static let name = "scanner"
  var item: String

  func start(_ nav: inout Navigator<Self>) {
    guard let price = nav.services.price(of: item) else { return nav.refuse("There is no \(item).", field: "item") }
    nav.finish(Result(amount: price))
  }

  static let wiring = Wiring<Self>()
}

/// A coordinator without services.
private struct TillVault: Coordinator {
  static let name = "vault"
  func start(_ nav: inout Navigator<Self>) { nav.push(TillSafe()) }
  static let wiring = Wiring<Self>().shows(TillSafe.self)
}

private struct TillBasket: Screen {
  static let name = "basket"
  static let title: Title<Self> = "Basket"
  static let actions: [any Action.Type] = [ScanItem.self, CloseTill.self, UnlockVault.self]
  var opened: Bool
  var startLocale: String?
  var total = 0
  var language: String?
  var filledLocale: String?
  var cheapest: Int?
}

private struct TillSafe: Screen {
  static let name = "safe"
  static let title: Title<Self> = "Safe"
}

private struct ScanItem: Action {
  static let name = "scan"
  static let title: Text = "Scan"
  @Field("Item") var item: String
}

private struct CloseTill: Action {
  static let name = "close"
  static let title: Text = "Close"
}

private struct UnlockVault: Action {
  static let name = "unlock"
  static let title: Text = "Unlock"
}

private func till(_ services: TillServices) -> App { App("till", title: "Till", services: services) { Till() } }

/// The services of an app, and their availability to its coordinators.
@Suite struct InjectedServicesTests {
  private let open = TillServices(prices: ["pear": 3, "plum": 2])

  @Test func `services reach start, handlers, results, fills, guards and disabled actions`() throws {
    var session = try TestSession(till(open), locale: "de-CH")
    let first = try #require(session.screen(TillBasket.self))
    #expect(first.opened && first.cheapest == 2)
    #expect(session.disabledReason(of: "close") == "Open until de-CH")
    try session.act("scan", ["item": "pear"])
    #expect(session.screen(TillBasket.self)?.total == 3)
    // The guard of the vault fails.
    try session.act("unlock")
    #expect(session.screen(TillBasket.self)?.language == "guarded de-CH")
  }

  @Test func `an app can be created with other services`() throws {
    var session = try TestSession(till(TillServices(prices: ["kiwi": 9], isOpen: false)))
    #expect(session.screen(TillBasket.self)?.opened == false)
    #expect(session.disabledReason(of: "close") == nil)
    try session.act("scan", ["item": "kiwi"])
    #expect(session.screen(TillBasket.self)?.total == 1009)
    #expect(throws: Rejection.self) { try session.act("scan", ["item": "pear"]) }
    try session.act("unlock")
    #expect(session.title == "Safe")
  }

  private struct Stranger: Coordinator {
    static let name = "stranger"
    func start(_ nav: inout Navigator<Self>) { nav.start(TillScanner(item: "pear")) }
    static let wiring = Wiring<Self>().starts(TillScanner.self)
  }

  private struct OtherServices: Sendable {}

  private struct Misled: Coordinator {
    typealias Services = OtherServices
    static let name = "misled"
    func start(_ nav: inout Navigator<Self>) { nav.start(TillScanner(item: "pear")) }
    static let wiring = Wiring<Self>().starts(TillScanner.self)
  }

  @Test func `missing services are a wiring fault`() {
    let without = #expect(throws: WiringFaults.self) { try AppDefinition(App("a", title: "A") { Stranger() }) }
    #expect(without?.faults.map(\.description).count == 1)
    let fault = without?.faults.first
    #expect(fault?.location == "scanner")
    #expect(fault?.fault == .missingServices(needed: "PriceList", given: nil))
    let other = #expect(throws: WiringFaults.self) {
      try AppDefinition(App("b", title: "B", services: OtherServices()) { Misled() })
    }
    #expect(other?.faults.first?.fault == .missingServices(needed: "PriceList", given: "OtherServices"))
  }
}

/// The locale of a session, and its availability to the app.
@Suite struct LocaleTests {
  @Test func `the locale reaches the app, even after the session is loaded from disk`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "usher-locale-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let app = try AppDefinition(till(TillServices(prices: ["pear": 3])))
    let path = folder.appending(path: "till.sqlite").path
    let first = try SQLiteStore(path: path)
    let created = try await SessionService(apps: [app], store: first).create(.init(app: "till", locale: "fr"))
    let id = created.snapshot.id
    #expect(created.snapshot.visible.data["startLocale"]?.text == "fr")
    first.close()

    let second = try SQLiteStore(path: path)
    defer { second.close() }
    let service = SessionService(apps: [app], store: second)
    let read = try await service.snapshot(id)
    #expect(read.visible.data["filledLocale"]?.text == "fr")
    _ = try await service.perform(.init(.action(name: "scan", input: ["item": "pear"])), on: id)
    #expect(try await service.snapshot(id).visible.data["language"]?.text == "fr")
  }

  @Test func `the locale is nil for a session that was created without one`() throws {
    let session = try TestSession(till(TillServices(prices: [:])))
    #expect(session.screen(TillBasket.self)?.startLocale == nil)
  }
}
