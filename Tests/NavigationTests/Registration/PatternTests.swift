import Testing
import Values

@testable import Navigation

/// Patterns of fields.
@Suite struct PatternTests {
  @Test(
    arguments: [
      ("", [""], ["a"]),
      ("abc", ["abc"], ["", "ab", "abcd", "xabc"]),
      ("a?b*c+", ["c", "ac", "bbcc", "abccc"], ["", "a", "aac", "ab"]),
      ("[A-Z0-9_\\-]{2,4}", ["AZ", "0-_9"], ["A", "ABCDE", "az", "É"]),
      ("[^a-c]", ["d", "é", "\n"], ["a", "b", "", "dd"]),
      ("x{3}", ["xxx"], ["xx", "xxxx"]),
      ("x{2,}", ["xx", "xxxxxx"], ["x"]),
      ("x{0}y", ["y"], ["xy"]),
      ("(ab|cd|)e", ["abe", "cde", "e"], ["ab", "abcde"]),
      ("(?:a|b)+c", ["ac", "bababc"], ["c", "abd"]),
      ("(a*)*b", ["b", "aaab"], ["a", "ba"]),
      ("(a|b*)*", ["", "abba"], ["c"]),
      ("\\(\\^\\$\\.\\\\/", ["(^$.\\/"], ["(^$x\\/"]),
      ("ü|日本", ["ü", "日本"], ["u\u{308}", "日"]),
    ] as [(String, [String], [String])])
  func `a pattern matches whole texts`(source: String, matching: [String], others: [String]) throws {
    let pattern = try Pattern(source)
    for text in matching { #expect(pattern.matches(text), "\(source) and \(text)") }
    for text in others { #expect(!pattern.matches(text), "\(source) and \(text)") }
  }

  @Test(arguments: [
    ("(a", 0, "a group is not closed; write ) at its end"), ("a)", 1, "a ) has no group; write \\) for the character"),
    ("[a", 0, "a class is not closed; write ] at its end"), ("[]", 0, "a class is empty"),
    ("[z-a]", 1, "a range of a class is empty; swap its ends"),
    ("*a", 0, "* has nothing to repeat; write \\* for the character"),
    ("a.b", 1, ". stands alone; write \\. for the character"), ("^a", 0, "^ stands alone; write \\^ for the character"),
    ("a**", 1, "a count follows a count; write a group around the first one"),
    ("a*?", 1, "a count follows a count; write a group around the first one"),
    ("a{999}{999}", 1, "a count follows a count; write a group around the first one"),
    ("\\d", 1, "\\ stands before a character that needs none"),
    ("a\\", 1, "\\ stands before a character that needs none"),
    ("(?=a)", 0, "(? is not part of the syntax, except (?:"),
    ("a{2", 1, "a count is malformed; write it as in {2}, {2,} or {2,4}, or \\{ for the character"),
    ("a{}", 1, "a count is malformed; write it as in {2}, {2,} or {2,4}, or \\{ for the character"),
    ("a{3,2}", 1, "a count is empty; swap its ends"), ("a{1001}", 1, "a count is greater than 1000"),
    ("[a-]", 2, "a class needs \\ before -"), ("[a|b]", 2, "a class needs \\ before |"),
    ("[a&&b]", 2, "a class has & twice"), ("(a{999}){5}", 0, "the pattern is too large; write smaller counts in {}"),
    ("(a{999}){999}", 0, "the pattern is too large; write smaller counts in {}"),
    ("(((){30}){30}){30}", 0, "the pattern is too large; write smaller counts in {}"),
    ("(((){999}){999}){999}", 0, "the pattern is too large; write smaller counts in {}"),
    (String(repeating: "(", count: 100), 64, "groups are nested more than 64 deep"),
  ])
  func `a mistake has its index and its reason`(source: String, index: Int, reason: String) {
    #expect(throws: PatternError(index: index, reason: reason)) { try Pattern(source) }
  }

  @Test func `a pattern that makes others backtrack for years takes no time`() throws {
    let pattern = try Pattern("([a-z]+)*@")
    #expect(!pattern.matches(String(repeating: "a", count: 5000)))
    #expect(pattern.matches(String(repeating: "a", count: 5000) + "@"))
  }

  @Test func `a match that needs too many steps ends, and the field asks for a shorter text`() throws {
    let source = "([A-Za-z]+[ ,.]*){1,500}"
    #expect(try Pattern(source).result(for: String(repeating: "a", count: 65_000)) == nil)
    #expect(try Pattern(source).result(for: "one two") == true)
    let kind = PatternKind(source, example: "one two")
    #expect(kind.faults(of: Value(String(repeating: "a", count: 65_000))).map(\.fact) == [.tooLongToMatch])
  }

  @Test func `a text that is too long is not matched`() {
    let kind = PatternKind("([A-Za-z]+[ ,.]*){1,500}", example: "one two", length: 0...4000)
    #expect(kind.faults(of: Value(String(repeating: "a", count: 65_000))) == [.outside(.maximumLength(4000))])
    #expect(kind.faults(of: "1").map(\.keyword) == ["pattern"])
  }
}
