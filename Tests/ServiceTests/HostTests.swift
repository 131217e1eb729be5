import ExampleApps
import Navigation
import Testing
import Usher

@Suite struct `A host` {
  private struct Lonely: Coordinator {
    static let name = "lonely"
    func start(_ nav: inout Navigator<Self>) {}
    static let wiring = Wiring<Self>().on(Ring.self) { _, _, _ in }
  }

  private struct Ring: Action {
    static let name = "ring"
    static let title: Text = "Ring"
  }

  @Test func `names the faults of all of its apps at once`() throws {
    let lonely = App("lonely", title: "Lonely") { Lonely() }
    do {
      _ = try AppHost(apps: [lonely, ExampleApps.shop, lonely, ExampleApps.shop])
      Issue.record("It hosts them.")
    } catch {
      #expect(error.apps.map(\.app) == ["lonely", "lonely", "shop"])
      #expect(error.description.contains("Another app has this name."))
    }
  }

  @Test func `hosts apps without faults`() throws {
    #expect(try AppHost(apps: ExampleApps.all).apps.map(\.name) == ["pages", "shop", "tabs", "bank", "gallery"])
  }
}
