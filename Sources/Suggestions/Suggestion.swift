/// The proposal of a name in the message about a wrong one.
package enum Suggestion {
  /// The maximum number of bytes of a name. A comparison takes time in proportion to the product of the lengths.
  static let lengthLimit = 64

  /// Returns ` Did you mean orders?`, or an empty text if no name is similar.
  package static func text(
    for name: String, among candidates: some Sequence<String>, comparisonLimit: Int = .max
  ) -> String {
    nearest(name, among: candidates, comparisonLimit: comparisonLimit).map { " Did you mean \($0)?" } ?? ""
  }

  /// Returns the number of steps that ``text(for:among:comparisonLimit:)`` counts for where steps are limited.
  package static func stepCount(for name: String, among nameCount: Int) -> Int {
    let size = min(name.utf8.count, lengthLimit)
    return nameCount * (1 + size * size / 32)
  }
}
