import Access
import HTTPAPI
import Testing

/// Rate limits with authentication.
@Suite(.limitedConcurrency) struct PrincipalRateLimitTests {
  private let log = TestLog()

  private func service(burst: Int) throws -> GuardedService {
    try GuardedService(logger: log.logger) {
      // So slow that no request is earned during a test.
      $0.rateLimit = RateLimit(rate: 0.001, burst: burst)
      $0.allowedOrigins = AllowedOrigins(["https://app.example"]) ?? .none
    }
  }

  @Test func `each principal has its own limit, whatever its address`() async throws {
    let service = try service(burst: 2)
    for permissions in [[.act], [.create, .act]] as [Permissions] {
      for (turn, status) in [404, 404, 429, 429].enumerated() {
        let answer = try await service.send("GET", "/v1/sessions/x", headers: service.bearer(permissions))
        #expect(answer.status == status && answer.header("RateLimit")?.contains(";r=\(max(0, 1 - turn));") == true)
      }
    }
    #expect(log.lines.last { $0["status"].int == 429 }?["principal"].string == "token:p3")
    // The address that they share has its own limit.
    #expect(try await service.send("GET", "/v1/apps").status == 200)
  }

  @Test func `a request without permission counts once`() async throws {
    let service = try service(burst: 2)
    for status in [403, 403, 429] {
      let answer = try await service.send("POST", "/v1/sessions", #"{"app":"shop"}"#, headers: service.bearer(.act))
      #expect(answer.status == status && answer.header("RateLimit") != nil)
    }
  }

  @Test(arguments: [["Authorization": "Bearer usher_wrong"], ["Authorization": "Nonsense"], [:]])
  func `failed authentication counts against the address`(headers: [String: String]) async throws {
    let service = try service(burst: 2)
    for (turn, status) in [401, 401, 429, 429].enumerated() {
      let answer = try await service.send("GET", "/v1/sessions/x", headers: headers)
      #expect(answer.status == status && answer.header("RateLimit")?.contains(";r=\(max(0, 1 - turn));") == true)
      #expect((answer.header("Retry-After") != nil) == (status == 429))
      #expect((answer.header("WWW-Authenticate") != nil) == (status == 401))
    }
    // The address is limited, but not principals that authenticate from it.
    #expect(try await service.send("GET", "/v1/sessions/x", headers: service.bearer(.act)).status == 404)
    #expect(try await service.send("GET", "/v1/apps").status == 429)
  }

  @Test func `preflight requests are not limited, and pages can read that a token is wrong`() async throws {
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
