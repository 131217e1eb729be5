/// A value of a YAML file with its location.
package struct YAMLNode: Sendable {
  package let content: Content
  /// The code points of the node in its source. A block collection ends where the next token begins.
  package let range: Range<Int>
  private let source: YAMLSource

  init(_ content: Content, _ range: Range<Int>, in source: YAMLSource) {
    self.content = content
    self.range = range
    self.source = source
  }

  /// Returns a node at this location with another content.
  package func replacing(_ content: Content) -> YAMLNode { YAMLNode(content, range, in: source) }

  package enum Content: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// A finite number that is written with a point or an exponent.
    case double(Double)
    case string(String, Style)
    case sequence([YAMLNode])
    case mapping([Entry])
    /// A value with a fault that the reader has reported. The node stands for any value, and so causes no other fault.
    case invalid
  }

  package enum Style: Sendable {
    case plain
    /// In single or double quotes.
    case quoted
    /// After `|` or `>`.
    case block
  }

  /// A key, which no other entry of the mapping has, and its value.
  package struct Entry: Sendable {
    package let key: YAMLKey
    package let value: YAMLNode

    package init(key: YAMLKey, value: YAMLNode) { (self.key, self.value) = (key, value) }
  }

  /// The location where the node begins: of a text in quotes, the quote.
  package var mark: SourceMark { source.mark(at: range.lowerBound) }

  /// The location after the node.
  package var end: SourceMark { source.mark(at: range.upperBound) }
}

/// A key of a mapping with its location.
package struct YAMLKey: Hashable, Sendable {
  package let name: String
  package let mark: SourceMark

  package init(name: String, mark: SourceMark) { (self.name, self.mark) = (name, mark) }
}

extension YAMLNode {
  /// Returns the location of a code point of the text of this node, for a fault inside of an expression or a path.
  ///
  /// White space has the location of the next other code point. In a node that is not a text or contains escapes, every
  /// code point has the location of the node.
  ///
  /// - Parameter offset: the offset in code points, from 0. The end of the text is a valid offset.
  package func mark(ofCodePoint offset: Int) -> SourceMark {
    guard case .string(let text, let style) = content, let written = written(style) else { return mark }
    // Folding changes white space only, so that the other code points are the same in the text and in the file.
    let indices = written.filter { !source.codePoints[$0].isWhiteSpace }
    let count = text.unicodeScalars.prefix(offset).count { !$0.isWhiteSpace }
    if count < indices.count { return source.mark(at: indices[count]) }
    return indices.last.map { source.mark(at: $0 + 1) } ?? mark
  }

  /// Returns the range of the text itself in the source, or nil if it contains escapes.
  private func written(_ style: Style) -> Range<Int>? {
    let codePoints = source.codePoints[range]
    switch style {
    case .plain: return range
    case .quoted:
      guard let quote = codePoints.first, codePoints.count >= 2 else { return nil }
      let inner = codePoints.dropFirst().dropLast()
      return inner.contains(quote == "'" ? "'" : "\\") ? nil : inner.indices
    case .block:
      // The line of the indicator may contain a comment.
      return codePoints.firstIndex { $0 == "\n" || $0 == "\r" }.map { $0..<range.upperBound }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isWhiteSpace: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }
}
