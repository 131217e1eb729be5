import Languages
import Testing

@testable import Views

/// The text of the terminal client, and the questions of its forms.
@Suite struct TerminalClientTests {
  private func field(_ schema: String) throws -> Field {
    Field(name: "field", isRequired: true, schema: try JSONValue(parsing: Array(schema.utf8)))
  }

  @Test func `actions have their keys whether or not there are rows, and rows those behind them`() {
    for hasRows in [false, true] {
      var writer = ViewTextWriter<String>(.english)
      writer.title("Things")
      if hasRows {
        writer.answer("A vase", "", isMissing: false, [("Change", "change", "1"), ("Remove", "remove", "2")])
        writer.item("A lamp", "€5.00", action: ("open", "3"))
      }
      writer.action("add", "Add", [], "add")
      writer.action("next", "Continue", [("Phone", .required, nil)], "next")
      writer.action("change", "Change", [], "change")
      let keys = writer.choices.map { "\($0.key) \($0.label) \($0.kind)" }
      guard hasRows else {
        #expect(keys == ["1 Add add", "2 Continue next", "3 Change change"])
        continue
      }
      let ofRows = ["3 Change: A vase 1", "4 Remove: A vase 2", "5 A lamp 3"]
      #expect(keys == ["1 Add add", "2 Continue next"] + ofRows)
      #expect(
        writer.text == """
          Things
          ======
            A vase (3 Change, 4 Remove)
            5   A lamp – €5.00

            1   Add
            2   Continue (Phone)

          """)
    }
  }

  @Test func `a row has its value, or a dash for a missing answer, behind a colon unless the question ends itself`() {
    var writer = ViewTextWriter<Void>(.english)
    writer.answer("Name", "Ada", isMissing: false, [])
    writer.answer("Phone", "", isMissing: true, [])
    writer.answer("Why?", "Lost", isMissing: false, [])
    writer.link("Any questions?", to: "/help")
    #expect(writer.text == "  Name: Ada\n  Phone: –\n  Why? Lost\nAny questions? /help\n")
  }

  @Test func `a summary of a form marks a question that people may leave out, and one that is asked later`() {
    var writer = ViewTextWriter<Void>(.english)
    let fields: [(title: String, need: FieldNeed, initial: String?)] = [
      ("What?", .required, nil), ("Phone", .optional, nil), ("Why?", .conditional, nil), ("Mail", .optional, "a@b.c"),
      ("Note", .optional, ""),
    ]
    writer.action("next", "Go", fields, ())
    let summary = "What?, Phone (optional), Why? (if it applies), Mail [a@b.c], Note (optional)"
    #expect(writer.text == "\n  1   Go (\(summary))\n")
  }

  @Test(arguments: [
    (53, ["  1   Weiter (Erwartet am, Wo haben Sie es erwartet?)"]),
    (40, ["  1   Weiter (Erwartet am, Wo haben Sie", "      es erwartet?)"]),
    (30, ["  1   Weiter (Erwartet am, Wo", "      haben Sie es erwartet?)"]),
    (
      12,
      [
        "  1   Weiter", "      (Erwar", "      tet", "      am, Wo", "      haben", "      Sie es", "      erwart",
        "      et?)",
      ]
    ),
  ])
  func `a line is broken between words, and a longer word anywhere`(width: Int, lines: [String]) {
    let text = "  1   Weiter (Erwartet am, Wo haben Sie es erwartet?)"
    #expect(text.wrapped(to: width, indentation: 6) == lines)
  }

  @Test func `a line of the width of the terminal stays, and the spaces at a break are left out`() {
    #expect("abc".wrapped(to: 3) == ["abc"] && "abc ".wrapped(to: 3) == ["abc"] && "".wrapped(to: 3) == [""])
    #expect("abc  def".wrapped(to: 4) == ["abc", "def"] && "abcd".wrapped(to: 1) == ["a", "b", "c", "d"])
    #expect("  abcdef".wrapped(to: 4, indentation: 4) == ["  ab", "  cd", "  ef"])
  }

  @Test func `the line below a title is not longer than the terminal`() {
    var writer = ViewTextWriter<Void>(.english)
    writer.title("A long title")
    #expect(writer.lines.flatMap { $0.wrapped(to: 6) }.map(\.text) == ["A long", "title", "======"])
  }

  private static let hints: [(String, String?)] = [
    (#"{"type": "string", "pattern": "^(?:VN[0-9]{10})$", "examples": ["VN1000000001"]}"#, "Such as VN1000000001."),
    (
      #"{"type": "string", "format": "date", "formatMinimum": "1900-01-31", "formatMaximum": "2026-11-27"}"#,
      "January 31, 1900 or later, November 27, 2026 or earlier, such as 2026-11-25."
    ),
    (#"{"type": "string", "format": "date", "description": "The first."}"#, "The first."),
    (#"{"type": "string", "format": "date-time"}"#, "Such as 2026-11-25T09:30:00+01:00."),
    (#"{"type": "integer", "minimum": 1, "maximum": 9}"#, "At least 1, at most 9."),
    (#"{"type": "integer", "minimum": 1, "maximum": 9, "description": "Adults."}"#, "Adults."),
    (#"{"type": "integer", "decimals": 2, "minimum": 100, "maximum": 2050}"#, "At least 1.00, at most 20.50."),
    (#"{"type": "number", "exclusiveMinimum": 0, "maximum": 999.5}"#, "More than 0, at most 999.5."),
    (#"{"type": "string", "minLength": 4, "maxLength": 4, "pattern": "^[0-9]{4}$"}"#, "4 digits."),
    (#"{"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 0, "maxItems": 2}"#, "At most 2."),
    (#"{"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1}"#, "At least 1."),
    (#"{"type": "string", "enum": ["a", "b"], "pattern": "^[ab]$", "examples": ["a"]}"#, nil),
    (#"{"type": "string", "minLength": 1, "maxLength": 80}"#, nil), (#"{"type": "string", "format": "email"}"#, nil),
    (#"{}"#, nil),
  ]

  @Test(arguments: hints)
  func `a question has the author's explanation, or else its limits and an example of its form`(
    schema: String, hint: String?
  ) throws {
    #expect(try field(schema).hint(in: .english) == hint)
  }

  @Test func `the bounds of a date have the form that people type, in a language that the service lacks`() throws {
    let schema = #"{"type": "string", "format": "date", "formatMinimum": "1900-01-31", "formatMaximum": "2026-11-27"}"#
    #expect(
      try field(schema).hint(in: .of("pl")) == "1900-01-31 or later, 2026-11-27 or earlier, such as 2026-11-25.")
  }

  @Test func `a form begins with a refused text, and not with a choice or an answer that does not exist`() throws {
    let choice = try field(
      #"{"type": "string", "oneOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]}"#)
    #expect(choice.mayBegin(with: "a") && choice.mayBegin(with: .null) && !choice.mayBegin(with: "5"))
    let several = try field(#"{"type": "array", "items": {"enum": ["a", "b"]}}"#)
    #expect(several.mayBegin(with: ["a", "b"]) && several.mayBegin(with: []) && !several.mayBegin(with: ["a", "c"]))
    let flag = try field(#"{"type": "boolean"}"#)
    #expect(flag.mayBegin(with: true) && !flag.mayBegin(with: "maybe"))
    #expect(try field(#"{"type": "integer", "maximum": 2}"#).mayBegin(with: 7))
    #expect(try field(#"{"type": "string", "format": "email"}"#).mayBegin(with: "jo@@x"))
  }
}
