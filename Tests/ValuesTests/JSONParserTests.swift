import Testing
import Values

/// JSON texts (RFC 8259) that are parsed or refused.
@Suite struct JSONParserTests {
  @Test(
    arguments: [
      ("null", .null), (" true\n", true), ("false", false), ("0", 0), ("-0", 0), ("-0.0", 0), ("1.0", 1), ("1e2", 100),
      ("1E+2", 100), ("0.1e1", 1), ("120e-1", 12), ("-12", -12), ("9223372036854775807", 9_223_372_036_854_775_807),
      ("-9223372036854775808", Value(Int64.min)), ("9223372036854775808", 9_223_372_036_854_775_808.0), ("0.5", 0.5),
      ("-9223372036854775809", Value(finite: (-0x1p63).nextDown)!),
      ("9007199254740992.0", 9_007_199_254_740_992), ("9007199254740993.0", 9_007_199_254_740_993),
      ("1e300", 1e300), ("1e-999", 0), ("5e-324", Value(finite: .leastNonzeroMagnitude)!),
      ("1.7976931348623157e308", 1.7976931348623157e308),
      ("2.2250738585072011e-308", Value(finite: Double.leastNormalMagnitude.nextDown)!),
      ("123456789012345678901234567890", 123456789012345678901234567890.0),
      ("\"\"", ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9\u65e5""#, "é日"),
      (#""\ud83d\ude00""#, "😀"), ("\"😀 é\"", "😀 é"),
      (#""\u0000""#, "\u{0}"), ("\"\u{7f}\u{2028}\"", "\u{7f}\u{2028}"),
      ("[]", []), ("{}", [:]), ("[ 1 , [ ] ]", [1, []]), (#"{"a":{"b":[null]}}"#, ["a": ["b": [.null]]]),
      (#"{"":0}"#, ["": 0]),
      (#"{"b":1,"a":2}"#, ["b": 1, "a": 2]), ("\t\r\n 1 \t\r\n", 1), (#"{"a":1,"A":2}"#, ["a": 1, "A": 2]),
    ] as [(String, Value)])
  func `a JSON text is parsed`(text: String, value: Value) throws {
    let parsed = try JSONParser.parse(text)
    #expect(parsed == value)
    #expect(try Value(validating: parsed.bytes) == parsed)
  }

  @Test(
    arguments: [
      ("", .truncated, 0), (" ", .truncated, 1), ("nul", .truncated, 3), ("nulL", .unexpected(0x4C), 3),
      ("true1", .trailingBytes, 4), ("1 2", .trailingBytes, 2), ("{}}", .trailingBytes, 2),
      ("[1,]", .unexpected(0x5D), 3),
      ("[,1]", .unexpected(0x2C), 1), ("[1 2]", .unexpected(0x32), 3), ("[", .truncated, 1), ("[1", .truncated, 2),
      ("{\"a\"}", .unexpected(0x7D), 4), ("{\"a\":}", .unexpected(0x7D), 5), ("{\"a\":1,}", .unexpected(0x7D), 7),
      ("{a:1}", .unexpected(0x61), 1), ("{1:1}", .unexpected(0x31), 1), ("{'a':1}", .unexpected(0x27), 1),
      ("{\"a\":1", .truncated, 6), ("{", .truncated, 1), ("01", .invalidNumber, 0), ("-01", .invalidNumber, 0),
      ("-", .truncated, 1), ("+1", .unexpected(0x2B), 0), (".5", .unexpected(0x2E), 0), ("1.", .truncated, 2),
      ("1.e1", .invalidNumber, 2), ("1e", .truncated, 2), ("1e+", .truncated, 3), ("-a", .invalidNumber, 1),
      ("0x1", .trailingBytes, 1), ("NaN", .unexpected(0x4E), 0), ("Infinity", .unexpected(0x49), 0),
      ("-Infinity", .invalidNumber, 1), ("1e999", .numberTooLarge, 0), ("-1e999", .numberTooLarge, 0),
      ("1e99999999999999999999", .numberTooLarge, 0), ("\"", .truncated, 1), ("\"a", .truncated, 2),
      ("\"\n\"", .controlCharacter, 1), ("\"\u{0}\"", .controlCharacter, 1),
      ("\"abcdefghij\u{1f}\"", .controlCharacter, 11),
      (#""\x""#, .invalidEscape, 1), (#""\u12g4""#, .invalidEscape, 1), (#""\u12"#, .truncated, 5),
      (#""\"#, .truncated, 2),
      (#""\ud800""#, .loneSurrogate, 1), (#""\udc00""#, .loneSurrogate, 1), (#""\ud800\ud800""#, .loneSurrogate, 1),
      (#""\ud800a""#, .loneSurrogate, 1), ("\u{FEFF}1", .byteOrderMark, 0), ("/**/1", .unexpected(0x2F), 0),
      (#"{"a":1,"a":2}"#, .duplicateKey("a"), 0), (#"[{"a":1,"\u0061":2}]"#, .duplicateKey("a"), 1),
      ("\u{A0}1", .unexpected(0xC2), 0), ("[1}", .unexpected(0x7D), 2), ("\u{c}1", .unexpected(0x0C), 0),
    ] as [(String, JSONError.Reason, Int)])
  func `any other text is refused with the offset of the error`(text: String, reason: JSONError.Reason, offset: Int) {
    let error = #expect(throws: JSONError.self) { try JSONParser.parse(text) }
    #expect(error == JSONError(reason, offset: offset))
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22],
      [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], [0x22, 0x5C, 0x6E, 0x80, 0x22],
    ] as [[UInt8]])
  func `a string that is not UTF-8 is refused`(bytes: [UInt8]) {
    let error = #expect(throws: JSONError.self) { try JSONParser.parse(bytes) }
    #expect(error == JSONError(.invalidText, offset: 1))
  }

  @Test func `32 levels are accepted, and 33 are refused`() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(try JSONParser.parse(nested(32)).kind == .array)
    let error = #expect(throws: JSONError.self) { try JSONParser.parse(nested(33)) }
    #expect(error == JSONError(.tooDeep, offset: 32))
  }

  @Test func `an object with 100,000 keys takes linear time, and its one duplicate is found`() throws {
    let members = (0..<100_000).map { "\"key\($0)\":\($0)" }.joined(separator: ",")
    #expect(try JSONParser.parse("{\(members)}").count == 100_000)
    let error = #expect(throws: JSONError.self) { try JSONParser.parse("{\(members),\"key77\":0}") }
    #expect(error?.reason == .duplicateKey("key77"))
    // A client chooses the key, and the sentence goes to logs.
    #expect(error?.description == "a key occurs twice in the object at byte 0")
  }

  @Test func `texts and arrays of every size have the right head`() throws {
    for size in [0, 1, 22, 23, 24, 25, 255, 256, 257, 65_535, 65_536] {
      let text = String(repeating: "x", count: size)
      #expect(try JSONParser.parse("\"\(text)\"") == Value(text))
      #expect(try JSONParser.parse("\"\(text)\\n\"") == Value(text + "\n"))
      let ones = Array(repeating: "1", count: size).joined(separator: ",")
      #expect(try JSONParser.parse("[[\(ones)],2]") == [.array(Array(repeating: 1, count: size)), 2])
    }
  }

  @Test func `200,000 generated values are the same after JSON and CBOR`() throws {
    let seed: UInt64 = 1
    var random = ValueGenerator(seed: seed)
    for round in 0..<200_000 {
      let value = random.value(depth: round % 100 == 0 ? 0 : 3)
      let text = value.json
      let parsed = try JSONParser.parse(text)
      #expect(parsed == value, "seed \(seed), round \(round)")
      #expect(parsed.json == text, "seed \(seed), round \(round)")
      #expect(try Value(validating: Array(parsed.bytes)) == value, "seed \(seed), round \(round)")
    }
  }

  @Test func `corrupted and truncated texts never crash`() {
    var random = ValueGenerator(seed: 2)
    for _ in 0..<100_000 {
      var text = random.value(depth: 3).json
      text[random.below(text.count)] ^= UInt8(1 << random.below(8))
      text.removeLast(random.below(text.count))
      if let value = try? JSONParser.parse(text) { #expect((try? Value(validating: value.bytes)) == value) }
    }
  }
}

extension JSONParser {
  static func parse(_ text: String) throws(JSONError) -> Value { try parse(Array(text.utf8)) }
}
