import JSONSchema
import Values

/// Returns the value of a JSON text.
func value(_ text: String) throws -> Value {
  try JSONParser.parse(Array(text.utf8), depth: Value.maximumDepth)
}

/// Returns the schema of a JSON text.
func schema(_ text: String, definitions: [String: Value] = [:]) throws -> JSONSchema {
  try JSONSchema(try value(text), definitions: definitions)
}

/// Returns the faults of a JSON text, as pointers with their messages; empty for a valid schema.
func schemaFaults(_ text: String, definitions: [String: Value] = [:]) throws -> [String] {
  do throws(JSONSchema.SchemaError) {
    _ = try JSONSchema(try! value(text), definitions: definitions)
    return []
  } catch {
    return error.faults.map(\.description)
  }
}

/// Returns the faults of a JSON text under the schema of another one, as pointers with their messages.
func faults(_ instance: String, _ text: String) throws -> [String] {
  try schema(text).faults(of: try value(instance)).map(\.description)
}
