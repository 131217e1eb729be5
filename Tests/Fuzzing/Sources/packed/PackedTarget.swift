import Navigation
import Values

@testable import Fuzzing
@testable import Navigation

/// Any bytes as the packed form of a session, with the checksum that fits: they are refused, or are a sound session that
/// is packed again to the same, is shown, and goes on.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  let fuzzed = input.pick(FuzzedApp.all)
  let (app, seed) = (fuzzed.app, UInt64(input.byte()))
  let content =
    input.byte() & 1 == 0
    ? input.remainder() : input.edited(input.pick(fuzzed.samples).dropLast(PackedFormat.checksumSize))
  let bytes = content + withUnsafeBytes(of: content.withUnsafeBytes { checksum($0) }.littleEndian) { Array($0) }
  guard let state = try? app.unpack(bytes) else { return 0 }
  // A guard may have come to fail since: its condition can read what the app gets from elsewhere.
  checkPacking(of: state, app, hasBeenCommitted: false)
  var random = Randomness(seed: seed)
  guard let offer = try? AvailableIntents(app, state) else { return 0 }
  for intent in offer.advertised(&random) + offer.unadvertised(&random).prefix(4) {
    guard let next = try? app.perform(intent, on: state) else { continue }
    hold(next.revision == state.revision + 1, "\(intent) leads from revision \(state.revision) to \(next.revision)")
    checkPacking(of: next, app)
    _ = try? app.view(of: next)
  }
  return 0
}

private func checkPacking(of state: SessionState, _ app: AppDefinition, hasBeenCommitted: Bool = true) {
  holdsWithoutError("it is not sound") { try audit(state, of: app, hasBeenCommitted: hasBeenCommitted) }
  let packed = app.pack(state)
  let again = holdsWithoutError("what was packed is not read") { try app.unpack(packed) }
  hold(again == state, "what was packed is another state")
  hold(app.pack(again) == packed, "one state has two packed forms")
}
