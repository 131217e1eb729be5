import CEL
import Testing

struct SchemaTests {
  @Test(
    arguments: [
      (["type": "integer"], .int), (["type": "number"], .double),
      (["type": "string", "default": nil], .nullable(.string)),
      (["type": ["string", "null"]], .nullable(.string)), (["type": ["string", "integer"]], .dyn), ([:], .dyn),
      (true, .dyn), (["type": "array"], .list(.dyn)), (["type": "array", "items": ["type": "boolean"]], .list(.bool)),
      (["type": "object"], .map(.string, .dyn)), (["enum": ["a", "b"]], .string), (["const": 1], .int),
      (["type": "object", "additionalProperties": ["type": "integer"]], .map(.string, .int)),
      (["enum": ["a", nil]], .nullable(.string)),
      (
        ["type": "object", "required": ["id"], "properties": ["id": ["type": "string"], "note": ["type": "string"]]],
        .object(.init("x", ["id": .init(.string), "note": .optional(.string)]))
      ),
    ] as [(CEL.Value, CEL.ValueType)])
  func `A schema gives a type`(schema: CEL.Value, type: CEL.ValueType) throws {
    #expect(try CEL.ValueType(schema: schema, name: "x") == type)
  }

  @Test func `A schema whose references double it with each level is an error`() {
    #expect(throws: CEL.SchemaError.self) {
      try CEL.ValueType(schema: ["$ref": "0"], name: "x") { reference in
        let next: CEL.Value = ["$ref": CEL.Value.string("\((Int(reference) ?? 0) + 1)")]
        return (reference, ["type": "object", "properties": ["a": next, "b": next]])
      }
    }
  }

  @Test func `A reference gives the name of the object`() throws {
    let quote: CEL.Value = ["type": "object", "required": ["cents"], "properties": ["cents": ["type": "integer"]]]
    let type = try CEL.ValueType(schema: ["$ref": "#/types/quote", "default": nil], name: "quote") { reference in
      reference == "#/types/quote" ? ("quote", quote) : nil
    }
    #expect(faults("quote.cents", in: ["quote": type]).count == 1)
    #expect(faults("quote == null || quote.cents > 1", in: ["quote": type]) == [])
  }

  @Test func `A schema that refers to itself has a bounded type`() throws {
    let tree: CEL.Value = ["type": "object", "properties": ["left": ["$ref": "tree"]]]
    let type = try CEL.ValueType(schema: tree, name: "tree") { _ in ("tree", tree) }
    #expect(faults("has(tree.left) && tree.left.left == null", in: ["tree": type]) == [])
  }

  @Test(
    arguments: [
      (
        ["type": "text"], "/type: There is no type text. Write null, boolean, integer, number, string, array or object."
      ),
      (["type": 1], "/type: The type is a string or a list of strings."),
      (["type": "array", "items": 1], "/items: A schema is an object, or true."),
      (
        ["type": "object", "properties": ["a": ["$ref": "#/b"]]], "/properties/a/$ref: There is no schema #/b."
      ),
    ] as [(CEL.Value, String)])
  func `A malformed schema is an error at its place`(schema: CEL.Value, message: String) {
    do throws(CEL.SchemaError) {
      _ = try CEL.ValueType(schema: schema, name: "x")
      Issue.record("The schema is valid.")
    } catch {
      #expect("\(error)" == message)
    }
  }
}
