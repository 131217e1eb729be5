import CEL
import Navigation
import TestSupport
import Testing
import UsherTesting
import Values
import YAML

@testable import Flows

/// Values of sessions in templates and expressions. Their depth and their numbers are known only at run time.
@Suite struct ValueDepthTests {
  private let mark = SourceMark(file: "flow.yaml", line: 1, column: 1)

  @Test func `a value that is too deep to be stored is a fault of the step`() throws {
    let levels = 20
    let box = String(repeating: "{a: ", count: levels) + "=deep" + String(repeating: "}", count: levels)
    let text = """
      usher: 1
      app: deep
      root: main
      coordinators:
        main:
          state: {deep: {default: null}, box: {default: null}}
          start: [{push: home}]
          fills: {home: {deep: =deep}}
          handles:
            deepen: [{set: {deep: '=[deep]'}}]
            wrap: [{set: {box: \(box)}}]
      screens:
        home:
          data: {deep: {}}
          actions: {deepen: {}, wrap: {}}

      """
    var session = try TestSession(FlowFolder.app(text))
    for _ in 0..<46 { try session.act("deepen") }
    let rejection = try #require(throws: Rejection.self) { try session.act("wrap") }
    #expect("\(rejection)".contains("more than 64 levels"), "\(rejection)")
    #expect("\(rejection)".contains("flow.yaml:11:"), "\(rejection)")
    #expect(session.view.data["deep"]?.depth == 46)
  }

  @Test(arguments: 0..<64 as Range<UInt64>)
  func `values of any depth and number become values or faults`(seed: UInt64) throws {
    var generator = Seeded(state: seed)
    let environment = CEL.Environment(["any": .dyn])
    let programs = try ["any", "[any]", "{'a': any}", "[any, any][0]"].map { try CEL.Program($0, in: environment) }
    for _ in 0..<20 {
      let value = try Self.value(&generator, depth: Int.random(in: 0...Value.maximumDepth, using: &generator))
      let program = programs.randomElement(using: &generator)!
      var template = Template.expression(CompiledExpression(program, at: mark))
      let levels = Int.random(in: 0...32, using: &generator)
      for level in 0..<levels {
        template = level.isMultiple(of: 2) ? .list([template]) : .object([("a", template)])
      }
      let scope = Scope(try Value(members: [("any", value.depth < Value.maximumDepth ? value : .null)]))
      do throws(FlowError) {
        let result = try template.value(scope)
        #expect(result.depth >= levels && result.depth <= Value.maximumDepth)
        #expect(result.converted(to: .dyn) == result)
      } catch {
        #expect(error.message.contains("levels"), "\(error)")
      }
    }
  }

  /// Returns a value with a number at a depth.
  private static func value(_ generator: inout Seeded, depth: Int) throws -> Value {
    let numbers: [Value] = [
      Value(Int64.min), Value(Int64.max), 0, -0.0, 0x1p63, -0x1p64, 1e308,
      Value(finite: Double.leastNonzeroMagnitude) ?? .null,
      Value(finite: .pi) ?? .null, .null,
    ]
    var value = numbers.randomElement(using: &generator)!
    for _ in 0..<depth {
      let isList = Bool.random(using: &generator)
      value = isList ? try Value(elements: [value, 1]) : try Value(members: [("b", value), ("c", "")])
    }
    return value
  }
}
