internal import Patterns

/// A regular expression in the syntax of ECMA-262 with the `u` flag, without captures, lookaround and backreferences.
struct Pattern: Sendable {
  let source: String
  private let automaton: Automaton

  /// - Throws: the first error in the source.
  init(_ source: String) throws(PatternError) {
    guard source.utf8.count <= Automaton.sizeLimit else {
      throw PatternError(message: "The pattern is longer than \(Automaton.sizeLimit) bytes. Shorten it.")
    }
    self.source = source
    var parser = PatternParser(source)
    let node = try parser.pattern()
    do throws(PatternTooLarge) {
      automaton = try Automaton(node)
    } catch {
      throw PatternError(message: "The pattern is too large. Write smaller counts in {}.")
    }
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

/// An error in the source of a ``Pattern``.
struct PatternError: Error {
  /// A sentence that tells the author what to do.
  let message: String
}
