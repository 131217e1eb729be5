import Foundation
import TestSupport
import Testing

/// Signals under a key, for sessions of several definitions of a flow.
@Suite(.limitedConcurrency) struct FlowSignalTests {
  private let path = "/v1/apps/signal-schema/signals/ping"

  private func last(_ session: String, _ service: FlowService) async throws -> String? {
    try await service.send("GET", session).json["screen", "data", "last"].string
  }

  @Test func `a signal has the input that the definition of each session declares`() async throws {
    let service = try await FlowService.cases("signal-schema/v1")
    let old = try await service.start("signal-schema")
    try service.copy("signal-schema/v2")
    await service.lookTwice()
    let new = try await service.start("signal-schema")
    // The look-ups of held signals come first.
    #expect(await eventually { service.metrics.contains("usher_work_stuck 0") })
    #expect(try await service.send("POST", path, #"{"key": "all", "input": {"v": 7}}"#).json["sessions"].int == 2)
    #expect(try await eventually { try await last(new, service) == "7" })
    #expect(await eventually { service.metrics.contains("usher_work_stuck 1") })
    #expect(try await last(old, service) == "")
  }

  @Test func `a session whose definition requires a sender takes no signal without its signature`() async throws {
    let service = try await FlowService.cases("signal-schema/v3")
    let old = try await service.start("signal-schema")
    try service.copy("signal-schema/v1")
    await service.lookTwice()
    let new = try await service.start("signal-schema")
    #expect(try await service.send("POST", path, #"{"key": "all", "input": {"v": "x"}}"#).json["sessions"].int == 2)
    #expect(try await eventually { try await last(new, service) == "x" })
    #expect(await eventually { service.metrics.contains("usher_work_stuck 1") })
    #expect(try await last(old, service) == "")
  }

  @Test func `a held signal is checked by the definition that takes it`() async throws {
    let service = try await FlowService.cases("signal-schema/v1")
    let answer = try await service.send("POST", path, #"{"key": "all", "input": {"v": "text"}, "hold": 60}"#)
    #expect(answer.status == 202)
    try service.copy("signal-schema/v2")
    await service.lookTwice()
    let session = try await service.start("signal-schema")
    #expect(await eventually { service.metrics.contains("usher_work_stuck 1") })
    #expect(try await last(session, service) == "")
  }
}
