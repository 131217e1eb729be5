import Testing

/// Rows 18 to 21 of the seeds, over HTTP.
@Suite(.limitedConcurrency) struct TabsTests {
  @Test func `18: restart replaces both tabs, with new ids, and leaks none`() async throws {
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

  @Test func `19: home-detail covers the tab bar, and close brings the same tab back`() async throws {
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

  @Test func `20: the detail id is passed on, and close pops`() async throws {
    let visitor = try await TestService().start("tabs").act("open", #"{"detailId":"ä/7"}"#)
    #expect(visitor.data["detailId"].string == "ä/7")
    #expect(try await visitor.act("close").screen == "home")
  }

  @Test func `21: children are kept and ids are stable, however often they are read`() async throws {
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
