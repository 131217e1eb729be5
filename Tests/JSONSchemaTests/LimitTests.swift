import Foundation
import JSONSchema
import Testing
import Values

/// Schemas and values that are made to take long.
@Suite struct LimitTests {
  /// Returns a schema whose every level applies the next one twice.
  private static func doubling(_ keyword: String, levels: Int) -> Value {
    let levels = (1...levels).map { level -> (String, Value) in
      let next: Value = ["$ref": Value("#/$defs/l\(level + 1)")]
      return ("l\(level)", .object([(keyword, .array([next, next]))]))
    }
    return .object([("$ref", "#/$defs/l1"), ("$defs", .object(levels + [("l\(levels.count + 1)", ["type": "null"])]))])
  }

  private static func nested(_ value: Value, levels: Int) -> Value {
    (0..<levels).reduce(value) { value, _ in [value] }
  }

  @Test(arguments: ["allOf", "anyOf", "oneOf"])
  func `a schema that doubles with each level reaches the limit of steps`(keyword: String) throws {
    let schema = try JSONSchema(Self.doubling(keyword, levels: 60))
    // Of a null, the first schema of each level suffices for anyOf.
    let value: Value = keyword == "anyOf" ? 1 : .null
    #expect(
      schema.faults(of: value).map(\.description) == [
        "The value takes more than 2000000 steps to validate. Shorten the value, or simplify the schema"
      ])
  }

  @Test func `the limit of steps keeps the faults before it`() throws {
    let schema = try JSONSchemaTests.schema("{\"properties\": {\"a\": {\"type\": \"null\"}, \"b\": {\"items\": true}}}")
    let value: Value = ["a": 1, "b": .array((0..<100).map { Value($0) })]
    #expect(schema.faults(of: value, stepLimit: 50).map { "\($0.pointer) \($0.keyword)" } == ["/a type", "/b/42 "])
    #expect(schema.faults(of: value, stepLimit: 120).map(\.keyword) == ["type"])
    let all = try JSONSchemaTests.schema("{\"items\": {\"type\": \"null\"}}").faults(
      of: .array((0..<1000).map { Value($0) }), stepLimit: 150)
    #expect(all.last?.keyword == "")
  }

  @Test func `a long chain of references reaches the limit of depth`() throws {
    let links = (0..<10_000).map { ("l\($0)", ["$ref": Value("#/$defs/l\($0 + 1)")] as Value) }
    let document = Value.object([("$ref", "#/$defs/l0"), ("$defs", .object(links + [("l10000", true)]))])
    let faults = try JSONSchema(document).faults(of: 1)
    #expect(
      faults.map(\.description) == [
        "The value needs more than \(JSONSchema.depthLimit) schemas inside each other. Simplify the schema"
      ])
  }

  @Test func `a long cycle of references is found`() throws {
    let links = (0..<10_000).map { ("l\($0)", ["$ref": Value("#/$defs/l\(($0 + 1) % 10_000)")] as Value) }
    let error = #expect(throws: JSONSchema.SchemaError.self) { try JSONSchema(.object([("$defs", .object(links))])) }
    #expect(error?.faults.map(\.pointer) == ["/$defs/l9999/$ref"])
  }

  @Test func `the deepest validation takes at most 2 MiB of the stack`() async throws {
    let text = """
      {"anyOf": [{"type": "null"}, {"oneOf": [{"items": {"$ref": "#"}}]}], "not": {"not": {"items": {"$ref": "#"}}}}
      """
    let documents: [Value] = [
      Self.doubling("allOf", levels: 300), Self.doubling("anyOf", levels: 300), try value(text),
      try value("{\"dependentSchemas\": {\"a\": {\"properties\": {\"a\": {\"$ref\": \"#\"}}}}}"),
    ]
    let deep = (0..<60).reduce(1 as Value) { value, _ in ["a": value] }
    for document in documents {
      let schema = try JSONSchema(document)
      await withCheckedContinuation { continuation in
        let thread = Thread {
          _ = schema.faults(of: Self.nested(1, levels: 64))
          _ = schema.faults(of: deep)
          continuation.resume()
        }
        thread.stackSize = 2 << 20
        thread.start()
      }
    }
  }

  @Test func `a value of the maximum depth is validated`() throws {
    let schema = try JSONSchemaTests.schema(
      "{\"anyOf\": [{\"type\": \"array\", \"items\": {\"$ref\": \"#\"}}, {\"type\": \"null\"}]}")
    #expect(schema.faults(of: Self.nested(.null, levels: 64)) == [])
    #expect(schema.faults(of: Self.nested(1, levels: 64)).count == 1)
  }

  @Test func `a schema of the maximum depth is read`() throws {
    let document = (0..<63).reduce(["type": "array"] as Value) { schema, _ in ["items": schema] }
    #expect(try JSONSchema(document).faults(of: Self.nested(1, levels: 63)).map(\.keyword) == ["type"])
  }

  @Test func `an enum of 10,000 members takes a moment`() throws {
    let schema = try JSONSchema(["items": ["enum": .array((0..<10_000).map { Value("member \($0)") })]])
    let members = Value.array((0..<10_000).map { Value("member \(9_999 - $0)") })
    var faults: [JSONSchema.Fault] = []
    let time = ContinuousClock().measure { faults = schema.faults(of: members) }
    #expect(faults == [])
    #expect(time < .seconds(30))
    #expect(schema.faults(of: ["other"]).map(\.message) == ["must be one of the 10000 values of the schema"])
  }

  @Test func `an object of 10,000 members takes a moment`() throws {
    let names = (0..<10_000).map { "name\($0)" }
    let schema = try JSONSchema([
      "properties": .object(names.map { ($0, ["type": "integer"]) }), "required": .array(names.map { Value($0) }),
      "additionalProperties": false,
    ])
    var faults: [JSONSchema.Fault] = []
    let time = ContinuousClock().measure { faults = schema.faults(of: .object(names.reversed().map { ($0, 1) })) }
    #expect(faults == [])
    #expect(time < .seconds(30))
    #expect(schema.faults(of: .emptyObject).count == JSONSchema.faultLimit)
  }

  @Test func `10,000 different items are found to be unique in a moment`() throws {
    let schema = try JSONSchemaTests.schema("{\"uniqueItems\": true}")
    var faults: [JSONSchema.Fault] = []
    let time = ContinuousClock().measure {
      faults = schema.faults(of: .array((0..<10_000).map { ["id": Value($0)] }))
    }
    #expect(faults == [])
    #expect(time < .seconds(30))
  }

  @Test func `a long unknown keyword takes a moment`() throws {
    let name = String(repeating: "a", count: 100_000)
    #expect(throws: JSONSchema.SchemaError.self) {
      try JSONSchema(.object([(name, .null), ("$ref", Value("#/" + name))]))
    }
  }

  @Test func `10,000 references to nowhere take a moment`() throws {
    let links = (0..<10_000).map { ("l\($0)", ["$ref": Value("#/$defs/m\($0)")] as Value) }
    var error: JSONSchema.SchemaError?
    let time = ContinuousClock().measure {
      error = #expect(throws: JSONSchema.SchemaError.self) { try JSONSchema(.object([("$defs", .object(links))])) }
    }
    #expect(error?.faults.count == JSONSchema.faultLimit)
    #expect(time < .seconds(30))
  }

  @Test func `the faults of schemas of anyOf that do not match count as steps`() throws {
    let names = (0..<200).map { ("a long name of a property \($0)", true as Value) }
    let closed: Value = .object([("properties", .object(names)), ("additionalProperties", false)])
    let schema = try JSONSchema(
      ["items": ["anyOf": [["$ref": "#/types/closed"], true as Value]]], definitions: ["closed": closed])
    let items = Value.array(Array(repeating: ["a long name of a property x": 1], count: 50))
    #expect(schema.faults(of: items, stepLimit: 100_000).map(\.keyword) == [""])
    #expect(schema.faults(of: items) == [])
    let long = Value.object([(String(repeating: "a", count: 100_000), 1)])
    let narrow = try JSONSchema(["items": ["anyOf": [["additionalProperties": ["type": "null"]], true as Value]]])
    #expect(narrow.faults(of: .array(Array(repeating: long, count: 20)), stepLimit: 100_000).map(\.keyword) == [""])
  }
}
