import CEL
import Foundation
import JSONSchema
import Navigation
import Testing
import Values
import YAML

@testable import Flows

/// The schema and the reference, which the tables of the format give, and the tools of the command line.
@Suite struct FlowToolTests {
  @Test func `the reference in the documentation is made from the tables of the format`() throws {
    let document = try String(
      contentsOf: FlowFolder.repository.appending(path: "docs/flows-reference.md"), encoding: .utf8)
    // The text before the first table is written by hand.
    let start = try #require(document.firstRange(of: "## The file flow.yaml"))
    #expect(String(document[start.lowerBound...]) == FlowReference.markdown)
    #expect(!FlowReference.markdown.contains("| mapping"), "Each kind of mapping has a section.")
  }

  @Test func `every operator, macro and function of expressions has a result and an example that is true`() throws {
    let named = (CEL.macros + CEL.functions).map { $0.name }
    let names = CEL.operators.map { $0.name } + named
    #expect(Set(names) == Set(FunctionReference.meanings.keys) && Set(names).count == names.count)
    for (name, meaning) in FunctionReference.meanings {
      #expect(!meaning.result.isEmpty && (!named.contains(name) || meaning.example.contains("\(name)(")), "\(name)")
      #expect(try CEL.Program(meaning.example, in: CEL.Environment()).evaluate() == true, "\(meaning.example)")
    }
  }

  @Test func `the first key of a command, block or text is its name, and no form has a key twice`() {
    for table in CommandModel.forms.tables + BlockModel.forms.tables + TextModel.forms.tables {
      let names = table.keys.map(\.name)
      #expect(names.first == table.name && Set(names).count == names.count, "\(table.name)")
    }
  }

  @Test func `the recipes of the guide are excerpts of a valid flow`() throws {
    let flow = try String(
      contentsOf: FlowFolder.fixtures.appending(path: "valid/recipes/flow.yaml"), encoding: .utf8)
    let recipes = try Self.blocks(of: "docs/flows.md", from: "## Recipes\n", to: "\n## ")
    #expect(recipes.count > 5)
    for recipe in recipes { #expect(flow.contains(recipe), "\(recipe)") }
  }

  @Test func `the steps of the guide to journeys are excerpts of its flow`() throws {
    let blocks = try Self.blocks(of: "docs/journeys.md", from: "## 2. ", to: "\n## 5. ")
    let flow = try #require(blocks.last)
    #expect(blocks.count > 4)
    for step in blocks.dropLast() { #expect(flow.contains(step), "\(step)") }
  }

  /// Returns the blocks of YAML in a part of a document.
  private static func blocks(of path: String, from start: String, to end: String) throws -> [String] {
    let text = try String(contentsOf: FlowFolder.repository.appending(path: path), encoding: .utf8)
    let begin = try #require(text.range(of: start)).upperBound
    let rest = text[begin..<(try #require(text.range(of: end, range: begin..<text.endIndex)).lowerBound)]
    return rest.components(separatedBy: "```yaml\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  @Test func `the schema for editors accepts every valid flow`() throws {
    let schema = try JSONSchema(FlowSchema.document)
    let valid = FlowFolder.fixtures.appending(path: "valid")
    let folders = try FlowFolder.examples() + FlowFolder.names(in: valid).map { valid.appending(path: $0) }
    #expect(folders.count >= 8)
    for folder in folders {
      #expect(schema.faults(of: try Self.main(folder)) == [], "\(folder.lastPathComponent)")
    }
  }

  @Test(arguments: [
    "unknown-key", "unknown-key-of-screen", "missing-root", "list-for-text", "unknown-command", "pauses-for-a-duration",
  ])
  func `the schema for editors refuses a flow with a fault of its form`(name: String) throws {
    let schema = try JSONSchema(FlowSchema.document)
    #expect(schema.faults(of: try Self.main(FlowFolder.fixtures.appending(path: "faulty/\(name)"))) != [])
  }

  private static func main(_ folder: URL) throws -> Value {
    let bytes = [UInt8](try Data(contentsOf: folder.appending(path: "flow.yaml")))
    return try #require(YAMLReader.read(bytes, file: "flow.yaml").node).value
  }

  @Test func `a new flow has no faults`() {
    let files = NewFlow.files(name: "party").map { Flow.File(path: $0.path, bytes: Array($0.text.utf8)) }
    let compilation = Flow.check(files)
    #expect(compilation.faults == [])
    #expect(compilation.app?.name == "party")
  }

  @Test func `the graph has the screens in their coordinators, and the actions between them`() throws {
    let files = try FlowFolder.files(of: FlowFolder.repository.appending(path: "Examples/Flows/shop"))
    let graph = try #require(FlowGraph(files[0]))
    #expect(
      graph.mermaid == """
        flowchart LR
          subgraph c1["learn"]
            s0["lessons"]
          end
          subgraph c2["main"]
            s1["home"]
          end
          subgraph c3["buy"]
            s2["buy"]
          end
          subgraph c4["create-account"]
            s3["account-name"]
            s4["account-confirm"]
          end
          s1 -->|"buy"| s2
          s1 -->|"create-account"| s3
          s3 -->|"next"| s4

        """)
    #expect(graph.svg.hasPrefix("<svg "))
    #expect(graph.screens.filter { $0.depth == nil }.isEmpty)
  }
}
