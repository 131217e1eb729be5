internal import Patterns

/// A regular expression in the syntax of RE2 (https://github.com/google/re2/wiki/Syntax), without captures.
struct Pattern: Sendable {
  private let automaton: Automaton

  /// - Throws: the first error in the source.
  init(_ source: String) throws(PatternError) {
    guard source.utf8.count <= Automaton.sizeLimit else {
      throw PatternError(message: "The pattern is longer than \(Automaton.sizeLimit) bytes. Shorten it.")
    }
    var parser = PatternParser(source)
    let node = try parser.pattern()
    do throws(PatternTooLarge) {
      automaton = try Automaton(node)
    } catch {
      throw PatternError(message: "The pattern is too large. Write smaller counts in {}.")
    }
  }

  var instructionCount: Int { automaton.instructionCount }

  /// Returns whether a part of the text matches.
  ///
  /// - Parameter meter: Pays for the states that the match visits.
  func matches(_ text: String, meter: inout CostMeter) throws(Failure) -> Bool {
    try automaton.matches(text) { (stateCount) throws(Failure) in try meter.charge(1 + stateCount / 8) }
  }
}

/// An error in the source of a ``Pattern``.
struct PatternError: Error {
  /// A sentence that tells the author what to do.
  let message: String
}
