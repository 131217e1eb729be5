internal import CEL
internal import Values
internal import YAML

extension CEL.Value {
  /// Creates the value of an expression from a stored value.
  init(_ value: Values.Value) {
    switch value.kind {
    case .null: self = .null
    case .boolean: self = .bool(value.bool ?? false)
    case .integer: self = .int(value.int ?? 0)
    case .double: self = .double(value.double ?? 0)
    case .text: self = .string(value.text ?? "")
    case .array: self = .list(value.elements.map { CEL.Value($0) })
    case .map:
      var map = CEL.Map()
      for member in value.members { map[.string(member.key)] = CEL.Value(member.value) }
      self = .map(map)
    }
  }
}

extension Value {
  /// Creates a value from the result of an expression.
  ///
  /// - Throws: for a number that JSON does not have, a key that is not a text, bytes, which are not JSON either, and more
  ///   than ``maximumResultDepth`` levels.
  init(_ result: CEL.Value) throws(ResultError) { try self.init(result, depth: 0) }

  /// The maximum depth of a result, below ``maximumDepth``, so that the values that contain it have levels left.
  private static let maximumResultDepth = 48

  private init(_ result: CEL.Value, depth: Int) throws(ResultError) {
    guard depth < Self.maximumResultDepth else {
      throw ResultError("The value has more than \(Self.maximumResultDepth) levels.")
    }
    switch result {
    case .null: self = .null
    case .bool(let flag): self.init(flag)
    case .int(let number): self.init(number)
    case .uint(let number):
      guard let number = Int64(exactly: number) else { throw ResultError("The number is greater than an int.") }
      self.init(number)
    case .double(let number):
      guard let value = Value(finite: number) else { throw ResultError("The number is not finite.") }
      self = value
    case .string(let text): self.init(text)
    case .list(let elements):
      var values: [Value] = []
      for element in elements { values.append(try Value(element, depth: depth + 1)) }
      do { try self.init(elements: values) } catch { throw ResultError("The value cannot be stored.") }
    case .map(let map):
      var members: [(String, Value)] = []
      for (key, value) in zip(map.keys, map.values) {
        guard case .string(let name) = key else { throw ResultError("A key of the mapping is not a text.") }
        members.append((name, try Value(value, depth: depth + 1)))
      }
      do { try self.init(members: members) } catch { throw ResultError("The value cannot be stored.") }
    case .timestamp(let time): self.init(time.description)
    case .duration(let duration): self.init(duration.description)
    case .bytes, .type: throw ResultError("The result is \(result.typeName.rawValue), which JSON does not have.")
    }
  }

  /// Creates an array from data, whose depth is known only at run time.
  init(elements: [Value], at mark: SourceMark) throws(FlowError) {
    do { try self.init(elements: elements) } catch { throw FlowError(mark, error) }
  }

  /// Creates a map from data, whose depth is known only at run time.
  init(members: [(String, Value)], at mark: SourceMark) throws(FlowError) {
    do { try self.init(members: members) } catch { throw FlowError(mark, error) }
  }
}

extension FlowError {
  fileprivate init(_ mark: SourceMark, _ error: ValueError) {
    // A duplicate key may be personal data.
    let isTooDeep = if case .tooDeep = error.reason { true } else { false }
    self.init(
      mark, isTooDeep ? "The value has more than \(Value.maximumDepth) levels." : "The value cannot be stored.")
  }
}

/// A result of an expression that is not a value of JSON.
struct ResultError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
