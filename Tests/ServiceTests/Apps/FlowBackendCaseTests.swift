import Foundation
import HTTPServices
import TestSupport
import Testing

/// The flows in `Tests/Flows/cases` that call a backend.
@Suite(.limitedConcurrency) struct FlowBackendCaseTests {
  /// Returns a backend that names the target of each request.
  private static func backend(isHeld: Bool = false) throws -> TestBackend {
    try TestBackend(isHeld: isHeld) { #"{"a": "x", "target": "\#($0)"}"# }
  }

  @Test(
    arguments: [
      ("dot", #"{"a": "./admin"}"#, nil), ("two", #"{"a": ".", "b": "."}"#, nil), ("ext", #"{"a": "a/b"}"#, nil),
      ("dot", #"{"a": "b"}"#, "/echo/files/.b"), ("two", #"{"a": "a", "b": "b"}"#, "/echo/users/ab"),
    ] as [(String, String, String?)])
  func `a value cannot compose a part of two dots`(action: String, input: String, target: String?) async throws {
    let backend = try Self.backend()
    let service = try await FlowService.cases("path-composed", services: [.init("be", backend.address)])
    let path = try await service.start("p")
    _ = try await service.send("POST", "\(path)/actions/\(action)", input)
    func data() async throws -> JSON { try await service.send("GET", path).json["screen", "data"] }
    #expect(
      try await eventually {
        let shown = try await data()
        return shown["out", "target"].string != nil || shown["why"].string != ""
      })
    let shown = try await data()
    #expect(shown["out", "target"].string == target, "\(shown)")
    #expect(backend.targets == (target.map { [$0] } ?? []))
  }

  @Test func `an outcome of an earlier version has to have the schema of this one`() async throws {
    let backend = try Self.backend(isHeld: true)
    let service = try await FlowService.cases("carry-new-schema/v1", services: [.init("api", backend.address)])
    let path = try await service.start("carry2")
    _ = try await service.send("POST", "\(path)/actions/call", "{}")
    #expect(await eventually { backend.targets == ["/slow"] })
    try service.copy("carry-new-schema/v2")
    await service.lookTwice()
    #expect(try await service.send("GET", path).json["screen", "data", "note"].string == "")
    backend.release()
    #expect(
      try await eventually { try await service.send("GET", path).json["screen", "data", "note"].string == "failed1" })
    #expect(service.metrics.contains("usher_work_stuck 0"))
  }

  @Test func `the data of a screen is loaded again for another version`() async throws {
    let backend = try Self.backend()
    let service = try await FlowService.cases("carry-loaded/v1", services: [.init("api", backend.address)])
    let path = try await service.start("carry-loaded")
    func loaded() async throws -> String? {
      try await service.send("GET", path).json["screen", "data", "kinds", "a"].string
    }
    #expect(try await eventually { try await loaded() == "x" })
    try service.copy("carry-loaded/v2")
    await service.lookTwice()
    #expect(try await eventually { try await loaded() == "x" && backend.targets.count == 2 })
  }
}
