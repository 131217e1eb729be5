import Access
import HTTPAPI
import Testing

/// Limits, where people are asked who they are.
@Suite(.limitedConcurrency) struct `Rate limits of principals` {
  private let log = TestLog()

  private func service(burst: Int) throws -> GuardedService {
    try GuardedService(logger: log.logger) {
      // So slow that nothing is earned while a test runs.
      $0.rateLimit = RateLimit(rate: 0.001, burst: burst)
      $0.allowedOrigins = AllowedOrigins(["https://app.example"]) ?? .none
    }
  }

  @Test func `are each one's own, from whatever address`() async throws {
    let service = try service(burst: 2)
    for permissions in [[.act], [.create, .act]] as [Permissions] {
      for (turn, status) in [404, 404, 429, 429].enumerated() {
        let answer = try await service.send("GET", "/v1/sessions/x", headers: service.bearer(permissions))
        #expect(answer.status == status && answer.header("RateLimit")?.contains(";r=\(max(0, 1 - turn));") == true)
      }
    }
    #expect(log.lines.last { $0["status"].int == 429 }?["principal"].string == "token:p3")
    // The address that they share has its own.
    #expect(try await service.send("GET", "/v1/apps").status == 200)
  }

  @Test func `count what somebody may not do, and once`() async throws {
    let service = try service(burst: 2)
    for status in [403, 403, 429] {
      let answer = try await service.send("POST", "/v1/sessions", #"{"app":"shop"}"#, headers: service.bearer(.act))
      #expect(answer.status == status && answer.header("RateLimit") != nil)
    }
  }

  @Test(arguments: [["Authorization": "Bearer usher_wrong"], ["Authorization": "Nonsense"], [:]])
  func `make it cost to guess`(headers: [String: String]) async throws {
    let service = try service(burst: 2)
    for (turn, status) in [401, 401, 429, 429].enumerated() {
      let answer = try await service.send("GET", "/v1/sessions/x", headers: headers)
      #expect(answer.status == status && answer.header("RateLimit")?.contains(";r=\(max(0, 1 - turn));") == true)
      #expect((answer.header("Retry-After") != nil) == (status == 429))
      #expect((answer.header("WWW-Authenticate") != nil) == (status == 401))
    }
    // It is the address that has to wait, and not those who are known there.
    #expect(try await service.send("GET", "/v1/sessions/x", headers: service.bearer(.act)).status == 404)
    #expect(try await service.send("GET", "/v1/apps").status == 429)
  }

  @Test func `ask no preflight for a token, and tell pages that one is wrong`() async throws {
    let service = try service(burst: 2)
    let origin = ["Origin": "https://app.example"]
    for _ in 0..<4 {
      let headers = origin.merging(["Access-Control-Request-Method": "GET"]) { $1 }
      let asked = try await service.send("OPTIONS", "/v1/sessions/x", headers: headers)
      #expect(asked.status == 204 && asked.header("Access-Control-Allow-Origin") == "https://app.example")
    }
    let refused = try await service.send("GET", "/v1/sessions/x", headers: origin)
    #expect(refused.status == 401 && refused.header("Access-Control-Allow-Origin") == "https://app.example")
    #expect(refused.header("Access-Control-Expose-Headers")?.contains("WWW-Authenticate") == true)
  }
}
