public import Values

/// A schema of JSON Schema 2020-12 (https://json-schema.org/draft/2020-12), which validates values.
///
/// The supported keywords are:
/// - every value: `type`, `enum`, `const`
/// - numbers: `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`
/// - strings: `minLength`, `maxLength`, `pattern`, `format`
/// - arrays: `items`, `prefixItems`, `contains`, `minContains`, `maxContains`, `minItems`, `maxItems`, `uniqueItems`
/// - objects: `properties`, `patternProperties`, `additionalProperties`, `propertyNames`, `required`,
///   `dependentRequired`, `dependentSchemas`, `minProperties`, `maxProperties`
/// - combinations: `allOf`, `anyOf`, `oneOf`, `not`, `if`, `then`, `else`, `$ref`, `$defs`
/// - annotations: `title`, `description`, `default`, `examples`, `deprecated`, `readOnly`, `writeOnly`, `$comment`,
///   `$schema`
///
/// Any other keyword is an error, and none is ignored. The schema differs from the specification in these points:
/// - A `$ref` leads to a schema of the same document, such as `#`, `#/$defs/price` or `#/properties/id`, or to a
///   definition, such as `#/types/quote`. There are no identifiers, anchors and remote documents.
/// - A `pattern` is a regular expression of ECMA-262 without lookaround and backreferences, so that a text is matched in
///   linear time. The `u` flag is on.
/// - A `multipleOf` counts in decimals: 0.3 is a multiple of 0.1.
/// - The formats `date`, `time`, `date-time`, `email`, `phone` and `uri` are asserted. A `time` may be `09:30`, as forms
///   ask for it. Other formats are annotations.
/// - A text that is longer than `maxLength` is not matched with the `pattern` beside it, which saves its time.
public struct JSONSchema: Sendable {
  /// The maximum number of faults of a schema, and of faults of a value.
  public static let faultLimit = 100

  /// The maximum number of steps of a validation, such as a keyword that is applied, a property that is looked up, or a
  /// character that is matched.
  ///
  /// A validation that reached it took 0.02 to 0.6 seconds (one core, optimized).
  public static let stepLimit = 2_000_000

  /// The maximum number of schemas that are applied inside each other.
  ///
  /// Together they took at most 256 KiB of the stack, and 1 MiB without optimization.
  public static let depthLimit = 256

  private let nodes: [SchemaNode]

  /// Reads a schema.
  ///
  /// - Parameters:
  ///   - document: The schema as a value: an object or a boolean.
  ///   - definitions: The schemas to which `#/types/NAME` refers. Only those that the document needs are read. Inside a
  ///     definition, `#` is the definition itself.
  ///   - assertsFormats: Whether a text in another format than its known one is a fault.
  /// - Throws: every fault of the schema, and not only the first.
  public init(
    _ document: Value, definitions: [String: Value] = [:], assertsFormats: Bool = true
  ) throws(SchemaError) {
    var reader = SchemaReader(definitions: definitions, assertsFormats: assertsFormats)
    nodes = try reader.read(document)
  }

  /// Validates a value.
  ///
  /// - Parameter stepLimit: The maximum number of steps. A validation that needs more ends with a fault.
  /// - Returns: the faults in the order of the value, at most ``faultLimit``; none for a valid value.
  public func faults(of value: Value, stepLimit: Int = JSONSchema.stepLimit) -> [Fault] {
    var validator = Validator(nodes: nodes, stepLimit: stepLimit)
    return validator.faults(of: value)
  }
}

extension JSONSchema {
  /// A reason why a value is invalid.
  public struct Fault: Sendable, Hashable, CustomStringConvertible {
    /// The JSON pointer to the invalid part of the value (RFC 6901), such as `/items/0/price`; empty for the whole
    /// value. The fault of a required property has the pointer that the property would have.
    public let pointer: String
    /// The keyword that the part violates, such as `minimum`; `false` for the schema that is false, and empty if the
    /// validation has reached a limit.
    public let keyword: String
    /// The demand on the part as a verb phrase, such as `must be at least 3`, without any part of the value.
    public let message: String

    /// The pointer with the message: `/items/0/price must be at least 3`.
    public var description: String { "\(pointer.isEmpty ? "The value" : pointer) \(message)" }
  }

  /// A fault in a schema.
  public struct SchemaFault: Sendable, Hashable, CustomStringConvertible {
    /// The JSON pointer to the part of the schema (RFC 6901), such as `/properties/id/minLength`. A definition has a
    /// pointer such as `/types/quote`.
    public let pointer: String
    /// A sentence that tells the author what to do.
    public let message: String

    /// The pointer with the message: `/properties/id/minLenght: There is no keyword minLenght. Did you mean minLength?`
    public var description: String { "\(pointer.isEmpty ? "The schema" : pointer): \(message)" }
  }

  /// The faults that keep a value from being a schema.
  public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The faults, at most ``JSONSchema/faultLimit``.
    public let faults: [SchemaFault]

    public var description: String { faults.map(\.description).joined(separator: "\n") }
  }
}
