import JSONSchema
import Testing
import Values

/// References between schemas.
@Suite struct ReferenceTests {
  private static let types: [String: Value] = [
    "price": [
      "type": "object", "required": ["cents"], "properties": ["cents": ["$ref": "#/$defs/cents"]],
      "$defs": [
        "cents": ["type": "integer", "minimum": 0]
      ],
    ],
    "tree": [
      "type": "object", "properties": ["children": ["type": "array", "items": ["$ref": "#/types/tree"]]],
      "additionalProperties": false,
    ],
    "list": ["type": ["object", "null"], "properties": ["next": ["$ref": "#"]], "additionalProperties": false],
    "broken": ["minLenght": 1], "a/b": ["type": "null"],
  ]

  private func faults(_ instance: String, _ text: String) throws -> [String] {
    try schema(text, definitions: Self.types).faults(of: try value(instance)).map(\.description)
  }

  @Test(arguments: [
    ("{\"$ref\": \"#/types/price\"}", "{\"cents\": 1}", "{\"cents\": -1}", "/cents must be at least 0"),
    ("{\"$ref\": \"#/types/price/properties/cents\"}", "1", "-1", "The value must be at least 0"),
    ("{\"items\": {\"$ref\": \"#/types/price\"}}", "[{\"cents\": 1}]", "[{}]", "/0/cents is required"),
    (
      "{\"$ref\": \"#/types/tree\"}", "{\"children\": [{\"children\": []}]}", "{\"children\": [{\"childs\": []}]}",
      "/children/0/childs must be left out, because the schema has no such property."
    ),
    (
      "{\"$ref\": \"#/types/list\"}", "{\"next\": {\"next\": null}}", "{\"next\": {\"next\": 1}}",
      "/next/next must be an object or null"
    ),
    ("{\"$ref\": \"#/types/a~1b\"}", "null", "1", "The value must be null"),
    ("{\"$ref\": \"#/types/a%7E1b\"}", "null", "1", "The value must be null"),
    (
      "{\"$ref\": \"#/$defs/a\", \"$defs\": {\"a\": {\"$ref\": \"#/$defs/b\"}, \"b\": false}}", "", "1",
      "The value must be left out"
    ),
    (
      "{\"properties\": {\"next\": {\"$ref\": \"#\"}}, \"maxProperties\": 1}", "{\"next\": {\"next\": {}}}",
      "{\"next\": {\"a\": 1, \"b\": 2}}", "/next must have at most 1 property"
    ),
    (
      "{\"$ref\": \"#/types/price\", \"maxProperties\": 1}", "{\"cents\": 1}", "{\"cents\": 1, \"a\": 1}",
      "The value must have at most 1 property"
    ),
  ])
  func `a reference leads to a schema`(text: String, valid: String, invalid: String, fault: String) throws {
    if !valid.isEmpty { #expect(try faults(valid, text) == []) }
    #expect(try faults(invalid, text) == [fault])
  }

  @Test(arguments: [
    ("#/types/pirce", " Did you mean #/types/price?"), ("#/$defs/sise", " Did you mean #/$defs/size?"),
    ("#/types/nothing-like-it", " Write a pointer such as #/$defs/NAME or #/types/NAME."),
    ("#size", " Write a pointer such as #/$defs/NAME or #/types/NAME."),
    ("#/$defs", " Write a pointer such as #/$defs/NAME or #/types/NAME."),
    ("#/$defs/size/type", " Did you mean #/$defs/size?"), ("#/types/a~2b", " Did you mean #/types/a~1b?"),
    ("#/%zz", " Write a pointer such as #/$defs/NAME or #/types/NAME."),
    ("#/%ff", " Write a pointer such as #/$defs/NAME or #/types/NAME."),
  ])
  func `a reference to nowhere is a mistake`(target: String, suggestion: String) throws {
    let text = "{\"$defs\": {\"size\": {\"type\": \"integer\"}}, \"items\": {\"$ref\": \"\(target)\"}}"
    #expect(
      try schemaFaults(text, definitions: Self.types) == ["/items/$ref: There is no schema \(target).\(suggestion)"])
  }

  @Test(arguments: ["https://example.com/schema", "other.yaml", "types/price", ""])
  func `a reference to another document is a mistake`(target: String) throws {
    #expect(
      try schemaFaults("{\"$ref\": \"\(target)\"}") == [
        "/$ref: $ref leads to another document. Write a pointer into this one, such as #/$defs/NAME or #/types/NAME."
      ])
  }

  @Test func `a mistake in a definition has a pointer into the definition`() throws {
    #expect(
      try schemaFaults("{\"items\": {\"$ref\": \"#/types/broken\"}}", definitions: Self.types) == [
        "/types/broken/minLenght: There is no keyword minLenght. Did you mean minLength?"
      ])
    #expect(try schemaFaults("{}", definitions: Self.types) == [])
  }

  @Test(arguments: [
    ("{\"$ref\": \"#\"}", "/$ref"),
    ("{\"anyOf\": [{\"type\": \"null\"}, {\"$ref\": \"#\"}]}", "/anyOf/1/$ref"),
    ("{\"not\": {\"$ref\": \"#\"}}", "/not/$ref"),
    ("{\"if\": true, \"then\": {\"$ref\": \"#\"}}", "/then/$ref"),
    ("{\"dependentSchemas\": {\"a\": {\"$ref\": \"#\"}}}", "/dependentSchemas/a/$ref"),
    (
      "{\"$ref\": \"#/$defs/a\", \"$defs\": {\"a\": {\"$ref\": \"#/$defs/b\"}, \"b\": {\"allOf\": [{\"$ref\": \"#/$defs/a\"}]}}}",
      "/$defs/b/allOf/0/$ref"
    ),
    (
      "{\"items\": {\"$ref\": \"#/$defs/a/allOf/0\"}, \"$defs\": {\"a\": {\"allOf\": [{\"$ref\": \"#/$defs/a\"}]}}}",
      "/$defs/a/allOf/0/$ref"
    ),
  ])
  func `a reference that leads back without a step into the value is a mistake`(text: String, pointer: String) throws {
    #expect(
      try schemaFaults(text) == [
        "\(pointer): $ref leads back to itself without a step into a property or an item. "
          + "Refer to the schema from there."
      ])
  }

  @Test func `a schema may be used twice, and inside itself`() throws {
    #expect(
      try schemaFaults(
        """
        {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}],
         "$defs": {"a": {"properties": {"b": {"$ref": "#"}}, "items": {"$ref": "#/$defs/a"}}}}
        """) == [])
  }

  @Test func `places are compared byte by byte`() throws {
    let text = "{\"$ref\": \"#/$defs/e\u{301}\", \"$defs\": {\"\u{E9}\": true, \"e\u{301}\": false}}"
    #expect(try schema(text).faults(of: 1).map(\.keyword) == ["false"])
  }
}
