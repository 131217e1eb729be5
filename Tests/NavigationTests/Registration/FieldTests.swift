import Languages
import Testing
import Values

@testable import Navigation

/// The parsing and the validation of values, the same for JSON, forms and links.
@Suite struct FieldKindTests {
  private static let numbers: [any FieldKind] = [WholeNumberKind(), NumberKind()]

  @Test(arguments: ["0x10", "+1", "1.", ".", "-", "1e", "nan", "inf", "infinity", "one", "", "0b1", "1_000", "١"])
  func `a text that no number control accepts is not a number in a form or a link`(text: String) {
    for kind in Self.numbers {
      let value = kind.value(from: text)
      #expect(value == Value(text) && kind.faults(of: value).map(\.keyword) == ["type"])
    }
  }

  @Test func `a number is parsed in every notation of JSON, and with spaces`() {
    for kind in Self.numbers {
      for (text, value) in [("7", 7), ("-7", -7), (" 10 000 ", 10_000), ("1e2", 100)] as [(String, Value)] {
        #expect(kind.value(from: text) == value && kind.faults(of: value).isEmpty, "\(text)")
      }
    }
    #expect(NumberKind().value(from: "0.5") == 0.5)
  }

  @Test func `a number that a browser's control accepts is a number`() {
    for (text, value) in [("07", 7), ("-007", -7), ("00", 0), ("1.0", 1), ("01.00", 1)] as [(String, Value)] {
      let kind = WholeNumberKind()
      #expect(kind.stored(kind.value(from: text)) == value && kind.faults(of: kind.value(from: text)) == [], "\(text)")
    }
    for (text, value) in [(".5", 0.5), ("-.5", -0.5), ("00.5", 0.5)] as [(String, Value)] {
      #expect(NumberKind().value(from: text) == value, "\(text)")
    }
    #expect(AmountKind(decimals: 2).value(from: "-.5") == -50)
    #expect(AmountKind(decimals: 2).value(from: "-") == "-")
    #expect(WholeNumberKind().value(from: "1.5") == "1.5")
  }

  @Test func `texts have no blanks at their ends, secrets and choices as they are`() throws {
    let schema = InputSchema(fields: [
      FieldSchema("plate", title: "Plate", kind: PatternKind("[A-Z]{2} [0-9]", example: "AB 1"))
    ])
    #expect(try schema.check(["plate": "\u{FEFF} AB 1\u{A0}\n"]) == ["plate": "AB 1"])
    #expect(TextKind(length: 1...9).cleaned(" \t\u{200B}") == "")
    for text in ["a\u{200B}b", "\u{0}a\u{1B}", "\u{202E}a"] {
      #expect(TextKind().cleaned(Value(text)) == Value(text) && TextKind().faults(of: Value(text)) == [])
    }
    #expect(TextKind(isSecret: true).cleaned(" a ") == " a ")
    #expect(ChoiceKind([" a "]).cleaned(" a ") == " a ")
    #expect(TextKind().cleaned(7) == 7)
  }

  @Test func `two and two thousand are not told apart by a whole number`() {
    // Two for some people, and two thousand for others.
    #expect(WholeNumberKind().value(from: "2.000") == "2.000")
    #expect(WholeNumberKind().faults(of: 0.5) == [.wrongType(expected: .wholeNumber)])
  }

  @Test(arguments: ["7", "07", "1.0", "1e2", "1.5e1", "-3"])
  func `a whole number that a control of a browser accepts is one`(typed: String) {
    let kind = WholeNumberKind()
    #expect(kind.faults(of: kind.value(from: typed)).isEmpty)
  }

  @Test(arguments: [0, 18, -0.5])
  func `the control of a number refuses its exclusive minimum`(bound: Double) throws {
    let kind = NumberKind(NumberBounds(exclusiveMinimum: bound))
    guard case .input(_, let attributes) = kind.control else { throw CancellationError() }
    let minimum = try #require(attributes.first { $0.name == "min" }.flatMap { Double($0.value) })
    #expect(minimum > bound && kind.faults(of: Value(finite: minimum)!).isEmpty)
  }

