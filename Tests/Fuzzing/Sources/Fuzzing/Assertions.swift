/// Ends the process unless a property holds. libFuzzer keeps the input of a crash.
func hold(_ holds: Bool, _ sentence: @autoclosure () -> String) {
  if !holds { fatalError(sentence()) }
}

/// Returns the result of a body. Ends the process if the body throws.
func holdsWithoutError<Result>(_ sentence: @autoclosure () -> String, _ body: () throws -> Result) -> Result {
  do {
    return try body()
  } catch {
    fatalError("\(sentence()): \(error)")
  }
}
