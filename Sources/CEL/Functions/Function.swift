/// A standard function (CEL specification, "List of Standard Definitions"; cel-go, "Strings extension"): its forms for
/// the checker and for the reference, and its implementation.
final class Function: Sendable {
  typealias Implementation = @Sendable (inout Evaluator, [CEL.Value]) throws(Failure) -> CEL.Value

  let name: String
  let forms: [Signature]
  private let argumentTypes: [[CEL.TypeName?]]
  /// Whether a call charges for the bytes of its first argument if it is a text, and then of its second argument too.
  private let paysForTexts: Bool
  /// Receives arguments of one of the forms. The receiver of a member function is the first argument.
  private let implementation: Implementation

  init(_ name: String, _ forms: [Signature], _ implementation: @escaping Implementation) {
    self.name = name
    self.forms = forms
    self.implementation = implementation
    argumentTypes = forms.map(\.argumentTypes)
    paysForTexts = forms.contains { $0.parameters[0] == .string }
  }

  /// The functions in the order of the reference.
  static let all = [size] + texts + conversions + [type, dyn] + timeParts

  static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

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
    forms: for types in argumentTypes where types.count == arguments.count {
      for index in types.indices {
        if let type = types[index], type != arguments[index].typeName { continue forms }
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

  static func member(_ parameters: [CEL.ValueType], _ result: CEL.ValueType) -> Signature {
    Signature(isMember: true, parameters: parameters, result: result)
  }

  static func global(_ parameters: [CEL.ValueType], _ result: CEL.ValueType) -> Signature {
    Signature(isMember: false, parameters: parameters, result: result)
  }

  func accepts(_ types: [CEL.ValueType]) -> Bool {
    parameters.count == types.count && zip(types, parameters).allSatisfy { $0.isAssignable(to: $1) }
  }

  /// The types of arguments at run time; nil for any type.
  fileprivate var argumentTypes: [CEL.TypeName?] {
    parameters.map { type in
      type == .dyn ? nil : CEL.TypeName.allCases.first { CEL.ValueType($0).isAssignable(to: type) }
    }
  }

  fileprivate func form(of name: String) -> String {
    let arguments = parameters.dropFirst(isMember ? 1 : 0).map(\.description).joined(separator: ", ")
    return "\(isMember ? "\(parameters[0])." : "")\(name)(\(arguments)): \(result)"
  }
}

extension CEL {
  /// The standard functions with their forms, such as `string.contains(string): bool`, for a reference.
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
