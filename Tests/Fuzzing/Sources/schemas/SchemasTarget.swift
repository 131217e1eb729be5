import JSONSchema
import Values

@testable import Fuzzing

/// Reads any JSON text of a schema and a value, `[schema, value]`. The schema is refused with faults that lead to its
/// parts, or the value has faults that lead to its parts, and the opposite result under `not`.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  guard let pair = try? JSONParser.parse(input.remainder()), pair.kind == .array, pair.count == 2 else { return 0 }
  let parts = Array(pair.elements)
  let (document, value) = (parts[0], parts[1])
  do throws(JSONSchema.SchemaError) {
    let schema = try JSONSchema(document)
    let faults = schema.faults(of: value, stepLimit: 20_000)
    hold(faults.count <= JSONSchema.faultLimit, "there are \(faults.count) faults")
    for fault in faults {
      // A required property has the pointer that it would have.
      let isAbsent = fault.keyword == "required" || fault.keyword == "dependentRequired"
      hold(isAbsent || part(of: value, at: fault.pointer) != nil, "\(fault) leads nowhere")
    }
    guard !faults.contains(where: { $0.keyword.isEmpty }) else { return 0 }
    let opposite = try JSONSchema(["not": ["$ref": "#/types/it"]], definitions: ["it": document])
    let others = opposite.faults(of: value, stepLimit: 40_000)
    hold(others.contains { $0.keyword.isEmpty } || others.isEmpty != faults.isEmpty, "not \(faults) is \(others)")
  } catch {
    hold((1...JSONSchema.faultLimit).contains(error.faults.count), "there are \(error.faults.count) faults")
    for fault in error.faults { hold(part(of: document, at: fault.pointer) != nil, "\(fault) leads nowhere") }
  }
  return 0
}

/// Returns the part of a value to which a JSON pointer leads.
private func part(of value: Value, at pointer: String) -> Value? {
  var part = value
  for token in pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
    if part.kind == .array {
      guard let index = Int(String(decoding: token, as: UTF8.self)), index < part.count else { return nil }
      part = Array(part.elements)[index]
    } else {
      guard let member = part.members.first(where: { escaped($0.key).elementsEqual(token) }) else { return nil }
      part = member.value
    }
  }
  return part
}

private func escaped(_ key: String) -> [UInt8] {
  key.utf8.flatMap { byte in
    switch byte {
    case UInt8(ascii: "~"): Array("~0".utf8)
    case UInt8(ascii: "/"): Array("~1".utf8)
    default: [byte]
    }
  }
}
