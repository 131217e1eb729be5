import CEL

@testable import Fuzzing

private let environment = CEL.Environment([
  "count": .int, "price": .double, "name": .string, "isOpen": .bool, "orders": .list(.string),
  "note": .nullable(.string),
  "quote": .nullable(.object(CEL.ObjectType("quote", ["id": .init(.string), "cents": .init(.int)]))),
  "prices": .map(.string, .int), "now": .timestamp, "any": .dyn,
])

private let bindings: [String: CEL.Value] = [
  "count": 3, "price": 1.5, "name": "Ann", "isOpen": true, "orders": ["a", "b"], "note": nil,
  "quote": ["id": "q", "cents": 12], "prices": ["a": 1], "now": .timestamp(CEL.Timestamp(seconds: 0)!),
  "any": [1, "x"],
]

/// Parses, checks and evaluates any text as an expression. It is refused with places inside of the text, or its
/// evaluation ends within the cost limit, with a value or an error. A checked expression never meets a type that the
/// checker did not expect.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  let source = String(decoding: input.remainder(), as: UTF8.self)
  do throws(CEL.ProgramError) {
    let program = try CEL.Program(source, in: environment)
    do throws(CEL.EvaluationError) {
      _ = try program.evaluate(bindings, costLimit: 10_000)
    } catch {
      hold((0...source.utf8.count).contains(error.offset), "\(error) is outside of the source")
      // The branches of `dyn` have any type.
      if case .unknownVariable(let name) = error.reason { hold(false, "the variable \(name) was checked") }
    }
  } catch {
    hold(!error.faults.isEmpty, "a refused expression has no fault")
    for fault in error.faults { hold((0...source.utf8.count).contains(fault.location.offset), "\(fault) is outside") }
  }
  if let program = try? CEL.Program(unchecked: source) { _ = try? program.evaluate(bindings, costLimit: 10_000) }
  return 0
}
