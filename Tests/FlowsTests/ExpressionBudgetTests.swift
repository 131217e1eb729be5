import Flows
import Navigation
import Testing
import UsherTesting
import Values

/// The cost that the expressions of one view, and of one handler, have together.
@Suite struct ExpressionBudgetTests {
  /// An app whose screen and handler evaluate an expensive expression a number of times.
  private func app(onScreen: Int, inHandler: Int) throws -> AppDefinition {
    // About 30 000 each, which is below the limit of an expression.
    let costly = "size(text) == 0 || text.replace(\"a\", \"b\").contains(\"c\")"
    let text = """
      usher: 1
      app: costly
      root: main
      coordinators:
        main:
          state: {text: {type: string, default: ""}, done: {type: boolean, default: false}}
          start: [{push: home}]
          handles:
            put: [{set: {text: =input.text}}]
            show: [{push: shown, with: {text: =text}}]
            work: [\((0..<inHandler).map { _ in "{if: '=\(costly)', then: []}" }.joined(separator: ", "))]
      screens:
        home: {actions: {put: {input: {text: {type: string}}}, show: {}, work: {}}}
        shown:
          data: {text: {type: string}}
          content:
      \((0..<onScreen).map { _ in "      - {text: a, if: '=\(costly)'}" }.joined(separator: "\n"))

      """
    return try FlowFolder.app(text)
  }

  private let text = Value(String(repeating: "a", count: 60_000))
  private let sentence = "exceed their cost limit of 1000000 together"

  @Test func `the expressions of a view have one budget`() throws {
    var few = try TestSession(app(onScreen: 5, inHandler: 1))
    try few.act("put", ["text": text])
    try few.act("show")
    #expect(few.view.screen.name == "shown")
    var many = try TestSession(app(onScreen: 500, inHandler: 1))
    try many.act("put", ["text": text])
    let rejection = try #require(throws: Rejection.self) { try many.act("show") }
    #expect("\(rejection)".contains(sentence), "\(rejection)")
  }

  @Test func `the expressions of a handler have one budget, and the next handler has its own`() throws {
    var few = try TestSession(app(onScreen: 1, inHandler: 5))
    try few.act("put", ["text": text])
    for _ in 0..<20 { try few.act("work") }
    var many = try TestSession(app(onScreen: 1, inHandler: 500))
    try many.act("put", ["text": text])
    let rejection = try #require(throws: Rejection.self) { try many.act("work") }
    #expect("\(rejection)".contains(sentence), "\(rejection)")
    try many.act("show")
  }
}
