/// Ends the run, which libFuzzer then keeps as a crash, unless a property holds.
func hold(_ holds: Bool, _ sentence: @autoclosure () -> String) {
  if !holds { fatalError(sentence()) }
}

/// The same for what must not throw.
func holdsWithoutError<Result>(_ what: @autoclosure () -> String, _ body: () throws -> Result) -> Result {
  do {
    return try body()
  } catch {
    fatalError("\(what()): \(error)")
  }
}
