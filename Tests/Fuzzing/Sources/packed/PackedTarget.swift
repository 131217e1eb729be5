import Navigation
import Values

@testable import Fuzzing
@testable import Navigation

/// Unpacks any bytes with a valid checksum as a session. They are refused, or they are a consistent session that packs
/// to the same bytes, can be viewed and continues.
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
  // A guard may fail by now, because its condition can read the services of the app.
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
  holdsWithoutError("the session is not consistent") { try audit(state, of: app, hasBeenCommitted: hasBeenCommitted) }
  let packed = app.pack(state)
  let again = holdsWithoutError("the packed session is refused") { try app.unpack(packed) }
  hold(again == state, "the packed session is another state")
  hold(app.pack(again) == packed, "one state has two packed forms")
}
