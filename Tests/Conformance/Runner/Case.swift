import CEL
import Foundation
import TestSupport

/// A case of the conformance tests, as conformance.py writes it.
struct Case: Decodable {
  let file: String
  let section: String
  let name: String
  let expr: String
  let excluded: String?
  let check: Bool?
  let types: [String: TypeJSON]?
  let bindings: [String: ValueJSON]?
  let expected: ValueJSON?

  /// Returns the reason of a failure; nil if the case passes.
  func failure() -> String? {
    let environment = CEL.Environment((types ?? [:]).mapValues(\.type)) { name in
      try? [UInt8](Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)")))
    }
    let isErrorExpected = if case .error? = expected { true } else { false }
    let found: CEL.Value
    do {
      let program =
        check == true ? try CEL.Program(expr, in: environment) : try CEL.Program(unchecked: expr, in: environment)
      found = try program.evaluate((bindings ?? [:]).compactMapValues(\.value))
    } catch let error as CEL.EvaluationError {
      return isErrorExpected ? nil : "\(error)"
    } catch {
      // An error of the parser or the checker is not an error of the evaluation, even where one is expected.
      return "\(error)"
    }
    guard let value = expected?.value else { return "expected an error, found \(found)" }
    return Self.areIdentical(found, value) ? nil : "expected \(value), found \(found)"
  }

  /// Compares with the types of numbers: an expected 1 is not 1.0.
  private static func areIdentical(_ left: CEL.Value, _ right: CEL.Value) -> Bool {
    switch (left, right) {
    case (.double(let left), .double(let right)):
      return left.isNaN && right.isNaN || left == right && left.sign == right.sign
    case (.list(let left), .list(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { areIdentical($0, $1) }
    case (.map(let left), .map(let right)):
      return left.count == right.count
        && zip(left.keys, left.values).allSatisfy { key, value in right[key].map { areIdentical(value, $0) } ?? false }
    default: return left.typeName == right.typeName && left == right
    }
  }
}

/// A value with its kind, such as `{"int": "1"}`.
enum ValueJSON: Decodable {
  case error
  case some(CEL.Value)

  var value: CEL.Value? { if case .some(let value) = self { value } else { nil } }

  private enum Key: String, CodingKey {
    case error, null, bool, int, uint, double, string, bytes, type, list, map, timestamp, duration
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard let key = container.allKeys.first else { throw Malformed() }
    func number<Number: LosslessStringConvertible>() throws -> Number {
      guard let number = Number(try container.decode(String.self, forKey: key)) else { throw Malformed() }
      return number
    }
    func pair() throws -> (Int64, Int32) {
      let parts = try container.decode([String].self, forKey: key)
      guard parts.count == 2, let first = Int64(parts[0]), let second = Int32(parts[1]) else { throw Malformed() }
      return (first, second)
    }
    switch key {
    case .error: self = .error
    case .null: self = .some(.null)
    case .bool: self = .some(.bool(try container.decode(Bool.self, forKey: key)))
    case .int: self = .some(.int(try number()))
    case .uint: self = .some(.uint(try number()))
    case .double: self = .some(.double(try number()))
    case .string: self = .some(.string(try container.decode(String.self, forKey: key)))
    case .bytes: self = .some(.bytes(try container.decode([UInt8].self, forKey: key)))
    case .type:
      guard let name = CEL.TypeName(rawValue: try container.decode(String.self, forKey: key)) else { throw Malformed() }
      self = .some(.type(name))
    case .list: self = .some(.list(try container.decode([ValueJSON].self, forKey: key).compactMap(\.value)))
    case .map:
      var map = CEL.Map()
      for entry in try container.decode([[ValueJSON]].self, forKey: key) {
        guard entry.count == 2, let value = entry[1].value else { throw Malformed() }
        switch entry[0].value {
        case .bool(let key): map[.bool(key)] = value
        case .int(let key): map[.int(key)] = value
        case .uint(let key): map[.uint(key)] = value
        case .string(let key): map[.string(key)] = value
        default: throw Malformed()
        }
      }
      self = .some(.map(map))
    case .timestamp:
      let (seconds, nanoseconds) = try pair()
      guard let timestamp = CEL.Timestamp(seconds: seconds, nanoseconds: nanoseconds) else { throw Malformed() }
      self = .some(.timestamp(timestamp))
    case .duration:
      let (seconds, nanoseconds) = try pair()
      guard let duration = CEL.Duration(seconds: seconds, nanoseconds: Int64(nanoseconds)) else { throw Malformed() }
      self = .some(.duration(duration))
    }
  }
}

/// A type: a name, `{"list": type}` or `{"map": [type, type]}`.
struct TypeJSON: Decodable {
  let type: CEL.ValueType

  private static let names: [String: CEL.ValueType] = [
    "dyn": .dyn, "null": .null, "bool": .bool, "int": .int, "uint": .uint, "double": .double, "string": .string,
    "bytes": .bytes, "timestamp": .timestamp, "duration": .duration,
  ]

  private enum Key: String, CodingKey { case list, map }

  init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      guard let type = Self.names[name] else { throw Malformed() }
      self.type = type
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    if let element = try container.decodeIfPresent(TypeJSON.self, forKey: .list) {
      type = .list(element.type)
      return
    }
    let pair = try container.decode([TypeJSON].self, forKey: .map)
    guard pair.count == 2 else { throw Malformed() }
    type = .map(pair[0].type, pair[1].type)
  }
}