  @Test func `the control of a whole number has whole bounds`() throws {
    let bounds = NumberBounds(minimum: 0.5, maximum: 7.5)
    for kind in [WholeNumberKind(bounds), WholeNumberKind(NumberBounds(exclusiveMinimum: 0, maximum: 7))] {
      guard case .input(_, let attributes) = kind.control else { throw CancellationError() }
      #expect(
        attributes.first { $0.name == "min" }?.value == "1" && attributes.first { $0.name == "max" }?.value == "7")
    }
  }

  @Test func `the patterns of a form have one limit of steps`() throws {
    let kind = PatternKind("([a-z]+[ ]?){1,300}", example: "one two")
    let fields = (0..<40).map { number in
      FieldSchema("f\(number)", title: "F", kind: kind)
    }
    let schema = InputSchema(fields: fields)
    let long = Value(String(repeating: "a", count: 200))
    func failures(_ value: Value) -> [FieldFault] {
      do throws(InvalidInput) {
        _ = try schema.check(.object(fields.map { ($0.name, value) }))
        return []
      } catch {
        return error.failures.map(\.fault)
      }
    }
    #expect(failures("one two").isEmpty)
    #expect(kind.faults(of: long).isEmpty && failures(long).last?.fact == .tooLongToMatch)
  }

  @Test(arguments: [0, 2], [nil, 0, -5000]) func `the control of an amount submits amounts alone`(
    decimals: Int, minimum: Double?
  ) throws {
    let kind = AmountKind(NumberBounds(minimum: minimum), decimals: decimals)
    let pattern = try Regex(kind.pattern(in: .english))
    for typed in [
      "12", " 1 200 ", "-3", "12.5", "12.50", ".5", "-.5", "12.505", "12.", "-", "1e3", "0x1", "a", "1,5", "1,234.50",
      "1,234", "12,34.50", "0,123.45", "1,234.505",
    ] {
      let isAmount = kind.faults(of: kind.value(from: typed)).isEmpty
      #expect((try pattern.wholeMatch(in: typed) != nil) == isAmount, "\(typed)")
    }
    let german = try Regex(kind.pattern(in: .german))
    for typed in ["12", "12,50", "12.50", "1.234,50", "1.234", "1,234.50", "12.34,50"] {
      let isAmount = kind.faults(of: kind.value(from: typed, in: .german)).isEmpty
      #expect((try german.wholeMatch(in: typed) != nil) == isAmount, "\(typed)")
    }
    let large = kind.value(from: "99999999999999999999")
    #expect(kind.faults(of: large).map(\.keyword) == ["maximum"])
  }

  @Test func `a wrong amount is one that a person has typed, or a value of a program`() {
    func expected(_ value: Value, decimals: Int = 2) -> [FieldFault] {
      AmountKind(decimals: decimals).faults(of: value)
    }
    for value in ["12.50", "1250", ".5", 12.5, true, .null, [], [:]] as [Value] {
      #expect(expected(value) == [.wrongType(expected: .smallestUnits(decimals: 2))], "\(value)")
    }
    for typed in ["", "x", "12,50", "12.505", "1,234.50"] as [Value] {
      #expect(expected(typed) == [.wrongType(expected: .amount(decimals: 2))], "\(typed)")
    }
    // In a language with a decimal comma, a form sends this text as people have typed it.
    #expect(expected("12.345", decimals: 3) == [.wrongType(expected: .amount(decimals: 3))])
    #expect(expected("12345", decimals: 3) == [.wrongType(expected: .smallestUnits(decimals: 3))])
    #expect(expected("x", decimals: 0) == [.wrongType(expected: .wholeNumber)])
  }

  @Test func `a value outside of its bounds fails the keyword of the bound`() {
    let kind = NumberKind(NumberBounds(exclusiveMinimum: 0, maximum: 999.5))
    #expect(kind.faults(of: 0) == [.outside(.exclusiveMinimum(0))] && kind.faults(of: 0.5).isEmpty)
    #expect(kind.faults(of: 999.5).isEmpty && kind.faults(of: 1000) == [.outside(.maximum(999.5))])
    #expect(kind.faults(of: 1000).map(\.keyword) == ["maximum"])
  }

  @Test func `the length of a text counts code points`() {
    let kind = TextKind(length: 2...3)
    #expect(kind.faults(of: "日本語").isEmpty && kind.faults(of: "é") == [.outside(.minimumLength(2))])
    #expect(kind.faults(of: "e\u{301}xy").map(\.keyword) == ["maxLength"])
  }

  @Test func `a text with another number of digits has one fact, whichever keywords fail`() {
    let faults = DigitsKind(4).faults(of: "1a")
    #expect(faults.map(\.keyword) == ["minLength", "pattern"])
    #expect(faults.map(\.fact) == [.outside(.digits(4)), .outside(.digits(4))])
  }

  @Test func `the choices of a screen are a further limit of a text`() throws {
    let choices: [Choice] = ["ab", "abcd"]
    let kind = try #require(TextKind(length: 2...3, isSecret: true).limited(to: choices))
    #expect(kind.limits == [.minimumLength(2), .maximumLength(3), .choices(choices)])
    #expect(kind.isSecret && kind.format == "password" && !kind.takesEmptyText && kind.control == .select(choices))
    #expect(kind.faults(of: "ab").isEmpty && kind.faults(of: 7) == [.wrongType(expected: .text)])
    #expect(kind.faults(of: "x").map(\.keyword) == ["minLength", "enum"])
    #expect(kind.faults(of: "abcd").map(\.keyword) == ["maxLength"])
    #expect(kind.limited(to: choices) == nil)
    let date = try #require(TextFormat.date.kind().limited(to: ["2026-11-25", "soon"]))
    #expect(date.limits.map(\.keyword) == ["pattern", "enum"] && date.faults(of: "soon").map(\.keyword) == ["pattern"])
  }

  @Test func `a choice in another language is the same one`() {
    let kind = SeveralKind(["a", Choice("none", hint: "No.", excludesOthers: true)]).withTexts { "\($0.string)!" }
    #expect(kind.allChoices.map(\.title) == ["a!", "none!"] && kind.allChoices.map(\.hint) == [nil, "No.!"])
    #expect(kind.faults(of: ["a", "none"]).map(\.keyword) == ["anyOf"])
  }

  @Test func `a choice that has a hint alone is in the schema with its title`() {
    let schema = FieldSchema("size", title: "Size", kind: ChoiceKind([Choice("s", hint: "For one."), "m"])).jsonSchema
    #expect(schema["oneOf"]?.elements.map { $0["title"] } == ["s", "m"])
    #expect(schema["oneOf"]?.elements.map { $0["description"] } == ["For one.", nil])
    #expect(FieldSchema("size", title: "Size", kind: ChoiceKind(["s", "m"])).jsonSchema["oneOf"] == nil)
  }

  private struct Stay: Encodable {
    enum Days: Int, FieldChoice {
      case one = 1
      case week = 7
      var title: Text { self == .week ? "A week" : "1" }
    }
    @Field("Nights", choices: [1, Choice(7, title: "A week")], showsAll: true) var nights: Int
    @Field("Insured", choices: [Choice(true, title: "With insurance"), Choice(false, title: "Without")])
    var isInsured: Bool?
    @Field("Pet", showsAll: true) var hasPet: Bool
    @Field("Days") var days: Days = .week
    @Field("More days", count: 0...2) var more: [Days]
  }

  @Test func `whole numbers and booleans are choices of their type`() throws {
    let schema = FieldDeclarations(of: Stay()).schema
    #expect(schema.fields.flatMap(\.declarationFaults) == [])
    let nights = schema.fields[0].jsonSchema
    #expect(nights["type"] == "integer" && nights["enum"] == [1, 7])
    #expect(nights["oneOf"] == [["const": 1, "title": "1"], ["const": 7, "title": "A week"]])
    let isInsured = schema.fields[1].jsonSchema
    #expect(isInsured["type"] == ["boolean", "null"] && isInsured["enum"] == [true, false, .null])
    #expect(schema.fields[3].jsonSchema["enum"] == [1, 7] && schema.fields[3].jsonSchema["default"] == 7)
    #expect(schema.fields[4].jsonSchema["items"]?["type"] == "integer")
    let valid = try schema.check(["nights": 7.0, "isInsured": false, "hasPet": true, "more": [7, 1]])
    #expect(valid == ["nights": 7, "isInsured": false, "hasPet": true, "days": 7, "more": [1, 7]])
    #expect(try valid.decode(Decoded.self).days == .week)
    for (input, fault) in [
      (["nights": 2, "hasPet": true, "more": []], "enum"), (["nights": "7", "hasPet": true, "more": []], "type"),
      (["nights": 1, "isInsured": "true", "hasPet": true, "more": []], "type"),
      (["nights": 1, "more": []], "required"), (["nights": 1, "hasPet": true, "more": [2]], "items"),
      (["nights": 1, "hasPet": true, "more": [1, 1]], "uniqueItems"),
    ] as [(Value, String)] {
      let found = #expect(throws: InvalidInput.self) { try schema.check(input) }
      #expect(found?.failures.map(\.fault.keyword) == [fault], "\(input)")
    }
  }

  private struct Decoded: Decodable { let days: Stay.Days }

  @Test func `a form sends choices as texts, and yes or no has none at first`() {
    let fields = FieldDeclarations(of: Stay()).schema.fields
    #expect(fields[0].kind.value(from: "7") == 7 && fields[0].kind.value(from: "x") == "x")
    #expect(fields[1].kind.value(from: "false") == false && fields[1].kind.value(from: "no") == "no")
    #expect(fields[4].kind.value(from: ["", "7"]) == [7] && fields[4].kind.value(from: "1,7") == [1, 7])
    #expect(fields[4].kind.texts(of: [1, 7]) == ["1", "7"])
    guard case .radio(let answers) = fields[2].kind.control else {
      Issue.record("Yes and no are a checkbox.")
      return
    }
    #expect(answers.map(\.value) == [true, false])
    #expect(answers.map { $0.title.written(in: .german).string } == ["Ja", "Nein"])
    #expect(fields[2].initial == nil && fields[2].isRequired && fields[2].jsonSchema["oneOf"] == nil)
    #expect(BooleanKind().control == .checkbox)
  }

  @Test func `the choices of a screen limit a whole number, and no amount`() throws {
    let kind = try #require(WholeNumberKind(NumberBounds(maximum: 5)).limited(to: [1, 7]))
    #expect(kind.faults(of: 1).isEmpty && kind.faults(of: 2).map(\.keyword) == ["enum"])
    #expect(kind.faults(of: 7).map(\.keyword) == ["maximum"])
    #expect(AmountKind(decimals: 2).limited(to: [1]) == nil && BooleanKind().limited(to: []) == nil)
  }

  @Test func `a form asks on several lines for a text that may be long, unless it is secret`() {
    let lines = FieldControl.textArea(attributes: [.init("maxlength", "500")])
    #expect(TextKind(length: 0...500).control == lines)
    #expect(PatternKind("a*", example: "a", length: 0...500).control == lines)
    guard case .input("password", _) = TextKind(length: 0...500, isSecret: true).control else {
      Issue.record("A secret is not hidden.")
      return
    }
  }

  @Test func `a mistake in the declaration of a field is found`() {
    #expect(ChoiceKind([]).declarationFaults == [.noChoices])
    #expect(ChoiceKind(["a", "b", "a"]).declarationFaults == [.repeatedChoice("a")])
    #expect(ChoiceKind([1, "2"], of: WholeNumberKind()).declarationFaults == [.choiceOfOtherType("2")])
    #expect(SeveralKind([1]).declarationFaults == [.choiceOfOtherType("1")])
    #expect(
      TextKind(length: -1...2).declarationFaults == [.negativeLength]
        && DigitsKind(-1).declarationFaults == [.negativeLength])
    #expect(NumberBounds(minimum: 2, maximum: 1).declarationFaults == [.minimumAboveMaximum])
    #expect(NumberBounds(exclusiveMinimum: 1, maximum: 1).declarationFaults == [.emptyRange])
  }
}

