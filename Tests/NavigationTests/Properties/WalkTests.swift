import ExampleApps
import Testing
import Values

@testable import Navigation

@Suite struct WalkTests {
  private static let apps = ["pages", "shop", "tabs", "bank", "gallery"]
  /// The steps of each walk: one through every app, one through the club, and one through the nest.
  private static let steps = Walk.steps / (apps.count + 2)

  @Test(arguments: apps)
  func `properties 1 to 11, 13 to 18, 21 and 24 to 27 hold along random walks`(name: String) throws {
    let app = try #require(ExampleApps.all.first { $0.name == name })
    let links = name == "bank" ? ["/accounts/a1", "/accounts/a3", "/inbox/m1", "/inbox/m2", "/transfer"] : []
    try Walk(app, links: links).run(Self.steps)
  }

  @Test func `they hold where guards, prompts and questions meet`() throws {
    try Walk(Club.app, links: ["/rooms/red", "/cellar", "/roof", "/roof?note=x"]).run(Self.steps)
  }

  @Test func `they hold where leave policies, modals, tabs, children, guards and prompts nest in each other`() throws {
    try Walk(Nest.app, mayRefuse: true).run(Self.steps)
  }

  @Test func `16: back at a child's first screen is the custom back`() throws {
    let app = try AppDefinition(ExampleApps.pages)
    let second = try app.perform(.action(name: "next", input: .emptyObject), on: try app.begin().packed)
    let custom = try app.perform(.action(name: "first", input: .emptyObject), on: second.packed)
    let plain = try app.perform(.back, on: second.packed)
    #expect(custom.packed == plain.packed)
  }
}
