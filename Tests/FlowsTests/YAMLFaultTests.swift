import Testing

@testable import YAML

/// Files with faults.
@Suite struct YAMLFaultTests {
  @Test(
    arguments: [
      ("a: &x 1", ["1:4: Flow files have no anchors. Remove \"&x\"."]),
      ("é: [1, *x]", ["1:8: Flow files have no aliases. Replace \"*x\" with the value that it stands for."]),
      (
        "a: &x !!str 1",
        [
          "1:4: Flow files have no anchors. Remove \"&x\".",
          "1:7: Flow files have no tags. Remove \"!!str\". To make a value a text, quote it.",
        ]
      ),
      ("a: !x", ["1:4: Flow files have no tags. Remove \"!x\". To make a value a text, quote it."]),
      ("a: ! 1", ["1:4: Flow files have no tags. Remove \"!\". To make a value a text, quote it."]),
      ("- !e!x 1", ["1:3: Flow files have no tags. Remove \"!e!x\". To make a value a text, quote it."]),
      (
        "- !<tag:yaml.org,2002:str> 1",
        ["1:3: Flow files have no tags. Remove \"!<tag:yaml.org,2002:str>\". To make a value a text, quote it."]
      ),
      ("%YAML 1.1\n---\na: 1", ["1:1: Flow files follow YAML 1.2. Remove \"%YAML 1.1\"."]),
      ("%YAML 2.0\n---\na: 1", ["1:1: Flow files follow YAML 1.2. Remove \"%YAML 2.0\"."]),
      ("%TAG ! tag:x\n---\na: 1", ["1:1: Flow files have no tags. Remove \"%TAG ! tag:x\"."]),
      ("%YAML 1.2\n%YAML 1.2\n---\na: 1", ["2:1: The only directive is \"%YAML 1.2\". Remove this one."]),
      (
        "%TAG ! t:\n%TAG ! t:\n---\na: 1",
        ["1:1: Flow files have no tags. Remove \"%TAG ! t:\".", "2:1: Flow files have no tags. Remove \"%TAG ! t:\"."]
      ),
      ("%FOO x\n---\na: 1", ["1:1: The only directive is \"%YAML 1.2\". Remove this one."]),
      ("a: 1\n---\nb: 2", ["2:1: A flow file has one document. Remove the text from here on."]),
      ("a: 1\n--- # x\n", ["2:1: A flow file has one document. Remove the text from here on."]),
      ("", [empty]), ("# a\n", [empty]), ("---\n", [empty]),
    ])
  func `syntax that flow files do not have is a fault`(text: String, faults: [String]) {
    #expect(read(text).faults == faults)
  }

