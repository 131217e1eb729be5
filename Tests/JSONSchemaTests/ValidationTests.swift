import JSONSchema
import Testing
import Values

/// The faults of values.
@Suite struct ValidationTests {
  @Test(arguments: [
    ("{\"type\": \"string\"}", "1", "The value must be a string"),
    ("{\"type\": [\"integer\", \"null\"]}", "\"\"", "The value must be an integer or null"),
    ("{\"type\": [\"null\", \"array\", \"boolean\"]}", "{}", "The value must be a boolean, an array or null"),
    ("{\"type\": \"integer\"}", "1.5", "The value must be an integer"),
    ("{\"enum\": [\"a\", 2, null]}", "3", "The value must be one of a, 2, null"),
    ("{\"const\": {\"a\": [1]}}", "3", "The value must be {\"a\":[1]}"),
    ("{\"const\": \"\(String(repeating: "a", count: 80))\"}", "3", "The value must be the value of the schema"),
    ("{\"minimum\": 3}", "2.5", "The value must be at least 3"),
    ("{\"exclusiveMinimum\": 3}", "3", "The value must be greater than 3"),
    ("{\"maximum\": 0.5}", "1", "The value must be at most 0.5"),
    ("{\"exclusiveMaximum\": 3}", "3", "The value must be less than 3"),
    ("{\"multipleOf\": 0.01}", "0.015", "The value must be a multiple of 0.01"),
    ("{\"minLength\": 1}", "\"\"", "The value must not be empty"),
    ("{\"minLength\": 3}", "\"👍👍\"", "The value must have at least 3 characters"),
    ("{\"maxLength\": 1}", "\"e\u{301}\"", "The value must have at most 1 character"),
    ("{\"maxLength\": 0}", "\"a\"", "The value must be empty"),
    ("{\"pattern\": \"^a+$\"}", "\"ab\"", "The value must match the pattern ^a+$"),
    ("{\"format\": \"email\"}", "\"ab\"", "The value must be an e-mail address such as ann@example.com"),
    ("{\"minItems\": 2}", "[1]", "The value must have at least 2 items"),
    ("{\"maxItems\": 1}", "[1, 2]", "The value must have at most 1 item"),
    ("{\"uniqueItems\": true}", "[1, 2, 1.0]", "/2 must differ from the item 0"),
    ("{\"items\": {\"type\": \"null\"}}", "[null, 1]", "/1 must be null"),
    ("{\"prefixItems\": [true], \"items\": false}", "[1, 2]", "/1 must be left out"),
    ("{\"contains\": {\"const\": 1}}", "[2]", "The value must have at least 1 item that matches contains"),
    (
      "{\"contains\": {\"const\": 1}, \"minContains\": 2, \"maxContains\": 3}", "[1]",
      "The value must have 2 to 3 items that match contains"
    ),
    (
      "{\"contains\": {\"const\": 1}, \"minContains\": 0, \"maxContains\": 1}", "[1, 1]",
      "The value must have at most 1 item that matches contains"
    ),
    (
      "{\"contains\": {\"const\": 1}, \"minContains\": 2, \"maxContains\": 2}", "[1]",
      "The value must have exactly 2 items that match contains"
    ),
    ("{\"required\": [\"a\", \"b\"]}", "{\"a\": 1}", "/b is required"),
    ("{\"dependentRequired\": {\"a\": [\"b\"]}}", "{\"a\": 1}", "/b is required beside a"),
    (
      "{\"dependentSchemas\": {\"a\": {\"maxProperties\": 1}}}", "{\"a\": 1, \"b\": 1}",
      "The value must have at most 1 property"
    ),
    ("{\"minProperties\": 1}", "{}", "The value must not be empty"),
    ("{\"maxProperties\": 2}", "{\"a\": 1, \"b\": 1, \"c\": 1}", "The value must have at most 2 properties"),
    ("{\"properties\": {\"a/b\": {\"items\": {\"minimum\": 1}}}}", "{\"a/b\": [1, 0]}", "/a~1b/1 must be at least 1"),
    ("{\"patternProperties\": {\"^x-\": {\"type\": \"string\"}}}", "{\"x-a\": 1, \"y\": 1}", "/x-a must be a string"),
    (
      "{\"properties\": {\"color\": true}, \"additionalProperties\": false}", "{\"colour\": 1}",
      "/colour must be left out, because the schema has no such property. Did you mean color?"
    ),
    ("{\"additionalProperties\": {\"type\": \"null\"}}", "{\"a\": 1}", "/a must be null"),
    (
      "{\"propertyNames\": {\"maxLength\": 2, \"pattern\": \"^b\"}}", "{\"abc\": 1}",
      "/abc must be left out, because its name must have at most 2 characters"
    ),
    ("{\"not\": {\"type\": \"null\"}}", "null", "The value must not match the schema of not"),
    ("{\"if\": {\"minimum\": 10}, \"then\": {\"multipleOf\": 10}}", "15", "The value must be a multiple of 10"),
    ("{\"if\": {\"minimum\": 10}, \"else\": {\"multipleOf\": 2}}", "5", "The value must be a multiple of 2"),
    ("false", "1", "The value must be left out"),
  ])
  func `a fault has a pointer and a demand`(text: String, instance: String, fault: String) throws {
    #expect(try faults(instance, text) == [fault])
  }

