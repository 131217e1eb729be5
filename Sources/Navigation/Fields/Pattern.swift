internal import Patterns

/// A regular expression for a whole text, in the syntax that ECMA-262, Python, RE2 and others read alike.
///
/// The syntax has characters, classes such as `[A-Z0-9]` and `[^a]`, groups, `|`, and the counts `?`, `*`, `+`, `{2}`,
/// `{2,}` and `{2,4}`. A `\` makes a character of the syntax an ordinary one. There are no anchors, because the whole
/// text has to match, and no `\d`, `\w` or `.`, which mean different characters in different languages.
///
/// A match takes time proportional to the length of the text and to the size of the pattern. The matches of a form have
/// at most ``stepLimit`` steps together.
public struct Pattern: Sendable, Equatable {
  /// The maximum number of steps of the matches of a form. A step compares a character of the text with a part of the
  /// pattern.
  ///
  /// A match that reached it took 0.4 seconds (one core, without optimization).
  public static let stepLimit = 1_000_000

  public let source: String
  private let automaton: Automaton

  /// - Throws: the first error in the source.
  public init(_ source: String) throws(PatternError) {
    self.source = source
    do throws(PatternFault) {
      var parser = PortablePatternParser(source)
      let node = try parser.pattern()
      automaton = try Automaton(.sequence([.assert(.textStart), node, .assert(.textEnd)]))
    } catch {
      throw PatternError(index: error.location ?? 0, reason: error.clause)
    }
  }

  /// Returns whether the whole text matches. A text whose match needs too many steps does not.
  public func matches(_ text: String) -> Bool { result(for: text) ?? false }

  /// Returns whether the whole text matches; nil if the match needs too many steps.
  func result(for text: String) -> Bool? {
    var steps = Self.stepLimit
    return result(for: text, stepsLeft: &steps)
  }

  /// Returns whether the whole text matches; nil if the match needs more steps than are left.
  func result(for text: String, stepsLeft: inout Int) -> Bool? { automaton.matches(text, stepsLeft: &stepsLeft) }

  public static func == (a: Pattern, b: Pattern) -> Bool { a.source == b.source }
}

/// An error in the source of a ``Pattern``.
public struct PatternError: Error, Sendable, Equatable {
  /// The location of the error, in Unicode code points from 0.
  public let index: Int
  /// The error as a clause, such as `a group is not closed; write ) at its end`.
  public let reason: String
}

/// The pattern of a field, with a text that matches it.
public struct ExamplePattern: Sendable, Equatable {
  public let source: String
  public let example: String
  private let pattern: Pattern?
  /// The fault in the declaration; nil for a valid pattern that the example matches.
  let fault: DeclarationFault?

  init(_ source: String, example: String) {
    (self.source, self.example) = (source, example)
    do throws(PatternError) {
      let pattern = try Pattern(source)
      fault = pattern.matches(example) ? nil : .exampleDoesNotMatch(example)
      self.pattern = pattern
    } catch {
      fault = .invalidPattern(source, error)
      pattern = nil
    }
  }

  /// Returns the fault of a text; nil for a text that matches.
  func fault(of text: String, stepsLeft: inout Int) -> FieldFault? {
    switch pattern.map({ $0.result(for: text, stepsLeft: &stepsLeft) }) {
    case true: nil
    case .some(nil): FieldFault(keyword: "pattern", .tooLongToMatch)
    case false, nil: .outside(.pattern(self))
    }
  }
}
