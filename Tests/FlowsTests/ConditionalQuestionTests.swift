import Testing
import UsherTesting
import Values

@testable import Navigation

/// The JSON Schema of a page on which a question depends on other answers. `script/check fields` compares generated
/// pages with the service.
@Suite struct ConditionalQuestionTests {
  /// Returns the schema of a page.
  ///
  /// - Parameters:
  ///   - questions: the conditions of the text questions `x0`, `x1` and so on at the end of the page.
  ///   - known: the answers to the page before.
  private func schema(
    _ conditions: String..., known: Value = ["known": 3, "colors": ["red"], "word": "ab"]
  ) throws -> Value {
    let last = conditions.enumerated().map {
      "        x\($0): {type: string, title: Extra, maxLength: 3, when: '=\($1)'}"
    }
    let flow = """
      usher: 1
      app: page
      root: main
      coordinators:
        main:
          journey:
            questions:
              known: {type: [integer, "null"]}
              colors: {type: array, items: {type: string, enum: [red, blue]}}
              word: {type: [string, "null"]}
              kind: {type: string, enum: [a, b, c]}
              count: {type: integer}
              price: {type: number}
              isNew: {type: boolean}
              tags: {type: array, items: {type: string, enum: [s, t]}}
              cup: {type: string, enum: [m, l], default: m}
              train: {type: [string, "null"], format: date-time}
      \(last.joined(separator: "\n"))
            pages:
              before: {questions: [known, colors, word]}
              form: {questions: [kind, count, price, isNew, tags, cup, train, \(names(conditions.count))]}
            done: [{setStack: [sent]}]
      screens: {sent: {title: Sent}}
      """
    var session = try TestSession(FlowFolder.app(flow))
    try session.act("continue", known)
    #expect(session.view.screen.name == "form")
    return session.view.actions[0].input.jsonSchema
  }

  private func names(_ count: Int) -> String { (0..<count).map { "x\($0)" }.joined(separator: ", ") }

  /// Returns the conditions of the rules of a schema.
  private func conditions(_ schema: Value) -> [String] {
    schema["allOf"]?.elements.map { $0["if"]?.description ?? "" } ?? []
  }

  private func required(_ schema: Value) -> [String] {
    schema["required"]?.elements.compactMap(\.text) ?? []
  }

  private static func test(_ field: String, _ rule: String) -> String {
    #"{"properties":{"\#(field)":\#(rule)},"required":["\#(field)"]}"#
  }

