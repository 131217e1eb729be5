import Foundation
import Values

@testable import Fuzzing

/// Parses any bytes as JSON text. An accepted text survives a round trip, and Foundation parses it to the same value.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  let text = input.remainder()
  do throws(JSONError) {
    let value = try JSONParser.parse(text)
    checkMeaning(of: value)
    if let number = value.double { checkRounding(number, text) }
    let theirs = holdsWithoutError("Foundation refuses it") { try foundation(text) }
    // Foundation loses a byte order mark that begins a string.
    let hasMark = "\(value)".unicodeScalars.contains("\u{FEFF}")
    hold(hasMark || isSame(value, theirs), "Foundation reads \(theirs), not \(value)")
  } catch {
    hold((0...text.count).contains(error.offset), "the error is outside of the text: \(error)")
    hold(isOurChoice(error.reason, text) || (try? foundation(text)) == nil, "Foundation accepts it: \(error)")
  }
  return 0
}

private func checkMeaning(of value: Value) {
  let stored = holdsWithoutError("the value is invalid") { try Value(validating: value.bytes) }
  hold(stored == value, "the stored value differs")
  let again = holdsWithoutError("the written text is refused") { try JSONParser.parse(value.json) }
  hold(again == value, "\(value) is read as \(again)")
  hold(levels(of: value) <= JSONParser.maximumDepth, "\(levels(of: value)) levels were read")
}

/// Checks that a number is the double nearest to its digits, as `strtod` computes it.
private func checkRounding(_ number: Double, _ text: [UInt8]) {
  let nearest = strtod(String(decoding: text, as: UTF8.self), nil)
  hold(number == nearest, "\(number) is read instead of \(nearest)")
}

private func levels(of value: Value) -> Int {
  let inner = value.elements.map(levels) + value.members.map { levels(of: $0.value) }
  return value.kind == .array || value.kind == .map ? 1 + (inner.max() ?? 0) : 0
}

private func foundation(_ text: [UInt8]) throws -> Any {
  try JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
}

/// Returns whether `JSONParser` refuses a text for a limit that RFC 8259 leaves to parsers, or Foundation is more
/// lenient than RFC 8259.
private func isOurChoice(_ reason: JSONError.Reason, _ text: [UInt8]) -> Bool {
  switch reason {
  case .duplicateKey, .tooDeep, .loneSurrogate, .numberTooLarge, .byteOrderMark: true
  // Foundation accepts a comma after the last element, and takes NUL bytes for UTF-16 or UTF-32.
  case .unexpected(UInt8(ascii: "]")), .unexpected(UInt8(ascii: "}")): true
  default: text.contains(0)
  }
}

/// Compares with a tolerance, because Foundation rounds twice if a number has more digits than a double.
private func isNear(_ one: Double, _ other: Double) -> Bool { abs(one - other) <= max(abs(one) * 0x1p-40, 0x1p-1022) }

private func isSame(_ ours: Value, _ theirs: Any) -> Bool {
  switch (ours.kind, theirs) {
  case (.null, is NSNull): true
  case (.boolean, let flag as Bool): ours.bool == flag
  case (.integer, let number as NSNumber): ours.int == number.int64Value || isNear(ours.double!, number.doubleValue)
  case (.double, let number as NSNumber): isNear(ours.double!, number.doubleValue)
  case (.text, let text as String): ours.text!.utf8.elementsEqual(text.utf8)
  case (.array, let array as [Any]):
    ours.count == array.count && zip(ours.elements, array).allSatisfy { isSame($0, $1) }
  case (.map, let map as [String: Any]):
    // A Swift dictionary treats keys that differ only in their bytes as one key.
    Set(ours.members.map(\.key)).count < ours.count
      || ours.count == map.count
        && ours.members.allSatisfy { member in map[member.key].map { isSame(member.value, $0) } ?? false }
  default: false
  }
}
