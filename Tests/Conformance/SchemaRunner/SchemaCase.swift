import JSONSchema
import TestSupport
import Values

/// A case of the conformance tests, as jsonschema.py writes it.
struct Case {
  let file: String
  let group: String
  let name: String
  let excluded: String?
  private let schema: Value
  private let data: Value
  private let isValid: Bool

  init(_ line: Value) throws {
    guard let file = line["file"]?.text, let group = line["group"]?.text, let name = line["name"]?.text else {
      throw Malformed()
    }
    (self.file, self.group, self.name, excluded) = (file, group, name, line["excluded"]?.text)
    (schema, data, isValid) = (line["schema"] ?? .null, line["data"] ?? .null, line["valid"]?.bool ?? false)
  }

  /// Returns the reason of a failure; nil if the case passes.
  ///
  /// `JSONParser` turns 1.0 into an integer, and other readers do not. Each case therefore has the same result with
  /// doubles in the place of integers.
  func failure() -> String? {
    failure(schema, data) ?? failure(Self.withDoubles(schema), data) ?? failure(schema, Self.withDoubles(data))
  }

  private func failure(_ schema: Value, _ data: Value) -> String? {
    do throws(JSONSchema.SchemaError) {
      let faults = try JSONSchema(schema, assertsFormats: false).faults(of: data)
      if faults.isEmpty == isValid { return nil }
      return isValid ? "\(faults.map(\.description))" : "expected a fault"
    } catch {
      return "\(error)"
    }
  }

  private static func withDoubles(_ value: Value) -> Value {
    switch value.kind {
    case .integer:
      // An integer that is not a double keeps its digits.
      guard let int = value.int, let double = value.double, Int64(exactly: double) == int else { return value }
      return Value(finite: double) ?? value
    case .array: return .array(value.elements.map(withDoubles))
    case .map: return .object(value.members.map { ($0.key, withDoubles($0.value)) })
    default: return value
    }
  }
}
