import Values

@testable import Fuzzing

/// Any bytes as a stored value: they are refused, or are the one form of the value that they say.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  let bytes = input.remainder()
  guard let value = try? Value(validating: bytes) else { return 0 }
  hold(value.bytes.elementsEqual(bytes), "the value has other bytes than were accepted")
  hold(rebuilt(value).bytes.elementsEqual(bytes), "the value, made anew from its parts, has other bytes")
  checkNesting(value)
  checkCutting(value, bytes)
  let text = value.json
  let read = holdsWithoutError("its text is not read") { try JSONParser.parse(text, depth: Value.maximumDepth) }
  hold(read.json == text, "its text, read and written, is another text")
  return 0
}

/// Inside an array it is the same, where that is not one level too many.
private func checkNesting(_ value: Value) {
  let nested = try? Value(encoding: [value])
  let isDeepest = (try? JSONParser.parse(value.json, depth: Value.maximumDepth - 1)) == nil
  hold(nested == nil ? isDeepest : Array(nested!.elements) == [value], "the value is another one inside an array")
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

/// Cut out of a larger run of bytes the value is the same, and each member is found by its key.
private func checkCutting(_ value: Value, _ bytes: [UInt8]) {
  var reader = ByteReader([0xFF] + bytes + [0xFF])
  _ = holdsWithoutError("no byte") { try reader.byte() }
  let cut = holdsWithoutError("the value is not read where others follow") { try reader.value() }
  hold(cut == value && cut.hashValue == value.hashValue, "the value is another one where others follow")
  hold(reader.remaining == 1, "more or less was read than the value")
  for member in cut.members { hold(cut[member.key] == member.value, "a member is not found by its key") }
}
