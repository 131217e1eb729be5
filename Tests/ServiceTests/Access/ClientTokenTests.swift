import Access
import Testing
import UsherClient

/// The client library where somebody is asked who they are.
@Suite(.limitedConcurrency) struct `A client with a token` {
  @Test func `does what its token allows, and follows`() async throws {
    let service = try GuardedService()
    let client = UsherService(service.address(), token: service.token([.create, .act]))
    let session = try await client.start("pages")
    try await session.act("next")
    for try await view in session.follow() {
      #expect(view.session.revision == 2)
      break
    }
    try await session.end()
  }

  @Test func `is told where it does not allow that`() async throws {
    let service = try GuardedService()
    func refusal(_ token: String?) async throws -> String? {
      do {
        _ = try await UsherService(service.address(), token: token, retries: 0).start("pages")
        return nil
      } catch UsherError.refused(let problem) {
        return problem.kind
      }
    }
    #expect(try await refusal(nil) == "unauthorized")
    #expect(try await refusal("wrong") == "unauthorized")
    #expect(try await refusal(service.token(.act)) == "forbidden")
    #expect(try await refusal(service.token(.create)) == nil)
  }

  @Test func `that follows is told, too`() async throws {
    let service = try GuardedService()
    let session = try await UsherService(service.address(), token: service.token(.create)).start("pages")
    await #expect(throws: UsherError.self) { for try await _ in session.follow() {} }
  }
}
