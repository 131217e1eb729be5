extension String {
  /// The text without the blanks at its ends: white space, and characters without a width, which people paste unseen.
  package var trimmingBlanks: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.isBlank }), let last = scalars.lastIndex(where: { !$0.isBlank })
    else { return "" }
    return String(scalars[first...last])
  }

  /// Whether the text has no other characters than blanks.
  package var isBlank: Bool { unicodeScalars.allSatisfy(\.isBlank) }
}

extension Unicode.Scalar {
  /// White space, a zero width space, a word joiner or a byte order mark.
  fileprivate var isBlank: Bool {
    properties.isWhitespace || self == "\u{200B}" || self == "\u{2060}" || self == "\u{FEFF}"
  }
}
