internal import Patterns

/// A regular expression in the syntax of ECMA-262 with the `u` flag, without captures, lookaround and backreferences.
struct Pattern: Sendable {
  let source: String
  private let automaton: Automaton

  /// - Throws: the first fault in the source.
  init(_ source: String) throws(PatternFault) {
    self.source = source
    automaton = try ECMAPatternParser.automaton(of: source)
  }

  /// Returns whether a part of the text matches.
  ///
  /// - Parameter charge: Pays for the states that the match visits.
  func matches<Failure: Error>(
    _ text: String, charge: (_ stepCount: Int) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    try automaton.matches(text) { (stateCount) throws(Failure) in try charge(1 + stateCount / 4) }
  }
}