  @Test(arguments: [
    ("true", "1"), ("{\"type\": \"integer\"}", "1.0"), ("{\"type\": \"integer\"}", "1e300"),
    ("{\"type\": \"number\"}", "1"), ("{\"const\": {\"a\": 1, \"b\": 2}}", "{\"b\": 2.0, \"a\": 1}"),
    ("{\"uniqueItems\": true}", "[1, true, \"1\", [1], {\"a\": 1}, 0, false, null, \"\"]"),
    ("{\"uniqueItems\": true}", "[\"\u{E9}\", \"e\u{301}\"]"), ("{\"minLength\": 2}", "\"e\u{301}\""),
    ("{\"minimum\": 1, \"minLength\": 9, \"minItems\": 9, \"required\": [\"a\"], \"pattern\": \"x\"}", "true"),
    ("{\"properties\": {\"a\": false}}", "{\"b\": 1}"), ("{\"required\": [\"a\"]}", "{\"a\": null}"),
    ("{\"then\": false, \"else\": false}", "1"), ("{\"minContains\": 3, \"maxContains\": 0}", "[1]"),
    ("{\"contains\": false, \"minContains\": 0}", "[]"), ("{\"prefixItems\": [true, true]}", "[1]"),
    ("{\"uniqueItems\": false}", "[1, 1]"), ("{\"format\": \"uuid\"}", "\"x\""),
    ("{\"default\": 1, \"readOnly\": true, \"examples\": [1]}", "\"x\""),
    ("{\"dependentRequired\": {\"a\": [\"b\"]}, \"dependentSchemas\": {\"a\": false}}", "{\"c\": 1}"),
  ])
  func `a valid value has no fault`(text: String, instance: String) throws {
    #expect(try faults(instance, text) == [])
  }

  @Test func `every fault is reported at once, in the order of the value`() throws {
    let text = """
      {"type": "object", "required": ["id", "name"],
       "properties": {"id": {"type": "string", "minLength": 2, "pattern": "^[A-Z]"}, "tags": {"items": {"minLength": 1}}}}
      """
    #expect(
      try schema(text).faults(of: ["tags": ["", "x", ""], "id": "a"]).map { "\($0.pointer) \($0.keyword)" } == [
        "/name required", "/tags/0 minLength", "/tags/2 minLength", "/id minLength", "/id pattern",
      ])
  }

  @Test func `a value of the wrong type has no further fault`() throws {
    #expect(
      try faults("1", "{\"enum\": [\"a\"], \"type\": \"string\", \"const\": \"a\"}") == ["The value must be a string"])
  }

  @Test(arguments: ["anyOf", "oneOf"])
  func `the alternative that was meant gives the faults`(keyword: String) throws {
    let nullable = "{\"\(keyword)\": [{\"type\": \"null\"}, {\"type\": \"object\", \"required\": [\"id\"]}]}"
    #expect(try faults("{}", nullable) == ["/id is required"])
    #expect(try faults("null", nullable) == [])
    #expect(try faults("1", nullable) == ["The value must match one of the 2 schemas of \(keyword)"])
    let payment = """
      {"\(keyword)": [
        {"properties": {"kind": {"const": "card"}, "number": {"minLength": 4}}, "required": ["kind", "number"]},
        {"properties": {"kind": {"const": "transfer"}, "iban": {"minLength": 9}}, "required": ["kind", "iban"]}]}
      """
    #expect(
      try faults("{\"kind\": \"card\", \"number\": \"1\"}", payment) == ["/number must have at least 4 characters"])
    #expect(try faults("{\"kind\": \"transfer\"}", payment) == ["/iban is required"])
    #expect(try faults("{\"kind\": \"cash\"}", payment) == ["The value must match one of the 2 schemas of \(keyword)"])
  }

  @Test func `a value must match only one schema of oneOf`() throws {
    let text = "{\"oneOf\": [{\"minimum\": 1}, {\"maximum\": 5}, {\"multipleOf\": 2}]}"
    #expect(try faults("0.5", text) == [])
    #expect(
      try faults("2", text) == ["The value must match only one of the 3 schemas of oneOf, and matches several"])
  }

  @Test func `a long enum is not written out`() throws {
    let numbers = (0..<21).map { "\($0)" }.joined(separator: ", ")
    #expect(try faults("-1", "{\"enum\": [\(numbers)]}") == ["The value must be one of the 21 values of the schema"])
  }

  @Test func `a message contains no part of the value`() throws {
    let text = """
      {"properties": {"a": {"pattern": "^x$", "minLength": 50, "enum": ["b"], "format": "email", "maxLength": 60}}}
      """
    let faults = try schema(text).faults(of: ["a": "my-secret"])
    #expect(faults.count == 4)
    #expect(faults.allSatisfy { !$0.message.contains("secret") })
  }

  @Test func `at most 100 faults are reported`() throws {
    let text = "{\"items\": {\"type\": \"null\"}, \"maxItems\": 2}"
    let faults = try schema(text).faults(of: .array((0..<500).map { Value($0) }))
    #expect(faults.count == JSONSchema.faultLimit)
    #expect(faults.first?.keyword == "maxItems")
  }
}
