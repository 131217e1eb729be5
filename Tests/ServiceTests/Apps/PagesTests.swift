import Foundation
import Testing

/// Rows 1 to 7 of the seeds, over HTTP.
@Suite(.limitedConcurrency) struct PagesTests {
  @Test func `1: a new session shows first, with nothing to go back to`() async throws {
    let visitor = try await TestService().start("pages")
    #expect(visitor.screen == "first")
    #expect(visitor.view["screen", "title"].string == "First")
    #expect(visitor.navigation["back"].isNull)
    #expect(try await visitor.tree() == "first")
  }

  @Test func `2: next starts the child coordinator second`() async throws {
    let visitor = try await TestService().start("pages").act("next")
    #expect(visitor.stack == ["first", "second"])
    #expect(try await visitor.tree() == "first > second")
    #expect(visitor.navigation["path"] == JSON(["first", "second"]))
  }

  @Test func `3: third stays in the same coordinator`() async throws {
    let visitor = try await TestService().start("pages").act("next")
    let before = try await visitor.nodes()
    try await visitor.act("third")
    #expect(visitor.stack == ["first", "second", "third"])
    #expect(try await visitor.nodes() == before)
  }

  @Test func `4: plain back on third keeps the child alive`() async throws {
    let visitor = try await TestService().start("pages").act("next").act("third")
    #expect(visitor.navigation["back", "title"].string == "Second")
    try await visitor.back()
    #expect(visitor.screen == "second")
    #expect(try await visitor.tree() == "first > second")
  }

  @Test func `5: the custom back and plain back on second do the same`() async throws {
    let service = try TestService()
    let custom = try await service.start("pages").act("next").act("first")
    let plain = try await service.start("pages").act("next").back()
    for visitor in [custom, plain] {
      #expect(visitor.stack == ["first"])
      #expect(try await visitor.tree() == "first")
    }
  }

  @Test func `6: third to first takes both entries and the child in one revision`() async throws {
    let visitor = try await TestService().start("pages").act("next").act("third")
    let before = try #require(visitor.revision)
    try await visitor.act("first")
    #expect(visitor.revision == before + 1)
    #expect(visitor.stack == ["first"])
    #expect(try await visitor.tree() == "first")
  }

  @Test func `6: going round a thousand times never grows the session`() async throws {
    let visitor = try await TestService(.inProcess).start("pages").act("next").act("third").act("first")
    let size = visitor.last.bytes.count
    for _ in 0..<1000 { try await visitor.act("next").act("third").act("first") }
    #expect(visitor.stack == ["first"])
    #expect(try await visitor.tree() == "first")
    // The view is the same but for the digits of its revision.
    let digits = "\(try #require(visitor.revision))".count - 1
    let mentions = String(decoding: visitor.last.bytes, as: UTF8.self).components(separatedBy: "?revision=").count
    #expect(visitor.last.bytes.count == size + digits * mentions)
  }

  @Test func `7: the state is the same whoever creates the session`() async throws {
    let service = try TestService()
    let (one, other) = (try await service.start("pages"), try await service.start("pages"))
    #expect(one.path != other.path)
    #expect(one.view["screen"] == other.view["screen"])
    #expect(one.view["navigation"] == other.view["navigation"])
  }
}