  @Test(
    arguments: [
      ("a: 1\nb: 2\na: 3", ["3:1: The key \"a\" is already at line 1, column 1. Remove or rename one of them."]),
      ("{a: 1, \"a\": 2}", ["1:8: The key \"a\" is already at line 1, column 2. Remove or rename one of them."]),
      (
        "\u{E9}: 1\ne\u{301}: 2",
        ["2:1: The key \"\u{65}\u{301}\" is already at line 1, column 1. Remove or rename one of them."]
      ),
      ("true: 1", ["1:1: A key must be a text, not a boolean. Quote it: \"true\"."]),
      ("a: {12: 1}", ["1:5: A key must be a text, not an integer. Quote it: \"12\"."]),
      ("1.5: 1", ["1:1: A key must be a text, not a number. Quote it: \"1.5\"."]),
      (".inf: 1", ["1:1: A key must be a text, not a number. Quote it: \".inf\"."]),
      ("~: 1", ["1:1: A key must be a text, not null. Quote it: \"~\"."]), (": 1", ["1:1: A key is missing here."]),
      ("? [a]\n: 1", ["1:3: A key must be a text, not a list."]),
      ("a: {{b}}", ["1:5: A key must be a text, not a mapping."]),
      ("*a : 1", ["1:1: Flow files have no aliases. Replace \"*a\" with the value that it stands for."]),
      ("<<: {a: 1}", ["1:1: Flow files have no merge keys. Replace \"<<\" with the entries that it stands for."]),
      (
        "a: 99999999999999999999",
        [
          "1:4: The integer \"99999999999999999999\" is outside of the range of 64 bits. "
            + "Write a smaller one, or quote it to make it a text."
        ]
      ),
      (
        "- -.inf",
        ["1:3: The number \"-.inf\" is not finite. Write a finite one, or quote it to make it a text."]
      ),
      (
        #"["é\ud83d", "\ude00\ud83d"]"#,
        [(4, #"\ud83d"#), (14, #"\ude00"#), (20, #"\ud83d"#)].map { column, escape in
          "1:\(column): The escape \(escape) is half of a surrogate pair. "
            + #"Write both halves, such as \ud83d\ude00, or the character itself."#
        }
      ),
    ])
  func `a key or value that JSON does not have is a fault`(text: String, faults: [String]) {
    #expect(read(text).faults == faults)
  }

  @Test(
    arguments: [
      ("{a: b, so c}", ["1:8: The key \"so c\" has no value. Quote a text that contains a comma."]),
      ("{a: b, so c , d: [e, f g]}", ["1:8: The key \"so c\" has no value. Quote a text that contains a comma."]),
      ("{a b: , c d : , \"e f\", g}", []), ("a b:\nc d:\n", []),
    ] as [(String, [String])])
  func `the rest of a text that a comma divides is a fault`(text: String, faults: [String]) {
    #expect(read(text).faults == faults)
  }

  @Test(
    arguments: [
      ("a:\n\tb: 1", "2:1: A tab cannot indent a line. Indent with spaces."),
      ("a: |\n\tb", "2:1: A tab cannot indent a line. Indent with spaces."),
      ("a: 1\n\tb: 2", "2:1: A tab cannot indent a line. Indent with spaces."),
      ("a: é: b", "1:5: \(key)"), ("a: 1\n  b: 2", "2:3: \(tooDeep)"), ("a: =b ? c : d", "1:11: \(key)"),
      ("a: - b", "1:4: A list cannot begin here. Begin each \"- \" on a line of its own."),
      ("a: ? b", "1:4: A text cannot begin with a question mark and a space here. Quote the text."),
      ("a: @b", "1:4: A text cannot begin with @ here. Quote the text."),
      ("a: [|]", "1:5: A text cannot begin with | here. Quote the text."),
      ("a: * b", "1:4: A text cannot begin with & or *. Quote the text."),
      ("a: 1\nbc\nd: 2", "2:1: \(noColon)"), ("a:\n  b\n  c: d", "2:3: \(noColon)"),
      ("a:\n  - b # c: d\n\n    c: d", "2:5: \(noColon)"),
      ("a:\u{A0}b\nc: d", "1:3: A no-break space (U+00A0) is not valid YAML whitespace. Write a space."),
      ("```yaml\na: b\n```\n", "1:1: Markdown marks code with ```. Remove the line."),
      ("a: b\n<<<<<<< HEAD\nc: d\n=======\n", "2:1: \(conflict)"),
      ("<<<<<<< HEAD\na: b\n=======\n", "1:1: \(conflict)"),
      ("a: b\n  # d\n  c: d", "3:3: \(tooDeep)"), ("- a: b\n   c: d", "2:4: \(tooDeep)"),
      (
        "a:\n  - 1\n  -2\n",
        "3:3: A list entry begins with a dash and a space. Add the space, or correct the indentation."
      ),
      ("a: \"b\n", "1:4: The text that begins here has no closing quote."),
      ("a: 'b\nc: 1", "1:4: The text that begins here has no closing quote."),
      ("a: \"\\", "1:4: The text that begins here has no closing quote."),
      ("a: \"\\ud83d", "1:4: The text that begins here has no closing quote."),
      ("a: \"b\nc: \"d\"", "1:4: The text that begins here has no closing quote."),
      ("a: it's # \"x\nb: 'c\nd: 'e' ", "2:4: The text that begins here has no closing quote."),
      ("a: [\n\"b\\\",\n\"c\"]", "2:1: The text that begins here has no closing quote."),
      ("a: \"b\nc: d\ne: \"\"\nf: \"g\"", "1:4: The text that begins here has no closing quote."),
      ("a: \"b\n  c\" d", "2:6: Unexpected text after a value. Quote the whole value, or correct the indentation."),
      ("a: \"^\\d$\"", #"1:6: There is no escape \d. Write \\d, or put the text in single quotes."#),
      ("a: \"\\u12\"", "1:7: \(escape)"), ("a: \"\\UFFFFFFFF\"", "1:7: \(escape)"),
      ("a: [1, 2", "1:4: The list that begins here has no closing ]."),
      ("a: {b: 1", "1:4: The mapping that begins here has no closing }."),
      ("a: [1, \"2\"\n3]", "2:1: A comma or ] is missing here, in the list that begins at line 1, column 4."),
      ("a: [1, 2\nb: 3", "2:2: \(colon("]", "list that begins at line 1, column 4"))"),
      ("a: {b: c, d: e ? 1 : 2}", "1:20: \(colon("}", "mapping that begins at line 1, column 4"))"),
      ("a: {b: \"c\" d}", "1:12: A comma or } is missing here, in the mapping that begins at line 1, column 4."),
      (
        "a:\n  b: 1\n c: 2",
        "3:2: This line does not continue the mapping that begins at line 1, column 1. "
          + "Begin it with a key, or correct the indentation."
      ),
      (
        "- a\nb: 1",
        "2:1: This line does not continue the list that begins at line 1, column 1. "
          + "Begin it with \"- \", or correct the indentation."
      ),
      ("a: \"b\" c", "1:8: Unexpected text after a value. Quote the whole value, or correct the indentation."),
      ("[a] b", "1:5: Unexpected text after a value. Quote the whole value, or correct the indentation."),
      ("[a, , b]", "1:5: A value is missing here. Write \"\" for an empty text."),
      ("[", "1:2: The file ends where a value is expected. Write the value, or close the brackets."),
      (
        "a: |x\n b",
        "1:4: After | or >, only + or -, an indentation from 1 to 9 and a comment may follow on the line."
      ),
      ("a: !<b", "1:4: Flow files have no tags. Quote a text that begins with an exclamation mark."),
      (
        String(repeating: "[", count: 100_000), "1:33: \(levels)"
      ),
      (String(repeating: "{a: ", count: 40), "1:129: \(levels)"),
      (String(repeating: "[a,", count: 90_000), "1:97: \(levels)"),
      (
        String(repeating: "- ", count: 33) + "a",
        "1:65: \(levels)"
      ),
    ])
  func `a syntax error says what to do`(text: String, fault: String) {
    #expect(read(text) == (nil, [fault]))
  }

