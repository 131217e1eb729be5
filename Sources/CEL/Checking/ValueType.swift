extension CEL {
  /// The type of a value, as a variable declares it and the checker infers it.
  ///
  /// The types of JSON Schema correspond as follows: integer is ``int``, number is ``double``, array is ``list(_:)``,
  /// an object with `properties` is ``object(_:)``, and an object with `additionalProperties` is ``map(_:_:)``.
  public indirect enum ValueType: Sendable, Equatable {
    /// Any value. The evaluator checks its type.
    case dyn
    case null, bool, int, uint, double, string, bytes, timestamp, duration
    /// The type of a type, such as `int` itself.
    case type
    case list(ValueType)
    case map(ValueType, ValueType)
    case object(ObjectType)
    /// A value or null. The checker refuses to use it without a test.
    case nullable(ValueType)
  }

  /// The type of a JSON object with known fields. Its value is a ``Map`` with strings as keys.
  public struct ObjectType: Sendable, Equatable {
    /// The name in the messages of the checker, such as `quote`.
    public let name: String
    public let fields: [String: Field]

    public struct Field: Sendable, Equatable {
      public let type: ValueType
      public let isRequired: Bool

      public init(_ type: ValueType, isRequired: Bool = true) {
        self.type = type
        self.isRequired = isRequired
      }

      public static func optional(_ type: ValueType) -> Field { Field(type, isRequired: false) }

      /// The type of a selection of the field. An absent field is null.
      var selectedType: ValueType { isRequired ? type : type.orNull }
    }

    public init(_ name: String, _ fields: [String: Field]) {
      self.name = name
      self.fields = fields
    }
  }
}

extension CEL.ValueType: CustomStringConvertible {
  public var description: String {
    switch self {
    case .list(let element): "list(\(element))"
    case .map(let key, let value): "map(\(key), \(value))"
    case .object(let object): object.name
    case .nullable(let type): "\(type) or null"
    default: simple?.name.shortName ?? "dyn"
    }
  }
}

extension CEL.ValueType {
  typealias SimpleType = (type: CEL.ValueType, name: CEL.TypeName, phrase: String, plural: String?)

  /// The types without parts, each with the words of authors for one value and for several.
  private static let simple: [SimpleType] = [
    (.null, .null, "null", nil),
    (.bool, .bool, "true or false", "booleans"),
    (.int, .int, "a whole number", "whole numbers"),
    (.uint, .uint, "an unsigned whole number", "unsigned whole numbers"),
    (.double, .double, "a number", "numbers"),
    (.string, .string, "a text", "texts"),
    (.bytes, .bytes, "bytes", "bytes"),
    (.timestamp, .timestamp, "a time", "times"),
    (.duration, .duration, "a duration", "durations"),
    (.type, .type, "a type", nil),
  ]

  /// The type with its words; nil for a type with parts, and for `dyn`.
  var simple: SimpleType? { Self.simple.first { $0.type == self } }

  /// Creates the type of values that have a type at run time. The elements of a list or a map may be anything.
  init(_ name: CEL.TypeName) {
    switch name {
    case .list: self = .list(.dyn)
    case .map: self = .map(.dyn, .dyn)
    default: self = Self.simple.first { $0.name == name }?.type ?? .dyn
    }
  }

  /// The type with null. `dyn` and `null` contain null already.
  public var orNull: CEL.ValueType {
    switch self {
    case .dyn, .null, .nullable: self
    default: .nullable(self)
    }
  }

  var isNullable: Bool { if case .nullable = self { true } else { false } }

  var isNumeric: Bool {
    switch self {
    case .int, .uint, .double: true
    default: false
    }
  }

  /// The type without null.
  public var withoutNull: CEL.ValueType { if case .nullable(let type) = self { type } else { self } }

  /// The type of the elements of a list; nil for any other type.
  var listElement: CEL.ValueType? { if case .list(let element) = withoutNull { element } else { nil } }

  /// The type of the values of a map; nil for any other type.
  var mapValue: CEL.ValueType? { if case .map(_, let value) = withoutNull { value } else { nil } }

  /// Returns whether a value of this type can stand where the other type is expected.
  public func isAssignable(to other: CEL.ValueType) -> Bool {
    switch (self, other) {
    case (.dyn, _), (_, .dyn), (.null, .nullable): true
    case (.nullable(let type), .nullable(let other)): type.isAssignable(to: other)
    case (_, .nullable(let other)): isAssignable(to: other)
    case (.list(let element), .list(let other)): element.isAssignable(to: other)
    case (.map(let key, let value), .map(let otherKey, let otherValue)):
      key.isAssignable(to: otherKey) && value.isAssignable(to: otherValue)
    case (.object(let object), .map(let key, let value)):
      CEL.ValueType.string.isAssignable(to: key)
        && object.fields.values.allSatisfy { $0.selectedType.isAssignable(to: value) }
    case (.object(let object), .object(let other)): object == other || object.hasFields(of: other)
    default: self == other
    }
  }

  /// Returns whether values of the two types can be equal. Numbers of all types can.
  func isComparable(with other: CEL.ValueType) -> Bool {
    switch (self, other) {
    case (.dyn, _), (_, .dyn), (.null, .nullable), (.nullable, .null): true
    case (.nullable(let type), _): type.isComparable(with: other.withoutNull)
    case (_, .nullable(let other)): isComparable(with: other)
    case (.list(let element), .list(let other)): element.isComparable(with: other)
    case (.map(let key, let value), .map(let otherKey, let otherValue)):
      key.isComparable(with: otherKey) && value.isComparable(with: otherValue)
    case (.object, .object), (.object, .map), (.map, .object): true
    default: self == other || isNumeric && other.isNumeric
    }
  }

  /// Returns the type that contains the values of all types.
  static func joined(_ types: [CEL.ValueType]) -> CEL.ValueType {
    guard let first = types.first else { return .dyn }
    return types.dropFirst().reduce(first) { $0.joined(with: $1) ?? .dyn }
  }

  /// Returns the type that contains the values of both types; nil if only `dyn` does.
  func joined(with other: CEL.ValueType) -> CEL.ValueType? {
    if self == other { return self }
    switch (self, other) {
    case (.dyn, _), (_, .dyn): return .dyn
    case (.null, _): return other.orNull
    case (_, .null): return orNull
    case (.nullable(let type), _): return type.joined(with: other.withoutNull)?.orNull
    case (_, .nullable(let other)): return joined(with: other)?.orNull
    case (.list(let element), .list(let other)): return element.joined(with: other).map { .list($0) }
    case (.map(let key, let value), .map(let otherKey, let otherValue)):
      guard let key = key.joined(with: otherKey), let value = value.joined(with: otherValue) else { return nil }
      return .map(key, value)
    case (.object, .object), (.object, .map), (.map, .object):
      if isAssignable(to: other) { return other }
      return other.isAssignable(to: self) ? self : nil
    default: return nil
    }
  }
}

extension CEL.ObjectType {
  /// Returns whether a value of this type has the fields that another type requires.
  fileprivate func hasFields(of other: CEL.ObjectType) -> Bool {
    other.fields.allSatisfy { name, field in
      guard let own = fields[name] else { return !field.isRequired }
      return own.type.isAssignable(to: field.type) && (own.isRequired || !field.isRequired)
    }
  }
}
