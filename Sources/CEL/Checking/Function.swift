/// A standard function (CEL specification, "List of Standard Definitions"; cel-go, "Strings extension").
enum Function: String, CaseIterable {
  case size, contains, startsWith, endsWith, matches
  case charAt, indexOf, lastIndexOf, lowerAscii, upperAscii, replace, split, substring, trim, reverse, join, format
  case quote = "strings.quote"
  case bool, int, uint, double, string, bytes, timestamp, duration, type, dyn
  case getFullYear, getMonth, getDate, getDayOfMonth, getDayOfWeek, getDayOfYear
  case getHours, getMinutes, getSeconds, getMilliseconds
}

/// The types of one form of a function.
struct Signature {
  /// The receiver is the first parameter of a member function.
  let isMember: Bool
  let parameters: [CEL.ValueType]
  let result: CEL.ValueType
}

extension Function {
  /// The forms of each function.
  static let signatures: [Function: [Signature]] = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, $0.makeSignatures()) })

  private func makeSignatures() -> [Signature] {
    switch self {
    case .size:
      [.string, .bytes, .list(.dyn), .map(.dyn, .dyn)].flatMap { [global([$0], .int), member([$0], .int)] }
    case .contains, .startsWith, .endsWith: [member([.string, .string], .bool)]
    case .matches: [member([.string, .string], .bool), global([.string, .string], .bool)]
    case .charAt: [member([.string, .int], .string)]
    case .indexOf, .lastIndexOf: [member([.string, .string], .int), member([.string, .string, .int], .int)]
    case .lowerAscii, .upperAscii, .trim, .reverse: [member([.string], .string)]
    case .replace:
      [member([.string, .string, .string], .string), member([.string, .string, .string, .int], .string)]
    case .split: [member([.string, .string], .list(.string)), member([.string, .string, .int], .list(.string))]
    case .substring: [member([.string, .int], .string), member([.string, .int, .int], .string)]
    case .join: [member([.list(.string)], .string), member([.list(.string), .string], .string)]
    case .format: [member([.string, .list(.dyn)], .string)]
    case .quote: [global([.string], .string)]
    case .bool: conversions(from: [.bool, .string], to: .bool)
    case .int: conversions(from: [.int, .uint, .double, .string, .timestamp], to: .int)
    case .uint: conversions(from: [.uint, .int, .double, .string], to: .uint)
    case .double: conversions(from: [.double, .int, .uint, .string], to: .double)
    case .string:
      conversions(from: [.string, .bool, .int, .uint, .double, .bytes, .timestamp, .duration], to: .string)
    case .bytes: conversions(from: [.bytes, .string], to: .bytes)
    case .timestamp: conversions(from: [.timestamp, .string, .int], to: .timestamp)
    case .duration: conversions(from: [.duration, .string], to: .duration)
    case .type: [global([.dyn], .type)]
    case .dyn: [global([.dyn], .dyn)]
    case .getFullYear, .getMonth, .getDate, .getDayOfMonth, .getDayOfWeek, .getDayOfYear:
      [member([.timestamp], .int), member([.timestamp, .string], .int)]
    case .getHours, .getMinutes, .getSeconds, .getMilliseconds:
      [member([.timestamp], .int), member([.timestamp, .string], .int), member([.duration], .int)]
    }
  }

  private func member(_ parameters: [CEL.ValueType], _ result: CEL.ValueType) -> Signature {
    Signature(isMember: true, parameters: parameters, result: result)
  }

  private func global(_ parameters: [CEL.ValueType], _ result: CEL.ValueType) -> Signature {
    Signature(isMember: false, parameters: parameters, result: result)
  }

  private func conversions(from sources: [CEL.ValueType], to result: CEL.ValueType) -> [Signature] {
    sources.map { global([$0], result) }
  }
}

extension CEL {
  /// The standard functions with their forms, such as `string.contains(string): bool`, for a reference.
  package static var functions: [(name: String, forms: [String])] {
    Function.allCases.map { function in
      let forms = Function.signatures[function] ?? []
      return (function.rawValue, forms.map { $0.form(of: function.rawValue) })
    }
  }
}

extension Signature {
  fileprivate func form(of name: String) -> String {
    let arguments = parameters.dropFirst(isMember ? 1 : 0).map(\.description).joined(separator: ", ")
    return "\(isMember ? "\(parameters[0])." : "")\(name)(\(arguments)): \(result)"
  }
}

extension Expression.Operator {
  /// The types of the operands and of the result. Lists, equality, order and membership follow rules of their own.
  var overloads: [(operands: [CEL.ValueType], result: CEL.ValueType)] {
    switch self {
    case .add:
      Self.numeric([.int, .uint, .double, .string, .bytes, .duration])
        + [([.timestamp, .duration], .timestamp), ([.duration, .timestamp], .timestamp)]
    case .subtract:
      Self.numeric([.int, .uint, .double, .duration])
        + [([.timestamp, .timestamp], .duration), ([.timestamp, .duration], .timestamp)]
    case .multiply, .divide: Self.numeric([.int, .uint, .double])
    case .modulo: Self.numeric([.int, .uint])
    case .not: [([.bool], .bool)]
    case .negate: [([.int], .int), ([.double], .double)]
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn: []
    }
  }

  private static func numeric(_ types: [CEL.ValueType]) -> [(operands: [CEL.ValueType], result: CEL.ValueType)] {
    types.map { ([$0, $0], $0) }
  }
}
