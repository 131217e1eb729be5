import CEL
import Testing

struct LexerTests {
  @Test(
    arguments: [
      ("0", .int(0)), ("42u", .uint(42)), ("0x10", .int(16)), ("0xFFu", .uint(255)), ("1.5", .double(1.5)),
      (".5e1", .double(5)), ("1e3", .double(1000)), ("-9223372036854775808", .int(.min)),
      ("18446744073709551615u", .uint(.max)), ("1e-400", .double(0)),
    ] as [(String, CEL.Value)])
  func `Numbers are ints, uints and doubles`(source: String, value: CEL.Value) throws {
    let found = try evaluate(source)
    #expect(found == value)
    #expect(found.typeName == value.typeName)
  }

  @Test(arguments: [
    #"'a\n\x41\u00e9\U0001F431\101'"#: "a\nA\u{E9}\u{1F431}A", #"r'\n'"#: #"\n"#,
    #""""a "quoted" word""""#: #"a "quoted" word"#,
    "'''line\nline'''": "line\nline", #"R"\d""#: #"\d"#, "'\u{1F431}'": "\u{1F431}",
  ])
  func `Strings have escapes, raw forms and triple quotes`(source: String, text: String) throws {
    #expect(try evaluate(source) == .string(text))
  }

  @Test func `An escape of bytes is an octet and one of a string is a code point`() throws {
    #expect(try evaluate(#"b'\xff\377'"#) == .bytes([0xFF, 0xFF]))
    #expect(try evaluate(#"'\xff'"#) == "\u{FF}")
    #expect(try evaluate("b'\u{FF}'") == .bytes([0xC3, 0xBF]))
  }

  @Test(arguments: [
    "9223372036854775808": "1:1: The number exceeds the range of an int, -2^63 to 2^63 - 1.",
    "18446744073709551616u": "1:1: The number exceeds the range of a uint, 0 to 2^64 - 1.",
    "1e309": "1:1: The number exceeds the range of a double, ±1.8e308.",
    "0x": "1:1: The number has no digits after 0x.",
    "1x": "1:2: A letter follows the number. Separate them, or write the number as 1, 1u or 1.5.",
    "'open": "1:1: The string is not closed. Write ' at its end.",
    "'a\nb'": "1:1: The string is not closed. Write ' at its end.",
    #"'\ud800'"#: "1:2: The escape is not a Unicode character, but a surrogate or a value above 10FFFF.",
    #"'\U00110000'"#: "1:2: The escape is not a Unicode character, but a surrogate or a value above 10FFFF.",
    #"'\xg0'"#: "1:2: The escape needs 2 hexadecimal digits.",
    #"'\400'"#: #"1:2: The escape is unknown. Write \\ for a backslash."#,
    #"b'\u0041'"#: #"1:3: The escape is unknown. Write \\ for a backslash. Bytes take \x and two digits."#,
    #"'\"#: #"1:2: The string ends after \."#,
    "a = b": "1:3: Compare with == or !=.",
    "a & b": "1:3: Write && for \"and\".",
    "1 + 'a\\\\' # 2": "1:11: The character # is not part of an expression. Remove it.",
    "\u{1F431}": "1:1: The character \u{1F431} is not part of an expression. Remove it.",
    "a.`b": "1:3: Close the name with a backtick.",
  ])
  func `A malformed token is an error at its place`(source: String, message: String) {
    #expect(faults(source) == [message])
  }

  @Test func `A literal with a million digits is an error and takes no time`() {
    #expect(faults(String(repeating: "9", count: 60_000)).first?.contains("exceeds the range") == true)
    #expect(faults("1." + String(repeating: "9", count: 60_000)) == [])
    #expect(faults("1e" + String(repeating: "9", count: 60_000)).first?.contains("exceeds the range") == true)
  }

  @Test func `A source of more than 64 KiB is an error`() {
    #expect(faults(String(repeating: " ", count: 65_535) + "1") == [])
    #expect(faults(String(repeating: " ", count: 65_536) + "1").count == 1)
  }

  @Test func `A comment ends with its line`() throws {
    #expect(try evaluate("1 // one\n + 2 // two") == 3)
  }

  @Test func `The location of a fault counts code points in its line`() {
    #expect(faults("'\u{1F431}' +\n 'é' + x") == ["2:8: There is no variable x."])
  }
}