/// The fields of an action in the steps of a link.
@Suite struct FieldValueTests {
  private struct Probe: Action {
    static let name = "probe"
    static let title: Text = "Probe"
    @Field("Name", choices: ["a1", "a2"]) var name: String
    @Field("Count", in: 1...9) var count: Int
    @Field("Share") var share: Double
    @Field("Sure") var isSure: Bool
    @Field("Note") var note: String?
  }

  @Test func `an action takes its fields by name, from values and from other fields`() throws {
    let written = Probe(
      name: Field(value: "a1"), count: Field(value: 3), share: Field(value: 0.5), isSure: Field(value: true))
    #expect(
      try Value(encoding: written).description == #"{"name":"a1","count":3,"share":0.5,"isSure":true,"note":null}"#)
    let copied = Probe(
      name: written.$name, count: Field(value: written.count + 1), share: written.$share, isSure: written.$isSure,
      note: Field(value: "x"))
    #expect(copied.name == "a1" && copied.count == 4 && copied.note == "x")
  }
}

/// Secret fields in schemas and inputs.
@Suite struct SecretFieldTests {
  private struct Login: Action {
    static let name = "login"
    static let title: Text = "Log in"
    @Field("Name", length: 1...80) var name: String
    @Field("Password", length: 8...1000, isSecret: true) var password: String
    @Field("Code", digits: 6, isSecret: true) var code: String?
  }

