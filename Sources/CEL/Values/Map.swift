extension CEL {
  /// A map in the order of its insertions.
  public struct Map: Sendable {
    public private(set) var keys: [Key] = []
    public private(set) var values: [Value] = []
    /// The indices of the keys of a large map. Most have a few fields, which a search finds sooner than their hashes.
    private var indices: [Key: Int] = [:]
    private static let searchedCount = 8

    public init() {}

    /// Creates a map with the keys as strings, in the order of the keys.
    public init(_ fields: [String: Value]) {
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) { self[.string(name)] = value }
    }

    public var count: Int { keys.count }
    public var isEmpty: Bool { keys.isEmpty }

    /// The value of a key. An assignment of nil changes nothing, because an expression never removes a key.
    public subscript(key: Key) -> Value? {
      get { index(of: key).map { values[$0] } }
      set {
        guard let newValue else { return }
        if let index = index(of: key) { return values[index] = newValue }
        keys.append(key)
        values.append(newValue)
        if keys.count <= Self.searchedCount { return }
        for index in indices.count..<keys.count { indices[keys[index]] = index }
      }
    }

    private func index(of key: Key) -> Int? {
      keys.count > Self.searchedCount ? indices[key] : keys.firstIndex(of: key)
    }

    public subscript(name: String) -> Value? { self[.string(name)] }
  }
}

extension CEL.Map {
  /// A key of a map. An int equals the uint of the same number.
  public enum Key: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case string(String)

    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }

    /// The key for a value: a double counts as the whole number that it equals. Nil for any other type.
    init?(looking value: CEL.Value) {
      switch value {
      case .bool(let value): self = .bool(value)
      case .int(let value): self = .int(value)
      case .uint(let value): self = .uint(value)
      case .string(let value): self = .string(value)
      case .double(let value):
        if let number = Int64(exactly: value) {
          self = .int(number)
        } else if let number = UInt64(exactly: value) {
          self = .uint(number)
        } else {
          return nil
        }
      default: return nil
      }
    }

    /// The key of an entry that has the value as its key. Nil for a type that is not a key (CEL specification, "Maps").
    init?(_ value: CEL.Value) {
      if case .double = value { return nil }
      self.init(looking: value)
    }

    var value: CEL.Value {
      switch self {
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .uint(let value): .uint(value)
      case .string(let value): .string(value)
      }
    }

    public static func == (left: Self, right: Self) -> Bool {
      switch (left, right) {
      case (.bool(let left), .bool(let right)): left == right
      case (.int(let left), .int(let right)): left == right
      case (.uint(let left), .uint(let right)): left == right
      case (.int(let left), .uint(let right)): UInt64(exactly: left) == right
      case (.uint(let left), .int(let right)): UInt64(exactly: right) == left
      // Equal text may have other bytes: a letter with an accent is one code point or two.
      case (.string(let left), .string(let right)):
        left.utf8.count == right.utf8.count && left == right && left.utf8.elementsEqual(right.utf8)
      default: false
      }
    }

    public func hash(into hasher: inout Hasher) {
      switch self {
      case .bool(let value): hasher.combine(value)
      case .int(let value): hasher.combine(UInt64(bitPattern: value))
      case .uint(let value): hasher.combine(value)
      case .string(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      }
    }
  }
}
