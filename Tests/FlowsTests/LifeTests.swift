import Flows
import Foundation
import Navigation
import Testing
import UsherTesting
import Values

/// The lifetime of sessions in a flow file. Its faults are among the fixtures.
@Suite struct LifeTests {
  private func app(_ life: String) throws -> AppDefinition {
    let text = """
      usher: 1
      app: claim
      \(life)
      root: main
      coordinators: {main: {start: [{push: home}], handles: {stay: []}}}
      screens: {home: {title: Home, actions: {stay: {title: Stay}}}}
      """
    let compilation = Flow.compile([Flow.File(path: "flow.yaml", bytes: Array(text.utf8))])
    return try #require(compilation.app, "\(compilation.faults)")
  }

  @Test(
    arguments: [
      ("life: {idle: 30d, most: 180d, warning: 1h}", 2_592_000, 15_552_000, 3600),
      ("life: {idle: 30m}", 1800, 31_536_000, 180), ("life: {most: 90d}", nil, 7_776_000, 20),
    ] as [(String, Int64?, Int64, Int64)])
  func `a flow declares the life of its sessions`(life: String, idle: Int64?, most: Int64, warning: Int64) throws {
    let declared = try #require(try app(life).life)
    #expect(declared.idle == idle.map { $0 * 1000 })
    #expect(declared.most == most * 1000 && declared.warning == warning * 1000)
  }

  @Test func `a flow without a life leaves the time to the operator`() throws {
    #expect(try app("title: Claim").life == nil)
  }

  @Test func `a timer before the end fires once for each end`() throws {
    let text = """
      usher: 1
      app: claim
      life: {idle: 10d}
      root: main
      coordinators:
        main:
          state: {reminders: {type: integer, default: 0}}
          start: [{push: home}, {schedule: reminder, beforeEnd: 3d}]
          fills: {home: {reminders: =reminders}}
          handles: {stay: []}
          timers:
            reminder: [{set: {reminders: =reminders + 1}}, {schedule: reminder, beforeEnd: 3d}]
      screens: {home: {title: Home, data: {reminders: {type: integer}}, actions: {stay: {title: Stay}}}}
      """
    let compilation = Flow.compile([Flow.File(path: "flow.yaml", bytes: Array(text.utf8))])
    var session = try TestSession(try #require(compilation.app, "\(compilation.faults)"))
    func reminders() -> Int64? { session.view.data["reminders"]?.int }
    let day = Duration.seconds(86_400)
    try session.advance(by: day * 5)
    try session.act("stay")
    try session.advance(by: day * 6)
    #expect(reminders() == 0)
    try session.advance(by: day * 1.5)
    #expect(reminders() == 1)
    try session.act("stay")
    try session.advance(by: day * 6)
    #expect(reminders() == 1)
    try session.advance(by: day * 1.5)
    #expect(reminders() == 2)
  }
}
