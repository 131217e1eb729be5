import Testing

@testable import UsherClient

/// The events in the bytes of a stream, wherever they are divided.
@Suite struct EventParserTests {
  static let stream =
    ": comment\n\nevent: view\nid: 7\ndata: {\"a\":1}\n\nevent:view\r\ndata:one\r\ndata\r\ndata: two\r\n\r\n"
    + "event: none\n\nretry: 5\ndata:  é\n\n"
  static let events = [
    EventParser.Event(name: "view", data: "{\"a\":1}"), EventParser.Event(name: "view", data: "one\n\ntwo"),
    EventParser.Event(name: "", data: " é"),
  ]

  @Test func `events are the same in pieces of any size`() throws {
    let bytes = Array(Self.stream.utf8)
    for size in 1...bytes.count {
      var parser = EventParser()
      var events: [EventParser.Event] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        events += try parser.events(in: Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(events == Self.events, "in pieces of \(size)")
    }
  }

  @Test func `an event without its end is none`() throws {
    var parser = EventParser()
    #expect(try parser.events(in: Array("data: x\n".utf8)).isEmpty)
    #expect(try parser.events(in: Array("\n".utf8)) == [EventParser.Event(name: "", data: "x")])
    #expect(try parser.events(in: []).isEmpty)
  }

  @Test(arguments: ["x", "data: x\n"])
  func `an event without end is refused`(_ piece: String) {
    var parser = EventParser(limit: 1000)
    #expect(throws: UsherError.self) { for _ in 1...1001 { _ = try parser.events(in: Array(piece.utf8)) } }
    var small = EventParser(limit: 1000)
    #expect(throws: Never.self) { for _ in 1...1001 { _ = try small.events(in: Array("\(piece)\n\n".utf8)) } }
  }
}
