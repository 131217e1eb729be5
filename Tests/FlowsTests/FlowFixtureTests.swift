import Flows
import Foundation
import Testing

/// The flows of the repository: those that are valid, and those with a seeded fault each.
@Suite struct FlowFixtureTests {
  @Test(arguments: try FlowFolder.examples())
  func `an example has no faults`(folder: URL) throws {
    #expect(try FlowFolder.check(folder).faults == [])
  }

  @Test(arguments: try FlowFolder.names(in: FlowFolder.fixtures.appending(path: "valid")))
  func `a valid flow has no faults`(name: String) throws {
    #expect(try FlowFolder.check(FlowFolder.fixtures.appending(path: "valid/\(name)")).faults == [])
  }

  @Test(arguments: try FlowFolder.names(in: FlowFolder.fixtures.appending(path: "faulty")))
  func `a faulty flow has its faults with their locations`(name: String) throws {
    let folder = FlowFolder.fixtures.appending(path: "faulty/\(name)")
    let expected = try String(contentsOf: folder.appending(path: "expected.txt"), encoding: .utf8)
    let found = try FlowFolder.check(folder).faults.map { "\($0)\n" }.joined()
    #expect(found == expected)
  }
}
