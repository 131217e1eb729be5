import JSONSchema
import Testing
import Values

/// Mistakes in schemas, which are all reported at once.
@Suite struct SchemaFaultTests {
  @Test(arguments: [
    ("{\"minLenght\": 3}", "/minLenght: There is no keyword minLenght. Did you mean minLength?"),
    ("{\"Type\": \"string\"}", "/Type: There is no keyword Type. Did you mean type?"),
    ("{\"whatever~/\": 3}", "/whatever~0~1: There is no keyword whatever~/. Remove it."),
    ("{\"definitions\": {}}", "/definitions: The keyword definitions is not supported. Write $defs."),
    (
      "{\"unevaluatedProperties\": false}",
      "/unevaluatedProperties: The keyword unevaluatedProperties is not supported. Write additionalProperties."
    ),
    (
      "{\"$id\": \"x\"}",
      "/$id: The keyword $id is not supported. Write $ref with the pointer of a schema, such as #/$defs/NAME."
    ),
    (
      "{\"nullable\": true}",
      "/nullable: The keyword nullable is not supported. Write type as a list, such as type: [string, \"null\"]."
    ),
    ("3", "The schema: A schema is an object, true or false."),
    ("null", "The schema: A schema is an object, true or false."),
    ("{\"items\": []}", "/items: A schema is an object, true or false."),
    ("{\"properties\": {\"a/b\": 1}}", "/properties/a~1b: A schema is an object, true or false."),
    ("{\"properties\": []}", "/properties: properties must be an object."),
    ("{\"allOf\": []}", "/allOf: allOf must have at least one schema."),
    ("{\"anyOf\": {}}", "/anyOf: anyOf must be a list."),
    ("{\"oneOf\": [true, 1]}", "/oneOf/1: A schema is an object, true or false."),
    ("{\"type\": \"sting\"}", "/type: There is no type sting. Did you mean string?"),
    (
      "{\"type\": \"money\"}",
      "/type: There is no type money. Write one of string, integer, number, boolean, array, object, null."
    ),
    ("{\"type\": []}", "/type: type must be a name, or a list of names such as [string, \"null\"]."),
    ("{\"type\": 1}", "/type: type must be a name, or a list of names such as [string, \"null\"]."),
    ("{\"type\": [\"null\", \"null\"]}", "/type/1: type has a name twice. Remove one."),
    (
      "{\"type\": [null]}",
      "/type/0: A type must be one of the strings string, integer, number, boolean, array, object, null."
    ),
    ("{\"enum\": []}", "/enum: enum must have at least one value."),
    ("{\"enum\": 1}", "/enum: enum must be a list."),
    ("{\"enum\": [1, \"1\", 1]}", "/enum/2: enum has this value twice, also at /enum/0. Remove one."),
    ("{\"required\": \"id\"}", "/required: required must be a list of names, such as [id, name]."),
    ("{\"required\": true}", "/required: required must be a list of names, such as [id, name]."),
    ("{\"required\": [1]}", "/required/0: A name in required must be a string."),
    ("{\"required\": [\"a\", \"b\", \"a\"]}", "/required/2: required has a twice. Remove one."),
    (
      "{\"dependentRequired\": {\"a\": \"b\"}}",
      "/dependentRequired/a: dependentRequired must be a list of names, such as [id, name]."
    ),
    ("{\"minLength\": -1}", "/minLength: minLength must be a whole number of at least 0."),
    ("{\"maxItems\": 1.5}", "/maxItems: maxItems must be a whole number of at least 0."),
    ("{\"maxProperties\": \"1\"}", "/maxProperties: maxProperties must be a whole number of at least 0."),
    ("{\"minimum\": \"1\"}", "/minimum: minimum must be a number."),
    ("{\"multipleOf\": 0}", "/multipleOf: multipleOf must be greater than 0."),
    ("{\"multipleOf\": -0.5}", "/multipleOf: multipleOf must be greater than 0."),
    ("{\"uniqueItems\": 1}", "/uniqueItems: uniqueItems must be true or false."),
    ("{\"title\": 1}", "/title: title must be a string."),
    ("{\"examples\": 1}", "/examples: examples must be a list."),
    ("{\"readOnly\": \"yes\"}", "/readOnly: readOnly must be true or false."),
    (
      "{\"$schema\": \"http://json-schema.org/draft-07/schema#\"}",
      "/$schema: The schema is of another version. Write https://json-schema.org/draft/2020-12/schema."
    ),
    ("{\"format\": \"datetime\"}", "/format: There is no format datetime. Did you mean date-time?"),
    (
      "{\"pattern\": \"(\"}",
      "/pattern: A group is not closed. Write ) at its end (at character 1 of the pattern)."
    ),
    (
      "{\"patternProperties\": {\"*\": true}}",
      "/patternProperties/*: * has nothing to repeat. Write \\* for the character (at character 1 of the pattern)."
    ),
  ])
  func `a mistake has a pointer and a sentence`(text: String, fault: String) throws {
    #expect(try schemaFaults(text) == [fault])
  }

