import CEL
import Testing

struct PatternTests {
  private func matches(_ text: String, _ pattern: String, costLimit: Int = 1_000_000) throws -> Bool {
    let environment = CEL.Environment(["text": .string, "pattern": .string])
    let program = try CEL.Program("text.matches(pattern)", in: environment)
    return try program.evaluate(["text": .string(text), "pattern": .string(pattern)], costLimit: costLimit) == true
  }

  @Test(arguments: [
    ("hubba", "ubb"), ("abc", "^abc$"), ("abc", "^a.c$"), ("a1 b", #"\d\s\w"#), ("é", #"\W"#), ("Äpfel", "(?i)äPFEL"),
    ("aB", "(?i:ab)"), ("a\nb", "(?s)a.b"), ("a\nb", "(?m)^b$"), ("foo bar", #"\bbar\b"#), ("foobar", #"\Bbar"#),
    ("2026-11-26", #"^\d{4}-\d{2}-\d{2}$"#), ("a]b", "a[]]b"), ("a-b", "a[a-]b"), ("x^y", "[a^]"), ("É", #"\p{Lu}"#),
    ("é", #"^\pL$"#), ("1", #"^\P{L}$"#), ("_", "[[:punct:]]"), ("9", "[[:^alpha:]]"), ("tab\t", #"\t$"#),
    ("\u{1F431}", #"^\x{1F431}$"#), ("A", #"\x41"#), ("a.b", #"\Qa.b\E"#), ("a{b", "a{b"), ("a{,2}", "a{,2}"),
    ("aaa", "^a{2,}$"), ("aaa", "^a{1,3}?$"), ("", ""), ("", "^$"), ("x", "(?P<name>x)"), ("x", "(?<name>x)"),
    ("ab", "(?i)A(?-i)b"), ("b", "a|b|c"), ("ac", "a(|b)c"), ("a+b", #"a\+b"#), ("end", #"\Aend\z"#), ("a/b", "a/b"),
    ("color", "colou?r"), ("é", "[^a-z]"), ("-", #"[\w-]"#), ("ſ", "(?i)s"), ("s", "(?i)ſ"), ("k", "(?i)\u{212A}"),
  ])
  func `A pattern finds a part of the text`(text: String, pattern: String) throws {
    #expect(try matches(text, pattern))
  }

  @Test(arguments: [
    ("abc", "^bc"), ("abc", "ab$"), ("a\nb", "a.b"), ("a\nb", "^b"), ("foobar", #"\bbar"#), ("é", #"\w"#),
    ("aB", "(?-i)(?i:a)b"), ("ab", "(?i)A(?-i)B"), ("a", #"\P{L}"#), ("aaaa", "^a{2,3}$"), ("", "."), ("b", "[^b]"),
    ("a\n", "a$"), ("x", #"\d"#), ("B", "(?i)[^b]"), ("", "foo|bar"),
  ])
  func `A pattern that occurs nowhere does not match`(text: String, pattern: String) throws {
    #expect(try !matches(text, pattern))
  }

  @Test(arguments: [
    "(", ")", "[", "[a", "a**", "*", "+a", "?", "a{2}{3}", "a{3,2}", "a{1001}", "[b-a]", #"\"#, #"\1"#, #"\8"#, #"\y"#,
    #"\p{Klingon}"#, #"\p{Lu"#, "(?<>x)", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?P=name)", "(?P>name)", "(?x)a",
    "(?i", "[[:foo:]]",
    #"\x4"#, #"\x{110000}"#, #"\x{D800}"#, "(?<name", "((a{1000}){1000}){1000}", "(a{500}){500}", "(a{999}){5}",
    String(repeating: "(", count: 10_000), String(repeating: "a", count: 5000),
    "(" + String(repeating: "((((()*)*)*)*)*", count: 250) + "){1000}", "(((((){1000}){1000}){1000}){1000}){1000}",
  ])
  func `A malformed or too large pattern is an error`(pattern: String) throws {
    do {
      _ = try matches("a", pattern)
      Issue.record("The pattern is valid.")
    } catch let error as CEL.EvaluationError {
      guard case .invalidPattern = error.reason else { throw error }
    }
  }

  /// Patterns that take a backtracking matcher exponential or quadratic time.
  @Test(arguments: [
    "^(a+)+$", "^(a|aa)+$", "^(a|a?)+$", "(a*)*b", "(.*)(.*)(.*)(.*)x", "^([a-z]+)*@", "(a?){25}a{25}b",
    "((a+)(a+)(a+)(a+))+b", "(x+x+)+y|(a+a+)+y",
  ])
  func `The cost of a text of 10,000 characters is linear`(pattern: String) throws {
    let text = String(repeating: "a", count: 10_000) + "!"
    #expect(try !matches(text, pattern, costLimit: 200_000))
  }

  @Test func `A match charges for the states that it visits`() throws {
    let text = CEL.Value.string(String(repeating: "a", count: 10_000))
    #expect(try failure("t.matches('b')", with: ["t": text], costLimit: 12_000) == nil)
    #expect(
      try failure("t.matches('(a?){500}b')", with: ["t": text], costLimit: 100_000)
        == .costLimitExceeded(limit: 100_000))
  }
}