  private static let empty = "1:1: The file is empty. Write its content, or remove it."
  private static let key =
    "A key is not allowed here. Quote a text that contains a colon and a space, or correct the indentation."
  private static let conflict =
    "A merge conflict is not resolved. Choose one side, and remove the lines with the markers."
  private static let noColon =
    "This line has no colon and space after a key. Write \"key: value\", or correct the indentation."
  private static let tooDeep =
    "This line is indented more deeply than the one above, which has a value. Correct the indentation."
  private static func colon(_ bracket: String, _ within: String) -> String {
    "A colon is not allowed here, in the \(within). Write a comma or \(bracket) before the key, "
      + "or quote a text with a colon and a space."
  }
  private static let levels = "Lists and mappings are nested in more than 32 levels. Remove levels."
  private static let escape =
    #"An escape needs hexadecimal digits of a character: two after \x, four after \u, eight after \U."#

  @Test func `characters that editors do not show are faults`() {
    let advice = "is not allowed. Remove it, or write it as"
    #expect(
      read("a: \u{0}\nb: \"\u{2028}\u{7F}\"\n\u{FEFF}c: \u{85}").faults == [
        "1:4: The character U+0000 \(advice) \\u0000 in double quotes.",
        "2:5: The character U+2028 \(advice) \\u2028 in double quotes.",
        "2:6: The character U+007F \(advice) \\u007F in double quotes.",
        "3:1: The character U+FEFF \(advice) \\uFEFF in double quotes.",
        "3:5: The character U+0085 \(advice) \\u0085 in double quotes.",
      ])
  }

  @Test func `bytes that are not UTF-8 are a fault with their offset`() {
    let bytes = Array("a: é\nb: ".utf8) + [0xE9, 0x20]
    let (node, faults) = YAMLReader.read(bytes, file: "texts/de.yaml")
    #expect(node == nil)
    #expect(
      faults.map { "\($0.mark): \($0.message)" } == [
        "texts/de.yaml:2:4: The file is not UTF-8: byte 9 is 0xe9. Save the file as UTF-8."
      ])
    #expect(YAMLReader.read([0xEF, 0xBB, 0xBF, 0xFF], file: "a").faults[0].message.contains("byte 3 is 0xff"))
    #expect(YAMLReader.read([0x61, 0xED, 0xA0, 0x80], file: "a").faults[0].message.contains("byte 1 is 0xed"))
  }

  @Test(arguments: [
    ("store: *5ecret", "Files of settings have no aliases. Replace … with the value that it stands for."),
    ("5ecret: 1\n5ecret: 2", "The key … is already at line 1, column 1. Remove or rename one of them."),
    ("store: \"\\5ecret\"", "There is no escape …. Write \\…, or put the text in single quotes."),
  ])
  func `the rule of a fault does not quote the file, which may have a secret`(text: String, rule: String) {
    #expect(YAMLReader.read(Array(text.utf8), file: "usher.yaml", as: .settings).faults.map(\.rule) == [rule])
  }

  @Test func `plain scalars of settings are texts, as they are written`() {
    let (node, faults) = YAMLReader.read(Array("a: [0x10, ~, 1e999, =b]\n1: yes".utf8), file: "a", as: .settings)
    #expect(faults.isEmpty && node?.outline == #"{a: ["0x10", "~", "1e999", "=b"], 1: "yes"}"#)
  }

  @Test func `a file of more than one mebibyte is a fault`() {
    let text = String(repeating: "#", count: (1 << 20) + 1)
    let sizes = "The file has 1048577 bytes, more than the maximum of 1048576 (1 MiB). Divide it."
    #expect(read(text) == (nil, ["1:1: \(sizes)"]))
  }

  @Test func `all faults before a syntax error are reported`() {
    let text = "a: *x\nb: &y 1\n12: 3\nb: .nan\nc: \"\\ud83d\"\nd: [\u{0}\ne: *z\n"
    let faults = read(text).faults
    #expect(faults.map { $0.prefix { $0 != " " } } == ["1:4:", "2:4:", "3:1:", "4:1:", "4:4:", "5:5:", "6:5:", "7:2:"])
  }

  @Test func `a value with a fault is invalid and the others are read`() {
    #expect(
      read("a: .inf\nb: *x\n12: c\nb: 1\n? [d]\n: 2\ne: !!str 3").outline == "{a: invalid, b: invalid, 12: \"c\", e: 3}"
    )
  }

  @Test func `at most 100 faults are reported`() {
    let faults = read(String(repeating: "- *a\n", count: 102)).faults
    #expect(faults.count == 101)
    #expect(faults.last == "101:3: There are more than 100 faults. Correct those before this place first.")
    #expect(read(String(repeating: "- *a\n", count: 100)).faults.count == 100)
  }

  @Test func `aliases do not multiply the content`() {
    var text = "a0: &a0 x\n"
    for level in 1...30 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    #expect(read(text).faults.count == 31 + 60)
  }

  @Test func `a message shows the beginning of a long name without control characters`() {
    let faults = read("\"\\e\(String(repeating: "a", count: 80))\": 1\n\"\\e\(String(repeating: "a", count: 80))\": 1")
      .faults
    let shown = String(repeating: "a", count: 39)
    #expect(
      faults == ["2:1: The key \"\\u{1B}\(shown)…\" is already at line 1, column 1. Remove or rename one of them."])
  }
}
