import JSONSchema
import Testing
import Values

/// Patterns in the syntax of ECMA-262.
@Suite struct PatternTests {
  private func matches(_ text: String, _ pattern: String) throws -> Bool {
    try JSONSchema(["pattern": Value(pattern)]).faults(of: Value(text)).isEmpty
  }

  @Test(arguments: [
    ("hubba", "ubb"), ("abc", "^abc$"), ("abc", "^a.c$"), ("a1 b", #"\d\s\w"#), ("é", #"\W"#), ("foo bar", #"\bbar\b"#),
    ("foobar", #"\Bbar"#), ("2026-11-26", #"^\d{4}-\d{2}-\d{2}$"#), ("2026-11-26", #"^\d{4}\-\d{2}\-\d{2}$"#),
    ("a-b", "a[a-]b"), ("a-b", "a[-a]b"), ("x^y", "[a^]"), ("É", #"\p{Lu}"#), ("1", #"^\P{L}$"#), ("tab\t", #"\t$"#),
    ("🐱", #"^\u{1F431}$"#), ("🐱", #"^\uD83D\uDC31$"#), ("🐱", "^.$"), ("A", #"^\x41$"#), ("é", #"^\u00e9$"#),
    ("aaa", "^a{2,}$"), ("aaa", "^a{1,3}?$"), ("aa", "^a{2}$"), ("", ""), ("", "^$"), ("x", "(?<name>x)"),
    ("x", "(?:x)"), ("ac", "a(|b)c"), ("a+b", #"a\+b"#), ("color", "colou?r"), ("é", "[^a-z]"), ("-", #"[\w-]"#),
    ("\u{2028}", #"^\s$"#), ("\u{FEFF}", #"^\s$"#), ("\u{A0}", #"^[\s]$"#), ("\u{85}", #"^\S$"#), ("\u{B}", #"^\v$"#),
    ("\u{8}", #"^[\b]$"#), ("\n", #"^\cJ$"#), ("\0", #"^\0$"#), ("\u{85}", "^.$"), ("x", "[^]"), ("a/b", #"a\/b"#),
    ("5", #"^[\D\d]$"#), ("@", #"^\@$"#), ("#", ##"^[\#]$"##), ("\\", #"^\\$"#), ("]", #"^[\]]$"#), ("٣", #"^\p{Nd}$"#),
    ("a\nb", "^a[^]b$"), ("aXc", "(a(b|X)c)+"),
  ])
  func `a pattern finds a part of the text`(text: String, pattern: String) throws {
    #expect(try matches(text, pattern))
  }

  @Test(arguments: [
    ("abc", "^bc"), ("abc", "ab$"), ("a\nb", "a.b"), ("a\u{2028}b", "a.b"), ("a\rb", "a.b"), ("a\nb", "^b"),
    ("a\n", "a$"), ("é", #"\w"#), ("٣", #"\d"#), ("a", #"\P{L}"#), ("aaaa", "^a{2,3}$"), ("", "."), ("b", "[^b]"),
    ("x", "[]"), ("x", #"\d"#), ("\u{85}", #"\s"#), ("A", "a"), ("foobar", #"\bbar"#),
  ])
  func `a pattern that occurs nowhere does not match`(text: String, pattern: String) throws {
    #expect(try !matches(text, pattern))
  }

  @Test(arguments: [
    "(", ")", "[", "[a", "a**", "*", "+a", "?", "a{2}{3}", "a{3,2}", "a{1001}", "[b-a]", #"\"#, #"\1"#, #"\8"#, #"\y"#,
    #"\p{Klingon}"#, #"\pL"#, #"\p{Lu"#, "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", #"\k<name>"#, "(?i)a", "(?i:a)",
    "(?P<name>x)", #"\x4"#, #"\u{110000}"#, #"\u{D800}"#, #"\uD83D"#, #"\uDC31"#, #"\uD83D\u0041"#, #"\u12"#, #"\u{}"#,
    #"\u{41"#, "(?<name", "(?<>x)", "{", "}", "]", "a{", "a{x}", "a{,2}", "^*", "$+", #"\b+"#, #"[\d-z]"#, #"[a-\w]"#,
    #"\c1"#, #"\c"#, #"\00"#, #"\A"#, #"\z"#, #"\Q"#, "((a{1000}){1000}){1000}", "(a{500}){500}", "(a{999}){5}",
    String(repeating: "(", count: 10_000), String(repeating: "a", count: 5000),
    String(repeating: "(", count: 65) + String(repeating: ")", count: 65), #"\é"#, "a{99999999999999999999}",
  ])
  func `a malformed or too large pattern is a mistake`(pattern: String) throws {
    let error = try #require(throws: JSONSchema.SchemaError.self) { try JSONSchema(["pattern": Value(pattern)]) }
    #expect(error.faults.map(\.pointer) == ["/pattern"])
    #expect(error.faults[0].message.hasSuffix("."))
  }

  /// Patterns that take a backtracking matcher exponential or quadratic time.
  @Test(arguments: [
    "^(a+)+$", "^(a|aa)+$", "^(a|a?)+$", "(a*)*b", "(.*)(.*)(.*)(.*)x", "^([a-z]+)*@", "(a?){25}a{25}b",
    "((a+)(a+)(a+)(a+))+b", "(x+x+)+y|(a+a+)+y",
  ])
  func `the steps of a text of 10,000 characters are linear`(pattern: String) throws {
    let text = String(repeating: "a", count: 10_000) + "!"
    let faults = try JSONSchema(["pattern": Value(pattern)]).faults(of: Value(text), stepLimit: 300_000)
    #expect(faults.map(\.keyword) == ["pattern"])
  }

  @Test func `a pattern that is slow for a long text reaches the limit`() throws {
    let schema = try JSONSchema(["pattern": "(a?){1000}b"])
    let faults = schema.faults(of: Value(String(repeating: "a", count: 10_000)), stepLimit: 500_000)
    #expect(faults.map(\.keyword) == [""])
  }

  @Test func `a text that is longer than maxLength is not matched`() throws {
    let schema = try JSONSchema(["pattern": "(a?){1000}b", "maxLength": 100])
    let faults = schema.faults(of: Value(String(repeating: "a", count: 10_000)), stepLimit: 5000)
    #expect(faults.map(\.keyword) == ["maxLength"])
  }

  @Test func `a class of many ranges costs more steps than one range`() throws {
    let ranges = (0..<400).map { "\\u{\(String(0x1000 + 2 * $0, radix: 16))}" }.joined()
    let text = Value(String(repeating: "a", count: 1000))
    #expect(try JSONSchema(["pattern": "[a]{500}b"]).faults(of: text, stepLimit: 200_000).map(\.keyword) == ["pattern"])
    let schema = try JSONSchema(["pattern": Value("[a\(ranges)]{500}b")])
    #expect(schema.faults(of: text, stepLimit: 200_000).map(\.keyword) == [""])
  }
}
