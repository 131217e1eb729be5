/// The conversions (CEL specification, "Type Conversions").
extension Evaluator {
  /// Returns nil if the function does not convert from the type of the value.
  mutating func convert(_ function: Function, _ value: CEL.Value) throws(Failure) -> CEL.Value? {
    if case .string(let text) = value { try meter.charge(bytes: text.utf8.count) }
    return switch function {
    case .bool: try bool(value)
    case .int: try int(value)
    case .uint: try uint(value)
    case .double: try double(value)
    case .string: try string(value)
    case .bytes: bytes(value)
    case .timestamp: try timestamp(value)
    default: try duration(value)
    }
  }

  private func bool(_ value: CEL.Value) throws(Failure) -> CEL.Value? {
    switch value {
    case .bool: return value
    case .string("1"), .string("t"), .string("T"), .string("true"), .string("TRUE"), .string("True"): return true
    case .string("0"), .string("f"), .string("F"), .string("false"), .string("FALSE"), .string("False"): return false
    case .string: throw .invalidConversion("\(value.shortDescription) is not a bool. Write 'true' or 'false'.")
    default: return nil
    }
  }

  private func int(_ value: CEL.Value) throws(Failure) -> CEL.Value? {
    switch value {
    case .int: return value
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
    default: return nil
    }
  }

  private func uint(_ value: CEL.Value) throws(Failure) -> CEL.Value? {
    switch value {
    case .uint: return value
    case .int(let number):
      guard let number = UInt64(exactly: number) else { throw .overflow("uint") }
      return .uint(number)
    case .double(let number):
      guard number > -1, number < 0x1p64 else { throw .overflow("uint") }
      return .uint(UInt64(number))
    case .string(let text):
      guard let number = UInt64(text) else { throw .invalidConversion("\(value.shortDescription) is not a uint.") }
      return .uint(number)
    default: return nil
    }
  }

  private func double(_ value: CEL.Value) throws(Failure) -> CEL.Value? {
    switch value {
    case .double: return value
    case .int(let number): return .double(Double(number))
    case .uint(let number): return .double(Double(number))
    case .string(let text):
      guard let number = DoubleText.parse(text) else {
        throw .invalidConversion("\(value.shortDescription) is not a double.")
      }
      return .double(number)
    default: return nil
    }
  }

  private mutating func string(_ value: CEL.Value) throws(Failure) -> CEL.Value? {
    switch value {
    case .string: return value
    case .bool(let value): return .string("\(value)")
    case .int(let number): return .string("\(number)")
    case .uint(let number): return .string("\(number)")
    case .double(let number): return .string(DoubleText.shortest(number))
    case .timestamp(let timestamp): return .string(timestamp.description)
    case .duration(let duration): return .string(duration.description)
    case .bytes(let bytes):
      try meter.charge(bytes: bytes.count)
      // The decoding replaces malformed bytes, which changes them.
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.utf8.elementsEqual(bytes) else { throw .invalidConversion("The bytes are malformed UTF-8.") }
      return .string(text)
    default: return nil
    }
  }

  private func bytes(_ value: CEL.Value) -> CEL.Value? {
    switch value {
    case .bytes: value
    case .string(let text): .bytes(Array(text.utf8))
    default: nil
    }
  }

  private func timestamp(_ value: CEL.Value) throws(Failure) -> CEL.Value? {
    switch value {
    case .timestamp: return value
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
    default: return nil
    }
  }

  private func duration(_ value: CEL.Value) throws(Failure) -> CEL.Value? {
    switch value {
    case .duration: return value
    case .string(let text):
      guard let duration = CEL.Duration(text) else {
        throw .invalidConversion(
          "\(value.shortDescription) is not a duration. Write it as '1h30m' or '90s', within 292 years.")
      }
      return .duration(duration)
    default: return nil
    }
  }
}
