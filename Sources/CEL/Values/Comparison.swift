/// The order of two values that can be compared.
enum Order {
  case less, equal, greater
  /// One of the values is NaN.
  case unordered

  init<Operand: Comparable>(_ left: Operand, _ right: Operand) {
    self = left < right ? .less : left > right ? .greater : left == right ? .equal : .unordered
  }

  var reversed: Order {
    switch self {
    case .less: .greater
    case .greater: .less
    case .equal, .unordered: self
    }
  }
}

extension CEL.Value {
  /// Returns the order of two numbers, strings, bytes, bools, timestamps or durations. Nil for any other pair.
  ///
  /// An integer is compared with a double as a double, as in cel-go and the conformance tests.
  func order(relativeTo other: CEL.Value) -> Order? {
    switch (self, other) {
    case (.int(let left), .int(let right)): Order(left, right)
    case (.uint(let left), .uint(let right)): Order(left, right)
    case (.double(let left), .double(let right)): Order(left, right)
    case (.int(let left), .uint(let right)): left < 0 ? .less : Order(UInt64(left), right)
    case (.uint, .int): other.order(relativeTo: self)?.reversed
    case (.int(let left), .double(let right)): Order(Double(left), right)
    case (.uint(let left), .double(let right)): Order(Double(left), right)
    case (.double, .int), (.double, .uint): other.order(relativeTo: self)?.reversed
    case (.string(let left), .string(let right)): Self.order(left.utf8, right.utf8)
    case (.bytes(let left), .bytes(let right)): Self.order(left, right)
    case (.bool(let left), .bool(let right)): Order(left ? 1 : 0, right ? 1 : 0)
    case (.timestamp(let left), .timestamp(let right)): Order(left, right)
    case (.duration(let left), .duration(let right)): Order(left, right)
    default: nil
    }
  }

  /// Returns the order of two texts by their bytes. In UTF-8 it is the order of the code points.
  private static func order(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Order {
    if left.lexicographicallyPrecedes(right) { return .less }
    return left.elementsEqual(right) ? .equal : .greater
  }
}

extension CostMeter {
  /// Returns whether two values are equal, and charges for each element and each text that it compares.
  ///
  /// The elements of two lists may be the same object many times. The charge limits the time for them too.
  mutating func areEqual(
    _ left: CEL.Value, _ right: CEL.Value, depth: Int = 0
  ) throws(Failure) -> Bool {
    try charge(1)
    switch (left, right) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.int(let left), .int(let right)): return left == right
    case (.type(let left), .type(let right)): return left == right
    case (.string(let left), .string(let right)):
      let (leftCount, rightCount) = (left.utf8.count, right.utf8.count)
      guard leftCount == rightCount else { return false }
      try charge(bytes: leftCount)
      return left.utf8.elementsEqual(right.utf8)
    case (.bytes(let left), .bytes(let right)):
      try charge(bytes: min(left.count, right.count))
      return left == right
    case (.list(let left), .list(let right)):
      guard left.count == right.count else { return false }
      guard depth < CEL.Value.maximumDepth else { throw exhaust() }
      for (left, right) in zip(left, right) where try !areEqual(left, right, depth: depth + 1) { return false }
      return true
    case (.map(let left), .map(let right)):
      guard left.count == right.count else { return false }
      guard depth < CEL.Value.maximumDepth else { throw exhaust() }
      for (key, value) in zip(left.keys, left.values) {
        try charge(key)
        guard let other = right[key], try areEqual(value, other, depth: depth + 1) else { return false }
      }
      return true
    default: return left.order(relativeTo: right) == .equal
    }
  }
}
