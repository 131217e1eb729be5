/// The first fault in the source of a pattern.
package struct PatternFault: Error {
  /// In Unicode code points from 0; nil if the whole pattern is at fault.
  package let location: Int?
  private let reason: String
  private let advice: String?

  /// - Parameters:
  ///   - reason: a clause, such as `a group is not closed`.
  ///   - advice: a clause that tells the author the next step, such as `write ) at its end`.
  package init(_ reason: String, _ advice: String? = nil, at location: Int? = nil) {
    (self.reason, self.advice, self.location) = (reason, advice, location)
  }

  private var clauses: [String] { [reason, advice].compactMap(\.self) }

  /// The text within a sentence, such as `a group is not closed; write ) at its end`.
  package var clause: String { clauses.joined(separator: "; ") }

  /// The text as sentences, with the location.
  package var message: String {
    let sentences = clauses.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: ". ")
    return sentences + (location.map { " (at character \($0 + 1) of the pattern)." } ?? ".")
  }

  /// The fault of a character that has a meaning in the syntax, but none at its position.
  package static func standsAlone(_ scalar: Unicode.Scalar, at location: Int) -> PatternFault {
    PatternFault("\(scalar) stands alone", "write \\\(scalar) for the character", at: location)
  }
}
