import Flows
import Foundation
import Navigation
import TestSupport
import Testing

@testable import UsherHost

/// A journey whose pages depend on the day and the language, in a session that stays in memory.
@Suite(.limitedConcurrency) struct JourneyFactsTests {
  private let clock = TestClock()

  private func service() async throws -> FlowService {
    let service = try await FlowService(compile: FlowHosting(directories: []).compile, clock: clock)
    try service.write(
      "facts",
      """
      usher: 1
      app: facts
      language: en
      root: main
      coordinators:
        main:
          journey:
            questions:
              place: {type: string}
              later: {type: string}
              name: {type: string}
            pages:
              place:
              later: {when: '=today > "2026-11-20"'}
              name: {when: '=locale == "de"'}
            done: [{finish: }]
      """)
    await service.lookTwice()
    return service
  }

  /// Performs an action, and returns the name of the screen.
  private func screen(_ service: FlowService, _ path: String, _ body: String = "{}") async throws -> String? {
    try await service.send("POST", path, body).json["screen", "name"].string
  }

  @Test func `answers are resolved again on another day, and in another language`() async throws {
    let service = try await service()
    let sessions = [try await service.start("facts"), try await service.start("facts")]
    for session in sessions {
      #expect(try await screen(service, "\(session)/actions/continue", #"{"place": "Rome"}"#) == "check")
    }
    #expect(try await screen(service, "\(sessions[0])/locale", #"{"locale": "de"}"#) == "check")
    #expect(try await screen(service, "\(sessions[0])/actions/submit") == "name")
    clock.advance(seconds: 50_000)
    #expect(try await screen(service, "\(sessions[1])/actions/submit") == "later")
  }
}
