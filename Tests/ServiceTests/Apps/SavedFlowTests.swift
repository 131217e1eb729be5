import Foundation
import HTTPServices
import TestSupport
import Testing

/// A flow that passes on addresses that resume its sessions.
@Suite(.limitedConcurrency) struct SavedFlowTests {
  private let backend: TestBackend

  init() throws { backend = try TestBackend { _ in "{}" } }

  private func service(_ version: String) async throws -> FlowService {
    try await FlowService.cases("saved/\(version)", services: [.init("post", backend.address)])
  }

  /// Acts, and returns the path that the backend receives.
  private func mail(_ action: String, _ session: String, _ service: FlowService) async throws -> String {
    let known = backend.requests.count
    #expect(try await service.send("POST", "\(session)/actions/\(action)", "{}").status == 200)
    #expect(await eventually { backend.requests.count == known + 1 })
    let body = Data(try #require(backend.requests.last).body.utf8)
    return try #require(JSON(try JSONSerialization.jsonObject(with: body))["address"].string)
  }

  @Test func `an operation passes on an address that continues the session on another device`() async throws {
    let service = try await service("v2")
    let session = try await service.start("saved")
    _ = try await service.send("POST", "\(session)/actions/write", #"{"name": "Ada"}"#)
    let once = try await mail("save", session, service)
    let often = try await mail("remind", session, service)
    #expect(once.hasPrefix("/v1/hand-overs/") && once != often)
    #expect(try await service.send("POST", once, "{}").json["screen", "data", "name"].string == "Ada")
    #expect(try await service.send("POST", once, "{}").status == 404)
    for _ in 0..<2 { #expect(try await service.send("POST", often, "{}").status == 201) }
    let last = try #require(try await service.send("POST", often, "{}").json["links", "self"].string)
    #expect(try await service.send("POST", "\(last)/actions/revoke", "{}").status == 200)
    #expect(try await service.send("POST", often, "{}").status == 404)
  }

  @Test func `a session of a version without addresses has none`() async throws {
    let service = try await service("v1")
    let session = try await service.start("saved")
    try service.copy("saved/v2")
    await service.lookTwice()
    #expect(try await service.send("POST", "\(session)/actions/save", "{}").status == 200)
    func note() async throws -> String? { try await service.send("GET", session).json["screen", "data", "note"].string }
    #expect(try await eventually { try await note() == "failed" })
    #expect(backend.requests.isEmpty)
  }
}
