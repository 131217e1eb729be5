@testable import Fuzzing
@testable import HTTPAPI

/// What the service reads out of a request's head and form, one of its readers a run.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  switch input.byte() % 6 {
  case 0: checkTarget(input.remainder())
  case 1: checkForm(input.remainder())
  case 2: checkIdempotencyKey(input.field())
  case 3: checkMediaTypes(input.field())
  case 4: checkRevision(query: input.byte() & 1 == 0 ? nil : input.text(), header: input.field())
  default: checkSessionIdentity(input.field())
  }
  return 0
}

extension Input {
  /// A header's value as a request has it: no control characters, and no blanks around it.
  mutating func field() -> String {
    let bytes = remainder().filter { $0 >= 0x20 && $0 != 0x7F }
    let text = String(decoding: bytes, as: UTF8.self).drop { $0 == " " }
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}
