import Testing

@testable import Flows
@testable import YAML

/// The places of nodes, of keys, and of code points inside of texts.
@Suite struct YAMLMarkTests {
  private func nodes(_ text: String) -> [YAMLNode] { YAMLReader.read(Array(text.utf8), file: "flow.yaml").node!.all }

  private func places(_ text: String) -> [String] {
    nodes(text).map { "\($0.mark.line):\($0.mark.column)-\($0.end.line):\($0.end.column)" }
  }

  @Test(
    arguments: [
      ("a: 1\nb: [x, 'y']\n", ["1:1-3:1", "1:4-1:5", "2:4-2:12", "2:5-2:6", "2:8-2:11"]),
      ("é😀: e\u{301}\r\nb:\r\n- \"😀\"\r\n", ["1:1-4:1", "1:5-1:7", "3:1-4:1", "3:3-3:6"]),
      ("\u{FEFF}a: 1", ["1:1-1:5", "1:4-1:5"]),
      (#"["\ud83d\ude00", "\ud83d\ude00x", y]"#, ["1:1-1:37", "1:2-1:16", "1:18-1:33", "1:35-1:36"]),
      ("[\"\\ud83d\\ude00\\\n \\ud83d\\ude00\",\n \"é\", z]", ["1:1-3:9", "1:2-2:15", "3:2-3:5", "3:7-3:8"]),
      ("a: |\n  x\nb:\n", ["1:1-4:1", "1:4-3:1", "3:3-3:3"]),
    ])
  func `a node has the places of its beginning and end`(text: String, places: [String]) {
    #expect(self.places(text) == places)
  }

  @Test func `a key has the place of its beginning`() {
    guard case .mapping(let entries) = nodes("a: {b: 1}\n? \"é\"\n: 2")[0].content else { return }
    #expect(entries.map(\.key.mark.description) == ["flow.yaml:1:1", "flow.yaml:2:3"])
    #expect(entries[0].key.mark < entries[1].key.mark)
  }

  @Test(
    arguments: [
      ("a: =é.bc", 0, "1:4"), ("a: =é.bc", 3, "1:7"), ("a: =é.bc", 5, "1:9"), ("a: '=b c'", 3, "1:8"),
      ("a: '=b c'", 4, "1:9"), ("a: \"=b c\"", 1, "1:6"), ("a: \"=b\\tc\"", 1, "1:4"), ("a: '=''b'", 1, "1:4"),
      ("a: '\\'", 1, "1:6"), ("a: \"\"", 0, "1:4"), ("a: =b\n   + c", 3, "2:4"), ("a: =b\n   + c", 5, "2:6"),
      ("a: | # b\n  =b\n    + c\n", 5, "3:5"), ("a: | # b\n  =b\n    + c\n", 10, "3:8"),
      ("a: >-\n  =b\n\n  + c", 5, "4:5"),
      ("a: 12", 1, "1:4"), ("a: [b]", 1, "1:4"),
    ])
  func `a code point of a text has a place`(text: String, offset: Int, place: String) {
    let mark = nodes(text)[1].mark(ofCodePoint: offset)
    #expect("\(mark.line):\(mark.column)" == place)
  }

  @Test func `a fault describes itself like an error of a compiler`() {
    let mark = SourceMark(file: "flow.yaml", line: 12, column: 5)
    #expect(
      FlowFault(mark, "The screen a is never shown.", severity: .warning).description
        == "flow.yaml:12:5: warning: The screen a is never shown.")
  }
}
