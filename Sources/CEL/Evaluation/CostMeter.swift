/// The cost that an evaluation has left.
///
/// A step of the evaluation costs 1, an element of a list or an entry of a map 1, and 10 bytes of a text 1. Work is
/// charged before it starts, so that an expression cannot use more time or memory than its limit allows.
struct CostMeter {
  let limit: Int
  private(set) var remaining: Int

  init(limit: Int) {
    self.limit = limit
    remaining = limit
  }

  var used: Int { limit - remaining }

  /// Ends the evaluation, and returns its error.
  mutating func exhaust() -> Failure {
    remaining = 0
    return .costLimitExceeded(limit: limit)
  }

  @inline(__always)
  mutating func charge(_ cost: Int) throws(Failure) {
    guard cost <= remaining else { throw exhaust() }
    remaining -= cost
  }

  mutating func charge(bytes count: Int) throws(Failure) { try charge(count / 10) }

  mutating func charge(_ key: CEL.Map.Key) throws(Failure) {
    try charge(1)
    if case .string(let text) = key { try charge(bytes: text.utf8.count) }
  }

  /// Charges for each part of a value.
  ///
  /// A list may contain the same list many times, so a small expression can have a result with billions of parts. The
  /// charge for the result protects the code that walks through it.
  mutating func charge(partsOf value: CEL.Value, depth: Int = 0) throws(Failure) {
    try charge(1)
    switch value {
    case .string(let text): try charge(bytes: text.utf8.count)
    case .bytes(let bytes): try charge(bytes: bytes.count)
    case .list(let elements):
      guard depth < CEL.Value.maximumDepth else { throw exhaust() }
      for element in elements { try charge(partsOf: element, depth: depth + 1) }
    case .map(let map):
      guard depth < CEL.Value.maximumDepth else { throw exhaust() }
      for key in map.keys { try charge(key) }
      for element in map.values { try charge(partsOf: element, depth: depth + 1) }
    default: break
    }
  }
}

extension CEL.Value {
  /// The maximum depth of lists and maps that the evaluator compares, formats or returns.
  static let maximumDepth = 256
}
