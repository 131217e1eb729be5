extension CEL {
  /// A value of the language (CEL specification, "Values").
  public enum Value: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    /// A sequence of Unicode code points. Values with different normal forms are different.
    case string(String)
    case bytes([UInt8])
    case list([Value])
    case map(Map)
    case timestamp(Timestamp)
    case duration(Duration)
    case type(TypeName)
  }

  /// The name of a type, which is a value itself, such as the result of `type(1)`.
  public enum TypeName: String, Sendable, Hashable, CaseIterable {
    case null = "null_type"
    case bool, int, uint, double, string, bytes, list, map, type
    case timestamp = "google.protobuf.Timestamp"
    case duration = "google.protobuf.Duration"

    /// The name in messages.
    var shortName: String {
      switch self {
      case .null: "null"
      case .timestamp: "timestamp"
      case .duration: "duration"
      default: rawValue
      }
    }
  }
}

extension CEL.Value {
  /// The type of the value.
  public var typeName: CEL.TypeName {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .string: .string
    case .bytes: .bytes
    case .list: .list
    case .map: .map
    case .timestamp: .timestamp
    case .duration: .duration
    case .type: .type
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }
}

extension CEL.Value: Equatable {
  /// Returns whether the language's `==` is true: 1, 1u and 1.0 are equal, and NaN differs from itself.
  public static func == (left: Self, right: Self) -> Bool {
    var meter = CostMeter(limit: .max)
    return (try? meter.areEqual(left, right)) ?? false
  }
}

extension CEL.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: CEL.Value...) { self = .list(elements) }
  public init(nilLiteral: ()) { self = .null }

  /// Creates a map. The last of two equal keys counts.
  public init(dictionaryLiteral elements: (CEL.Map.Key, CEL.Value)...) {
    var map = CEL.Map()
    for (key, value) in elements { map[key] = value }
    self = .map(map)
  }
}
