import Navigation
import Values

@testable import Flows
@testable import Fuzzing

/// Compiles any bytes as the file of a flow. The flow has faults in the order of the file, or it is an app, whose
/// sessions begin and continue, or are refused.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  let compilation = Flow.compile([Flow.File(path: "flow.yaml", bytes: input.remainder())])
  hold((compilation.app == nil) != compilation.errors.isEmpty, "the app and the errors disagree")
  hold(compilation.faults == compilation.faults.sorted(), "the faults are in another order than in the file")
  guard let definition = compilation.app else { return 0 }
  guard var state = try? definition.create() else { return 0 }
  for action in definition.actions.prefix(8) {
    let intent = Intent.action(name: action.name, input: .emptyObject)
    guard let next = try? definition.perform(intent, on: state) else { continue }
    hold((try? definition.unpack(definition.pack(next))) == next, "the session is not the same after it was stored")
    state = next
    _ = try? definition.view(of: state)
  }
  return 0
}
