import Testing

@testable import Views

/// Blocks of a later version of the service.
@Suite struct UnknownBlockTests {
  @Test func `a client shows the text of a block that it does not know`() throws {
    let chart = try JSONValue(parsing: Array(#"{"type": "chart", "text": "Ups\nand downs"}"#.utf8))
    #expect(try Block(ObjectReader(chart)) == .other("chart", text: "Ups\nand downs"))
    let line = try JSONValue(parsing: Array(#"{"type": "line"}"#.utf8))
    #expect(try Block(ObjectReader(line)) == .other("line", text: ""))
  }

  @Test func `a client shows the text of a value that it does not know`() throws {
    let fact = #"{"label": "Size", "value": "3 m", "typed": {"type": "length", "meters": 3}}"#
    let facts = try JSONValue(parsing: Array(#"{"type": "facts", "facts": [\#(fact)]}"#.utf8))
    #expect(try Block(ObjectReader(facts)) == .facts([.init(label: "Size", value: "3 m", typed: nil)]))
  }
}
