/// A function (CEL specification, "List of Standard Definitions"; the extensions of cel-go and Kubernetes): its forms
/// for the checker and for the reference, and its implementation.
final class Function: Sendable {
  typealias Implementation = @Sendable (inout Evaluator, [CEL.Value]) throws(Failure) -> CEL.Value

  let name: String
  let forms: [Signature]
  private let argumentTypes: [(types: [CEL.TypeName?], isVariadic: Bool)]
  /// Whether a call charges for the bytes of its first argument if it is a text, and then of its second argument too.
  private let paysForTexts: Bool
  /// Receives arguments of one of the forms. The receiver of a member function is the first argument.
  private let implementation: Implementation

  init(_ name: String, _ forms: [Signature], _ implementation: @escaping Implementation) {
    self.name = name
    self.forms = forms
    self.implementation = implementation
    argumentTypes = forms.map { ($0.argumentTypes, $0.isVariadic) }
    paysForTexts = forms.contains { $0.parameters[0] == .string }
  }

  /// The functions in the order of the reference.
  static let all: [Function] = [
    [size], texts, lists, numbers, conversions, [type, dyn], timeParts, dates,
  ].flatMap { $0 }

  static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  var isVariadic: Bool { forms.contains { $0.isVariadic } }

  func call(_ arguments: [CEL.Value], _ evaluator: inout Evaluator) throws(Failure) -> CEL.Value {
    if paysForTexts, case .string(let text) = arguments[0] {
      try evaluator.meter.charge(bytes: text.utf8.count)
      if arguments.count > 1, case .string(let text) = arguments[1] {
        try evaluator.meter.charge(bytes: text.utf8.count)
      }
    }
    guard accepts(arguments) else {
      throw .noSuchOverload(name, arguments.map(\.typeName))
    }
    return try implementation(&evaluator, arguments)
  }

  private func accepts(_ arguments: [CEL.Value]) -> Bool {
    forms: for (types, isVariadic) in argumentTypes
    where types.count == arguments.count || isVariadic && types.count < arguments.count {
      for index in arguments.indices {
        if let type = types[min(index, types.count - 1)], type != arguments[index].typeName { continue forms }
      }
      return true
    }
    return false
  }

  private static let size = Function(
    "size",
    [.string, .bytes, .list(.dyn), .map(.dyn, .dyn)].flatMap { [.global([$0], .int), .member([$0], .int)] }
  ) { (_, arguments) throws(Failure) in
    switch arguments[0] {
    case .bytes(let bytes): .int(Int64(bytes.count))
    case .list(let elements): .int(Int64(elements.count))
    case .map(let map): .int(Int64(map.count))
    default: .int(Int64(arguments[0].text.unicodeScalars.count))
    }
  }

  private static let type = Function("type", [.global([.dyn], .type)]) { .type($1[0].typeName) }

  private static let dyn = Function("dyn", [.global([.dyn], .dyn)]) { $1[0] }
}

/// The types of one form of a function.
struct Signature: Sendable {
  /// The receiver is the first parameter of a member function.
  let isMember: Bool
  let parameters: [CEL.ValueType]
  let result: CEL.ValueType
  /// Whether the last parameter takes any number of arguments, one at least.
  var isVariadic = false

  static func member(_ parameters: [CEL.ValueType], _ result: CEL.ValueType) -> Signature {
    Signature(isMember: true, parameters: parameters, result: result)
  }

  static func global(_ parameters: [CEL.ValueType], _ result: CEL.ValueType) -> Signature {
    Signature(isMember: false, parameters: parameters, result: result)
  }

  /// Creates the form of a function that takes any number of values of a type, and returns one of them.
  static func variadic(_ type: CEL.ValueType) -> Signature {
    Signature(isMember: false, parameters: [type], result: type, isVariadic: true)
  }

  /// Returns the parameter of each argument; nil if the form takes another number of arguments.
  func parameters(for count: Int) -> [CEL.ValueType]? {
    if count == parameters.count { return parameters }
    guard isVariadic, count > parameters.count, let last = parameters.last else { return nil }
    return parameters + Array(repeating: last, count: count - parameters.count)
  }

  func accepts(_ types: [CEL.ValueType]) -> Bool {
    guard let parameters = self.parameters(for: types.count) else { return false }
    return zip(types, parameters).allSatisfy { $0.isAssignable(to: $1) }
  }

  /// The types of arguments at run time; nil for any type.
  fileprivate var argumentTypes: [CEL.TypeName?] {
    parameters.map { type in
      type == .dyn ? nil : CEL.TypeName.allCases.first { CEL.ValueType($0).isAssignable(to: type) }
    }
  }

  fileprivate func form(of name: String) -> String {
    let arguments = parameters.dropFirst(isMember ? 1 : 0).map(\.description) + (isVariadic ? ["…"] : [])
    return "\(isMember ? "\(parameters[0])." : "")\(name)(\(arguments.joined(separator: ", "))): \(result)"
  }
}

extension CEL {
  /// The functions with their forms, such as `string.contains(string): bool`, for a reference.
  package static var functions: [(name: String, forms: [String])] {
    Function.all.map { function in (function.name, function.forms.map { $0.form(of: function.name) }) }
  }
}

/// The contents of arguments whose types are known.
extension CEL.Value {
  var text: String { if case .string(let text) = self { text } else { "" } }

  var integer: Int64 { if case .int(let number) = self { number } else { 0 } }

  var elements: [CEL.Value] { if case .list(let elements) = self { elements } else { [] } }
}
