import Testing

@testable import YAML

/// Files that are read.
@Suite struct YAMLReaderTests {
  @Test(
    arguments: [
      ("a: 1\nb:\n  - x\n  - {y: [z]}\n", #"{a: 1, b: ["x", {y: ["z"]}]}"#),
      ("a:\n- 1\n- 2\n", "{a: [1, 2]}"), ("- - 1\n  - 2\n- 3", "[[1, 2], 3]"), ("- a: 1\n  b: 2\n", "[{a: 1, b: 2}]"),
      ("a:\nb: ~\nc: ''\n", #"{a: null, b: null, c: q""}"#), ("{a, b: , \"c\"}", "{a: null, b: null, c: null}"),
      ("a: b # c\n# d\n", #"{a: "b"}"#), ("a: b#c", #"{a: "b#c"}"#), ("--- \na: 1\n...\n", "{a: 1}"),
      ("%YAML 1.2\n---\na: 1\n", "{a: 1}"), ("? a\n: b", #"{a: "b"}"#), ("[a: 1, b: 2]", "[{a: 1}, {b: 2}]"),
      ("a: b\n  c\n\n  d\n", #"{a: "b c\nd"}"#), ("a: 'it''s\n  b'", #"{a: q"it\'s b"}"#),
      ("a: |\n  b\n   c\n\n", #"{a: b"b\n c\n"}"#), ("a: >-\n  b\n  c\n\n  d\n", #"{a: b"b c\nd"}"#),
      ("a: |+2\n   b\n\n", #"{a: b" b\n\n"}"#), ("a: |- # b\n  c", #"{a: b"c"}"#),
      ("a: |\n  1\nb: '1'\nc: \"null\"", #"{a: b"1\n", b: q"1", c: q"null"}"#), ("text", #""text""#), ("12", "12"),
      ("a: 1\r\nb: 2\r\n", "{a: 1, b: 2}"), ("a: 1\rb: 2", "{a: 1, b: 2}"), ("\u{FEFF}a: 1", "{a: 1}"),
      ("a:\t1\t# b\n", "{a: 1}"), ("a: [\n\t1,\n\t2\n]", "{a: [1, 2]}"), ("é: 😀", #"{é: "😀"}"#),
    ])
  func `the structure of a file is read`(text: String, outline: String) {
    #expect(read(text) == (outline, []))
  }

  @Test(
    arguments: [
      ("a: NO", #"{a: "NO"}"#), ("on: off", #"{on: "off"}"#), ("{yes: no, y: n}", #"{yes: "no", y: "n"}"#),
      ("a: 12:30", #"{a: "12:30"}"#), ("a: 1_000", #"{a: "1_000"}"#), ("a: 0b1", #"{a: "0b1"}"#),
      ("a: 2001-01-01", #"{a: "2001-01-01"}"#), ("a: 017", "{a: 17}"), ("a: <<", #"{a: "<<"}"#), ("a: =", #"{a: "="}"#),
      ("'<<': 1", "{<<: 1}"), ("\"true\": 1\n'12': 2\n\"\": 3", "{true: 1, 12: 2, : 3}"),
      ("a: =size(orders) > 1 && !b", #"{a: "=size(orders) > 1 && !b"}"#),
      ("[http://a.b/c, a::b]", #"["http://a.b/c", "a::b"]"#),
    ])
  func `a value that only older YAML takes for another is a text`(text: String, outline: String) {
    #expect(read(text) == (outline, []))
  }

  @Test func `a JSON text is read`() {
    let text = #"{"a":1,"b":[true,null,-2.5e-1],"c":{}, "d" : "\/"}"#
    #expect(read(text) == (#"{a: 1, b: [true, null, -0.25], c: {}, d: q"/"}"#, []))
    #expect(read("{\n\t\"a\": [\n\t\t1\n\t]\n}\n") == ("{a: [1]}", []))
  }

  @Test(
    arguments: [
      (#""\ud83d\ude00\uD83D\uDE00""#, "😀😀"), (#""a\ud83d\ude00b""#, "a😀b"), (#""\\ud83d\ude00""#, nil),
      (#""\\ud83d""#, #"\ud83d"#), (#"'\ud83d\ude00'"#, #"\ud83d\ude00"#), (#"\ud83d\ude00"#, #"\ud83d\ude00"#),
      ("|-\n \\ud83d", #"\ud83d"#), (#""\b\f\n\r\t\"\\""#, "\u{8}\u{c}\n\r\t\"\\"), (#""\u0000\uffff""#, "\0\u{ffff}"),
      (#""\x41\u00e9\U0001F600""#, "Aé😀"), (#""\e\_\N\L\P\0""#, "\u{1b}\u{a0}\u{85}\u{2028}\u{2029}\0"),
    ] as [(String, String?)])
  func `escapes are characters in double quotes only`(yaml: String, text: String?) {
    let (node, faults) = YAMLReader.read(Array(yaml.utf8), file: "flow.yaml")
    if case .string(let read, _)? = node?.content, faults.isEmpty {
      #expect(read == text)
    } else {
      #expect(text == nil)
    }
  }

  @Test func `32 levels and one mebibyte are read`() {
    let levels = 32
    #expect(read(String(repeating: "[", count: levels) + String(repeating: "]", count: levels)).faults == [])
    #expect(read(String(repeating: "- ", count: levels) + "a").faults == [])
    #expect(read("a: " + String(repeating: "b", count: (1 << 20) - 3)).faults == [])
  }
}
