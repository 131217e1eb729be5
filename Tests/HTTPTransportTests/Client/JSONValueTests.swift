import Foundation
import Testing
import UsherClient

/// The JSON values of the client library.
@Suite struct JSONValueTests {
  private func parse(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

  @Test(arguments: [
    ("null", nil), ("[true,false]", nil), (#"{"b":1,"a":{"d":[],"c":{}}}"#, nil),
    ("9223372036854775807", nil), ("-9223372036854775808", nil), ("9223372036854775808", "9.223372036854776e+18"),
    ("0.1", nil), ("1.0", "1"), ("1e2", "100"), ("-0", "0"), ("-0.0", "0"), ("1e-400", "0"), ("5e-324", nil),
    (" [ 1 ,\n2\t] ", "[1,2]"), (#""\u0041\u00e9\ud83d\ude00\/""#, #""Aé😀/""#),
    (#""\"\\\n\r\t\b\u001f""#, #""\"\\\n\r\t\u0008\u001f""#), ("\"e\u{301}\"", nil),
  ])
  func `a text is read and written`(_ text: String, _ expected: String?) throws {
    #expect(try parse(text).description == expected ?? text)
  }

  @Test(arguments: [
    "", " ", "nul", "[1,]", "[1 2]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "01", "-", "1.", ".5", "1e", "+1", "1e400",
    "\"a", "\"\u{1}\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "1 1",
    "{\"a\":1,\"\\u0061\":2}", "\u{FEFF}1", String(repeating: "[", count: 100_000),
  ])
  func `an invalid text is rejected`(_ text: String) {
    #expect(throws: JSONParsingError.self) { try parse(text) }
  }

  @Test func `names that differ in their bytes only are different`() throws {
    #expect(try parse("{\"\u{E9}\":1,\"e\u{301}\":2}").members.count == 2)
  }

  @Test func `a text that is not UTF-8 is rejected`() {
    for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
      #expect(throws: JSONParsingError.self) { try JSONValue(parsing: bytes) }
    }
  }

  @Test func `at most 128 levels are read`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try parse(nested(128)).description == nested(128))
    #expect(throws: JSONParsingError.self) { try parse(nested(129)) }
  }

  private struct Visit: Codable, Equatable {
    let id: Int64
    let begin: Date
    let end: Date?
  }

  @Test func `Swift values are encoded and decoded, with dates as text`() throws {
    let text = #"{"id":9007199254740993,"begin":"2026-11-20T12:00:00.250Z","end":"2026-11-20T13:00:00Z"}"#
    let begin = Date(timeIntervalSince1970: 1_795_176_000.25)
    let visit = Visit(id: 9_007_199_254_740_993, begin: begin, end: Date(timeIntervalSince1970: 1_795_179_600))
    #expect(try parse(text).decode(Visit.self) == visit)
    let encoded = try JSONValue(encoding: visit)
    #expect(encoded["id"] == 9_007_199_254_740_993 && encoded["begin"] == "2026-11-20T12:00:00.250Z")
    #expect(try encoded.decode(Visit.self) == visit)
    #expect(throws: DecodingError.self) { try parse(#"{"id":1,"begin":"today"}"#).decode(Visit.self) }
  }

  @Test func `an error names the member that does not belong to a view`() throws {
    let json: JSONValue = ["session": ["id": "a", "app": "b", "revision": "1"]]
    #expect { try SessionView(json) } throws: { "\($0)" == "session.revision must be an integer." }
    #expect { try SessionView([:]) } throws: { "\($0)" == "session is missing." }
  }
}
