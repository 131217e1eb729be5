extension CEL {
  /// An error in a JSON schema that declares a type.
  public struct SchemaError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The JSON pointer to the part of the schema (RFC 6901), such as `/properties/count`.
    public let pointer: String
    public let message: String

    public var description: String { "\(pointer.isEmpty ? "The schema" : pointer): \(message)" }
  }
}

extension CEL.ValueType {
  /// The maximum depth of a schema with its references.
  private static let maximumDepth = 32

  /// The maximum number of schemas in a schema. A schema that refers to another one twice, and so on, would double the
  /// type with each level.
  private static let maximumCount = 4096

  /// Creates the type of the values that a schema of JSON Schema 2020-12 describes.
  ///
  /// The keywords `type`, `properties`, `required`, `additionalProperties`, `items`, `enum`, `const` and `$ref` give
  /// the type. `default: null` makes it nullable. A schema without any of them is `dyn`, as is a schema inside itself.
  ///
  /// - Parameters:
  ///   - schema: The schema as a value, with strings as keys.
  ///   - name: The name of an object in the messages of the checker.
  ///   - reference: Returns the name and the schema of a `$ref`, or nil if it does not exist.
  public init(
    schema: CEL.Value, name: String,
    reference: @escaping (String) -> (name: String, schema: CEL.Value)? = { _ in nil }
  ) throws(CEL.SchemaError) {
    var reader = SchemaReader(reference: reference)
    self = try reader.type(schema, name: name, pointer: "", depth: 0)
  }

  private struct SchemaReader {
    let reference: (String) -> (name: String, schema: CEL.Value)?
    /// The references around the current schema.
    var openReferences: Set<String> = []
    var count = 0

    mutating func type(
      _ schema: CEL.Value, name: String, pointer: String, depth: Int
    ) throws(CEL.SchemaError) -> CEL.ValueType {
      if case .bool(true) = schema { return .dyn }
      guard case .map(let keywords) = schema else {
        throw CEL.SchemaError(pointer: pointer, message: "A schema is an object, or true.")
      }
      count += 1
      guard depth < CEL.ValueType.maximumDepth, count <= CEL.ValueType.maximumCount else {
        throw CEL.SchemaError(
          pointer: pointer,
          message: "The schema is deeper than \(CEL.ValueType.maximumDepth) or has more than "
            + "\(CEL.ValueType.maximumCount) parts. Simplify it, or a schema that it refers to.")
      }
      let type = try typeWithoutDefault(keywords, name: name, pointer: pointer, depth: depth)
      if let value = keywords["default"], value.isNull { return type.orNull }
      return type
    }

    private mutating func typeWithoutDefault(
      _ keywords: CEL.Map, name: String, pointer: String, depth: Int
    ) throws(CEL.SchemaError) -> CEL.ValueType {
      if case .string(let target)? = keywords["$ref"] {
        guard let (name, schema) = reference(target) else {
          throw CEL.SchemaError(pointer: pointer + "/$ref", message: "There is no schema \(target).")
        }
        guard openReferences.insert(target).inserted else { return .dyn }
        defer { openReferences.remove(target) }
        return try type(schema, name: name, pointer: pointer + "/$ref", depth: depth + 1)
      }
      switch keywords["type"] {
      case .string(let type)?: return try named(type, keywords, name: name, pointer: pointer, depth: depth)
      case .list(let types)?:
        var named: [CEL.ValueType] = []
        for case .string(let type) in types {
          named.append(try self.named(type, keywords, name: name, pointer: pointer, depth: depth))
        }
        return .joined(named)
      case nil: return literalType(keywords)
      default:
        throw CEL.SchemaError(pointer: pointer + "/type", message: "The type is a string or a list of strings.")
      }
    }

    /// The type of `const` and `enum`.
    private func literalType(_ keywords: CEL.Map) -> CEL.ValueType {
      let values = [keywords["const"]].compactMap(\.self) + (keywords["enum"]?.elements ?? [])
      return .joined(
        values.map { value in
          switch value {
          case .list, .map: .dyn
          default: CEL.ValueType(value.typeName)
          }
        })
    }

    private mutating func named(
      _ type: String, _ keywords: CEL.Map, name: String, pointer: String, depth: Int
    ) throws(CEL.SchemaError) -> CEL.ValueType {
      switch type {
      case "null": return .null
      case "boolean": return .bool
      case "integer": return .int
      case "number": return .double
      case "string": return .string
      case "array":
        guard let items = keywords["items"] else { return .list(.dyn) }
        return .list(try self.type(items, name: name, pointer: pointer + "/items", depth: depth + 1))
      case "object": return try object(keywords, name: name, pointer: pointer, depth: depth)
      default:
        throw CEL.SchemaError(
          pointer: pointer + "/type",
          message: "There is no type \(type). Write null, boolean, integer, number, string, array or object.")
      }
    }

    private mutating func object(
      _ keywords: CEL.Map, name: String, pointer: String, depth: Int
    ) throws(CEL.SchemaError) -> CEL.ValueType {
      guard case .map(let properties)? = keywords["properties"] else {
        let values = keywords["additionalProperties"] ?? .bool(true)
        if case .bool(false) = values { return .object(CEL.ObjectType(name, [:])) }
        let pointer = pointer + "/additionalProperties"
        return .map(.string, try type(values, name: name, pointer: pointer, depth: depth + 1))
      }
      var required: Set<String> = []
      if case .list(let names)? = keywords["required"] {
        for case .string(let name) in names { required.insert(name) }
      }
      var fields: [String: CEL.ObjectType.Field] = [:]
      for (key, schema) in zip(properties.keys, properties.values) {
        guard case .string(let field) = key else { continue }
        let type = try type(
          schema, name: "\(name).\(field)", pointer: "\(pointer)/properties/\(field)", depth: depth + 1)
        fields[field] = CEL.ObjectType.Field(type, isRequired: required.contains(field))
      }
      return .object(CEL.ObjectType(name, fields))
    }
  }
}
