import Values

@testable import Fuzzing

/// Parses any bytes as a stored value. They are refused, or they are the canonical form of the value.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  let bytes = input.remainder()
  guard let value = try? Value(validating: bytes) else { return 0 }
  hold(value.bytes.elementsEqual(bytes), "the value does not keep the accepted bytes")
  hold(rebuilt(value).bytes.elementsEqual(bytes), "the value has other bytes after encoding its parts again")
  checkNesting(value)
  checkExtraction(value, bytes)
  let text = value.json
  let read = holdsWithoutError("the JSON text of the value is refused") {
    try JSONParser.parse(text, depth: Value.maximumDepth)
  }
  hold(read.json == text, "the JSON text does not survive a round trip")
  return 0
}

/// Checks that the value is the same inside an array, unless the array exceeds the maximum depth.
private func checkNesting(_ value: Value) {
  let nested = try? Value(encoding: [value])
  let isDeepest = (try? JSONParser.parse(value.json, depth: Value.maximumDepth - 1)) == nil
  hold(nested == nil ? isDeepest : Array(nested!.elements) == [value], "the value changes inside an array")
}

private func rebuilt(_ value: Value) -> Value {
  switch value.kind {
  case .null: .null
  case .boolean: Value(value.bool!)
  case .integer: Value(value.int!)
  case .double: Value(finite: value.double!)!
  case .text: Value(value.text!)
  case .array: .array(value.elements.map(rebuilt))
  case .map: .object(value.members.map { ($0.key, rebuilt($0.value)) })
  }
}

/// Checks that the value is the same when it is extracted from a longer sequence of bytes, and that each member is
/// found by its key.
private func checkExtraction(_ value: Value, _ bytes: [UInt8]) {
  var reader = ByteReader([0xFF] + bytes + [0xFF])
  _ = holdsWithoutError("the first byte is missing") { try reader.byte() }
  let extracted = holdsWithoutError("the value is refused if other bytes follow") { try reader.value() }
  hold(extracted == value && extracted.hashValue == value.hashValue, "the value changes if other bytes follow")
  hold(reader.remaining == 1, "the reader did not stop at the end of the value")
  for member in extracted.members { hold(extracted[member.key] == member.value, "a member is not found by its key") }
}
