import Access
import MicroHTTP
import TestSupport
import Testing

@testable import HTTPAPI

/// `DELETE /v1/principals/{subject}/sessions`
@Suite(.limitedConcurrency) struct ErasureTests {
  private static let owner: Permissions = [.create, .act]
  private static let path = "/v1/principals/p3/sessions"

  private let service: GuardedService
  private let contract: Contract

  init() async throws {
    service = try GuardedService(anonymous: [.create, .act])
    contract = Contract(document: try await service.send("GET", "/openapi.json").json)
  }

  private func create(_ headers: [String: String]) async throws -> String {
    let created = try await service.send("POST", "/v1/sessions", #"{"app": "shop"}"#, headers: headers)
    return try #require(created.header("Location"))
  }

  private func erase(_ path: String = Self.path, by permissions: Permissions = .operate) async throws -> Answer {
    let answer = try await service.send("DELETE", path, headers: service.bearer(permissions))
    contract.check(answer, "DELETE", "/v1/principals/{subject}/sessions")
    return answer
  }

  @Test func `an operator erases the sessions of one principal, and no others`() async throws {
    // The token of GuardedService with these permissions belongs to the principal p3.
    let ann = service.bearer(Self.owner)
    let all = service.bearer(.all)
    var owned: [String] = []
    for number in 0..<3 {
      var headers = ann
      headers["Idempotency-Key"] = "k\(number)"
      owned.append(try await create(headers))
    }
    let others = [(try await create(all), all), (try await create([:]), [:])]
    #expect(try await erase().json["sessions"].int == 3)
    for path in owned {
      #expect(try await service.send("GET", path, headers: ann).status == 410)
      #expect(try await service.send("GET", path, headers: all).status == 404)
    }
    for (path, headers) in others { #expect(try await service.send("GET", path, headers: headers).status == 200) }
    // The owner may go on, under a new key.
    var headers = ann
    headers["Idempotency-Key"] = "k0"
    let repeated = try await service.send("POST", "/v1/sessions", #"{"app": "shop"}"#, headers: headers)
    #expect(repeated.status == 410)
    let path = try await create(ann)
    #expect(try await service.send("GET", path, headers: ann).status == 200)
    #expect(try await erase(Self.path + "?purge=false").json["sessions"].int == 1)
    #expect(try await erase().json["sessions"].int == 0)
  }

  @Test func `a principal without the permission, or a malformed request, erases nothing`() async throws {
    let ann = service.bearer(Self.owner)
    let path = try await create(ann)
    #expect(try await erase(by: Self.owner).status == 403)
    #expect(try await erase(Self.path + "?purge=maybe").status == 400)
    #expect(try await erase(Self.path + "?later").status == 400)
    for subject in ["p%203", "%20", "token:p3", "%FF", String(repeating: "p", count: 65)] {
      #expect([400, 404].contains(try await erase("/v1/principals/\(subject)/sessions").status), "\(subject)")
    }
    #expect(try await erase("/v1/principals/p4/sessions").json["sessions"].int == 0)
    #expect(try await service.send("GET", path, headers: ann).status == 200)
  }

  @Test func `without authentication there is no principal`() async throws {
    let open = try TestService(.inProcess)
    let answer = try await open.send("DELETE", Self.path)
    #expect(answer.status == 404)
    contract.check(answer, "DELETE", "/v1/principals/{subject}/sessions")
  }
}