  private let schema = FieldDeclarations(of: Login()).schema

  @Test func `secrets are marked in the schema`() {
    let properties = schema.jsonSchema["properties"]
    for (name, isSecret) in [("name", false), ("password", true), ("code", true)] {
      #expect(properties?[name]?["writeOnly"]?.bool == (isSecret ? true : nil))
      #expect(properties?[name]?["format"]?.text == (isSecret ? "password" : nil))
    }
  }

  @Test func `secret and undeclared members are hidden`() {
    let input: Value = ["name": "ann", "password": "open sesame", "code": .null, "old": ["x": 1], "gone": .null]
    let shown = schema.hidingSecrets(of: input)
    #expect(shown == ["name": "ann", "password": "••••", "code": .null, "old": "••••", "gone": .null])
    #expect(schema.hidingSecrets(of: "open sesame") == "••••")
    #expect(schema.hidingSecrets(of: .emptyObject) == .emptyObject)
  }

  @Test func `a field is secret if any action of the name declares it so`() {
    let plain = FieldDeclarations(of: Plain()).schema
    for both in [plain.adding(schema), schema.adding(plain)] {
      #expect(both.hidingSecrets(of: ["password": "open sesame"]) == ["password": "••••"])
    }
  }

  private struct Plain: Encodable {
    @Field("Password", length: 8...1000) var password: String
  }
}

