internal import Patterns

/// A regular expression in the syntax of RE2 (https://github.com/google/re2/wiki/Syntax), without captures.
struct Pattern: Sendable {
  private let automaton: Automaton

  /// - Throws: the first fault in the source.
  init(_ source: String) throws(PatternFault) { automaton = try RE2PatternParser.automaton(of: source) }

  var instructionCount: Int { automaton.instructionCount }

  /// Returns whether a part of the text matches.
  ///
  /// - Parameter meter: Pays for the states that the match visits.
  func matches(_ text: String, meter: inout CostMeter) throws(Failure) -> Bool {
    try automaton.matches(text) { (stateCount) throws(Failure) in try meter.charge(1 + stateCount / 8) }
  }
}
