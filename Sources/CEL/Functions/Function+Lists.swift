/// The functions of lists (k8s.io/apiserver/pkg/cel/library, "Lists"), apart from `indexOf` and `lastIndexOf`, which
/// are functions of texts too.
extension Function {
  static let lists = [
    Function("isSorted", comparable.map { .member([.list($0)], .bool) }) { (evaluator, arguments) throws(Failure) in
      .bool(try evaluator.isSorted(arguments[0].elements))
    },
    sum,
    extreme("min", .less, comparable.map { .member([.list($0)], $0) }),
    extreme("max", .greater, comparable.map { .member([.list($0)], $0) }),
  ]

  private static let comparable: [CEL.ValueType] = [
    .int, .uint, .double, .bool, .duration, .timestamp, .string, .bytes,
  ]

  /// The sums of empty lists.
  fileprivate static let zeros: [CEL.Value] = [0, .uint(0), 0.0, .duration(CEL.Duration(nanoseconds: 0))]

  /// The sum of a list whose first element decides the type.
  private static let sum = summation(from: nil)

  /// The sums of lists whose elements have a declared type.
  private static let sums = zeros.map { (type: CEL.ValueType($0.typeName), function: summation(from: $0)) }

  /// Returns the function for a result of a known type: the sum of an empty list is the zero of that type.
  func specialized(for result: CEL.ValueType) -> Function {
    guard self === Function.sum else { return self }
    return Function.sums.first { $0.type == result }?.function ?? self
  }

  private static func summation(from zero: CEL.Value?) -> Function {
    let types = zeros.map { CEL.ValueType($0.typeName) }
    return Function("sum", types.map { .member([.list($0)], $0) }) { (evaluator, arguments) throws(Failure) in
      try evaluator.sum(of: arguments[0].elements, from: zero)
    }
  }

  /// Creates a function that returns one of its elements.
  ///
  /// - Parameter order: The order of the result relative to any other element.
  static func extreme(_ name: String, _ order: Order, _ forms: [Signature]) -> Function {
    Function(name, forms) { (evaluator, arguments) throws(Failure) in
      let elements = if case .list(let elements) = arguments[0] { elements } else { arguments }
      let found = try evaluator.extreme(name, order, of: elements)
      guard forms.contains(where: { $0.result == CEL.ValueType(found.typeName) }) else {
        throw .noSuchOverload(name, [.list, found.typeName])
      }
      return found
    }
  }

  /// Whether the function fails for an empty list.
  var needsElement: Bool { name == "min" || name == "max" }
}

extension Evaluator {
  fileprivate mutating func isSorted(_ elements: [CEL.Value]) throws(Failure) -> Bool {
    try meter.charge(elements.count)
    guard var previous = elements.first else { return true }
    // An element that has no order has none relative to itself either, so that a list of one element fails too.
    for element in elements {
      if try order(previous, element, "isSorted") == .greater { return false }
      previous = element
    }
    return true
  }

  fileprivate mutating func sum(of elements: [CEL.Value], from zero: CEL.Value?) throws(Failure) -> CEL.Value {
    try meter.charge(elements.count)
    let first = elements.first?.typeName
    var sum: CEL.Value = zero ?? Function.zeros.first { $0.typeName == first } ?? 0
    let isDouble = zero?.typeName == .double
    for element in elements {
      // JSON may write an element of a list of doubles as an integer.
      let number = isDouble ? element.asDouble : element
      guard number.typeName == sum.typeName else { throw .noSuchOverload("sum", [.list, number.typeName]) }
      sum = try apply(.add, sum, number)
    }
    return sum
  }

  /// Returns the first element that no other one precedes in this order.
  fileprivate mutating func extreme(
    _ name: String, _ preferred: Order, of elements: [CEL.Value]
  ) throws(Failure) -> CEL.Value {
    try meter.charge(elements.count)
    guard var found = elements.first else { throw .emptyList(name) }
    for element in elements where try order(element, found, name) == preferred { found = element }
    return found
  }

  /// Returns the first of some indices whose element equals a value, or -1.
  mutating func index(
    of value: CEL.Value, in elements: [CEL.Value], _ indices: some Sequence<Int>
  ) throws(Failure) -> CEL.Value {
    for index in indices where try meter.areEqual(elements[index], value) { return .int(Int64(index)) }
    return -1
  }
}
