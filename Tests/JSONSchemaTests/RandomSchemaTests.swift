import JSONSchema
import TestSupport
import Testing
import Values

/// Random schemas and values, for which the properties of every schema hold.
@Suite struct RandomSchemaTests {
  private static let keywords = [
    "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "multipleOf", "minLength", "maxLength",
    "pattern",
    "format", "items", "prefixItems", "contains", "minContains", "uniqueItems", "properties", "patternProperties",
    "additionalProperties", "propertyNames", "required", "dependentRequired", "dependentSchemas", "minProperties",
    "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref", "$defs", "minLenght",
  ]
  private static let scalars: [Value] = [
    .null, true, false, 0, 1, -1, 2.5, 1e300, Value(Int64.min), "", "a", "string", "object", "array", "integer", "^a",
    "é",
    "#", "#/$defs/a", "#/items", "date",
  ]

  private static func value(depth: Int, _ generator: inout Seeded) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 5 : 3), using: &generator) {
    case 3:
      return .array((0..<Int.random(in: 0..<4, using: &generator)).map { _ in value(depth: depth - 1, &generator) })
    case 4:
      let keys = ["a", "b", "c"].shuffled(using: &generator).prefix(Int.random(in: 0..<4, using: &generator))
      return .object(keys.map { ($0, value(depth: depth - 1, &generator)) })
    default: return scalars.randomElement(using: &generator) ?? .null
    }
  }

  /// Returns a value with many keywords, whose values are often of the right type.
  private static func schema(depth: Int, _ generator: inout Seeded) -> Value {
    let keywords = Self.keywords.shuffled(using: &generator).prefix(Int.random(in: 0..<4, using: &generator))
    return .object(
      keywords.map { keyword in
        guard depth > 0, Int.random(in: 0..<20, using: &generator) > 0 else {
          return (keyword, value(depth: 1, &generator))
        }
        switch keyword {
        case "items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else":
          return (keyword, schema(depth: depth - 1, &generator))
        case "allOf", "anyOf", "oneOf", "prefixItems":
          return (keyword, [schema(depth: depth - 1, &generator), schema(depth: depth - 1, &generator)])
        case "properties", "patternProperties", "dependentSchemas", "$defs":
          return (keyword, ["a": schema(depth: depth - 1, &generator), "b": schema(depth: depth - 1, &generator)])
        case "required": return (keyword, ["a"])
        case "dependentRequired": return (keyword, ["a": ["b"]])
        case "enum": return (keyword, [value(depth: 1, &generator)])
        case "type":
          return (keyword, ["string", "object", "array", "integer"].randomElement(using: &generator) ?? "null")
        case "minLength", "maxLength", "minContains", "minProperties", "multipleOf":
          return (keyword, Value(Int.random(in: 1..<3, using: &generator)))
        case "$ref": return (keyword, ["#", "#/$defs/a", "#/items"].randomElement(using: &generator) ?? "#")
        default: return (keyword, value(depth: 1, &generator))
        }
      })
  }

  @Test(arguments: 0..<20)
  func `a random schema is refused with faults, or gives sound faults`(seed: UInt64) throws {
    var generator = Seeded(state: seed)
    var (validCount, invalidCount) = (0, 0)
    for _ in 0..<100 {
      let document = Self.schema(depth: 3, &generator)
      let instance = Self.value(depth: 3, &generator)
      do throws(JSONSchema.SchemaError) {
        let schema = try JSONSchema(document)
        let faults = schema.faults(of: instance, stepLimit: 5000)
        if faults.isEmpty { validCount += 1 } else { invalidCount += 1 }
        for fault in faults where !fault.message.hasPrefix("is required") {
          #expect(Self.part(of: instance, at: fault.pointer) != nil, "\(document) \(instance) \(fault)")
        }
        // `not` has the opposite result.
        let isLimited = faults.contains { $0.keyword.isEmpty }
        let opposite = try JSONSchema(["not": ["$ref": "#/types/it"]], definitions: ["it": document])
        let isOpposite = opposite.faults(of: instance, stepLimit: 10_000).isEmpty != faults.isEmpty
        #expect(isLimited || isOpposite, "\(document) \(instance)")
      } catch {
        #expect((1...JSONSchema.faultLimit).contains(error.faults.count))
        for fault in error.faults {
          #expect(Self.part(of: document, at: fault.pointer) != nil || fault.pointer.hasPrefix("/types/it"), "\(fault)")
        }
      }
    }
    #expect(validCount > 0 && invalidCount > 0, "\(validCount) and \(invalidCount)")
  }

  /// Returns the part of a value to which a pointer leads.
  private static func part(of value: Value, at pointer: String) -> Value? {
    pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().reduce(value as Value?) { part, token in
      if part?.kind == .array { return Int(token).flatMap { index in part.flatMap { Array($0.elements)[index] } } }
      return part?[String(token)]
    }
  }
}