  @Test(arguments: [
    ("minimum", "5", "maximum", "4.5", "greater"), ("exclusiveMinimum", "5", "maximum", "5", "not less"),
    ("minimum", "5", "exclusiveMaximum", "5", "not less"),
    ("exclusiveMinimum", "1", "exclusiveMaximum", "0", "not less"),
  ])
  func `limits that exclude every number are a mistake`(
    lower: String, minimum: String, upper: String, maximum: String, comparison: String
  ) throws {
    let fault =
      "/\(lower): No number is valid, because \(lower) \(minimum) is \(comparison) than \(upper) \(maximum). "
      + "Change one of them."
    #expect(try schemaFaults("{\"\(lower)\": \(minimum), \"\(upper)\": \(maximum)}") == [fault])
  }

  @Test(arguments: ["Length", "Items", "Properties"])
  func `a minimum count above the maximum is a mistake`(count: String) throws {
    let fault =
      "/min\(count): No value is valid, because min\(count) 3 is greater than max\(count) 2. Change one of them."
    #expect(try schemaFaults("{\"min\(count)\": 3, \"max\(count)\": 2}") == [fault])
    #expect(try schemaFaults("{\"min\(count)\": 3, \"max\(count)\": 3.0}") == [])
  }

  @Test(arguments: [
    "true", "false", "{}", "{\"minimum\": 5, \"maximum\": 5}", "{\"minimum\": 4, \"exclusiveMaximum\": 5}",
    "{\"minLength\": 2.0}", "{\"maxLength\": 1e300}", "{\"enum\": [1, \"1\", true, null, [1], {\"a\": 1}]}",
    "{\"required\": []}", "{\"format\": \"uuid\"}", "{\"format\": \"iri\"}", "{\"format\": \"int32\"}",
    "{\"default\": null, \"examples\": [], \"deprecated\": true, \"$comment\": \"\", \"title\": \"\"}",
    "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\"}", "{\"minContains\": 3, \"maxContains\": 1}",
    "{\"properties\": {\"minLenght\": true, \"properties\": {\"type\": \"object\"}}}",
    "{\"const\": {\"minLenght\": 1}, \"enum\": [{\"$ref\": \"#/nowhere\"}], \"default\": {\"type\": 1}}",
  ])
  func `a valid schema has no fault`(text: String) throws { #expect(try schemaFaults(text) == []) }

  @Test func `every mistake is reported at once`() throws {
    let found = try schemaFaults(
      """
      {"type": "objekt", "required": "id", "properties": {"id": {"minLength": -1, "pattern": "["}},
       "allOf": [{"minimum": 2, "maximum": 1}, {"$ref": "#/$defs/none"}], "$defs": {"a": {"itemz": true}}}
      """)
    #expect(
      found.map { $0.prefix { $0 != ":" } } == [
        "/$defs/a/itemz", "/type", "/required", "/properties/id/minLength", "/properties/id/pattern",
        "/allOf/0/minimum", "/allOf/1/$ref",
      ])
  }

  @Test func `at most 100 mistakes are reported`() throws {
    let properties = (0..<200).map { "\"p\($0)\": {\"minLenght\": 1}" }.joined(separator: ", ")
    #expect(try schemaFaults("{\"properties\": {\(properties)}}").count == JSONSchema.faultLimit)
  }
}