  private static func given(_ field: String) -> String { test(field, #"{"not":{"const":null}}"#) }
  private static func negated(_ rule: String) -> String { #"{"not":\#(rule)}"# }
  private static func allOf(_ rules: String...) -> String { #"{"allOf":[\#(rules.joined(separator: ","))]}"# }
  private static func anyOf(_ rules: String...) -> String { #"{"anyOf":[\#(rules.joined(separator: ","))]}"# }

  private static let isA = test("kind", #"{"const":"a"}"#)

  /// Conditions in expressions, and in the schema.
  private static let rules: [(String, String)] = [
    (#"kind == "a""#, isA),
    (#""a" == kind"#, isA),
    (#"kind != "a""#, negated(isA)),
    (#"!(kind != "a")"#, isA),
    (#"kind == null ? false : kind == "a""#, allOf(given("kind"), isA)),
    (#"kind in ["a", "b"]"#, test("kind", #"{"enum":["a","b"]}"#)),
    (#"kind in ["a", null]"#, anyOf(isA, negated(given("kind")))),
    ("kind != null", given("kind")),
    ("count == 4", test("count", #"{"const":4}"#)),
    ("count != null && count > 4", allOf(given("count"), test("count", #"{"type":"number","exclusiveMinimum":4}"#))),
    ("count == null || 4 >= count", anyOf(negated(given("count")), test("count", #"{"type":"number","maximum":4}"#))),
    ("count != null && 4 <= count", allOf(given("count"), test("count", #"{"type":"number","minimum":4}"#))),
    (
      "price != null && price < 2.5",
      allOf(given("price"), test("price", #"{"type":"number","exclusiveMaximum":2.5}"#))
    ),
    ("isNew != null && isNew", allOf(given("isNew"), test("isNew", #"{"const":true}"#))),
    (
      #"tags != null && "s" in tags"#,
      allOf(given("tags"), test("tags", #"{"type":"array","contains":{"const":"s"}}"#))
    ),
  ]

  @Test(arguments: rules)
  func `a test of an answer is a rule of the schema`(expression: String, condition: String) throws {
    let schema = try schema(expression)
    #expect(conditions(schema) == [condition])
    #expect(schema["properties"]?["x0"] == ["title": "Extra"])
    let then = try #require(schema["allOf"]?.elements.map { $0["then"] ?? .null }.first)
    #expect(then["required"] == ["x0"] && then["properties"]?["x0"]?["maxLength"] == 3)
    #expect(!required(schema).contains("x0"))
  }

  @Test(arguments: [
    #"size(kind == null ? "" : kind) > 1"#, "tags == [\"s\"]", "tags != null && size(tags) > 1", "train != null",
    #"(kind == "a") == (count == 4)"#, "count != null && price != null && count > price",
  ])
  func `a field whose condition the schema cannot express is optional`(expression: String) throws {
    let schema = try schema(expression)
    #expect(schema["allOf"] == nil && !required(schema).contains("x0"))
    #expect(schema["properties"]?["x0"]?["type"] == "string")
  }

  @Test func `answers to pages before are constants`() throws {
    let isA = Self.isA
    let schema = try schema(
      #"known == 3 && kind == "a""#, #"known == 4 || kind == "a""#, #"known == 3 || kind == "a""#,
      #"known == 4 && kind == "a""#, #"known != null && count == known"#,
      #"kind == "b" && colors != null && "blue" in colors"#, "known == null")
    #expect(conditions(schema) == [isA, isA, Self.test("count", #"{"const":3}"#)])
    #expect(required(schema).contains("x2"))
    #expect(schema["properties"]?["x3"] == nil && schema["properties"]?["x5"] == nil)
    #expect(schema["properties"]?["x6"] == nil)
  }

  @Test func `a value that is not there decides before the tests that rely on it`() throws {
    let schema = try schema(
      #"known != null && known > 2 && kind == "a""#, #"known == null || known > 2 && kind == "a""#,
      #"known != null && (kind == "a" || known > 2)"#, known: ["colors": []])
    #expect(conditions(schema) == [])
    #expect(schema["properties"]?["x0"] == nil && schema["properties"]?["x2"] == nil)
    #expect(required(schema).contains("x1"))
  }

  @Test func `a question that is not asked has no answer`() throws {
    let chain = Self.allOf(Self.isA, Self.given("x0"))
    let schema = try schema(
      #"kind == "a""#, "x0 != null", "x0 == null", #"x1 == "no""#, "known == 4", "x4 != null", "x4 == null")
    let last = Self.allOf(chain, Self.test("x1", #"{"const":"no"}"#))
    #expect(conditions(schema) == [Self.isA, chain, Self.negated(chain), last])
    #expect(schema["properties"]?["x5"] == nil && required(schema).contains("x6"))
  }

  @Test func `a constant chooses between two conditions`() throws {
    let schema = try schema(
      #"known == 3 ? kind == "a" : count == 4"#, #"known == 4 ? count == 4 : kind == "a""#,
      #"kind == "a" ? known == 3 : known == 4"#)
    #expect(conditions(schema) == [Self.isA, Self.isA, Self.isA])
  }

  @Test func `a field with a default has a value without an answer`() throws {
    let isMedium = Self.anyOf(Self.test("cup", #"{"const":"m"}"#), Self.negated(Self.given("cup")))
    let schema = try schema(#"cup == "m""#, #"cup == "l""#, "cup != null")
    #expect(conditions(schema) == [isMedium, Self.test("cup", #"{"const":"l"}"#)])
    #expect(required(schema).contains("x2"))
  }

  @Test func `a condition that repeats too many others is left to the service`() throws {
    var chain = [#"kind == "a" || kind == "b""#]
    for number in 0..<7 { chain.append(#"x\#(number) == "a" || x\#(number) == "b""#) }
    let schema = try schema(
      chain[0], chain[1], chain[2], chain[3], chain[4], chain[5], chain[6], chain[7])
    // Each has twice the tests of the one before, and two of its own: 2, 6, 14, 30, 62, 126.
    #expect(conditions(schema).count == 5)
    for name in ["x5", "x6", "x7"] { #expect(schema["properties"]?[name]?["type"] == "string") }
  }
}
