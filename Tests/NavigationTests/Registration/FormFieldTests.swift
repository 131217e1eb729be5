import Testing
import Values

@testable import Navigation

/// The kinds of fields beyond texts, numbers and menus.
@Suite struct FormFieldTests {
  private struct Everything: Action {
    static let name = "everything"
    static let title: Text = "Everything"
    @Field("E-mail", format: .email) var email: String
    @Field("Phone", format: .phone) var phone: String?
    @Field("Site", format: .url) var site: String?
    @Field("Day") var day: CalendarDate
    @Field("Time") var time: TimeOfDay?
    @Field("Price", decimals: 2, unit: "EUR", in: 100...1_000_00) var cents: Int
    @Field("Extras", count: 1...2) var extras: [Extra]
    @Field("I agree", mustBeTrue: true) var agrees: Bool
    @Field("Size", showsAll: true) var size: Extra
    @Field("Note", length: 0...80, isMultiline: true) var note: String?
  }

  private enum Extra: String, FieldChoice { case milk, sugar, cream }

  private let schema = FieldDeclarations(of: Everything()).schema
  private let valid: [(String, Value)] = [
    ("email", "ann@example.com"), ("phone", .null), ("site", .null), ("day", "2024-02-29"), ("time", .null),
    ("cents", 1250), ("extras", ["sugar"]), ("agrees", true), ("size", "milk"), ("note", .null),
  ]

  private func input(_ name: String, _ value: Value) -> Value {
    .object(valid.map { ($0.0, $0.0 == name ? value : $0.1) })
  }

  private func keywords(_ name: String, _ value: Value) -> [String] {
    do throws(InvalidInput) {
      _ = try schema.check(input(name, value))
      return []
    } catch {
      return error.failures.map(\.fault.keyword)
    }
  }

  @Test(
    arguments: [
      (
        "email", ["a@b", "a.b+c@d-e.example", "x@" + String(repeating: "a", count: 63)],
        [
          "", "a", "@b", "a@", "a@b.", "a@-b", "a@b-", "a b@c", "é@b", "a@b..c", "a@b\n",
          "x@" + String(repeating: "a", count: 64),
        ]
      ),
      (
        "phone", ["123", "+49 30 123-456", "(030) 12", "0/1.2"],
        ["", "12", "+", "+ 123", "12a", "123\n"]
      ),
      (
        "site", ["http://a", "https://example.com/ä?".replacing("ä", with: "a")],
        ["", "ftp://a", "http://", "https://a b", "https://é", "HTTP://a"]
      ),
      ("time", ["00:00", "23:59"], ["24:00", "9:30", "09:60", "09:30:00", "0930", ""]),
    ] as [(String, [String], [String])])
  func `a format takes its texts, and no others`(name: String, valid: [String], invalid: [String]) {
    for text in valid { #expect(keywords(name, Value(text)) == [], "\(text)") }
    for text in invalid { #expect(keywords(name, Value(text)) == ["pattern"], "\(text)") }
  }

  @Test func `a date is a day of the calendar`() throws {
    for text in ["0000-01-01", "9999-12-31", "2000-02-29"] { #expect(keywords("day", Value(text)) == []) }
    for text in ["2026-1-1", "2026-13-01", "2026-00-01", "2026-01-32", "26-01-01", ""] {
      #expect(keywords("day", Value(text)) == ["pattern"], "\(text)")
    }
    for text in ["2026-02-29", "1900-02-29", "2026-04-31"] { #expect(keywords("day", Value(text)) == ["format"]) }
    let day = try #require(CalendarDate("2026-11-05"))
    #expect((day.year, day.month, day.day) == (2026, 11, 5) && "\(day)" == "2026-11-05")
    #expect(day < CalendarDate(year: 2026, month: 11, day: 6)!)
    #expect(try Value(encoding: day) == "2026-11-05" && (try Value("2026-11-05").decode(CalendarDate.self)) == day)
    #expect(throws: ValueError.self) { try Value("2026-02-30").decode(CalendarDate.self) }
    let time = try #require(TimeOfDay("09:05"))
    #expect("\(time)" == "09:05" && time < TimeOfDay(hour: 10, minute: 0)!)
  }

  @Test func `an amount is a whole number of its smallest unit, written with decimal places`() {
    let kind = schema.fields[5].kind
    for (text, cents) in [
      ("12.50", 1250), ("12.5", 1250), ("12", 1200), ("1 000", 100_000), ("0.05", 5), ("-3.20", -320),
    ] {
      #expect(kind.value(from: text) == Value(cents), "\(text)")
    }
    for text in ["12.505", "12.", ".5x", "a", "1.2.3", "", "1,5", "99999999999999999999"] {
      #expect(kind.value(from: text) == Value(text), "\(text)")
    }
    #expect(kind.text(of: 1250) == "12.50" && kind.text(of: 5) == "0.05" && kind.text(of: -320) == "-3.20")
    #expect(keywords("cents", 99) == ["minimum"] && keywords("cents", 100_001) == ["maximum"])
    #expect(keywords("cents", "x") == ["type"] && keywords("cents", 12.5) == ["type"])
    #expect(schema.fields[5].jsonSchema["decimals"] == 2 && schema.fields[5].jsonSchema["unit"] == "EUR")
  }

  @Test func `a list has several choices, each once, and is stored in their order`() throws {
    #expect(keywords("extras", []) == ["minItems"])
    #expect(keywords("extras", ["milk", "sugar", "cream"]) == ["maxItems"])
    #expect(keywords("extras", ["milk", "milk"]) == ["uniqueItems"])
    #expect(keywords("extras", ["tea"]) == ["items"] && keywords("extras", [1]) == ["items"])
    #expect(keywords("extras", "milk") == ["type"])
    let checked = try schema.check(input("extras", ["cream", "milk"]))
    #expect(checked["extras"] == ["milk", "cream"])
    #expect(try checked.decode(Everything.self).extras == [.milk, .cream])
  }

  @Test func `a consent is given, or the input is refused`() {
    #expect(keywords("agrees", false) == ["const"] && keywords("agrees", .null) == ["type"])
    #expect(schema.fields[7].jsonSchema["const"] == true)
  }

  @Test func `a form has a control for each kind`() {
    func type(_ index: Int) -> String {
      switch schema.fields[index].kind.control {
      case .input(let type, _): type
      case .radio: "radio"
      case .checkboxes: "checkboxes"
      case .checkbox: "checkbox"
      case .textArea: "lines"
      case .select: "menu"
      }
    }
    #expect(
      schema.fields.indices.map(type)
        == ["email", "tel", "url", "date", "time", "text", "checkboxes", "checkbox", "radio", "lines"])
  }
}
