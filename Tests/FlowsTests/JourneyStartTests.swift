import Flows
import Navigation
import Testing
import UsherTesting
import Values

/// The first page of a journey.
@Suite struct JourneyStartTests {
  private func session(start: String) throws -> TestSession {
    let flow = """
      usher: 1
      app: claim
      root: main
      coordinators:
        main:
          start: [\(start)]
          journey:
            questions: {name: {type: string}}
            pages: {name: }
            done: [finish]
          handles: {begin: [{pop: }], skip: [{setStack: [intro]}]}
      screens:
        intro: {actions: {begin: , skip: }}
      """
    let compilation = Flow.compile([Flow.File(path: "flow.yaml", bytes: Array(flow.utf8))])
    return try TestSession(try #require(compilation.app, "\(compilation.faults)"))
  }

  @Test func `a screen that the start pushes lies over the first page`() throws {
    var session = try session(start: "{push: intro}")
    #expect(session.names == ["name", "intro"])
    try session.act("begin")
    #expect(session.names == ["name"])
    try session.act("continue", ["name": "Mai"])
    #expect(session.names == ["name", "check"])
  }

  @Test func `a modal that the start presents lies over the first page`() throws {
    var session = try session(start: "{present: intro}")
    #expect(session.view.screen.name == "intro" && session.view.modals == 1)
    try session.dismiss()
    #expect(session.names == ["name"])
  }
}