/// The inputs of actions and of an app at creation.
@Suite struct InputTests {
  @Test func `an app's input reaches its root, and absent fields get their defaults`() throws {
    let given = try Session(Club.app, input: ["guests": 3, "size": "large"]).state.nodes[0].state.encoding
    #expect(given["guests"] == 3 && given["size"] == "large")
    let absent = try Session(Club.app).state.nodes[0].state.encoding
    #expect(absent["guests"] == 0 && absent["size"] == "small")
  }

  @Test(arguments: [["guests": 6], ["guests": "two"], ["size": "huge"], ["guests": 1.5]] as [Value])
  func `an invalid input of an app is rejected`(input: Value) throws {
    let app = try AppDefinition(Club.app)
    #expect(throws: Rejection.self) { try app.begin(input: input) }
  }

  @Test func `the cases of an enumeration are the choices of its field`() throws {
    let app = try AppDefinition(Club.app)
    #expect(app.input.jsonSchema["properties"]?["size"]?["enum"] == ["small", "large", .null])
    var session = try Session(Club.app)
    try session.act("enter", ["room": "blue"])
    #expect(try session.titles == ["Hall", "The blue room"])
    session.expectRejected { try $0.act("write", ["what": "book"]) }
  }

  @Test(arguments: [1e17, -1e17, 4.0]) func `a whole number is accepted in every notation`(number: Double) throws {
    var session = try Session(Vault.app)
    let written = try #require(Value(finite: number))
    try session.act("mark", ["count": written])
    #expect(try session.view.tabBar?.tabs[1].badge == Int(number))
  }

  @Test(arguments: [1e19, -1e19]) func `a whole number beyond 64 bits is refused`(number: Double) throws {
    var session = try Session(Vault.app)
    let written = try #require(Value(finite: number))
    session.expectRejected { try $0.act("mark", ["count": written]) }
  }
}
