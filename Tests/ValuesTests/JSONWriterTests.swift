import Testing
import Values

/// JSON that is written piece by piece.
@Suite struct JSONWriterTests {
  func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.finish(), as: UTF8.self)
  }

  @Test func `commas separate values and members`() {
    let json = text { json in
      json.beginObject()
      json.key(literal: "a")
      json.integer(1)
      json.key("b\"")
      json.beginArray()
      json.null()
      json.boolean(true)
      json.beginObject()
      json.endObject()
      json.literal("1,2")
      json.string("x")
      json.endArray()
      json.key(literal: "c")
      json.value(["d": [1, -2.5]])
      json.endObject()
    }
    #expect(json == #"{"a":1,"b\"":[null,true,{},1,2,"x"],"c":{"d":[1,-2.5]}}"#)
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (9_007_199_254_740_992, "9007199254740992"),
      (1e16, "1e+16"), (.leastNonzeroMagnitude, "5e-324"), (.infinity, "null"), (.nan, "null"),
    ] as [(Double, String)])
  func `doubles are written in the fewest digits`(number: Double, json: String) {
    #expect(text { $0.double(number) } == json)
  }

  @Test func `only mandatory escapes are written`() {
    #expect(text { $0.string("") } == "\"\"")
    #expect(text { $0.string("a/b\u{2028}é😀\u{7f}") } == "\"a/b\u{2028}é😀\u{7f}\"")
    #expect(text { $0.string("\"\\\u{8}\t\n\u{c}\r\u{0}\u{1f}") } == #""\"\\\b\t\n\f\r\u0000\u001f""#)
    for count in 0..<40 {
      let plain = String(repeating: "p", count: count)
      #expect(text { $0.string(plain + "\"" + plain) } == "\"\(plain)\\\"\(plain)\"")
    }
  }
}
