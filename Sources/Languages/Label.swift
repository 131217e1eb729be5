extension String {
  /// Returns the text before the value that it names: with a colon, unless it has its own punctuation as a question has.
  package func asLabel(in language: ServiceLanguage) -> String {
    hasSuffix("?") || hasSuffix(":") ? self : self + language.colon
  }

  /// The text without the colon at its end, and without the space before that.
  package var withoutColon: String {
    guard hasSuffix(":") else { return self }
    return dropLast().lastIndex { !$0.isWhitespace }.map { String(self[...$0]) } ?? ""
  }
}
