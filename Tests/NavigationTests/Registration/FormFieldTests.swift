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
    @Field("Train") var train: OffsetDateTime?
    @Field("Plate", pattern: "[A-Z]{1,3}-[0-9]{1,4}", example: "B-12") var plate: String?
    @Field("Nights", in: 1...30) var nights: Int = 2
    @Field("Birth", from: CalendarDate("1900-01-01"), through: CalendarDate("2026-11-27")) var birth: CalendarDate?
    @Field("Visit", from: TimeOfDay("09:00"), through: TimeOfDay("17:30")) var visit: TimeOfDay?
  }

  private enum Extra: String, FieldChoice { case milk, sugar, cream }

  private let schema = FieldDeclarations(of: Everything()).schema
  private let valid: [(String, Value)] = [
    ("email", "ann@example.com"), ("phone", .null), ("site", .null), ("day", "2024-02-29"), ("time", .null),
    ("cents", 1250), ("extras", ["sugar"]), ("agrees", true), ("size", "milk"), ("note", .null),
    ("train", .null), ("plate", .null), ("nights", 2), ("birth", .null), ("visit", .null),
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
          "", "a", "@b", "a@", "a@b.", "a@-b", "a@b-", "a b@c", "é@b", "a@b..c", "a@\nb",
          "x@" + String(repeating: "a", count: 64),
        ]
      ),
      (
        "phone", ["123", "+49 30 123-456", "(030) 12", "0/1.2"],
        ["", "12", "+", "+ 123", "12a", "12\n3"]
      ),
      (
        "site", ["http://a", "https://example.com/ä?".replacing("ä", with: "a")],
        ["", "ftp://a", "http://", "https://a b", "https://é", "HTTP://a", "http://a\"b", "http://a/%2"]
      ),
      ("plate", ["B-1", "ABC-1234"], ["", "B1", "b-1", "ABCD-1", "B-12345", "B-\n1"]),
      (
        "train", ["2026-11-25T09:30:00Z", "2026-11-25T09:30:59.125+14:00", "0001-01-01T00:00:00-00:00"],
        [
          "", "2026-11-25", "2026-11-25T09:30Z", "2026-11-25T09:30:00", "2026-11-25t09:30:00z", "2026-11-25T24:00:00Z",
          "2026-11-25T09:30:60Z", "2026-11-25T09:30:00.Z", "2026-11-25T09:30:00+1:00", "2026-11-25T09:30:00+24:00",
          "2026-11-25T09:30:00\nZ", "2026-11-25 09:30:00Z", "2026-13-25T09:30:00Z",
        ]
      ),
      ("time", ["00:00", "23:59"], ["24:00", "9:30", "09:60", "09:30:00", "0930", ""]),
    ] as [(String, [String], [String])])
  func `a format takes its texts, and no others`(name: String, valid: [String], invalid: [String]) {
    for text in valid { #expect(keywords(name, Value(text)) == [], "\(text)") }
    for text in invalid { #expect(keywords(name, Value(text)) == ["pattern"], "\(text)") }
  }

  @Test func `a moment lies in the years 1 to 9999 of UTC`() {
    for text in ["0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "0000-12-31T23:59:59-01:00"] {
      #expect(keywords("train", Value(text)) == ["format"], "\(text)")
    }
    for text in ["0001-01-01T00:00:00-14:00", "9999-12-31T23:59:59+14:00", "0001-01-01T12:00:00+12:00"] {
      #expect(keywords("train", Value(text)) == [], "\(text)")
    }
  }

  @Test func `a date is a day of the calendar`() throws {
    for text in ["0001-01-01", "9999-12-31", "2000-02-29"] { #expect(keywords("day", Value(text)) == []) }
    for text in ["2026-1-1", "2026-13-01", "2026-00-01", "2026-01-32", "26-01-01", ""] {
      #expect(keywords("day", Value(text)) == ["pattern"], "\(text)")
    }
    for text in ["2026-02-29", "1900-02-29", "2026-04-31", "0000-01-01"] {
      #expect(keywords("day", Value(text)) == ["format"])
    }
    let day = try #require(CalendarDate("2026-11-05"))
    #expect((day.year, day.month, day.day) == (2026, 11, 5) && "\(day)" == "2026-11-05")
    #expect(day < CalendarDate(year: 2026, month: 11, day: 6)!)
    #expect(try Value(encoding: day) == "2026-11-05" && (try Value("2026-11-05").decode(CalendarDate.self)) == day)
    #expect(throws: ValueError.self) { try Value("2026-02-30").decode(CalendarDate.self) }
    let time = try #require(TimeOfDay("09:05"))
    #expect("\(time)" == "09:05" && time < TimeOfDay(hour: 10, minute: 0)!)
  }

  @Test func `the schema has an example of a pattern, and of a format that JSON Schema does not have`() {
    func examples(_ index: Int) -> Value? { schema.fields[index].jsonSchema["examples"] }
    #expect(examples(11) == ["B-12"] && examples(4) == ["09:30"] && examples(14) == ["09:30"])
    #expect(examples(3) == nil && examples(0) == nil)
  }

  @Test func `a date and a time of day have bounds`() {
    for text in ["1900-01-01", "2026-11-27"] { #expect(keywords("birth", Value(text)) == [], "\(text)") }
    #expect(keywords("birth", "1899-12-31") == ["formatMinimum"])
    #expect(keywords("birth", "2026-11-28") == ["formatMaximum"])
    #expect(keywords("birth", "2026-02-29") == ["format"] && keywords("birth", "1899") == ["pattern"])
    for text in ["09:00", "17:30"] { #expect(keywords("visit", Value(text)) == [], "\(text)") }
    #expect(keywords("visit", "08:59") == ["formatMinimum"] && keywords("visit", "17:31") == ["formatMaximum"])
    let (birth, visit) = (schema.fields[13], schema.fields[14])
    #expect(birth.jsonSchema["formatMinimum"] == "1900-01-01" && visit.jsonSchema["formatMaximum"] == nil)
    #expect(
      birth.kind.control == .input(type: "date", attributes: [.init("min", "1900-01-01"), .init("max", "2026-11-27")]))
    #expect(schema.fields[3].kind.control == .input(type: "date", attributes: [.init("max", "9999-12-31")]))
    #expect(schema.fields[4].kind.control == .input(type: "time"))
    #expect(visit.kind.bounded(minimum: "18:00", maximum: nil)?.declarationFaults == [.minimumAboveMaximum])
    let looser = visit.kind.bounded(minimum: "08:00", maximum: "20:00")
    #expect(looser?.faults(of: "08:30").map(\.keyword) == ["formatMinimum"])
    #expect(looser?.faults(of: "19:30").map(\.keyword) == ["formatMaximum"])
  }

  @Test func `an amount is a whole number of its smallest unit, written with decimal places`() {
    let kind = schema.fields[5].kind
    for (text, cents) in [
      ("12.50", 1250), ("12.5", 1250), ("12", 1200), ("1 000", 100_000), ("0.05", 5), ("-3.20", -320),
    ] {
      #expect(kind.value(from: text) == Value(cents), "\(text)")
    }
    for text in ["12.505", "12.", ".5x", "a", "1.2.3", "", "1,5"] {
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
    // The number of choices is unknown while some are wrong.
    #expect(keywords("extras", ["milk", "sugar", "tea", .null]) == ["items"])
    #expect(keywords("extras", ["milk", "milk", "sugar"]) == ["uniqueItems"])
    #expect(keywords("extras", "milk") == ["type"])
    let checked = try schema.check(input("extras", ["cream", "milk"]))
    #expect(checked["extras"] == ["milk", "cream"])
    #expect(try checked.decode(Everything.self).extras == [.milk, .cream])
  }

  @Test func `a choice that excludes the others is the only one`() {
    enum Visit: String, FieldChoice {
      case morning, evening, never, later
      var excludesOthers: Bool { self == .never || self == .later }
    }
    let kind = SeveralKind(Visit.choices, count: 0...3)
    for (items, keywords) in [
      (["never"], []), (["later"], []), ([], []), (["morning", "evening"], []), (["morning", "never"], ["anyOf"]),
      (["later", "never"], ["anyOf"]), (["never", "never"], ["uniqueItems", "anyOf"]),
    ] as [([String], [String])] {
      #expect(kind.faults(of: .array(items.map { Value($0) })).map(\.keyword) == keywords, "\(items)")
    }
    let schema = FieldSchema("visit", title: "Visit", kind: kind, errors: [.excludesOthers: "Choose."]).jsonSchema
    let excludes: Value = [["not": ["contains": ["enum": ["never", "later"]]]], ["maxItems": 1]]
    #expect(schema["anyOf"] == excludes && schema["errorMessage"]?["anyOf"] == "Choose.")
    #expect(schema["maxItems"] == 3)
    #expect(SeveralKind(["a", "b"]).limits.map(\.keyword) == ["items"])
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
      case .dateTime: "moment"
      }
    }
    #expect(
      schema.fields.indices.map(type)
        == [
          "email", "tel", "url", "date", "time", "text", "checkboxes", "checkbox", "radio", "lines", "moment", "text",
          "number", "date", "time",
        ])
  }

  @Test func `a date and time has an offset, and one stored form`() throws {
    #expect(keywords("train", "2026-02-29T09:30:00Z") == ["format"])
    let stored = try schema.check(input("train", "2026-11-25T09:30:15.250+00:00"))
    #expect(stored["train"] == "2026-11-25T09:30:15Z")
    let moment = try #require(OffsetDateTime("2026-11-25T09:30:00+01:00"))
    #expect((moment.date, moment.time) == (CalendarDate("2026-11-25")!, TimeOfDay("09:30")!))
    #expect(moment.second == 0 && moment.offset == 60 && "\(moment)" == "2026-11-25T09:30:00+01:00")
    #expect(moment.instant.text == "2026-11-25T08:30:00Z")
    #expect(OffsetDateTime("2026-11-25T00:10:05-09:30")?.instant.text == "2026-11-25T09:40:05Z")
    #expect(OffsetDateTime(date: moment.date, time: moment.time, second: 60, offset: 0) == nil)
    #expect(OffsetDateTime(date: moment.date, time: moment.time, offset: 1440) == nil)
  }

  @Test func `a form asks for a date and time in two controls`() {
    let kind = schema.fields[10].kind
    #expect(kind.value(from: ["2026-11-25T09:30", "+05:30"]) == "2026-11-25T09:30:00+05:30")
    #expect(kind.value(from: ["2026-11-25T09:30:15", "-03:00"]) == "2026-11-25T09:30:15-03:00")
    #expect(
      kind.value(from: ["", "+00:00"]) == "" && kind.value(from: ["2026-11-25T09:30:00Z"]) == "2026-11-25T09:30:00Z")
    #expect(kind.texts(of: "2026-11-25T09:30:00+05:30") == ["2026-11-25T09:30", "+05:30"])
    #expect(kind.texts(of: "2026-11-25T09:30:15Z") == ["2026-11-25T09:30:15", "+00:00"])
    #expect(OffsetDateTime.offsets.first == "-12:00" && OffsetDateTime.offsets.last == "+14:00")
    #expect(
      OffsetDateTime.offsets.contains("+05:45") && Set(OffsetDateTime.offsets).count == OffsetDateTime.offsets.count)
  }

  @Test func `a default stands for an absent field, and a form begins with it`() throws {
    let without = Value.object(valid.filter { $0.0 != "nights" })
    #expect(try schema.check(without)["nights"] == 2)
    #expect(try schema.check(without).decode(Everything.self).nights == 2)
    #expect(try schema.check(input("nights", 7))["nights"] == 7)
    #expect(keywords("nights", .null) == ["type"] && keywords("nights", 31) == ["maximum"])
    let nights = schema.fields[12]
    #expect(!nights.isRequired && nights.initial == 2)
    #expect(nights.jsonSchema["default"] == 2 && nights.jsonSchema["type"] == "integer")
    #expect(schema.fields[0].initial == nil && schema.fields[0].jsonSchema["default"] == nil)
  }

  private struct Mistaken: Action {
    static let name = "mistaken"
    static let title: Text = "Mistaken"
    @Field("Nights", in: 1...30) var nights: Int = 31
    @Field("Plate", pattern: "[A-Z", example: "A") var open: String
    @Field("Plate", pattern: "[A-Z]", example: "a") var other: String
    @Field("Plate", pattern: "[A-Z]", example: "A") var none: String? = nil
  }

  @Test func `a default is a valid value, and an example matches its pattern`() {
    let fields = FieldDeclarations(of: Mistaken()).schema.fields
    #expect(
      fields.map { $0.declarationFaults.map(\.description) } == [
        ["The default is not a valid value: maximum."],
        ["The pattern [A-Z is not valid: a class is not closed; write ] at its end, at character 1."],
        ["The pattern does not match its example a."], [],
      ])
    #expect(fields[3].initial == nil)
  }

  private struct Explained: Action {
    static let name = "explained"
    static let title: Text = "Explained"
    @Field("Name", length: 2...9, errors: [.required: "Write your name.", .maximumLength: "Write a short name."])
    var user: String
    @Field("Age", in: 18...99, errors: [.minimum: "Come back later."]) var age: Int?
    @Field("Price", decimals: 2, in: 1...100, errors: [.maximum: "Too much."]) var cents: Int = 1
    @Field("PIN", digits: 4, errors: [.pattern: "Four digits."]) var pin: String?
    @Field("Extras", count: 1...2, errors: [.required: "Choose one.", .choices: "Choose from the list."])
    var extras: [Extra]
    @Field("I agree", mustBeTrue: true, errors: [.required: "Agree to go on."]) var agrees: Bool
    @Field("Size", showsAll: true, errors: [.choices: "Choose a size."]) var size: Extra = .milk
    @Field("Mail", format: .email, errors: [.format: "Write an address."]) var mail: String?
    @Field("City", errors: [.choices: "Choose a city."]) var city: String?
  }

  @Test func `a field has its own sentences for its errors`() {
    let schema = FieldDeclarations(of: Explained()).schema
    #expect(schema.fields.flatMap(\.declarationFaults) == [])
    func sentences(_ input: Value, _ schema: InputSchema) -> [String] {
      do throws(InvalidInput) {
        _ = try schema.check(input)
        return []
      } catch {
        return error.failures.map { "\($0.pointer) \($0.fault.keyword): \($0.ownSentence?.string ?? "none")" }
      }
    }
    let refused: Value = [
      "user": "A", "age": 7, "cents": 101, "pin": "12", "extras": ["tea"], "agrees": false, "size": "tea", "mail": "x",
    ]
    #expect(
      sentences(refused, schema) == [
        "/user minLength: none", "/age minimum: Come back later.", "/cents maximum: Too much.",
        "/pin minLength: Four digits.", "/extras items: Choose from the list.", "/agrees const: Agree to go on.",
        "/size enum: Choose a size.", "/mail pattern: Write an address.",
      ])
    #expect(
      sentences(.emptyObject, schema) == [
        "/user required: Write your name.", "/extras required: Choose one.", "/agrees required: Agree to go on.",
      ])
    // An empty value is a missing one to people.
    #expect(
      sentences(["user": " ", "age": 100, "extras": [], "agrees": true], schema) == [
        "/user minLength: Write your name.", "/age maximum: none", "/extras minItems: Choose one.",
      ])
    #expect(
      sentences(["user": .null, "extras": ["milk"], "agrees": true], schema) == ["/user type: Write your name."])
    let offering = schema.limited(by: [ScreenLimit(field: "city", .choices(["Bern"], isListed: true))])
    #expect(
      sentences(["user": "Ann", "extras": ["milk"], "agrees": true, "city": "Rome"], offering)
        == ["/city enum: Choose a city."])
  }

  @Test func `the schema of a field has its own sentences by the keywords that fail`() {
    let fields = FieldDeclarations(of: Explained()).schema.fields
    func keywords(_ index: Int) -> [String]? { fields[index].jsonSchema["errorMessage"]?.members.map(\.key) }
    #expect(fields[0].jsonSchema["errorMessage"]?["required"] == "Write your name.")
    #expect(keywords(0) == ["required", "maxLength"])
    #expect(keywords(3) == ["minLength", "maxLength", "pattern"])
    #expect(keywords(4) == ["required", "items", "uniqueItems"])
    #expect(keywords(7) == ["pattern", "format"])
    #expect(schema.fields[0].jsonSchema["errorMessage"] == nil)
  }

  @Test func `a sentence for an error that no value has is a fault`() {
    struct Mistaken: Action {
      static let name = "mistaken"
      static let title: Text = "Mistaken"
      @Field("Name", errors: [.minimum: "Write more."]) var user: String
      @Field("Note", errors: [.required: "Write a note."]) var note: String?
      @Field("Size", minimum: 0, errors: [.choices: "Choose one."]) var size: Double
    }
    #expect(
      FieldDeclarations(of: Mistaken()).schema.fields.map(\.declarationFaults) == [
        [.errorWithoutLimit(.minimum)], [.errorWithoutLimit(.required)], [.errorWithoutLimit(.choices)],
      ])
  }

  @Test func `a field begins with a valid value of its name, unless it is secret`() {
    struct SignIn: Action {
      static let name = "sign-in"
      static let title: Text = "Sign in"
      @Field("Name", length: 1...9) var user: String
      @Field("Age", in: 0...150) var age: Int
      @Field("PIN", digits: 4, isSecret: true) var pin: String
      @Field("Nights", in: 1...30) var nights: Int = 2
    }
    let schema = FieldDeclarations(of: SignIn()).schema
      .beginning(with: ["user": "Ann", "age": "old", "pin": "1234", "nights": .null, "other": 1])
    #expect(schema.fields.map(\.initial) == ["Ann", nil, nil, 2])
  }
}
