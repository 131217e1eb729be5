/// The functions of numbers (cel-go, "Math extension"), as far as forms need them.
extension Function {
  static let numbers = [
    Function("math.abs", numeric.map { .global([$0], $0) }) { (_, arguments) throws(Failure) in
      switch arguments[0] {
      case .int(let number):
        guard number != .min else { throw .overflow("int") }
        return .int(abs(number))
      case .double(let number): return .double(abs(number))
      default: return arguments[0]
      }
    },
    rounding("math.ceil") { $0.rounded(.up) },
    rounding("math.floor") { $0.rounded(.down) },
    rounding("math.round") { $0.rounded(.toNearestOrAwayFromZero) },
    extreme("math.least", .less, numeric.flatMap { [.variadic($0), .global([.list($0)], $0)] }),
    extreme("math.greatest", .greater, numeric.flatMap { [.variadic($0), .global([.list($0)], $0)] }),
  ]

  private static let numeric: [CEL.ValueType] = [.int, .uint, .double]

  private static func rounding(_ name: String, _ round: @escaping @Sendable (Double) -> Double) -> Function {
    Function(name, [.global([.double], .double)]) { (_, arguments) throws(Failure) in
      if case .double(let number) = arguments[0] { .double(round(number)) } else { arguments[0] }
    }
  }
}
