/// The conversions (CEL specification, "Type Conversions").
extension Function {
  static let conversions = [
    conversion([.bool, .string], to: .bool, bool),
    conversion([.int, .uint, .double, .string, .timestamp], to: .int, int),
    conversion([.uint, .int, .double, .string], to: .uint, uint),
    conversion([.double, .int, .uint, .string], to: .double, double),
    Function(
      "string",
      [.string, .bool, .int, .uint, .double, .bytes, .timestamp, .duration].map { .global([$0], .string) }
    ) { (evaluator, arguments) throws(Failure) in .string(try evaluator.string(arguments[0])) },
    conversion([.bytes, .string], to: .bytes, bytes),
    conversion([.timestamp, .string, .int], to: .timestamp, timestamp),
    conversion([.duration, .string], to: .duration, duration),
  ]

  /// - Parameter convert: returns a value of the type itself as it is.
  private static func conversion(
    _ sources: [CEL.ValueType], to result: CEL.ValueType,
    _ convert: @escaping @Sendable (CEL.Value) throws(Failure) -> CEL.Value
  ) -> Function {
    Function(result.description, sources.map { .global([$0], result) }) { (_, arguments) throws(Failure) in
      try convert(arguments[0])
    }
  }

  private static func bool(_ value: CEL.Value) throws(Failure) -> CEL.Value {
    switch value {
    case .string("1"), .string("t"), .string("T"), .string("true"), .string("TRUE"), .string("True"): return true
    case .string("0"), .string("f"), .string("F"), .string("false"), .string("FALSE"), .string("False"): return false
    case .string: throw .invalidConversion("\(value.shortDescription) is not a bool. Write 'true' or 'false'.")
    default: return value
    }
  }

  private static func int(_ value: CEL.Value) throws(Failure) -> CEL.Value {
    switch value {
    case .timestamp(let timestamp): return .int(timestamp.seconds)
    case .uint(let number):
      guard let number = Int64(exactly: number) else { throw .overflow("int") }
      return .int(number)
    case .double(let number):
      // The ends of the range are not doubles, so a double at the end may stand for a number beyond it.
      guard number > -0x1p63, number < 0x1p63 else { throw .overflow("int") }
      return .int(Int64(number))
    case .string(let text):
      guard let number = Int64(text) else { throw .invalidConversion("\(value.shortDescription) is not an int.") }
      return .int(number)
    default: return value
    }
  }

  private static func uint(_ value: CEL.Value) throws(Failure) -> CEL.Value {
    switch value {
    case .int(let number):
      guard let number = UInt64(exactly: number) else { throw .overflow("uint") }
      return .uint(number)
    case .double(let number):
      guard number > -1, number < 0x1p64 else { throw .overflow("uint") }
      return .uint(UInt64(number))
    case .string(let text):
      guard let number = UInt64(text) else { throw .invalidConversion("\(value.shortDescription) is not a uint.") }
      return .uint(number)
    default: return value
    }
  }

  private static func double(_ value: CEL.Value) throws(Failure) -> CEL.Value {
    guard case .string(let text) = value else { return value.asDouble }
    guard let number = DoubleText.parse(text) else {
      throw .invalidConversion("\(value.shortDescription) is not a double.")
    }
    return .double(number)
  }

  private static func bytes(_ value: CEL.Value) -> CEL.Value {
    if case .string(let text) = value { .bytes(Array(text.utf8)) } else { value }
  }

  private static func timestamp(_ value: CEL.Value) throws(Failure) -> CEL.Value {
    switch value {
    case .int(let seconds):
      guard let timestamp = CEL.Timestamp(seconds: seconds) else { throw .overflow("timestamp") }
      return .timestamp(timestamp)
    case .string(let text):
      guard let timestamp = CEL.Timestamp(text) else {
        throw .invalidConversion(
          "\(value.shortDescription) is not a timestamp. Write it as '2009-02-13T23:31:30Z', within the years 1 to 9999."
        )
      }
      return .timestamp(timestamp)
    default: return value
    }
  }

  private static func duration(_ value: CEL.Value) throws(Failure) -> CEL.Value {
    guard case .string(let text) = value else { return value }
    guard let duration = CEL.Duration(text) else {
      throw .invalidConversion(
        "\(value.shortDescription) is not a duration. Write it as '1h30m' or '90s', within 292 years.")
    }
    return .duration(duration)
  }
}

extension Evaluator {
  fileprivate mutating func string(_ value: CEL.Value) throws(Failure) -> String {
    guard case .bytes(let bytes) = value else { return value.plainText ?? "" }
    try meter.charge(bytes: bytes.count)
    // The decoding replaces malformed bytes, which changes them.
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { throw .invalidConversion("The bytes are malformed UTF-8.") }
    return text
  }
}

extension CEL.Value {
  /// An integer as a double; any other value as it is.
  var asDouble: CEL.Value {
    switch self {
    case .int(let number): .double(Double(number))
    case .uint(let number): .double(Double(number))
    default: self
    }
  }

  /// A text, a number, a bool or a time as a text; nil for any other value.
  var plainText: String? {
    switch self {
    case .bool(let flag): "\(flag)"
    case .int(let number): "\(number)"
    case .uint(let number): "\(number)"
    case .double(let number): DoubleText.shortest(number)
    case .string(let text): text
    case .timestamp(let timestamp): timestamp.description
    case .duration(let duration): duration.description
    case .null, .bytes, .list, .map, .type: nil
    }
  }
}
