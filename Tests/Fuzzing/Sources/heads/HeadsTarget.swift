@testable import Fuzzing

/// Any bytes on a connection to a real server: the handler gets the requests that a strict reader finds in them, in their
/// order, and never another one. That is what keeps requests from being smuggled past a proxy that reads strictly.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  let pieces = input.byte() & 7 == 0 ? 1 + input.below(4) : 1
  let sent = input.remainder()
  let (seen, answer) = WireServer.shared.exchange(sent, in: pieces)
  let sound = StrictReader.requests(in: sent)
  let told = "\(seen) instead of \(sound)"
  hold(seen.count <= sound.count, "The handler saw what nobody sent: \(told)")
  for (one, other) in zip(seen, sound) { hold(one == other, "The handler saw another request: \(told)") }
  if let first = sound.first, first.isPlain {
    hold(!seen.isEmpty, "The handler did not see \(first); the answer was \(answer)")
  }
  if !answer.isEmpty { hold(answer.hasPrefix("HTTP/1.1 "), "The answer is no response: \(answer)") }
  return 0
}
