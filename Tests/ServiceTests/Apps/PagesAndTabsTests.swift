import Foundation
import Testing

/// The pages app over HTTP: a child coordinator, back, and the return to the first screen.
@Suite(.limitedConcurrency) struct PagesTests {
  @Test func `a new session shows first, without a way back`() async throws {
    let visitor = try await TestService().start("pages")
    #expect(visitor.screen == "first")
    #expect(visitor.view["screen", "title"].string == "First")
    #expect(visitor.navigation["back"].isNull)
    #expect(try await visitor.tree() == "first")
  }

  @Test func `next starts the child coordinator second`() async throws {
    let visitor = try await TestService().start("pages").act("next")
    #expect(visitor.stack == ["first", "second"])
    #expect(try await visitor.tree() == "first > second")
    #expect(visitor.navigation["path"] == JSON(["first", "second"]))
  }

  @Test func `third belongs to the same coordinator`() async throws {
    let visitor = try await TestService().start("pages").act("next")
    let before = try await visitor.nodes()
    try await visitor.act("third")
    #expect(visitor.stack == ["first", "second", "third"])
    #expect(try await visitor.nodes() == before)
  }

  @Test func `back on third keeps the child`() async throws {
    let visitor = try await TestService().start("pages").act("next").act("third")
    #expect(visitor.navigation["back", "title"].string == "Second")
    try await visitor.back()
    #expect(visitor.screen == "second")
    #expect(try await visitor.tree() == "first > second")
  }

  @Test func `the custom back and back on second have the same result`() async throws {
    let service = try TestService()
    let custom = try await service.start("pages").act("next").act("first")
    let plain = try await service.start("pages").act("next").back()
    for visitor in [custom, plain] {
      #expect(visitor.stack == ["first"])
      #expect(try await visitor.tree() == "first")
    }
  }

  @Test func `first on third removes both entries and the child in one revision`() async throws {
    let visitor = try await TestService().start("pages").act("next").act("third")
    let before = try #require(visitor.revision)
    try await visitor.act("first")
    #expect(visitor.revision == before + 1)
    #expect(visitor.stack == ["first"])
    #expect(try await visitor.tree() == "first")
  }

  @Test func `a thousand round trips do not grow the session`() async throws {
    let visitor = try await TestService(.inProcess).start("pages").act("next").act("third").act("first")
    let size = visitor.last.bytes.count
    for _ in 0..<1000 { try await visitor.act("next").act("third").act("first") }
    #expect(visitor.stack == ["first"])
    #expect(try await visitor.tree() == "first")
    // The views differ only in the digits of the revision.
    let digits = "\(try #require(visitor.revision))".count - 1
    let mentions = String(decoding: visitor.last.bytes, as: UTF8.self).components(separatedBy: "?revision=").count
    #expect(visitor.last.bytes.count == size + digits * mentions)
  }

  @Test func `two new sessions have the same state`() async throws {
    let service = try TestService()
    let (one, other) = (try await service.start("pages"), try await service.start("pages"))
    #expect(one.path != other.path)
    #expect(one.view["screen"] == other.view["screen"])
    #expect(one.view["navigation"] == other.view["navigation"])
  }
}

/// The tabs app over HTTP: tabs that are replaced, and a screen over the tab bar.
@Suite(.limitedConcurrency) struct TabsTests {
  @Test func `restart replaces both tabs by new ones, and leaks none`() async throws {
    let visitor = try await TestService().start("tabs")
    let before = try await visitor.nodes()
    #expect(try await visitor.tree() == "app > [home, profile]")
    try await visitor.post("/tabs/profile").act("restart")
    let after = try await visitor.nodes()
    #expect(try await visitor.tree() == "app > [home, profile]")
    #expect(after["app"] == before["app"])
    #expect(after["home"] != before["home"] && after["profile"] != before["profile"])
    #expect(visitor.screen == "home")
  }

  @Test func `home-detail covers the tab bar, and close returns to the same tab`() async throws {
    let visitor = try await TestService().start("tabs")
    let home = visitor.view["screen", "id"]
    try await visitor.act("open", #"{"detailId":"d7"}"#)
    #expect(visitor.screen == "home-detail")
    #expect(visitor.navigation["tabs"].isNull)
    let answer = try await visitor.attempt("/tabs/home")
    #expect(answer.status == 409)
    try await visitor.act("close")
    #expect(visitor.navigation["tabs", "selected"].string == "home")
    #expect(visitor.view["screen", "id"] == home)
  }

  @Test func `the detail ID reaches the screen, and close pops it`() async throws {
    let visitor = try await TestService().start("tabs").act("open", #"{"detailId":"ä/7"}"#)
    #expect(visitor.data["detailId"].string == "ä/7")
    #expect(try await visitor.act("close").screen == "home")
  }

  @Test func `reads and tab changes keep the coordinators and their IDs`() async throws {
    let visitor = try await TestService().start("tabs")
    let (nodes, screen) = (try await visitor.nodes(), visitor.view["screen", "id"])
    for _ in 0..<3 {
      let read = try await visitor.service.send("GET", visitor.path)
      #expect(read.json["screen", "id"] == screen)
      #expect(try await visitor.nodes() == nodes)
    }
    try await visitor.post("/tabs/profile").post("/tabs/home")
    #expect(visitor.view["screen", "id"] == screen)
    #expect(try await visitor.nodes() == nodes)
  }
}
