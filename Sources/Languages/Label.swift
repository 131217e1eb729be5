extension String {
  /// The text before the value that it names: with a colon, unless it has its own punctuation as a question has.
  package var asLabel: String { hasSuffix("?") || hasSuffix(":") ? self : self + ":" }
}
